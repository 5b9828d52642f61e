"""A measure of a run with unjudged documents: as if not relevant, without them, and between what bounds."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from truerank.analysis.reading import Reading, read, settled
from truerank.analysis.views import Views
from truerank.data.arrays import Floats
from truerank.data.rankings import Rankings
from truerank.measures.core.base import Measure


@dataclass(frozen=True)
class OpenScore:
    """A measure of a run, and what unjudged documents leave open of it."""

    measure: Measure
    score: float
    """With unjudged documents not relevant."""
    condensed: float
    """With unjudged documents taken out of the lists."""
    low: float | None
    """With no unjudged document relevant, listed or not; None for a measure without bounds."""
    high: float | None
    """With all of them of the grade that is worth most."""

    @property
    def residual(self) -> float | None:
        """What is open, from ``low`` to ``high``; for RBP without a cutoff, the residual of Moffat & Zobel."""
        return None if self.low is None or self.high is None else self.high - self.low


def open_score(views: Views, measure: Measure) -> tuple[OpenScore, Reading]:
    """Read a measure off a run whose conventions ask for the bounds of unjudged documents."""
    reading = read(views, measure)
    ties = "expected" if views.choice.ties == "bounds" else views.choice.ties
    value, _ = views.estimate(measure, ties=ties, unjudged="condensed")
    condensed = Reading(measure, value, np.zeros(len(value))).summary(value, views)
    low, high = reading.low, reading.high
    bounded = measure.has_bounds and low is not None and high is not None
    ends = [reading.summary(end, views) if bounded and end is not None else None for end in (low, high)]
    return OpenScore(measure, reading.summary(reading.value, views), condensed, *ends), reading


def widths(reading: Reading, views: Views) -> Floats:
    """What is open in each topic; nothing where it has no value and is left out of the mean."""
    low, high = reading.low, reading.high
    if low is None or high is None:
        return np.zeros(len(reading.value))
    low, high = (settled(end, reading.measure, views.choice) for end in (low, high))
    if views.choice.no_relevant == "skip":
        low, high = (np.where(reading.undefined, 0.0, end) for end in (low, high))
    return np.nan_to_num(high - low)


def rests_on_judgments(views: Views, measure: Measure) -> bool:
    """Whether one more relevant document, not listed, would change values: such as a number of relevant documents."""
    if measure.needs_pool:
        return True
    ties = "expected" if views.choice.ties == "bounds" else views.choice.ties
    top = views.top_grade(measure)
    return any(
        not np.array_equal(measure.estimate(r).value, measure.estimate(_with_another(r, top)).value, equal_nan=True)
        for unjudged in ("nonrelevant", "high")
        for r in views.rankings(measure, ties=ties, unjudged=unjudged)
    )


def _with_another(r: Rankings, grade: float) -> Rankings:
    pool = np.column_stack([r.pool, np.full(len(r.pool), grade)])
    return replace(r, pool=-np.sort(-pool, axis=-1), judged=r.judged + 1)
