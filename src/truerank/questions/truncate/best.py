"""The length at which each list scores best."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.measures.core.base import Measure
from truerank.measures.core.lengths import in_one_pass, prefixes
from truerank.statistics.pairs import EQUAL
from truerank.track.lens import Lens
from truerank.track.parts import Part, per_topic
from truerank.track.values import settled

LONG = 100
"""Documents from which on it takes its time to score a list at each length."""
UNDEFINED = -1
"""The best length of a list that has no value at any length."""


@dataclass(frozen=True, eq=False, kw_only=True)
class BestCuts(Part):
    """For each topic of a run that counts: where its list is best cut, and what that is worth."""

    length: Rows = per_topic()
    """Shortest of the lengths that score best; -1 where the measure has no value."""
    score: Floats = per_topic()
    """The score there."""
    whole: Floats = per_topic()
    """The score of the list as it is."""
    listed: Rows = per_topic()
    """The length of the list as it is."""
    unsettled: Floats = per_topic()
    """``whole``, before it was settled what topics without a value count as: NaN there."""


def best_cuts(lens: Lens, measure: Measure) -> BestCuts:
    """Find the best length of every list, ties and topics without a value read as the conventions say."""
    topics = len(lens.judged.length)
    length, listed = np.full(topics, UNDEFINED), np.zeros(topics, np.int64)
    score, whole, raw = np.full((3, topics), np.nan)
    for rows, ends, values in _cut(lens, measure):
        known = _settled(values, ends, lens, measure)
        best = shortest_best(known, higher_is_better=measure.higher_is_better)
        place = np.arange(len(rows))
        length[rows], listed[rows] = best, ends
        score[rows] = np.where(best == UNDEFINED, np.nan, known[place, best])
        whole[rows], raw[rows] = known[place, ends], values[place, ends]
    kept = lens.topics
    return BestCuts(
        topics=kept,
        length=length[kept],
        score=score[kept],
        whole=whole[kept],
        listed=listed[kept],
        unsettled=raw[kept],
    )


def is_slow(lens: Lens, measure: Measure) -> bool:
    """Whether lists are long, and a measure has to score each of their lengths on its own."""
    blocks = lens.lists(measure)
    return any(int(r.length.max(initial=0)) >= LONG and not in_one_pass(measure, r) for r in blocks)


def prefix_scores(lens: Lens, measure: Measure, longest: int | None = None) -> Floats:
    """Scores of every list cut after 0, 1, ... documents, one row a topic that counts; NaN past a list's own end.

    Topics without a value are settled as the conventions say.
    """
    found = [(rows, _settled(values, ends, lens, measure)) for rows, ends, values in _cut(lens, measure, longest)]
    every = np.full((len(lens.judged.length), max((values.shape[1] for _, values in found), default=1)), np.nan)
    for rows, values in found:
        every[rows, : values.shape[1]] = values
    return every[lens.topics]


def scores_at(lens: Lens, measure: Measure, length: int) -> Floats:
    """The score of every list cut after ``length`` documents, as it is where it is shorter; NaN where undefined."""
    found = np.full(len(lens.judged.length), np.nan)
    for rows, ends, values in _cut(lens, measure, length):
        found[rows] = values[np.arange(len(rows)), ends]
    return found[lens.topics]


def shortest_best(values: Floats, *, higher_is_better: bool = True) -> Rows:
    """Of each row the first place whose value is within rounding of the best; -1 where there is none.

    >>> shortest_best(np.array([[0.1, 0.5, 0.5 + 1e-15, np.nan], [np.nan, np.nan, np.nan, np.nan]])).tolist()
    [1, -1]
    """
    worth = np.where(np.isnan(values), -np.inf, values if higher_is_better else -values)
    top = worth.max(axis=-1, keepdims=True, initial=-np.inf)
    # Without the tolerance, rounding in long sums would pick among lengths that are worth the same.
    return np.where(top[:, 0] == -np.inf, UNDEFINED, np.argmax(worth >= top - EQUAL, axis=-1))


def _cut(lens: Lens, measure: Measure, longest: int | None = None) -> Iterator[tuple[Rows, Rows, Floats]]:
    """Block by block: topics, the length of their lists, and their scores at every length."""
    for block in lens.lists(measure):
        values = prefixes(measure, block, longest)
        yield block.topic, np.minimum(block.length, values.shape[1] - 1), values


def _settled(values: Floats, ends: Rows, lens: Lens, measure: Measure) -> Floats:
    """The values, settled down to the ends of the lists: past them there is nothing to count."""
    listed = np.arange(values.shape[1]) <= ends[:, None]
    return np.where(listed, settled(values, measure, lens.conventions), values)
