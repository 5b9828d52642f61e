"""How far the difference of two runs is open: by the order of ties, and by documents that nobody judged."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from truerank.conventions.axes import EXTREMES
from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.qrels import Preferences
from truerank.measures.core.base import Measure
from truerank.questions.diff.documents import RunPair
from truerank.statistics.level import EQUAL
from truerank.track.lens import Lens
from truerank.track.outcomes import differences, outcomes
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
    low, high, exact = zip(*(_in_extremes(lens, measure) for lens in (a, b)), strict=True)
    return Bounds(low[1] - high[0], high[1] - low[0], all(exact))


def by_unjudged(measure: Measure, lists: RunPair) -> Bounds | None:
    """What judgments of unjudged documents can make of the difference; None for a measure without bounds.

    A document has the same grade in both lists, and both are divided by as many relevant documents.
    """
    if not measure.has_bounds or lists.conventions.condenses or isinstance(lists.qrels, Preferences):
        return None
    a, b = (outcomes(lens, measure) for lens in lists.sides)
    found = differences(a, b, measure.counts_as)
    low, high = np.full((2, len(lists.qrels.topics)), np.nan)
    low[a.topics], high[a.topics] = found.low, found.high
    return Bounds(low, high, found.exact)


def _in_extremes(lens: Lens, measure: Measure) -> tuple[Floats, Floats, bool]:
    """The score with its ties in the worst and in the best order, and whether these are the extremes of all orders.

    Extremes are sorts for most measures; for others they are looked for, where there are many orders in a sample.
    """
    tied = lens.tied or measure.needs == "every document"
    found = [lens.estimate(measure, ties=order) for order in EXTREMES] if tied else []
    exact = not any(one.error is not None and np.isnan(one.error).any() for one in found)
    return *_ends(lens, measure, [one.value for one in found]), exact


def _ends(lens: Lens, measure: Measure, ends: list[Floats]) -> tuple[Floats, Floats]:
    """Both ends of a score, a topic of the judgments."""
    found, choice, topics = values(lens, measure), lens.conventions, len(lens.judged.length)
    every = [found.value, *ends]
    low, high = np.fmin.reduce(every), np.fmax.reduce(every)
    return found.full(choice, topics, low), found.full(choice, topics, high)
