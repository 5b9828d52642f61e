"""What scores can come to, once documents are judged that nobody has judged yet.

How many of these are found relevant is not known, and many measures divide by it. So scores are bounded for each number
of them apart, or for a few numbers together where there are many: what two systems may come to is compared at the same
number, for it is the same for both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from truerank.data.arrays import ODD, Floats, Keys, Mask, Rows, begins
from truerank.data.classes import dataclass
from truerank.data.judge import JudgedRun
from truerank.data.parts import Part, part_field
from truerank.data.rankings import Rankings, gain_of, row_sum
from truerank.measures.core.base import FoundRange, Measure, ratio
from truerank.track.lens import Lens

EACH = 64
"""Numbers of documents found that are looked at one by one."""
STEP = 1.05
"""By how much steps grow past that."""
FEW, COARSE = 16, 1.25
"""Both for measures that are scored again for each step."""
LEVELS = 32
"""Gains of tied documents that are told apart."""
DEPTH = 100
"""How deep documents of two runs are told apart, for a measure without a cutoff."""


@dataclass(frozen=True, eq=False, kw_only=True)
class DocumentGains(Part):
    """What single documents add, for a measure to which each adds the same whatever the others are."""

    at: Rows = part_field(merge="concat")
    """The topic of each document that may be judged, in no order."""
    key: Keys = part_field(merge="concat")
    worth: Floats = part_field(merge="concat")
    """What it adds if it has the grade that is worth most, before dividing."""
    base: Floats = part_field(merge="per topic")
    """What judged documents add."""
    deeper: Floats = part_field(merge="per topic")
    """What all documents add that stand too deep to be told apart."""
    least: Floats = part_field(merge="per topic")
    """What is divided by, at least, if so many are found as a step has at least."""
    most: Floats = part_field(merge="per topic")
    """The same at most."""


@dataclass(frozen=True, eq=False, kw_only=True)
class OutcomeRanges(Part):
    """The least and the most that values of topics can come to, a column for each step of documents found relevant."""

    steps: Rows
    """The number of documents that each step begins with."""
    total: Rows = part_field(merge="per topic")
    """Documents of each topic that may be found relevant."""
    low: Floats = part_field(merge="per topic")
    """NaN where the measure is undefined for so many."""
    high: Floats = part_field(merge="per topic")
    alike: Keys = part_field(merge="per topic")
    """A number for each list: the same for the same documents at the same ranks; 0 where that is not known."""
    shared: bool
    """Whether as many are found for other runs."""
    gains: DocumentGains | None
    """What single documents add, where these are all that there is to add up, and are told apart."""


def steps(most: int, each: int = EACH, step: float = STEP) -> Rows:
    """Where steps begin: at each number of few documents, then farther and farther apart, up to ``most``.

    >>> steps(3).tolist(), len(steps(10_000))
    ([0, 1, 2, 3], 172)
    """
    found = [*range(min(most, each) + 1)]
    while found[-1] < most:
        found.append(min(max(found[-1] + 1, int(found[-1] * step)), most))
    return np.array(found, np.intp)


def step_ends(steps: Rows, total: Rows) -> Rows:
    """The number of documents that each step ends with, the last one with as many as a topic has at most.

    >>> step_ends(np.array([0, 1, 4]), np.array([9, 2])).tolist()
    [0, 3, 9]
    """
    return np.append(steps[1:] - 1, max(int(total.max(initial=0)), int(steps[-1])))


def outcomes(lens: Lens, measure: Measure) -> OutcomeRanges:
    """What values of a measure can come to, a row a topic that counts.

    >>> from truerank.conventions.axes import Conventions
    >>> from truerank.io.load import as_qrels, as_run
    >>> from truerank.measures.ap import AP
    >>> from truerank.track.pools import JudgmentPools
    >>> qrels, run = as_qrels({"q": {"a": 1}}), as_run({"q": ["u", "a", "v"]})
    >>> found = outcomes(Lens(qrels, run, JudgmentPools(qrels, [], []), Conventions(unjudged="bounds")), AP())
    >>> found.low.round(4).tolist(), found.high.round(4).tolist()  # 0, 1 or both of u and v are relevant
    ([[0.5, 0.5833, 1.0]], [[0.5, 1.0, 1.0]])
    """
    if measure not in lens.worked_out:
        lens.worked_out[measure] = _outcomes(lens, measure)
    found: OutcomeRanges = lens.worked_out[measure]
    return found


def _outcomes(lens: Lens, measure: Measure) -> OutcomeRanges:
    total, every = lens.may_be_judged(measure), len(lens.judged.length)
    rests = rests_on_judgments(lens, measure)
    lists, blocks = lens.documents(measure)
    own = rests and not all(_is_closed(measure.core, r) for r in blocks)
    # Bounds of all runs have the same steps, so that they can be told from each other.
    most = int(total.max(initial=0))
    first = np.zeros(1, np.intp) if not rests else steps(most, FEW, COARSE) if own else steps(most)
    last = step_ends(first, total)
    low, high = np.full((2, every, len(first)), np.nan)
    whole = not lens.conventions.ends_for(measure)
    alike = np.zeros(every, np.uint64)
    told = _GainSums(every, len(first), rests=rests) if _tells_apart(lens, measure, blocks, rests=rests) else None
    for r in blocks:
        counts = total[r.topic][:, None]
        found = FoundRange(_open(r, measure), counts, np.minimum(first, counts), np.minimum(last, counts))
        scale = FoundGrades(lens.least_grade(measure), lens.top_grade(measure))
        low[r.topic], high[r.topic] = _block(lens, measure, r, found, scale, rests)
        # There are no more of them than the topic has.
        low[r.topic], high[r.topic] = (np.where(first <= counts, end[r.topic], np.nan) for end in (low, high))
        if whole:
            alike[r.topic] = _signature(r, lists, measure)
        if told is not None:
            told.add(measure, r, lists, found, scale)
    return OutcomeRanges(
        topics=lens.topics,
        steps=first,
        total=total[lens.topics],
        low=low[lens.topics],
        high=high[lens.topics],
        alike=alike[lens.topics],
        shared=not lens.conventions.relevant_in_run,
        gains=None if told is None else told.part(lens.topics),
    )


class _GainSums:
    """What single documents add, gathered block by block."""

    def __init__(self, topics: int, steps: int, *, rests: bool) -> None:
        self._rests = rests
        self._columns: list[tuple[Rows, Keys, Floats]] = []
        self._base, self._deeper = np.zeros((2, topics))
        self._least, self._most = np.ones((2, topics, steps))

    def add(self, measure: Measure, r: Rankings, lists: JudgedRun, found: FoundRange, grades: FoundGrades) -> None:
        """The documents of a block."""
        core, depth = measure.core, measure.depth(r)
        base, worth = _total(core, r, depth), _worth(core, r, found.open, grades.most)
        least, most = (divisors(core, r, found, grades, best=best) for best in (True, False))
        if self._rests:
            self._least[r.topic], self._most[r.topic] = least, most
        else:
            base, worth = ratio(base, least[:, 0]), ratio(worth, np.broadcast_to(least[:, :1], worth.shape))
        told = found.open & (r.start <= (DEPTH if measure.cutoff is None else measure.cutoff)) & (worth != 0)
        self._base[r.topic] = np.nan_to_num(base)
        self._deeper[r.topic] = np.nan_to_num(row_sum(np.where(found.open & ~told, worth, 0.0)))
        row, slot = np.nonzero(told)
        document = lists.offsets[:-1][r.topic][row] + slot
        self._columns.append((r.topic[row], lists.run.key[lists.row[document]], worth[row, slot]))

    def part(self, topics: Rows) -> DocumentGains:
        """All of them."""
        at, key, worth = (np.concatenate(each) for each in zip(*self._columns, strict=True))
        return DocumentGains(
            topics=topics,
            at=at,
            key=key,
            worth=worth,
            base=self._base[topics],
            deeper=self._deeper[topics],
            least=self._least[topics],
            most=self._most[topics],
        )


def _tells_apart(lens: Lens, measure: Measure, r: Sequence[Rankings], *, rests: bool) -> bool:
    """Whether what a measure adds up can be said of each document, and is divided by the same for all runs."""
    choice, core = lens.conventions, measure.core
    if choice.ends_for(measure) or choice.tie_bounds or choice.extreme or choice.relevant_in_run or not len(r):
        return False
    return all(_is_closed(core, each) == "gains" for each in r) and not (rests and measure.cutoff is None)


def _signature(r: Rankings, lists: JudgedRun, measure: Measure) -> Keys:
    """A number for each list, of its documents and their ranks."""
    row, slot = np.nonzero(~np.isnan(r.grade) & ((r.start <= measure.depth(r)) | measure.deepens))
    key = lists.run.key[lists.row[lists.offsets[:-1][r.topic][row] + slot]].astype(np.uint64)
    place = (r.start[row, slot] * 2 + 1).astype(np.uint64) * ODD + r.stop[row, slot].astype(np.uint64)
    found = np.zeros(len(r.length), np.uint64)
    np.add.at(found, row, (key ^ place) * (place | np.uint64(1)))
    return found


@dataclass(frozen=True)
class FoundGrades:
    """The grades that a document found relevant may have."""

    least: float
    """The one worth least."""
    most: float


def rests_on_judgments(lens: Lens, measure: Measure) -> bool:
    """Whether values change with how many relevant documents there are, be they listed or not."""
    return lens.conventions.ends_for(measure) or divides(lens, measure)


def divides(lens: Lens, measure: Measure) -> bool:
    """The same of a measure in itself, without a terminal document, which has the share of what there is to find."""
    if measure.needs_pool or not measure.reads_list:
        return True
    # By a cutoff of 1 it is the highest grade that counts, or that there is none, and not how many documents have one.
    grade, counts = lens.top_grade(measure), np.array([1, *range(9)])
    lists = Rankings.single([grade, 0.0, grade, np.nan], pool=[grade] * 8).take(np.zeros(len(counts), np.intp))
    pool = np.where(np.arange(8) < counts[:, None], grade, 0.0)
    pool[0, 0] = lens.least_grade(measure)
    found = measure.core.estimate(replace(lists, pool=pool, judged=counts, max_grade=max(lens.pool.max_grade, grade)))
    return bool(np.ptp(np.nan_to_num(found.value)) > 0) or (measure.skips_unjudged and not measure.counts)


def _open(r: Rankings, measure: Measure) -> Mask:
    """Slots with documents that may be judged, and that the measure may see."""
    found = (r.judgment < 0) & ~np.isnan(r.grade)
    depth = np.full((len(r.length), 1), r.start.max(initial=0)) if measure.deepens else measure.depth(r)
    return found & (r.start <= depth)


def _block(
    lens: Lens, measure: Measure, r: Rankings, found: FoundRange, grades: FoundGrades, rests: bool
) -> tuple[Floats, Floats]:
    """The least and the most of each row, a column a step."""
    choice, core = lens.conventions, measure.core
    if not rests:
        ends = [
            measure.score(one)
            for grade in (0.0, grades.most)
            for one in _orders(lens, measure, replace(r, grade=np.where(found.open, grade, r.grade)), found)
        ]
        return np.fmin.reduce(ends)[:, None], np.fmax.reduce(ends)[:, None]
    worse = better = r, found
    if choice.tie_bounds or choice.extreme:
        # The order that is worst for readers is that of the highest value, where this is how much they read in vain.
        worse, better = (_arranged(r, found, measure, best=best == measure.higher_is_better) for best in (False, True))
    if (kind := _is_closed(core, r)) is not None:
        low = _closed(core, *worse, grades, kind, best=False)
        if better[0] is r or kind != "gains":
            high = _closed(core, *better, grades, kind, best=True)
        else:
            adds = first_of_ties(core, r, found.open, grades.most)
            high = _closed(core, better[0], found, grades, kind, best=True, adds=adds)
    else:
        low = _stepwise(measure, (r, found), worse, grades, best=False)
        high = _stepwise(measure, (r, found), better, grades, best=True)
    least, most = measure.range
    # Where a pool is cut at a depth in one order of ties and the list has another, more can be found than it holds; and
    # a terminal document that is worth more than others stands last in the ideal ranking, and may stand higher here.
    worth = gain_of(np.array([grades.least]), measure.gain(lens.pool)).item()
    beyond = core.needs_pool or (core.exceeds_ideal and bool(r.terminal) and worth < 1.0)
    return np.clip(low, least, most), np.clip(high, least, np.inf if beyond else most)


def _orders(lens: Lens, measure: Measure, graded: Rankings, found: FoundRange) -> list[Rankings]:
    """Rankings in the worst and the best order of their ties, by the grades that all documents have now."""
    if not (lens.conventions.tie_bounds or lens.conventions.extreme):
        return [graded]
    none = replace(found, open=np.zeros(found.open.shape, bool))
    return [_arranged(graded, none, measure, best=best)[0] for best in (False, True)]


def _arranged(r: Rankings, found: FoundRange, measure: Measure, *, best: bool) -> tuple[Rankings, FoundRange]:
    """Tied documents in the best or the worst order, those that may be judged between relevant ones and others."""
    if not r.tied:
        return r, found
    if not measure.sorts_ties:
        return replace(r, ties="best" if best else "worst"), found
    return _sorted(r, found, measure.merit(np.where(found.open, np.nan, r.grade), r), best=best)


def _sorted(r: Rankings, found: FoundRange, merit: Floats, *, best: bool) -> tuple[Rankings, FoundRange]:
    """Tied documents by merit."""
    # The terminal document has the last slot, also behind padding, and stays there.
    where = np.where(np.arange(r.start.shape[1]) < r.start.shape[1] - bool(r.terminal), r.start, np.iinfo(np.intp).max)
    order = np.lexsort((-merit if best else merit, where), axis=-1)
    start, stop, judgment = (np.take_along_axis(each, order, axis=-1) for each in (r.start, r.stop, r.judgment))
    grade, open_ = np.take_along_axis(r.grade, order, axis=-1), np.take_along_axis(found.open, order, axis=-1)
    column = np.broadcast_to(np.arange(start.shape[1]), start.shape)
    first = np.maximum.accumulate(np.where(np.diff(start, axis=-1, prepend=-1) != 0, column, 0), axis=-1)
    rank = np.where(stop > start, start + column - first, start)
    return replace(r, start=rank, stop=rank, grade=grade, judgment=judgment), replace(found, open=open_)


def _is_closed(core: Measure, r: Rankings) -> str | None:
    """How all steps are found in one go: for a sum of "gains", or of "pairs" of documents that are alike."""
    if not core.is_sum or r.terminal or core.deepens or core.skips_unjudged:
        return None
    terms = tuple(core.terms(r))
    if all(term.alone for term in terms):
        return "gains"
    [first, *rest] = terms
    same = not rest and first.pairs_alike and core.level is not None
    return "pairs" if same and core.takes_gains is False else None


def _closed(
    core: Measure,
    r: Rankings,
    found: FoundRange,
    grades: FoundGrades,
    kind: str,
    *,
    best: bool,
    adds: Floats | None = None,
) -> Floats:
    """The sum by how many listed documents are relevant, over what is divided by at the near end of each step.

    ``adds`` is what open slots of ``found`` add, where that is known.
    """
    grade = grades.most if best else grades.least
    if adds is None:
        adds = _worth(core, r, found.open, grade) if kind == "gains" else _in_pairs(core, r, found.open, best=best)
    depth = core.depth(r)
    sums = np.zeros((len(adds), adds.shape[1] + 1))
    sums[:, 0] = _total(core, r, depth)
    if kind == "gains":
        order = np.argsort(np.where(found.open, -adds if best else adds, np.inf), axis=-1, kind="stable")
    else:
        place = np.arange(adds.shape[1])
        order = np.argsort(np.where(found.open, place if best else -place, np.inf), axis=-1, kind="stable")
    ranked = np.take_along_axis(np.where(found.open, adds, 0.0), order, axis=-1)
    np.cumsum(ranked, axis=-1, out=sums[:, 1:])
    sums[:, 1:] += sums[:, :1]
    total = np.take_along_axis(sums, found.most_listed if best else found.least_listed, axis=-1)
    return ratio(total, divisors(core, r, found, grades, best=best))


def divisors(core: Measure, r: Rankings, found: FoundRange, grades: FoundGrades, *, best: bool) -> Floats:
    """What sums are divided by, in each step: the least of it where that is ``best``, otherwise the most."""
    # Of a pool that is cut at a depth it is not known which documents come into it.
    fewest = found.least * 0 if core.needs_pool else found.least
    more = replace(r, more=fewest if best else found.most, more_grade=grades.least if best else grades.most)
    below = core.normaliser(more, core.depth(r))
    shape = found.least.shape
    if core.needs_pool and best and below is not None:
        below = np.maximum(below, found.most > 0)
    return np.ones(shape) if below is None else np.broadcast_to(below, shape).astype(np.float64)


def _total(core: Measure, r: Rankings, depth: Rows) -> Floats:
    """What documents add as they are."""
    return sum((term.total(r, depth) for term in core.terms(r)), np.zeros(len(r.length)))


def _worth(core: Measure, r: Rankings, open_: Mask, grade: float) -> Floats:
    """What each open slot adds if it has a grade, whatever the others are."""
    depth, graded = core.depth(r), replace(r, grade=np.where(open_, grade, r.grade))
    adds = [
        each.adds(graded, depth) - now.adds(r, depth)
        for each, now in zip(core.terms(graded), core.terms(r), strict=True)
    ]
    return sum(adds[1:], adds[0])


def first_of_ties(core: Measure, r: Rankings, open_: Mask, grade: float) -> Floats:
    """What each open slot adds if it has a grade that none is above, and stands before tied ones with less gain.

    It takes a place among the first of its ties, and those of each lower gain move one down: that is as if it stood
    at the end of each of them in turn, with what its gain has more than theirs.

    >>> from truerank.measures.dcg import DCG
    >>> r = Rankings.single([0, 1], groups=[0, 0])  # 3 before 1, and not after it: 3 + 1 / log2(3) - 1
    >>> first_of_ties(DCG(), r, np.array([[True, False]]), 3.0).round(4).tolist()
    [[2.6309, 0.0]]
    """
    gain = core.gain(r)
    x, top = np.where(open_, 0.0, r.gains(gain)), gain_of(np.array([grade]), gain).item()
    if not top:
        return np.zeros(x.shape)
    lower = _levels(np.where(x < top, x, 0.0))
    may = open_.astype(np.float64)
    place = r.start + (np.cumsum(may, axis=-1) - may - r.above(may)).astype(np.intp)
    found = np.zeros(x.shape)
    none = np.zeros((len(x), 1))
    for here, below in pairwise([none + top, *np.moveaxis(lower, -1, 0)[:, :, None], none]):
        at = place + r.group_sum((x >= here).astype(np.float64)).astype(np.intp)
        moved = replace(r, start=np.where(open_, at, r.start), stop=np.where(open_, at, r.stop))
        found += (here - below) / top * _worth(core, moved, open_, grade)
    return found


def _levels(x: Floats) -> Floats:
    """The gains of each row, the highest first, each once; 0 where there are no more.

    They are those of the row alone, so that its bits do not depend on others. Of many, some: those between are moved as
    far as the one above, which is less far than they are.

    >>> _levels(np.array([[1.0, 3.0, 1.0], [0.0, 2.0, 0.0]])).tolist()
    [[3.0, 1.0], [2.0, 0.0]]
    """
    falling = -np.sort(-x, axis=-1)
    new = (falling > 0) & (np.diff(falling, axis=-1, prepend=np.inf) != 0)
    step = np.maximum(-(-new.sum(axis=-1, keepdims=True) // LEVELS), 1)
    kept = new & ((np.cumsum(new, axis=-1) - 1) % step == 0)
    found = np.zeros((len(x), int(kept.sum(axis=-1).max(initial=0))))
    row, slot = np.nonzero(kept)
    found[row, np.cumsum(kept, axis=-1)[row, slot] - 1] = falling[row, slot]
    return found


def _in_pairs(core: Measure, r: Rankings, open_: Mask, *, best: bool) -> Floats:
    """What each open slot adds if it is relevant as well as all open ones above it (``best``), or below it."""
    [term] = core.terms(r)
    relevant = (r.gains(core.gain(r)) > 0).astype(np.float64)
    return term.adds_if_found(r, core.depth(r), relevant, open_.astype(np.float64), best=best)


def _stepwise(
    measure: Measure,
    read: tuple[Rankings, FoundRange],
    arranged: tuple[Rankings, FoundRange],
    grades: FoundGrades,
    *,
    best: bool,
) -> Floats:
    """Values scored step by step: the most, or the least."""
    rows, steps = read[1].least.shape
    end = np.full((rows, steps), np.nan)
    # An order of ties goes by the grades that documents turn out to have, where these can be told apart.
    later = arranged[0] is not read[0] and measure.sorts_ties
    for step in range(steps):
        ordered, found = arranged[0], _at(arranged[1], step)
        own = measure.core.outcomes(ordered, found)
        if own:
            end[:, step] = own[1] if best else own[0]
        elif later:
            end[:, step] = _scored(measure, read[0], _at(read[1], step), grades, best=best, later=True)
        else:
            end[:, step] = _scored(measure, ordered, found, grades, best=best)
    return end


def _at(found: FoundRange, step: int) -> FoundRange:
    """One step of them."""
    return replace(found, least=found.least[:, [step]], most=found.most[:, [step]])


def _scored(
    measure: Measure, r: Rankings, found: FoundRange, grades: FoundGrades, *, best: bool, later: bool = False
) -> Floats:
    """The best: as many relevant documents as can be listed, high up, and as few as can be elsewhere; or the worst."""
    core, place = measure.core, np.cumsum(found.open, axis=-1)
    if not core.sorts_ties:
        # Where it is not known that a higher place is better, all of them are taken to be relevant, or none.
        chosen = found.open & (found.most > 0) if best else np.zeros(found.open.shape, bool)
    elif best:
        chosen = found.open & (place <= found.most_listed)
    else:
        chosen = found.open & (place > found.listed - found.least_listed)
    graded = replace(r, grade=np.where(chosen, grades.most if best else grades.least, r.grade))
    if later:
        graded, _ = _sorted(graded, found, measure.merit(graded.grade, graded), best=best)
    if core.deepens:
        # It looks as deep as with the most relevant documents, and divides as with the fewest; or the other way round.
        near, far = (
            _pooled(graded, count, grade) for count, grade in ((found.least, grades.least), (found.most, grades.most))
        )
        depth = [core.depth(each)[:, 0] for each in ((near, far) if best else (far, near))]
        return core.estimate(far if best else near).value * np.divide(depth[1], np.maximum(depth[0], 1))
    fewest = found.least * 0 if core.needs_pool else found.least
    pooled = _pooled(graded, fewest, grades.least) if best else _pooled(graded, found.most, grades.most)
    return core.estimate(pooled).value


def _pooled(r: Rankings, count: Rows, grade: float) -> Rankings:
    """The rankings, with so many more judgments of a grade."""
    width = int(count.max(initial=0))
    more = np.where(np.arange(width) < count, grade, 0.0)
    pool = np.concatenate([r.pool, more], axis=-1)
    order = np.argsort(-pool, axis=-1, kind="stable")
    rank = None
    if r.pool_rank is not None:
        rank = np.take_along_axis(
            np.concatenate([r.pool_rank, np.where(more > 0, 1, np.iinfo(np.intp).max)], axis=-1), order, axis=-1
        )
    return replace(r, pool=np.take_along_axis(pool, order, axis=-1), pool_rank=rank, judged=r.judged + count[:, 0])


@dataclass(frozen=True, eq=False)
class DifferenceBounds:
    """The least and the most that differences of two runs can come to, one a topic."""

    low: Floats
    high: Floats
    exact: bool
    """Whether each of them is met by some judgments; otherwise what can be may lie closer together."""


def differences(a: OutcomeRanges, b: OutcomeRanges, undefined: float) -> DifferenceBounds:
    """What the values of ``b`` less those of ``a`` can come to, on the same topics and under the same judgments.

    ``undefined`` is what a topic counts as where the measure has no value.

    >>> from truerank.conventions.axes import Conventions
    >>> from truerank.io.load import as_qrels, as_run
    >>> from truerank.measures.p import P
    >>> from truerank.track.pools import JudgmentPools
    >>> qrels, runs = as_qrels({"q": {"a": 1}}), [as_run({"q": ["u", "v", "a"]}), as_run({"q": ["u", "v", "x"]})]
    >>> pools, choice = JudgmentPools(qrels, [], []), Conventions(unjudged="bounds")
    >>> found = differences(*(outcomes(Lens(qrels, run, pools, choice), P(cutoff=3)) for run in runs), 0.0)
    >>> found.low.round(4).tolist(), found.high.tolist()  # x may be relevant; u and v are in both lists
    ([-0.3333], [0.0])
    """
    low, high = _apart(a, b, undefined)
    if a.gains is not None and b.gains is not None:
        return _moved(a.gains, b.gains, a, low, high)
    same = (a.alike == b.alike) & (a.alike > 0)
    return DifferenceBounds(np.where(same, 0.0, low.min(axis=-1)), np.where(same, 0.0, high.max(axis=-1)), exact=False)


def _apart(a: OutcomeRanges, b: OutcomeRanges, undefined: float) -> tuple[Floats, Floats]:
    """The difference of the ends of both, a column for each number of documents found, which both have in common."""
    low_a, high_a, low_b, high_b = (np.where(np.isnan(end), undefined, end) for end in (a.low, a.high, b.low, b.high))
    if not (a.shared and b.shared):
        low_a, low_b = (end.min(axis=-1, keepdims=True) for end in (low_a, low_b))
        high_a, high_b = (end.max(axis=-1, keepdims=True) for end in (high_a, high_b))
        return low_b - high_a, high_b - low_a
    past = a.steps > a.total[:, None]
    return np.where(past, np.inf, low_b - high_a), np.where(past, -np.inf, high_b - low_a)


def _moved(a: DocumentGains, b: DocumentGains, steps: OutcomeRanges, low: Floats, high: Floats) -> DifferenceBounds:
    """Each document moves the difference by what it adds to one less what it adds to the other.

    With several grades a document is taken to add the most and to be divided by the least, which no judgments do: the
    ends of both scores, ``low`` and ``high`` apart in each step, may be nearer.
    """
    place = np.full(int(a.topics.max(initial=-1)) + 1, -1, np.intp)
    place[a.topics] = np.arange(len(a.topics))
    at = place[np.concatenate([a.at, b.at])]
    key, move = np.concatenate([a.key, b.key]), np.concatenate([-a.worth, b.worth])
    order = np.lexsort((key, at))
    at, key, move = at[order], key[order], move[order]
    first = np.flatnonzero(begins(at, key))
    at, move = at[first], np.add.reduceat(move, first) if len(first) else move
    now = b.base - a.base
    if a.least.shape[1] == 1 and (a.least == 1).all() and (a.most == 1).all():
        up, down = (np.bincount(at, side(move, 0.0), len(now)) for side in (np.maximum, np.minimum))
        exact = not (a.deeper.any() or b.deeper.any())
        least, most = now + down - a.deeper, now + up + b.deeper
        return DifferenceBounds(np.maximum(least, low.min(axis=-1)), np.minimum(most, high.max(axis=-1)), exact)
    exact = bool((a.least == a.most).all())
    most_ahead = _ahead(at, move, now, a, steps, high)
    return DifferenceBounds(-_ahead(at, -move, -now, a, steps, -low), most_ahead, exact)


def _ahead(at: Rows, move: Floats, now: Floats, by: DocumentGains, found: OutcomeRanges, apart: Floats) -> Floats:
    """The most that the sum of moves over what is divided by can come to, and in each step no more than ``apart``."""
    order = np.lexsort((-move, at))
    at, move = at[order], move[order]
    count = np.bincount(at, minlength=len(now))
    first = np.cumsum(count) - count
    width = int(count.max(initial=0))
    laid = np.zeros((len(now), width + 1))
    laid[at, 1 + np.arange(len(at)) - first[at]] = move
    gains = np.bincount(at, move > 0, len(now)).astype(np.intp)[:, None]
    losses = np.bincount(at, move < 0, len(now)).astype(np.intp)[:, None]
    sums = np.cumsum(laid, axis=-1)
    total = found.total[:, None]
    least, most = np.minimum(found.steps, total), np.minimum(step_ends(found.steps, found.total), total)
    # The best number of documents within the step; what moves nothing, elsewhere or unseen, is found before losses.
    best = np.clip(gains, least, most)
    neutral = total - losses
    chosen = np.where(best <= neutral, np.minimum(best, gains), best - neutral + count[:, None] - losses)
    above = now[:, None] + np.take_along_axis(sums, np.minimum(chosen, count[:, None]), axis=-1)
    below = np.where(above >= 0, by.least, by.most)
    share = np.minimum(ratio(above, below, 0.0), apart)
    most_ahead: Floats = np.where(found.steps > total, -np.inf, share).max(axis=-1)
    return most_ahead
