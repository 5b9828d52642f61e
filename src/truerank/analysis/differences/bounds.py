"""How far the difference of two runs is open: by the order of ties, and by documents that nobody judged."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from truerank.analysis.differences.added import added
from truerank.analysis.differences.lists import Documents, Lists, Places
from truerank.analysis.pairs import EQUAL
from truerank.analysis.reading import read
from truerank.analysis.scores import Score
from truerank.analysis.views import Views, ending_of
from truerank.conventions.choices import Conventions
from truerank.conventions.ties import EXTREMES
from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.block import Pool, blocks
from truerank.data.qrels import Preferences
from truerank.measures.core.base import Measure

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


def by_ties(measure: Measure, a: Views, b: Views) -> Bounds:
    """What orders of ties can make of the difference: each list has its own, so that the extremes add up."""
    low, high = zip(*(_ends(views, _in_extremes(views, measure)) for views in (a, b)), strict=True)
    # Extremes are sorts for most measures; for others they are looked for, where there are many orders in a sample.
    exact = measure.sorts_ties or not any(read(views, measure).error.any() for views in (a, b))
    return Bounds(low[1] - high[0], high[1] - low[0], exact)


def by_unjudged(measure: Measure, lists: Lists, pool: Pool) -> Bounds | None:
    """What grades of unjudged documents can make of the difference; None for a measure without bounds.

    What a score is divided by stays as the judgments have it. For a measure that is a plain sum of gains a document has
    the same grade in both lists, so that it moves the difference by no more than its ranks differ.
    """
    a, b = lists.a, lists.b
    choice = a.choice
    if not measure.has_bounds or choice.unjudged != "nonrelevant" or isinstance(lists.qrels, Preferences):
        return None
    if all(_is_plain(views, measure) for views in (a, b)):
        return _of_sums(measure, lists, pool)
    low, high = zip(*(_ends(views, _assuming(views, measure, pool)) for views in (a, b)), strict=True)
    # A list may go on, but one that is not there has nothing to be judged.
    high = tuple(
        np.where(views.judged.length > 0, top, bottom) for views, bottom, top in zip((a, b), low, high, strict=True)
    )
    return Bounds(low[1] - high[0], high[1] - low[0], exact=False)


def _in_extremes(views: Views, measure: Measure) -> Score:
    reading = read(views, measure)
    if views.tied or measure.needs == "every document":
        unjudged = views.choice.unjudged
        ends = [views.estimate(measure, ties=order, unjudged=unjudged).value for order in EXTREMES]
        every = [reading.value, *ends]
        reading = replace(reading, low=np.fmin.reduce(every), high=np.fmax.reduce(every))
    return reading.score(views)


def _assuming(views: Views, measure: Measure, pool: Pool) -> Score:
    """The score with bounds over unjudged documents, those past the end of a list included."""
    choice = replace(views.choice, unjudged="bounds")
    open_ = _with(views, pool, choice, measure.cutoff or 0)
    return read(open_, measure).score(open_)


def _with(views: Views, pool: Pool, choice: Conventions, deepest: int) -> Views:
    """The same lists and topics under other conventions."""
    qrels, judged = views.judged.qrels, views.judged
    return Views(qrels, views.run, pool, choice, deepest, judged, views.whole, topics=views.topics)


def _ends(views: Views, score: Score) -> tuple[Floats, Floats]:
    """Both ends of a score, a topic of the judgments."""
    names = dict(zip(views.names, views.topics.tolist(), strict=True))
    at = [names[topic] for topic in score.topics]
    ends = np.full((2, len(views.judged.length)), np.nan)
    ends[0, at] = score.values if score.low_values is None else score.low_values
    ends[1, at] = score.values if score.high_values is None else score.high_values
    return ends[0], ends[1]


def _of_sums(measure: Measure, lists: Lists, pool: Pool) -> Bounds:
    a, b = lists.a, lists.b
    topics, count = a.topics, len(lists.qrels.topics)
    documents = lists.documents(measure, measure.cutoff or DEPTH, topics)
    some = _with_relevant(pool, _undefined(a, measure) & _undefined(b, measure), a.top_grade(measure))
    worth = [
        _worth(measure, views, documents, places, some) for views, places in zip((a, b), documents.sides, strict=True)
    ]
    moves = worth[1] - worth[0]
    up = np.bincount(documents.topic, np.maximum(moves, 0.0), count)
    down = np.bincount(documents.topic, np.minimum(moves, 0.0), count)
    exact = True
    if measure.cutoff is None:
        # What stands deeper is not looked up in the other list: it counts as if that had it nowhere.
        deeper = [
            np.maximum(_residuals(views, measure, pool) - np.bincount(documents.topic, mine, count), 0.0)
            for views, mine in zip((a, b), worth, strict=True)
        ]
        exact = not any((one > EQUAL).any() for one in deeper)
        up, down = up + deeper[1], down - deeper[0]
    ends = [_ends(views, read(views, measure).score(views))[0] for views in (a, b)]
    difference = ends[1] - ends[0]
    reach = measure.range[1] - measure.range[0]
    return Bounds(np.maximum(difference + down, -reach), np.minimum(difference + up, reach), exact)


def _is_plain(views: Views, measure: Measure) -> bool:
    """Whether each document adds to the score whatever the others are."""
    choice = views.choice
    if ending_of(measure, choice) != "none" or choice.relevant != "judgments":
        return False
    if measure.skips_unjudged or choice.ties in EXTREMES:
        return False
    lists = views.rankings(measure, ties=choice.ties, unjudged=choice.unjudged)
    return measure.core.is_sum and all(term.alone for r in lists for term in measure.core.terms(r))


def _undefined(views: Views, measure: Measure) -> Mask:
    """Topics of the judgments without a value."""
    value = views.estimate(measure, ties=views.choice.ties, unjudged=views.choice.unjudged).value
    undefined = np.zeros(len(views.judged.length), bool)
    undefined[views.topics] = np.isnan(value)
    return undefined


def _with_relevant(pool: Pool, topics: Mask, grade: float) -> Pool:
    """The pool with one relevant document where scores are undefined: one is needed for others to count."""
    if not topics.any():
        return pool
    grades = np.pad(pool.grades, ((0, 0), (0, int(not pool.grades.shape[1]))))
    grades[topics] = 0.0
    grades[topics, 0] = grade
    return replace(pool, grades=grades, count=np.where(topics, 1, pool.count))


def _worth(measure: Measure, views: Views, documents: Documents, places: Places, pool: Pool) -> Floats:
    """What each unjudged document would add to a run's score, of the grade that is worth most."""
    found, topics = places.found, documents.topics
    grade = np.where(documents.unjudged[found.judgment], views.top_grade(measure), np.nan)
    some = Pool(pool.grades[topics], None, pool.count[topics], pool.judged[topics], pool.max_grade)
    worth = np.zeros(len(documents.topic))
    for r in blocks(replace(found, grade=grade), some, np.arange(len(topics))):
        listed = r.judgment >= 0
        worth[r.judgment[listed]] = added(measure, r)[listed]
    return worth


def _residuals(views: Views, measure: Measure, pool: Pool) -> Floats:
    """What all unjudged documents of the lists would add."""
    choice = views.choice
    own = _with(views, pool, choice, 0)
    residual = np.zeros(len(views.judged.length))
    for sign, unjudged in ((-1.0, "nonrelevant"), (1.0, "high")):
        for r in own.rankings(measure, ties=choice.ties, unjudged=unjudged):
            residual[r.topic] += sign * measure.score(replace(r, beyond=np.nan))
    return np.nan_to_num(residual, nan=measure.range[1])
