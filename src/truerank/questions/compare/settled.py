"""Whether a verdict stands however ties, unjudged documents and depth are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from truerank.data.arrays import Floats
from truerank.measures.core.base import Measure
from truerank.questions.compare.answer import BETTER, WORSE, MeasureComparison, OtherReading
from truerank.questions.diff.bounds import Bounds, by_ties, by_unjudged
from truerank.questions.diff.documents import RunPair
from truerank.statistics.corrections import CORRECTIONS, corrected
from truerank.statistics.level import EQUAL
from truerank.statistics.paired import complete
from truerank.track.lens import Lens
from truerank.track.spread import drawn_values

_DRAWS, _FEW_DRAWS = 200, 40
"""Random orders of ties that a pair is tested in, where its verdict hinges on them."""
_MANY = 1000
"""Topics past which few orders are drawn: over many topics ties even out."""
Pair = tuple[int, int]
"""Numbers of two systems, the second of which is compared with the first."""
PairBounds = dict[str, dict[str, Bounds]]
"""By measure, and by the convention that leaves it open, how far the difference of two systems is open."""


def other_depths(cutoff: int | None) -> tuple[int, ...]:
    """Depths to compare with that of a measure: half and twice as deep; none for a measure without a cutoff.

    >>> other_depths(10), other_depths(1), other_depths(None)
    ((5, 20), (2,), ())
    """
    return () if not cutoff else tuple(depth for depth in (cutoff // 2, 2 * cutoff) if depth and depth != cutoff)


def elsewhere(measure: Measure, depths: Sequence[int] | None) -> tuple[Measure, ...]:
    """The measure at other depths: those given, or half and twice its own."""
    if not measure.takes_cutoff:
        return ()
    wanted = other_depths(measure.cutoff) if depths is None else depths
    return tuple(measure @ depth for depth in wanted if depth != measure.cutoff)


def score_run(a: Lens, b: Lens, measures: Sequence[Measure]) -> PairBounds:
    """How far the difference of two runs is open, by each measure.

    With ties in favour of one system, its ties stand in the best order and those of the other in the worst. With
    unjudged documents in its favour, they have the grades that set it as far ahead as grades can.
    """
    lists = RunPair(a, b)
    found: PairBounds = {}
    for measure in measures:
        bounds = {"ties": by_ties(measure, a, b), "unjudged": by_unjudged(measure, lists)}
        found[str(measure)] = {convention: each for convention, each in bounds.items() if each is not None}
    return found


def checks(
    comparison: MeasureComparison,
    open_: Mapping[Pair, PairBounds],
    deeper: Mapping[str, Floats],
    baselines: Sequence[int] | None,
) -> dict[Pair, tuple[OtherReading, ...]]:
    """Compare every pair again, with what is open in favour of either system, and at other depths.

    Everything else stays as it is, the other pairs of the correction included. ``deeper`` has the scores (systems x
    topics) by the measure at other depths.
    """
    at_depths = [*_depths(comparison, deeper, baselines)]
    return {
        pair: (*_bounded(comparison, pair, open_[pair][comparison.measure]), *(each[pair] for each in at_depths))
        for pair in comparison.asked
    }


def hinges(found: Mapping[Pair, tuple[OtherReading, ...]]) -> list[Pair]:
    """The pairs whose verdict another order of ties may change."""
    return [pair for pair, some in found.items() if any(one.convention == "ties" and not one.settles for one in some)]


def look_at_orders(a: Lens, b: Lens, measures: Sequence[Measure], *, by: str, draws: int) -> Floats:
    """Differences of two runs in random orders of ties, a row a draw and a column a judged topic."""
    measure = next(one for one in measures if str(one) == by)
    differences: Floats = drawn_values(b, measure, draws) - drawn_values(a, measure, draws)
    return differences


def draws_of(comparison: MeasureComparison) -> int:
    """How many random orders are tested: fewer by a test that draws by itself, or of all systems, or of many topics."""
    test = comparison.settings.procedure
    return _FEW_DRAWS if test.draws or test.simultaneous or len(comparison.index) > _MANY else _DRAWS


def verdict_share(comparison: MeasureComparison, pair: Pair, differences: Floats) -> float:
    """The share of random orders of ties in which the verdict of a pair is the same."""
    observed = comparison.topic_differences(*(comparison.runs[at] for at in pair)).differences
    same = 0
    for drawn in differences[:, comparison.index]:
        difference = np.where(np.isnan(drawn) | (np.abs(drawn - observed) <= EQUAL), observed, drawn)
        same += _check(comparison, pair, "ties", "", difference).settles
    return same / len(differences)


def _bounded(comparison: MeasureComparison, pair: Pair, open_: Mapping[str, Bounds]) -> Iterator[OtherReading]:
    names = [comparison.runs[at] for at in pair]
    observed = comparison.topic_differences(*names).differences
    for convention, bounds in open_.items():
        some = bounds.take(comparison.index)
        low, high = (
            np.where(np.isnan(end) | (np.abs(end - observed) <= EQUAL), observed, end) for end in (some.low, some.high)
        )
        if (low == high).all():
            continue
        ends = []
        # The low end of a difference is good for a, where high values are.
        for favours, difference in zip(names[:: int(comparison.sign)], (low, high), strict=True):
            end = _check(comparison, pair, convention, favours, difference)
            if (difference != observed).any():
                yield replace(end, exact=some.exact)
            ends.append(end)
            if not end.settles:
                continue
            # A difference that is smaller and varies less may be significant where that of the end is not.
            between = -steadiest(-high, -low) if difference is low else steadiest(low, high)
            reading = _check(comparison, pair, convention, favours, between)
            if not reading.settles:
                yield replace(reading, exact=False)
        if all(end.settles and end.verdict in (BETTER, WORSE) for end in ends):
            # One that varies more may not be significant where those of both ends are.
            ahead = low.sum() > 0
            mixed = shakiest(low, high) if ahead else -shakiest(-high, -low)
            reading = _check(comparison, pair, convention, names[0 if ahead == (comparison.sign > 0) else 1], mixed)
            if not reading.settles:
                yield replace(reading, exact=some.exact, mixed=True)


def steadiest(low: Floats, high: Floats) -> Floats:
    """The differences between two ends, topic by topic, whose t is the highest; ``high`` where no mean is above 0.

    t grows with the sum over the root of the sum of squares, which along one topic has its top where the value is the
    sum of squares over the sum. So each topic is as near to that one number as it can be; drawing nearer to it again
    and again never lowers t.

    >>> steadiest(np.array([0.1, 0.1, 0.0]), np.array([0.1, 0.1, 0.9])).round(3).tolist()
    [0.1, 0.1, 0.1]
    """
    found: Floats = high
    if not found.sum() > 0:
        return found
    for _ in range(_ROUNDS):
        before, found = found, np.clip((found**2).sum() / found.sum(), low, high)
        if np.abs(found - before).max() <= EQUAL:
            break
    return found


_ROUNDS = 100


def shakiest(low: Floats, high: Floats) -> Floats:
    """Each topic at one of two ends, so that t is the lowest that a search finds; ``low`` where its sum is not above 0.

    Of such choices one has the lowest t of all that lies between. The sum of squares is as high as can be for some sums
    where the topics with the highest sums of both ends are at the high one. From there topics change ends, one or two
    at a time, as long as that lowers t.

    >>> shakiest(np.array([0.01, 0.02, 0.01, 0.02]), np.array([0.5, 0.5, 0.9, 0.5])).tolist()
    [0.01, 0.02, 0.9, 0.02]
    """
    found: Floats = low.copy()
    if not found.sum() > 0:
        return found
    free = np.flatnonzero(low < high)
    order = free[np.argsort(-(low + high)[free], kind="stable")]
    gain, squares = (high - low)[order], (high**2 - low**2)[order]
    sums = low.sum() + np.append(0.0, np.cumsum(gain))
    raised = int(np.argmin(sums / np.sqrt((low**2).sum() + np.append(0.0, np.cumsum(squares)))))
    at_high = np.arange(len(order)) < raised
    for _ in range(_ROUNDS):
        turn = np.where(at_high, -1.0, 1.0)
        total = low.sum() + gain[at_high].sum()
        square = (low**2).sum() + squares[at_high].sum()
        step, rise = turn * gain, turn * squares
        alone = (total + step) / np.sqrt(square + rise)
        if len(order) > _PAIRED:
            one = other = int(np.argmin(alone))
            best = alone[one]
        else:
            both = (total + step[:, None] + step) / np.sqrt(np.maximum(square + rise[:, None] + rise, TINY))
            np.fill_diagonal(both, alone)
            one, other = divmod(int(np.argmin(both)), len(order))
            best = both[one, other]
        if not best < total / np.sqrt(square) - EQUAL:
            break
        at_high[[one, other]] ^= True
    found[order[at_high]] = high[order[at_high]]
    return found


_PAIRED = 1000
"""Topics up to which two of them change ends at a time."""
TINY = np.finfo(np.float64).tiny


def _check(
    comparison: MeasureComparison, pair: Pair, convention: str, favours: str, difference: Floats
) -> OtherReading:
    a, b = pair
    settings = comparison.settings
    if settings.procedure.simultaneous:
        values = comparison.values.copy()
        values[b] = values[a] + difference
    else:
        values, a, b = np.stack([np.zeros(len(difference)), difference]), 0, 1
    tested = settings.tested(comparison.sample.unit(values), baseline=a, **settings.drawing())
    means = values.mean(axis=1)
    way = tested.way(rounded(np.subtract.outer(means, means)))[b, a].item()
    family = comparison.of_pairs(comparison.tested.p)
    place = comparison.asked.index(pair)
    family[place] = tested.p[b, a]
    beside = [comparison.of_pairs(other.p) for other in comparison.beside]
    adjusted = CORRECTIONS[settings.correction](np.concatenate([family, *beside]))[place].item()
    if settings.procedure.simultaneous:
        adjusted = min(1.0, adjusted * comparison.corrected.size / len(family))
    return _read(comparison, pair, convention, favours, difference.mean().item(), way, adjusted)


def _depths(
    comparison: MeasureComparison, deeper: Mapping[str, Floats], baselines: Sequence[int] | None
) -> Iterator[dict[Pair, OtherReading]]:
    """The same comparison by the measure at each other depth."""
    settings = comparison.settings
    for other, every in deeper.items():
        values = every[:, comparison.index]
        if not np.isfinite(values).all(axis=0).any():
            continue
        whole = complete(values)
        values = whole.scores
        units = comparison.sample.unit(values, whole.kept)
        tested = settings.tested(units, baseline=comparison.baseline, **settings.drawing())
        # The other measures of the family stay as they are.
        family = corrected(
            tested, settings.correction, baselines=baselines, alpha=settings.alpha, beside=comparison.beside
        )
        means = values.mean(axis=1)
        ways = tested.way(rounded(np.subtract.outer(means, means)))
        changes = _changes(comparison, every[:, comparison.index])
        yield {
            (a, b): _at_depth(
                _read(
                    comparison,
                    (a, b),
                    "depth",
                    other,
                    (means[b] - means[a]).item(),
                    ways[b, a].item(),
                    family.p[b, a].item(),
                ),
                change,
                comparison.settings.alpha,
            )
            for (a, b), change in zip(comparison.asked, changes.tolist(), strict=True)
        }


def _changes(comparison: MeasureComparison, values: Floats) -> Floats:
    """p for the difference of each pair being the same by other values, corrected for all pairs."""
    both = np.asarray(np.isfinite(values).all(axis=0))
    moved = comparison.sample.unit((values - comparison.values)[:, both], both)
    # Of a test of all pairs at once the null hypothesis is about scores, and not about how they change.
    settings = comparison.settings
    if settings.procedure.simultaneous:
        settings = replace(settings, test="student", correction="holm", interval="")
    p = settings.tested(moved, **settings.drawing()).p
    changes: Floats = CORRECTIONS[settings.correction](comparison.of_pairs(p))
    return changes


def _at_depth(reading: OtherReading, change: float, alpha: float) -> OtherReading:
    """Another depth has another verdict only where the difference is shown to be another one.

    That one p is below alpha and another one above it does not show that: of pairs with a p near alpha, most have both.
    """
    return replace(reading, settles=reading.settles or not change < alpha, p_change=change)


def rounded(differences: Floats) -> Floats:
    """Differences of means, where rounding noise is none."""
    found: Floats = np.where(np.abs(differences) <= EQUAL, 0.0, differences)
    return found


def _read(
    comparison: MeasureComparison, pair: Pair, convention: str, favours: str, difference: float, way: float, p: float
) -> OtherReading:
    a, b = pair
    now = comparison.verdict(comparison.ways[b, a].item(), comparison.corrected.p[b, a].item())
    then = comparison.verdict(way, float(p))
    return OtherReading(
        convention=convention,
        favours=favours,
        difference=difference,
        p=float(p),
        verdict=then,
        settles=now == then,
    )
