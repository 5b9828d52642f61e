"""How gates come out: by one interval, that of the test, with topics allowed for that were not seen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Mask
from truerank.data.errors import InputError
from truerank.questions.compare.answer import FAILED, PASSED, UNDECIDED, GateOutcome, MeasureComparison
from truerank.questions.compare.gates import BETTER, EQUIVALENT, NO_WORSE, NOT_SIGNIFICANTLY_WORSE, Gate
from truerank.questions.compare.words import interval_kind, method
from truerank.statistics.agreeing import ending_at_0, levels_left
from truerank.statistics.level import above
from truerank.statistics.paired import NOISE, by_signs, constant
from truerank.statistics.power import detectable, needed_topics
from truerank.statistics.unseen import guarded, safe_loss

MOST = 1 << 40
"""Topics that nobody has."""
SMALLEST = 0.001
"""Of the range of a measure, the least margin that is worth naming."""
POWER = 0.8
"""Chance of finding a difference that topics are counted for."""


@dataclass(frozen=True, eq=False)
class Gains:
    """By how much b is better than a, of each of some pairs (a, b): positive is good by every measure."""

    rows: Floats
    """Pairs x what was drawn."""
    low: Floats
    high: Floats
    """Infinite where there are too few topics for any interval."""
    shown: Floats
    """What the test shows: 1 for better, -1 for worse, 0 for neither."""
    levels: Floats
    """The level that the correction leaves to each."""

    def ends(self, sign: float) -> tuple[Floats, Floats]:
        """The same as differences of scores, where ``sign`` says whether high ones are good."""
        return (self.low, self.high) if sign > 0 else (-self.high, -self.low)

    @property
    def guarded(self) -> tuple[Mask, Mask]:
        """Whether the low and the high end allow for topics that were not seen: all but those that show something."""
        return ~((self.shown > 0) & (self.low >= 0)), ~((self.shown < 0) & (self.high <= 0))


def gains(comparison: MeasureComparison, pairs: Sequence[tuple[int, int]], level: float, losses: float = 0.0) -> Gains:
    """The interval of each pair at the confidence 1 - ``level``, as in the table, which agrees with verdicts there.

    It allows for topics that lose as much as the worst of a pair, or ``losses``. Too few topics to show anything by
    their signs have no interval; a difference that does not vary is where it is as soon as there are enough.
    """
    a, b = np.array(pairs).T
    sample, settings = comparison.sample, comparison.settings
    rows = comparison.sign * (sample.units[b] - sample.units[a])
    rows[np.abs(rows) <= NOISE * np.maximum(np.abs(sample.units[b]), np.abs(sample.units[a]))] = 0.0
    p, way = comparison.corrected.p[b, a], np.sign(comparison.sign * comparison.ways[b, a])
    differ = (rows != 0).sum(axis=-1)
    shown = np.where((p < level) & (2.0 ** (1.0 - differ) < level), way, 0.0)
    at = comparison.at_level(level)
    low, high = at.intervals.low[b, a], at.intervals.high[b, a]
    if comparison.sign < 0:
        low, high = -high, -low
    mean = rows.mean(axis=-1)
    low, high = np.where(np.isnan(low), mean, low), np.where(np.isnan(high), mean, high)
    least, most = ending_at_0(low, high, shown)
    if not settings.about_means:
        # What such a test shows is not where the mean is.
        least, most = np.where(shown == 0, least, low), np.where(shown == 0, most, high)
    if settings.procedure.simultaneous or settings.correction == "none":
        levels = np.full(len(rows), level / (comparison.corrected.size if settings.procedure.simultaneous else 1))
    else:
        first, others = levels_left(at.family, level)
        levels = np.where(p < level, first, others)
    low, high = guarded(rows, least, most, shown, levels, losses=losses, **settings.drawing())
    if not losses:
        # One more topic of the same kind changes nothing, but for rounding.
        fixed = constant(rows)
        low, high = np.where(fixed, least, low), np.where(fixed, most, high)
    widest = comparison.by.range[1] - comparison.by.range[0]
    low, high = np.maximum(low, np.minimum(mean, -widest)), np.minimum(high, np.maximum(mean, widest))
    if by_signs(sample.drawn) >= level:
        low, high = np.full(len(rows), -np.inf), np.full(len(rows), np.inf)
    return Gains(rows, low, high, shown, levels)


def outcomes(wanted: Iterable[Gate], compared: Iterable[MeasureComparison]) -> Iterator[GateOutcome]:
    """Each gate tried on each measure that it is about, and every system that is held against another."""
    every, all_gates = list(compared), list(wanted)
    fixed = {name for gate in all_gates for name in gate.references}
    known: dict[tuple[object, ...], Gains] = {}
    for gate in all_gates:
        for found in every:
            pairs = [(a, b) for a, b in found.asked if found.runs[a] in gate.references and found.runs[b] not in fixed]
            if gate.measure not in (None, found.by) or not pairs:
                continue
            # Gates of the same level share their intervals.
            key = (found.measure, gate.references, gate.level, gate.losses)
            if key not in known:
                known[key] = gains(found, pairs, gate.level, gate.losses or 0.0)
            yield from (_outcome(gate, found, known[key], at, *pair) for at, pair in enumerate(pairs))


@dataclass(frozen=True)
class GainInterval:
    """How much better a system may be: the interval of its gain, and what the test shows of it (1, -1 or 0)."""

    low: float
    high: float
    shown: float

    def decides(self, form: str, margin: float = 0.0) -> str:
        """How a gate of a form comes out: one interval for all of them, so that no two can contradict each other.

        >>> found = GainInterval(-0.011, 0.019, 0)
        >>> found.decides(NO_WORSE, 0.02), found.decides(NO_WORSE, 0.01), found.decides(BETTER, 0.02)
        ('PASSED', 'UNDECIDED', 'FAILED')
        """
        # An end at 0 is outside of the interval where the test shows something, as Holm's correction may leave it.
        gain = above(self.low, 0.0) or (self.shown > 0 and self.low == 0)
        loss = above(0.0, self.high) or (self.shown < 0 and self.high == 0)
        if form == NOT_SIGNIFICANTLY_WORSE:
            # A test that is of no mean may show a loss that the mean does not.
            return FAILED if loss else UNDECIDED if self.shown < 0 else PASSED
        if form == BETTER:
            passed, failed = (above(self.low, margin), above(margin, self.high)) if margin else (gain, loss)
        elif form == NO_WORSE:
            passed, failed = above(self.low, -margin), above(-margin, self.high)
        else:
            passed = above(self.low, -margin) and above(margin, self.high)
            failed = above(-margin, self.high) or above(self.low, margin)
        return PASSED if passed else FAILED if failed else UNDECIDED


def _outcome(gate: Gate, comparison: MeasureComparison, by: Gains, at: int, a: int, b: int) -> GateOutcome:
    baseline, run = comparison.runs[a], comparison.runs[b]
    margin = gate.difference * _unit(gate, comparison, a)
    interval = GainInterval(by.low[at].item(), by.high[at].item(), by.shown[at].item())
    result = interval.decides(gate.form, margin)
    ends = [end[at].item() for end in by.ends(comparison.sign)]
    worse = tuple(comparison.losses(baseline, run))
    return GateOutcome(
        gate=gate.text,
        asked=gate,
        width=comparison.by.range[1] - comparison.by.range[0],
        sign=comparison.sign,
        measure=comparison.measure,
        baseline=baseline,
        run=run,
        outcome=result,
        passed=result == PASSED,
        difference=comparison.effects.difference[b, a].item(),
        low=ends[0] if math.isfinite(ends[0]) else math.nan,
        high=ends[1] if math.isfinite(ends[1]) else math.nan,
        margin=margin,
        guarded=_is_guarded(gate.form, result, *(bool(end[at]) for end in by.guarded)),
        shown=interval.shown,
        test=method(comparison),
        interval=interval_kind(comparison),
        topics=len(comparison.topics),
        num_groups=comparison.num_groups,
        num_changed=int((comparison.topic_differences(baseline, run).differences != 0).sum()),
        needed_topics=_needed(gate, comparison, by.rows[at], by.levels[at].item(), margin),
        would_pass=() if result == PASSED else tuple(_would_pass(gate, comparison, interval, a)),
        missed=_missed(gate, comparison, a, b) if gate.form == NOT_SIGNIFICANTLY_WORSE else None,
        safe_loss=_safe_loss(gate, comparison, by.rows[at], by.levels[at].item(), margin) if result == PASSED else None,
        alpha=gate.level,
        looks=gate.looks,
        num_worse=len(worse),
        worse=worse,
    )


def _unit(gate: Gate, comparison: MeasureComparison, a: int) -> float:
    """What the difference of a gate is in units of: 1, or for a share the mean of the baseline."""
    if not gate.relative:
        return 1.0
    mean = comparison.means.estimate[a].item()
    if not mean > 0:
        raise InputError(
            f"gate {gate.text!r} is a share of the mean of {comparison.runs[a]}, which is {mean:g} by "
            f"{comparison.measure}; name a difference in units of the measure, as in 0.005"
        )
    return float(mean)


def _is_guarded(form: str, result: str, low: bool, high: bool) -> bool:
    """Whether the end of the interval that decides allows for topics that were not seen."""
    if form == EQUIVALENT:
        return (low or high) and result != FAILED
    if result == FAILED:
        return high
    return low or (result == UNDECIDED and high)


def _would_pass(gate: Gate, comparison: MeasureComparison, interval: GainInterval, a: int) -> Iterator[str]:
    """Other gates that the run passes, of one that it does not: the rules that ask for less, and the least margin."""
    if gate.form != NOT_SIGNIFICANTLY_WORSE and interval.decides(NOT_SIGNIFICANTLY_WORSE) == PASSED:
        yield NOT_SIGNIFICANTLY_WORSE
    form = gate.form if gate.form in (NO_WORSE, EQUIVALENT) else NO_WORSE
    widest = comparison.by.range[1] - comparison.by.range[0]
    most = max(-interval.low, interval.high) if form == EQUIVALENT else -interval.low
    if not math.isfinite(most) or most >= widest:
        return
    unit, smallest = _unit(gate, comparison, a), SMALLEST * widest if math.isfinite(widest) else 0.0
    least = _next(most / unit) if most > smallest else smallest / unit
    if least > 0 and not (gate.relative and least >= 1):
        yield f"{form} {100 * least:.6g}%" if gate.relative else f"{form} {least:.6g}"


def _next(size: float) -> float:
    """The least number of two digits above one.

    >>> _next(0.04213), _next(0.04), _next(0.0996)
    (0.043, 0.041, 0.1)
    """
    unit = 10.0 ** (math.floor(math.log10(size)) - 1)
    steps = math.floor(size / unit) + 1
    found = float(f"{steps * unit:.6g}")
    return found if found > size else float(f"{(steps + 1) * unit:.6g}")


def _missed(gate: Gate, comparison: MeasureComparison, a: int, b: int) -> float | None:
    """The true loss that is missed one time of five: smaller ones are missed more often."""
    if comparison.sample.drawn < 2:
        return None
    deviation = comparison.effects.deviation[b, a].item()
    size = float(
        detectable(comparison.sample.drawn, deviation, alpha=gate.level / comparison.corrected.size, power=POWER)
    )
    return size if deviation > 0 else None


def _safe_loss(gate: Gate, comparison: MeasureComparison, row: Floats, level: float, margin: float) -> float | None:
    """How much a topic that was not seen may lose, or change, for the claim to hold; None where none is made.

    Nor where a topic that was seen loses more: what is significant does not allow for others.
    """
    if gate.form == NOT_SIGNIFICANTLY_WORSE or (gate.form == BETTER and not margin):
        return None
    size = -margin if gate.form == BETTER else margin
    ways = (row, -row) if gate.form == EQUIVALENT else (row,)
    drawing = comparison.settings.drawing()
    safe = [(safe_loss(one, size, level=level, **drawing), -one.min().item()) for one in ways]
    return None if any(loss <= worst for loss, worst in safe) else min(loss for loss, _ in safe)


def _needed(gate: Gate, comparison: MeasureComparison, row: Floats, level: float, margin: float) -> int | None:
    """Topics on which a system that is just as good would pass, from how much differences vary."""
    if gate.form not in (NO_WORSE, EQUIVALENT) or len(row) < 2 or comparison.sample.replicates is not None:
        return None
    # Of two ends both must be within, each of which is left half of the chance to miss it.
    power = POWER if gate.form == NO_WORSE else (1.0 + POWER) / 2.0
    deviation = float(row.std(ddof=1))
    # What is allowed for topics that were not seen takes one of so many off, as large as the worst.
    worst = max(float((row.mean() - row).max()), gate.losses or 0.0)

    def needed(topics: float) -> float:
        left = margin - worst / (topics + 1)
        if not left > 0:
            return math.inf
        return float(needed_topics(left, deviation, alpha=level / 2.0, power=power, sides=1))

    low, high = 1, 2
    while needed(high) > high:
        low, high = high, 2 * high
        if high > MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if needed(middle) > middle else (low, middle)
    # Of groups it takes so many, of as many topics as these have.
    return math.ceil(high * len(comparison.topics) / comparison.sample.drawn)
