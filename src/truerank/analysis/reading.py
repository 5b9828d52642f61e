"""A measure read off a run: its value, its bounds, and what undefined topics count as."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.analysis.scores import Score
from truerank.analysis.views import Views, ending_of
from truerank.conventions.choices import CHOICES, Conventions
from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.errors import InputError
from truerank.measures.core.base import Measure


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
        return settled(values[self._kept(views)], self.measure, views.choice)


def settled(values: Floats, measure: Measure, choice: Conventions) -> Floats:
    """Values of topics, where undefined ones count as the conventions say; NaN where they do not count.

    >>> from truerank.measures.ap import AP
    >>> settled(np.array([0.5, np.nan]), AP(), Conventions()).tolist()
    [0.5, 0.0]
    """
    return np.where(np.isnan(values), measure.undefined_counts_as, values) if choice.no_relevant == "zero" else values


def summaries(values: Floats, measure: Measure, choice: Conventions, lengths: Rows) -> Floats:
    """One number for all topics in each column of settled values (topics x columns), in the measure's own way.

    >>> from truerank.measures.ap import AP
    >>> values = np.array([[0.5, 0.25], [1.0, np.nan]])
    >>> for no_relevant in ("skip", "nan"):
    ...     summaries(values, AP(), Conventions(no_relevant=no_relevant), np.array([2, 2])).tolist()
    [0.75, 0.25]
    [0.75, nan]
    """
    kept = ~np.isnan(values) | (choice.no_relevant != "skip")
    if measure.averages:
        count = kept.sum(axis=0)
        total = np.where(kept, values, 0.0).sum(axis=0)
        mean: Floats = np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)
        return mean
    columns = zip(values.T, kept.T, strict=True)
    return np.array([measure.aggregate(column[some], lengths[some]) for column, some in columns])


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


def refuse_bounds(choice: Conventions, why: str) -> None:
    """Refuse conventions under which a score is two numbers; ``why`` says what one is needed for."""
    for axis, value in (("ties", choice.ties), ("unjudged", choice.unjudged)):
        if value == "bounds":
            raise InputError(
                f"{axis}='bounds' gives two numbers for a score, and {why}; choose another value, such as "
                f"{CHOICES[axis][0]!r}"
            )


def refuse_missing(views: Views) -> None:
    """Refuse a run that leaves out a topic, where the conventions say so."""
    if views.choice.missing == "error" and (views.judged.run_topic < 0).any():
        topic = views.judged.qrels.topics[int(np.argmax(views.judged.run_topic < 0))].decode("utf-8", "replace")
        raise InputError(
            f"run {views.run.name!r} has no documents for topic {topic}; "
            "choose missing='empty' to count it as an empty list, or 'skip' to leave it out"
        )
