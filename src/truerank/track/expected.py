"""The mean over random judgments: exact where a measure allows it, otherwise by draws of whole judgments.

Judgments of different pairs are independent. So a sum of ``Gain``, ``Pair`` or ``Cascade`` is expected to be the same
sum of expected gains, over the orders of ties at the same time. Where a measure divides by how many documents are
relevant, R, its value is taken apart by R:

- gains over any function of R: each document's chance of being relevant, times the distribution of the others;
- any such sum over R itself: 1/R is the integral of t^(R-1) from 0 to 1, and the mean of a sum times t^R is, up to a
  factor, its mean under other probabilities. The integral is one of a polynomial, which a few places t give exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from truerank.conventions.axes import EXTREMES, Conventions
from truerank.data.arrays import Floats, Mask, Rows, distinct, stretches
from truerank.data.block import pool_of
from truerank.data.chance_grades import RandomRankings
from truerank.data.chances import Chances
from truerank.data.draws import draws_of
from truerank.data.qrels import Qrels
from truerank.data.rankings import Rankings, gain_of, row_sum
from truerank.expectation.gain_maps import Map
from truerank.expectation.random_count import counted, nodes, without
from truerank.expectation.term import Term
from truerank.measures.core.base import Estimate, Measure, ratio
from truerank.track.pools import OnePool, has_gain

if TYPE_CHECKING:
    from truerank.track.lens import Lens

REDRAWN = 200
"""Judgments that are drawn where lists have to be read again for each of them."""
_POWERS = 16
"""What powers up to which integrals are exact are multiples of."""
_ROOM = 1 << 21
"""Numbers that are worked on at once."""


class Mean(NamedTuple):
    """The mean over the judgments under which a measure has a value, times their probability."""

    value: Floats
    undefined: Floats
    """The probability of the others."""

    def without(self, chance: Floats, value: Floats) -> Mean:
        """The mean without judgments that have a chance, under all of which the measure has this value or is NaN."""
        defined = ~np.isnan(value)
        return Mean(
            np.where(defined, self.value - chance * np.nan_to_num(value), self.value),
            np.where(defined, self.undefined + chance, self.undefined),
        )

    def settled(self, measure: Measure, choice: Conventions) -> Floats:
        """Where some judgments leave a measure without a value, they count as the conventions say."""
        always = self.undefined >= 1
        if choice.counts_undefined and measure.counts_as == measure.counts_as:
            found = self.value + self.undefined * measure.counts_as
        elif choice.skips_undefined:
            found = self.value / np.where(always, 1.0, 1.0 - self.undefined)
        else:
            found = np.where(self.undefined > 0, np.nan, self.value)
        return np.where(always, np.nan, found)


def expected(lens: Lens, measure: Measure, *, ties: str, unjudged: str) -> Estimate:
    """Values of a measure, one a topic that counts, as the mean over random judgments."""
    judged = lens.joined(lens.conventions.ending_of(measure)).qrels
    assert isinstance(judged, Chances)
    negative = bool((judged.options < 0).any()) and not lens.conventions.judges_negative(measure)
    if ties in EXTREMES or negative:
        return _redrawn(lens, measure, judged, ties, unjudged)
    value, error = np.full(len(judged.topics), np.nan), np.zeros(len(judged.topics))
    sure = _sure_topics(judged)
    for block in lens.rankings(measure, ties=ties, unjudged=unjudged):
        plain = lens.found(measure, block, unjudged)
        rows = np.flatnonzero(~sure[block.topic])
        value[block.topic] = plain.value
        if plain.error is not None:
            error[block.topic] = plain.error
        if not len(rows):
            continue
        some = block if len(rows) == len(block.topic) else block.take(rows)
        found = None if unjudged in ("low", "high") else exact(measure, some, judged)
        if found is not None:
            if lens.conventions.skips_undefined:
                found = found.without(_nothing_relevant(lens, judged)[some.topic], _without_relevant(measure, some))
            value[some.topic], error[some.topic] = found.settled(measure, lens.conventions), 0.0
        else:
            value[some.topic], error[some.topic] = _estimate_by_draws(lens, measure, some, judged, unjudged)
    return Estimate(value[lens.topics], error[lens.topics])


def _sure_topics(judged: Chances) -> Mask:
    """Topics of which every document has one grade for certain."""
    open_ = (judged.chance > 0).sum(axis=1) > 1
    found: Mask = np.bincount(stretches(judged.offsets)[open_], minlength=len(judged.topics)) == 0
    return found


def _nothing_relevant(lens: Lens, judged: Chances) -> Floats:
    """The probability of each topic that no document is relevant to any measure of the call."""
    relevant = has_gain(judged.options.reshape(-1, 1), lens.measures, lens.pool).reshape(judged.options.shape)
    chance = row_sum(np.where(relevant, judged.chance, 0.0))
    found: Floats = np.ones(len(judged.topics))
    np.multiply.at(found, stretches(judged.offsets), 1.0 - chance)
    return found


def _without_relevant(measure: Measure, r: Rankings) -> Floats:
    """Values of the same lists, if no document is relevant."""
    return measure.score(replace(_with_pool(r, 0, 0.0), grade=np.where(np.isnan(r.grade), np.nan, 0.0)))


# Draws


def _estimate_by_draws(lens: Lens, measure: Measure, r: Rankings, judged: Chances, unjudged: str) -> Estimate:
    """By draws, each of which is another column of grades in the same rankings."""
    slots = r.start.shape[1]
    if measure.cutoff is not None and measure.is_sum and not (r.terminal or measure.deepens) and np.isnan(r.beyond):
        slots = int((r.start <= measure.cutoff).sum(axis=-1).max(initial=0))
    start, stop, judgment = r.start[:, :slots], r.stop[:, :slots], r.judgment[:, :slots]
    found = []
    for part in draws_of(judged).parts(r.topic):
        many = len(part.grades)
        grade = np.where(judgment >= 0, part.grades[:, judgment], r.grade[:, :slots]).reshape(many * len(start), slots)
        block = replace(
            r,
            topic=np.tile(r.topic, many),
            start=np.tile(start, (many, 1)),
            stop=np.tile(stop, (many, 1)),
            grade=grade,
            judgment=np.tile(judgment, (many, 1)),
            length=np.tile(r.length, many),
            pool=part.pool,
            judged=np.tile(r.judged, many),
            kept=part.kept,
        )
        value = lens.found(measure, block, unjudged).value
        if lens.conventions.skips_undefined:
            value = np.where(has_gain(block.pool, lens.measures, lens.pool), value, np.nan)
        found.append(value.reshape(many, -1))
    return _summed(np.concatenate(found), measure, lens.conventions)


def _summed(values: Floats, measure: Measure, choice: Conventions) -> Estimate:
    """The mean over draws, a row each, and its standard error."""
    undefined = np.isnan(values)
    always = undefined.all(axis=0)
    if choice.counts_undefined and measure.counts_as == measure.counts_as:
        values = np.where(undefined, measure.counts_as, values)
        undefined = np.zeros(values.shape, np.bool_)
    elif not choice.skips_undefined:
        always, undefined = undefined.any(axis=0), np.zeros(values.shape, np.bool_)
    count = np.maximum((~undefined).sum(axis=0), 1)
    # From the first draw on, so that what is the same in all of them is that to the last digit, with no error.
    first = np.where(undefined[0], 0.0, values[0])
    mean = first + row_sum(np.where(undefined, 0.0, values - first).T) / count
    spread_ = row_sum(np.where(undefined, 0.0, (values - mean) ** 2).T)
    error = np.sqrt(spread_ / np.maximum(count - 1, 1) / count)
    return Estimate(np.where(always, np.nan, mean), np.where(always, 0.0, error))


def _redrawn(lens: Lens, measure: Measure, judged: Chances, ties: str, unjudged: str) -> Estimate:
    """By draws for each of which lists are read again: the order of ties, or what is judged, depends on grades."""
    found = []
    choice = replace(lens.conventions, judges="given")
    for grade in draws_of(judged).grades(0, REDRAWN):
        qrels = Qrels(judged.topics, judged.offsets, grade, judged.docs, judged.key)
        pool = replace(pool_of(qrels, negative_judged=choice.negative_judged), max_grade=judged.max_grade)
        one = lens.drawn(qrels, OnePool(pool, measures=lens.measures), choice)
        found.append(one.estimate(measure, ties=ties, unjudged=unjudged).value)
    return _summed(np.array(found), measure, choice)


# Closed forms


def exact(measure: Measure, r: Rankings, judged: Chances) -> Mean | None:
    """The mean over random judgments, in closed form; None where there is none."""
    kind = type(measure)
    if r.terminal or not measure.is_sum or kind.score is not Measure.score or kind.estimate is not Measure.estimate:
        return None
    terms, depth = tuple(measure.terms(r)), measure.depth(r)
    if not all(term.factorises for term in terms):
        return None
    if _is_fixed(measure, r, judged):
        return _of_fixed(measure, RandomRankings.of(r, judged), terms, depth)
    if measure.level is None or tuple(measure.terms(_with_pool(r, 0, 0.0))) != terms:
        return None
    return _by_relevant(measure, r, judged, terms)


def _with_pool(r: Rankings, documents: int, grade: float) -> Rankings:
    """The same lists, where so many documents are relevant in each topic."""
    return replace(r, pool=np.full((len(r.length), documents), grade), kept={})


def _is_fixed(measure: Measure, r: Rankings, judged: Chances) -> bool:
    """Whether what it sums and divides by is the same, whatever is relevant."""
    top = judged.max_grade or 1.0
    terms, depth = tuple(measure.terms(r)), measure.depth(r)
    below = measure.normaliser(r, depth)
    for documents in (0, 1, 2, int(np.diff(judged.offsets).max(initial=0)) + 3):
        other = _with_pool(r, documents, top)
        its_depth = measure.depth(other)
        its_below = measure.normaliser(other, its_depth)
        if tuple(measure.terms(other)) != terms or not np.array_equal(its_depth, depth):
            return False
        if (below is None) != (its_below is None):
            return False
        if below is not None and its_below is not None and not np.array_equal(below, its_below):
            return False
    return True


def _of_fixed(measure: Measure, r: RandomRankings, terms: Sequence[Term], depth: Rows) -> Mean:
    """Sums of what is expected, over what is the same under all judgments."""
    total = _total(terms, r, depth)
    below = measure.normaliser(r, depth)
    value = total if below is None else ratio(total, below[:, 0], measure.at_zero)
    return Mean(np.where(np.isnan(value), 0.0, value), np.isnan(value).astype(np.float64))


def _total(terms: Sequence[Term], r: Rankings, depth: Rows) -> Floats:
    first, *rest = terms
    total = first.total(r, depth)
    for term in rest:
        total = total + term.total(r, depth)
    return total


def _by_relevant(measure: Measure, r: Rankings, judged: Chances, terms: Sequence[Term]) -> Mean | None:
    """Sums over a function of how many documents are relevant."""
    known = _relevance(judged, measure.gain(r))
    most = known.most
    every = np.broadcast_to(np.arange(most + 1), (len(r.length), most + 1))
    by_count = replace(_with_pool(r, 0, 0.0), more=every, more_grade=float(measure.level or 1.0))
    depth = measure.depth(by_count)
    divisor = measure.normaliser(by_count, depth)
    if divisor is None:
        return None
    below = np.broadcast_to(divisor, every.shape).astype(np.float64)
    counts = [known.counts[topic] for topic in r.topic.tolist()]
    nothing = np.array([float(count[below[row, : len(count)] <= 0].sum()) for row, count in enumerate(counts)])
    if all(term.worth(0.0) == 0 for term in terms):
        value = _gains_over(measure, r, known, terms, np.broadcast_to(depth, every.shape), below)
    elif depth.shape[1] == 1 and np.array_equal(below, every):
        value = _over_relevant(r, judged, known, terms, depth)
    else:
        return None
    if np.isnan(measure.at_zero):
        return Mean(value, nothing)
    return Mean(value + nothing * measure.at_zero, np.zeros(len(value)))


class RelevantCounts:
    """How likely documents are relevant, and how many of each topic: what all runs share."""

    def __init__(self, judged: Chances, gain: Map) -> None:
        self.relevant: Mask = gain_of(judged.options, gain) > 0
        self.chance: Floats = row_sum(np.where(self.relevant, judged.chance, 0.0))
        self._offsets = judged.offsets
        its = [self.chance[first:last] for first, last in zip(judged.offsets, judged.offsets[1:], strict=False)]
        self._its = [one[one > 0] for one in its]
        self.most = max(map(len, self._its), default=0)
        self.counts = [counted(one) for one in self._its]
        self._others: dict[int, Floats] = {}

    @cached_property
    def powers(self) -> Rows:
        """For each topic, the power up to which the integral is to be exact, rounded up so that topics share some.

        It is that of the topic alone, so that its value does not depend on other topics.
        """
        return np.array([-(-len(one) // _POWERS) * _POWERS for one in self._its], np.intp)

    def factors(self, topics: Rows, place: Floats) -> Floats:
        """For each place t of the integral and each of some topics, the mean of t^R."""
        its = (self._its[topic] for topic in topics.tolist())
        found: Floats = np.array([(1.0 - one + one * place[:, None]).prod(axis=1) for one in its]).T
        return found

    def others(self, topic: int, judgments: Rows) -> Floats:
        """How many other documents of a topic are relevant, a row for each of some judgments."""
        first, last = self._offsets[topic], self._offsets[topic + 1]
        count = self.counts[topic]
        if (last - first) * len(count) > _ROOM:
            return without(count, self.chance[judgments])
        if topic not in self._others:
            if sum(one.size for one in self._others.values()) > _ROOM * 8:
                self._others.clear()
            self._others[topic] = without(count, self.chance[first:last])
        found: Floats = self._others[topic][judgments - first]
        return found


@lru_cache(maxsize=4)
def _relevance(judged: Chances, gain: Map) -> RelevantCounts:
    return RelevantCounts(judged, gain)


def _gains_over(
    measure: Measure, r: Rankings, known: RelevantCounts, terms: Sequence[Term], depth: Rows, below: Floats
) -> Floats:
    """Gains of documents that are relevant with some chance, over a function of how many are."""
    found = np.zeros(len(r.length))
    level = float(measure.level or 1.0)
    p = np.where(r.judgment >= 0, known.chance[r.judgment], 0.0)
    for row, topic in enumerate(r.topic.tolist()):
        slots = np.flatnonzero(p[row] > 0)
        if not len(slots):
            continue
        others = known.others(topic, r.judgment[row, slots])
        numbers = np.arange(1, len(known.counts[topic]))
        inverse = np.divide(1.0, below[row, numbers], out=np.zeros(len(numbers)), where=below[row, numbers] > 0)
        same = bool((depth[row] == depth[row, 0]).all())
        some = r.take(np.full(1 if same else len(numbers), row))
        at = depth[row, :1] if same else depth[row, numbers]
        for term in terms:
            weight, worth = term.factors(some, at[:, None]).weight, term.worth(level)
            assert weight is not None
            assert worth is not None
            weight = weight[:, slots]
            found[row] += worth * float((p[row, slots] * (others * inverse * weight.T).sum(axis=1)).sum())
    return found


def _over_relevant(r: Rankings, judged: Chances, known: RelevantCounts, terms: Sequence[Term], depth: Rows) -> Floats:
    """Any sums over how many documents are relevant: an integral over means under other probabilities."""
    found = np.zeros(len(r.length))
    powers = known.powers[r.topic]
    for power in distinct(powers).tolist():
        rows = np.flatnonzero(powers == power)
        some = r if len(rows) == len(powers) else r.take(rows)
        found[rows] = _integral(some, judged, known, terms, depth[rows], *nodes(power))
    return found


def _integral(
    r: Rankings,
    judged: Chances,
    known: RelevantCounts,
    terms: Sequence[Term],
    depth: Rows,
    place: Floats,
    weight: Floats,
) -> Floats:
    block = RandomRankings.of(r, judged)
    # What is not judged is not relevant.
    hit = np.where((r.judgment >= 0)[:, :, None], known.relevant[r.judgment], False)
    rows = len(r.length)
    found = np.zeros(rows)
    step = max(_ROOM // max(block.chance.size, 1), 1)
    for first in range(0, len(place), step):
        t, w = place[first : first + step], weight[first : first + step]
        tilted = np.where(hit, block.chance * t[:, None, None, None], block.chance)
        total = row_sum(tilted)[..., None]
        tilted = np.divide(tilted, total, out=np.zeros(tilted.shape), where=total > 0)
        many = block.repeated(len(t), tilted.reshape(-1, *tilted.shape[2:]))
        sums = _total(terms, many, np.tile(depth, (len(t), 1))).reshape(len(t), rows)
        # One after the other, so that neither rows nor steps change a bit.
        for one in w[:, None] * known.factors(r.topic, t) / t[:, None] * sums:
            found += one
    return found
