"""Scores of lists cut at every length, the length at which each scores best, and lengths in bins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.parts import Part, part_field
from truerank.data.rankings import Rankings
from truerank.measures.core.base import Measure
from truerank.measures.core.lengths import in_one_pass, prefixes, steps
from truerank.statistics.level import EQUAL
from truerank.track.lens import Lens
from truerank.track.values import settled

LONG = 100
"""Documents from which on it takes its time to score a list at each length."""
UNDEFINED = -1
"""The best length of a list that has no value at any length."""
EPSILON = float(np.finfo(np.float64).eps)
"""The rounding of a number of size 1."""
_FIRST = 4
"""The end of the first bin past the empty list: 1-2 and 3-4 are one."""


@dataclass(frozen=True, eq=False, kw_only=True)
class BestCuts(Part):
    """For each topic of a run that counts: where its list is best cut, and what that is worth."""

    length: Rows = part_field(merge="per topic")
    """Shortest of the lengths that score best, up to the tolerance; -1 where the measure has no value."""
    exact: Rows = part_field(merge="per topic")
    """The same without a tolerance: of all that score best but for rounding, however little the others are behind."""
    score: Floats = part_field(merge="per topic")
    """The score there."""
    whole: Floats = part_field(merge="per topic")
    """The score of the list as it is."""
    listed: Rows = part_field(merge="per topic")
    """The length of the list as it is."""
    unsettled: Floats = part_field(merge="per topic")
    """``whole``, before it was settled what topics without a value count as: NaN there."""


def best_cuts(lens: Lens, measure: Measure, tolerance: float = EQUAL) -> BestCuts:
    """Find the best length of every list, ties and topics without a value read as the conventions say."""
    topics = len(lens.judged.length)
    length, exact = np.full((2, topics), UNDEFINED)
    listed = np.zeros(topics, np.intp)
    score, whole, raw = np.full((3, topics), np.nan)
    higher = measure.higher_is_better
    for block in lens.lists(measure):
        rows, ends, values = _cut(block, measure)
        known = _settled(values, ends, lens, measure)
        exact[rows] = _exact(known, measure, block, ends)
        best = shortest_best(known, higher_is_better=higher, tolerance=tolerance) if tolerance else exact[rows]
        place = np.arange(len(rows))
        length[rows], listed[rows] = best, ends
        score[rows] = np.where(best == UNDEFINED, np.nan, known[place, best])
        whole[rows], raw[rows] = known[place, ends], values[place, ends]
    kept = lens.topics
    return BestCuts(
        topics=kept,
        length=length[kept],
        exact=exact[kept],
        score=score[kept],
        whole=whole[kept],
        listed=listed[kept],
        unsettled=raw[kept],
    )


def is_slow(lens: Lens, measure: Measure) -> bool:
    """Whether lists are long, and a measure has to score each of their lengths on its own."""
    blocks = lens.lists(measure)
    return any(int(r.length.max(initial=0)) >= LONG and not in_one_pass(measure, r) for r in blocks)


def prefix_scores(lens: Lens, measure: Measure) -> Floats:
    """Scores of every list cut after 0, 1, ... documents, one row a topic that counts; NaN past a list's own end.

    Topics without a value are settled as the conventions say.
    """
    every_list = (_cut(block, measure) for block in lens.lists(measure))
    found = [(rows, _settled(values, ends, lens, measure)) for rows, ends, values in every_list]
    every = np.full((len(lens.judged.length), max((values.shape[1] for _, values in found), default=1)), np.nan)
    for rows, values in found:
        every[rows, : values.shape[1]] = values
    return every[lens.topics]


def shortest_best(values: Floats, *, higher_is_better: bool = True, tolerance: float = EQUAL) -> Rows:
    """Of each row the first place whose value is within a tolerance of the best; -1 where there is none.

    The tolerance is a share of the best value where that is above 1.

    >>> shortest_best(np.array([[0.1, 0.5, 0.5 + 1e-15, np.nan], [np.nan, np.nan, np.nan, np.nan]])).tolist()
    [1, -1]
    """
    worth = np.where(np.isnan(values), -np.inf, values if higher_is_better else -values)
    top = worth.max(axis=-1, keepdims=True, initial=-np.inf)
    # Without a tolerance, rounding in long sums may pick among lengths that are worth the same.
    enough = top - tolerance * np.maximum(1.0, np.abs(top))
    return np.where(top[:, 0] == -np.inf, UNDEFINED, np.argmax(worth >= enough, axis=-1))


def _exact(values: Floats, measure: Measure, block: Rankings, ends: Rows) -> Rows:
    """Of each list the shortest length that scores best but for rounding; -1 where there is none.

    Where several come near the best, they are compared from the end of the list: there a step of 1e-30 is as good as
    any, where the score is lost for it in rounding.
    """
    higher = measure.higher_is_better
    first = shortest_best(values, higher_is_better=higher)
    last = values.shape[1] - 1 - shortest_best(values[:, ::-1], higher_is_better=higher)
    if ((first == last) | (first == UNDEFINED)).all():
        return first
    between = steps(measure, block)
    if between is None:
        return shortest_best(values, higher_is_better=higher, tolerance=8 * EPSILON)
    change = between.change if higher else -between.change
    behind, rounding = np.zeros((2, len(change), change.shape[1] + 1))
    np.cumsum(change[:, ::-1], axis=-1, out=behind[:, -2::-1])
    # Each sum is rounded on the way, and what goes into it was.
    np.cumsum((between.rounding + EPSILON * np.abs(behind[:, :-1]))[:, ::-1], axis=-1, out=rounding[:, -2::-1])
    found = np.argmax(behind <= behind.min(axis=-1, keepdims=True) + rounding, axis=-1)
    return np.where(np.isnan(values).all(axis=-1), UNDEFINED, np.minimum(found, ends))


def _cut(block: Rankings, measure: Measure) -> tuple[Rows, Rows, Floats]:
    """Topics, the length of their lists, and their scores at every length."""
    values = prefixes(measure, block)
    return block.topic, np.minimum(block.length, values.shape[1] - 1), values


def _settled(values: Floats, ends: Rows, lens: Lens, measure: Measure) -> Floats:
    """The values, settled down to the ends of the lists: past them there is nothing to count."""
    listed = np.arange(values.shape[1]) <= ends[:, None]
    return np.where(listed, settled(values, measure, lens.conventions), values)


@dataclass(frozen=True)
class Bin:
    """Lengths from one to another, both included.

    >>> [str(one) for one in bins(20)], str(Bin(3, 3))
    (['empty', '1-4', '5-8', '9-16', '17-32'], '3')
    """

    low: int
    high: int

    def __str__(self) -> str:
        if self.low == self.high:
            return str(self.low) if self.low else "empty"
        return f"{self.low}-{self.high}"


def bins(longest: int) -> tuple[Bin, ...]:
    """The empty list, 1 to 4, 5 to 8, 9 to 16, ... as far as the longest list goes."""
    found = [Bin(0, 0), Bin(1, _FIRST)]
    while found[-1].high < longest:
        found.append(Bin(found[-1].high + 1, 2 * found[-1].high))
    return tuple(found)


def counts(lengths: Rows, among: tuple[Bin, ...]) -> Rows:
    """How many lengths are in each bin; the last bin has all that are longer.

    >>> counts(np.array([0, 3, 4, 99]), bins(10)).tolist()
    [1, 2, 0, 1]
    """
    place = np.searchsorted([one.high for one in among], lengths)
    return np.bincount(np.minimum(place, len(among) - 1), minlength=len(among))


def shares(lengths: Rows, among: tuple[Bin, ...]) -> Floats:
    """Share of the lengths in each bin; NaN where there are none."""
    return counts(lengths, among) / len(lengths) if len(lengths) else np.full(len(among), np.nan)
