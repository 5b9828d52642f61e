"""How far the difference of two runs is open: by the order of ties, and by documents that nobody judged."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from truerank.conventions.axes import EXTREMES
from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.block import Pool, blocks
from truerank.data.qrels import Preferences
from truerank.measures.core.base import Measure
from truerank.questions.diff.documents import Positions, RunPair, TopDocuments, added
from truerank.statistics.level import EQUAL
from truerank.track.lens import Lens
from truerank.track.values import values

DEPTH = 100
"""How deep documents of both runs are told apart, for a measure without a cutoff."""


@dataclass(frozen=True, eq=False)
class Bounds:
    """The least and the most that a difference can be, a topic of the judgments; NaN where there is none."""

    low: Floats
    high: Floats
    exact: bool = True
    """Whether these are the ends that can be reached. Otherwise those by unjudged documents may be nearer to each
    other, those by ties farther apart: not all orders were tried."""

    @cached_property
    def open(self) -> Mask:
        """Where each of the two runs may be ahead."""
        with np.errstate(invalid="ignore"):
            found: Mask = (self.low < -EQUAL) & (self.high > EQUAL)
        return found

    def take(self, topics: Rows) -> Bounds:
        """Those of some topics."""
        return replace(self, low=self.low[topics], high=self.high[topics])


def by_ties(measure: Measure, a: Lens, b: Lens) -> Bounds:
    """What orders of ties can make of the difference: each list has its own, so that the extremes add up."""
    low, high = zip(*(_in_extremes(lens, measure) for lens in (a, b)), strict=True)
    # Extremes are sorts for most measures; for others they are looked for, where there are many orders in a sample.
    exact = measure.sorts_ties or not any(values(lens, measure).error.any() for lens in (a, b))
    return Bounds(low[1] - high[0], high[1] - low[0], exact)


def by_unjudged(measure: Measure, lists: RunPair) -> Bounds | None:
    """What grades of unjudged documents can make of the difference; None for a measure without bounds.

    What a score is divided by stays as the judgments have it. For a measure that is a plain sum of gains a document has
    the same grade in both lists, so that it moves the difference by no more than its ranks differ.
    """
    if not measure.has_bounds or lists.conventions.condenses or isinstance(lists.qrels, Preferences):
        return None
    if all(_is_plain(lens, measure) for lens in lists.sides):
        return _of_sums(measure, lists)
    low, high = zip(*(_assuming(lens, measure) for lens in lists.sides), strict=True)
    # A list may go on, but one that is not there has nothing to be judged.
    high = tuple(
        np.where(lens.judged.length > 0, top, bottom) for lens, bottom, top in zip(lists.sides, low, high, strict=True)
    )
    return Bounds(low[1] - high[0], high[1] - low[0], exact=False)


def _in_extremes(lens: Lens, measure: Measure) -> tuple[Floats, Floats]:
    """The score with its ties in the worst and in the best order."""
    if not (lens.tied or measure.needs == "every document"):
        return _ends(lens, measure, [])
    return _ends(lens, measure, [lens.estimate(measure, ties=order).value for order in EXTREMES])


def _assuming(lens: Lens, measure: Measure) -> tuple[Floats, Floats]:
    """The score with bounds over unjudged documents, those past the end of a list included."""
    least = "low" if measure.skips_unjudged else "nonrelevant"
    ends = [lens.estimate(measure, unjudged=assumption).value for assumption in (least, "high")]
    # A topic without a value may get one if unjudged documents are relevant: that raises its high end only.
    return _ends(lens, measure, ends, undefined=ends[0])


def _ends(lens: Lens, measure: Measure, ends: list[Floats], undefined: Floats | None = None) -> tuple[Floats, Floats]:
    """Both ends of a score, a topic of the judgments; ``undefined`` is the low one where it has no value."""
    found, choice, topics = values(lens, measure), lens.conventions, len(lens.judged.length)
    every = [found.value, *ends]
    low, high = np.fmin.reduce(every), np.fmax.reduce(every)
    if undefined is not None:
        low = np.where(found.undefined, undefined, low)
    return found.full(choice, topics, low), found.full(choice, topics, high)


def _of_sums(measure: Measure, lists: RunPair) -> Bounds:
    a, b = lists.sides
    topics, count = a.topics, len(lists.qrels.topics)
    documents = lists.documents(measure, measure.cutoff or DEPTH, topics)
    some = _with_relevant(a.pool, _undefined(a, measure) & _undefined(b, measure), a.top_grade(measure))
    worth = [
        _worth(measure, lens, documents, positions, some)
        for lens, positions in zip((a, b), documents.sides, strict=True)
    ]
    moves = worth[1] - worth[0]
    up = np.bincount(documents.topic, np.maximum(moves, 0.0), count)
    down = np.bincount(documents.topic, np.minimum(moves, 0.0), count)
    exact = True
    if measure.cutoff is None:
        # What stands deeper is not looked up in the other list: it counts as if that had it nowhere.
        deeper = [
            np.maximum(_residuals(lens, measure) - np.bincount(documents.topic, mine, count), 0.0)
            for lens, mine in zip((a, b), worth, strict=True)
        ]
        exact = not any((one > EQUAL).any() for one in deeper)
        up, down = up + deeper[1], down - deeper[0]
    scores = [values(lens, measure).full(lens.conventions, count) for lens in (a, b)]
    difference = scores[1] - scores[0]
    reach = measure.range[1] - measure.range[0]
    return Bounds(np.maximum(difference + down, -reach), np.minimum(difference + up, reach), exact)


def _is_plain(lens: Lens, measure: Measure) -> bool:
    """Whether each document adds to the score whatever the others are."""
    choice = lens.conventions
    if choice.ends_for(measure) or choice.relevant_in_run:
        return False
    if measure.skips_unjudged or choice.extreme:
        return False
    lists = lens.rankings(measure, ties=choice.order, unjudged=choice.assumed)
    return measure.core.is_sum and all(term.alone for r in lists for term in measure.core.terms(r))


def _undefined(lens: Lens, measure: Measure) -> Mask:
    """Topics of the judgments without a value."""
    undefined = np.zeros(len(lens.judged.length), bool)
    undefined[lens.topics] = np.isnan(lens.estimate(measure).value)
    return undefined


def _with_relevant(pool: Pool, topics: Mask, grade: float) -> Pool:
    """The pool with one relevant document where scores are undefined: one is needed for others to count."""
    if not topics.any():
        return pool
    grades = np.pad(pool.grades, ((0, 0), (0, int(not pool.grades.shape[1]))))
    grades[topics] = 0.0
    grades[topics, 0] = grade
    return replace(pool, grades=grades, count=np.where(topics, 1, pool.count))


def _worth(measure: Measure, lens: Lens, documents: TopDocuments, positions: Positions, pool: Pool) -> Floats:
    """What each unjudged document would add to a run's score, of the grade that is worth most."""
    found, topics = positions.found, documents.topics
    grade = np.where(documents.unjudged[found.judgment], lens.top_grade(measure), np.nan)
    some = Pool(pool.grades[topics], None, pool.count[topics], pool.judged[topics], pool.max_grade)
    worth = np.zeros(len(documents.topic))
    for r in blocks(replace(found, grade=grade), some, np.arange(len(topics))):
        listed = r.judgment >= 0
        worth[r.judgment[listed]] = added(measure, r)[listed]
    return worth


def _residuals(lens: Lens, measure: Measure) -> Floats:
    """What all unjudged documents of the lists would add."""
    residual = np.zeros(len(lens.judged.length))
    for sign, unjudged in ((-1.0, "nonrelevant"), (1.0, "high")):
        for r in lens.rankings(measure, ties=lens.conventions.order, unjudged=unjudged):
            residual[r.topic] += sign * measure.score(replace(r, beyond=np.nan))
    return np.nan_to_num(residual, nan=measure.range[1])
