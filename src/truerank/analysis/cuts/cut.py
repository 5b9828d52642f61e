"""Results: where the lists of one run are best cut, measure by measure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.analysis.cuts.best import Best
from truerank.analysis.keyed import ByMeasure
from truerank.analysis.views import Views
from truerank.data.arrays import Floats, Rows
from truerank.measures.core.base import Measure


@dataclass(frozen=True, eq=False)
class Cut:
    """The best length of every list of a run by one measure, and what cutting there is worth."""

    measure: Measure
    topics: tuple[str, ...]
    length: Rows
    """Best lengths, the shortest of those that score best; -1 where the measure has no value."""
    best: Floats
    """The scores there."""
    whole: Floats
    """The scores of the lists as they are."""
    listed: Rows
    """The lengths of the lists as they are."""
    mean_best: float
    mean_whole: float

    @classmethod
    def of(cls, measure: Measure, found: Best, views: Views) -> Cut:
        """What was found of a run; topics without a value are left out where the conventions say so."""
        kept = np.flatnonzero((found.length >= 0) & ~np.isnan(found.whole) | (views.choice.no_relevant != "skip"))
        listed = found.listed[kept]
        return cls(
            measure=measure,
            topics=tuple(views.names[place] for place in kept),
            length=found.length[kept],
            best=found.score[kept],
            whole=found.whole[kept],
            listed=listed,
            mean_best=measure.aggregate(found.score[kept], found.length[kept]),
            mean_whole=measure.aggregate(found.whole[kept], listed),
        )

    @property
    def loss(self) -> Floats:
        """How much worse than at its best length each list scores as it is; 0 or more."""
        return self.best - self.whole if self.measure.higher_is_better else self.whole - self.best

    @property
    def mean_loss(self) -> float:
        """How much worse than with every list at its best length the run scores as it is."""
        return abs(self.mean_best - self.mean_whole)

    @property
    def lengths(self) -> Rows:
        """The best lengths that there are."""
        return self.length[self.length >= 0]

    @property
    def silent(self) -> float:
        """Share of lists that are best left empty."""
        return _mean(self.lengths == 0)

    @property
    def uncut(self) -> float:
        """Share of lists that are best left as they are."""
        return _mean(self.lengths == self.listed[self.length >= 0])

    @property
    def mean_length(self) -> float:
        """Mean of the best lengths."""
        return _mean(self.lengths)

    @property
    def median_length(self) -> float:
        """Median of the best lengths."""
        return median(self.lengths)

    def as_dict(self) -> dict[str, Any]:
        """Numbers of the run as a whole."""
        return {
            "lists": len(self.lengths),
            "whole": self.mean_whole,
            "best": self.mean_best,
            "loss": self.mean_loss,
            "mean_length": self.mean_length,
            "median_length": self.median_length,
            "silent": self.silent,
            "uncut": self.uncut,
        }


@dataclass(frozen=True, eq=False)
class RunCuts(ByMeasure[Cut]):
    """The best cuts of one run, by measure."""

    scores: dict[str, Cut]


def median(lengths: Rows) -> float:
    """The one in the middle, or the mean of the two there; NaN of none.

    >>> median(np.array([7, 1, 2, 4]))
    3.0
    """
    ordered, half = np.sort(lengths), len(lengths) // 2
    return _mean(ordered[half - (len(lengths) % 2 == 0) : half + 1])


def _mean(values: Any) -> float:
    return float(values.mean()) if len(values) else float("nan")
