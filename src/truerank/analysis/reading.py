"""A measure read off a run: its value, its bounds, and what undefined topics count as."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.analysis.scores import Score
from truerank.analysis.views import Views, ending_of
from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.errors import InputError
from truerank.measures.base import Measure


@dataclass(frozen=True, eq=False)
class Reading:
    """Values of a measure, one a topic, before topics without a value are settled."""

    measure: Measure
    value: Floats
    error: Floats
    """Standard error, where orders of ties were sampled."""
    low: Floats | None = None
    high: Floats | None = None

    @property
    def undefined(self) -> Mask:
        """Topics where the measure has no value."""
        return np.isnan(self.value)

    def score(self, views: Views) -> Score:
        """Settle the topics without a value, and summarise."""
        kept = self._kept(views)
        names = views.names
        low = None if self.low is None else self._settled(self.low, views)
        high = None if self.high is None else self._settled(self.high, views)
        return Score(
            measure=self.measure,
            topics=names if len(kept) == len(names) else tuple(names[t] for t in kept),
            values=self._settled(self.value, views),
            mean=self.summary(self.value, views),
            low=None if self.low is None else self.summary(self.low, views),
            high=None if self.high is None else self.summary(self.high, views),
            low_values=low,
            high_values=high,
        )

    def summary(self, values: Floats, views: Views) -> float:
        """One number for values of all topics, in the measure's own way."""
        lengths = views.lengths(ending_of(self.measure, views.choice))[self._kept(views)]
        return self.measure.aggregate(self._settled(values, views), lengths)

    def _kept(self, views: Views) -> Rows:
        return np.flatnonzero(~self.undefined | (views.choice.no_relevant != "skip"))

    def _settled(self, values: Floats, views: Views) -> Floats:
        some = values[self._kept(views)]
        return (
            np.where(np.isnan(some), self.measure.undefined_counts_as, some)
            if views.choice.no_relevant == "zero"
            else some
        )


def read(views: Views, measure: Measure) -> Reading:
    """Evaluate a measure on a run under its conventions."""
    choice = views.choice
    refuse_missing(views)
    tie_bounds, unjudged_bounds = choice.ties == "bounds", choice.unjudged == "bounds"
    ties = "expected" if tie_bounds else choice.ties
    unjudged = "nonrelevant" if unjudged_bounds else choice.unjudged
    value, error = views.estimate(measure, ties=ties, unjudged=unjudged)
    error = np.zeros(len(value)) if error is None else error
    if not (tie_bounds or (unjudged_bounds and measure.has_bounds)):
        return Reading(measure, value, error)
    ends = []
    for order, assumption in (("worst", "low"), ("best", "high")):
        if assumption == "low" and not measure.skips_unjudged:
            assumption = "nonrelevant"
        end, _ = views.estimate(
            measure,
            ties=order if tie_bounds else ties,
            unjudged=assumption if unjudged_bounds and measure.has_bounds else unjudged,
        )
        ends.append(end)
    # A topic without a value may get one if unjudged documents are relevant: that raises its high end only.
    low = np.where(np.isnan(value), ends[0], np.fmin.reduce([value, *ends]))
    return Reading(measure, value, error, low, np.fmax.reduce([value, *ends]))


def refuse_missing(views: Views) -> None:
    """Refuse a run that leaves out a topic, where the conventions say so."""
    if views.choice.missing == "error" and (views.judged.run_topic < 0).any():
        topic = views.judged.qrels.topics[int(np.argmax(views.judged.run_topic < 0))].decode("utf-8", "replace")
        raise InputError(
            f"run {views.run.name!r} has no documents for topic {topic}; "
            "choose missing='empty' to count it as an empty list, or 'skip' to leave it out"
        )
