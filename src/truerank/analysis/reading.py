"""A measure read off a run: its value, its bounds, and what undefined topics count as."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.analysis.scores import Score
from truerank.analysis.views import Views
from truerank.data.arrays import Floats, Mask
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
        rule = views.choice.no_relevant
        kept = np.flatnonzero(~self.undefined | (rule != "skip"))

        def settled(values: Floats) -> Floats:
            some = values[kept]
            return np.where(np.isnan(some), 0.0, some) if rule == "zero" else some

        lengths = views.judged.length[views.topics][kept]
        topics = views.judged.qrels.topics
        value = settled(self.value)
        low = None if self.low is None else settled(self.low)
        high = None if self.high is None else settled(self.high)
        return Score(
            measure=self.measure,
            topics=tuple(topics[t].decode("utf-8", "surrogateescape") for t in views.topics[kept]),
            values=value,
            mean=self.measure.aggregate(value, lengths),
            low=None if low is None else self.measure.aggregate(low, lengths),
            high=None if high is None else self.measure.aggregate(high, lengths),
            low_values=low,
            high_values=high,
        )


def read(views: Views, measure: Measure) -> Reading:
    """Evaluate a measure on a run under its conventions."""
    choice = views.choice
    if choice.missing == "error" and (views.judged.run_topic < 0).any():
        topic = views.judged.qrels.topics[int(np.argmax(views.judged.run_topic < 0))].decode("utf-8", "replace")
        raise InputError(
            f"run {views.run.name!r} has no documents for topic {topic}; "
            "choose missing='empty' to count it as an empty list, or 'skip' to leave it out"
        )
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
