"""What was found of one measure, and its place among the others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.analysis.criteria.discrimination import Discrimination
from truerank.analysis.criteria.halves import Swaps
from truerank.analysis.criteria.resamples import Stability
from truerank.data.arrays import Floats
from truerank.statistics.kendall import Places

CRITERIA = {
    "discrimination": "high",
    "sensitivity": "high",
    "tau_halves": "high",
    "minority": "low",
    "coverage": "high",
}
"""What measures are ranked by, and which end is the better one."""


@dataclass(frozen=True, eq=False)
class Found:
    """One measure by every criterion."""

    discrimination: Discrimination
    swaps: Swaps
    stability: Stability
    coverage: float
    """Quality aspect coverage, from all pairs of topics."""
    sampled_coverage: float
    """The same from pairs of topics drawn at random."""
    tau: float
    """Kendall's tau-a with the other measures, their mean; NaN without any."""

    def criteria(self) -> dict[str, float]:
        """The numbers that measures are ranked by."""
        return {
            "discrimination": self.discrimination.share,
            "sensitivity": self.swaps.sensitivity,
            "tau_halves": self.swaps.tau,
            "minority": self.stability.minority,
            "coverage": self.coverage,
        }

    def swap(self) -> dict[str, Any]:
        """What topics drawn at random tell."""
        return {
            "needed": self.swaps.needed,
            "sensitivity": self.swaps.sensitivity,
            "swap_rate": self.swaps.swap_rate,
            "tau_halves": self.swaps.tau,
            "tau_deviation": self.swaps.tau_deviation,
            "tau_full": self.swaps.tau_full,
            "minority": self.stability.minority,
            "fuzzy_minority": self.stability.fuzzy_minority,
            "fuzzy_ties": self.stability.fuzzy_ties,
        }


def ranks(found: Sequence[dict[str, float]]) -> list[dict[str, float]]:
    """The place of each measure by each criterion, 1 for the best, and the mean of its places.

    Measures that are equal share the mean of their places, and those without a value the last ones; a criterion that no
    measure has a value by is NaN and not counted.

    >>> ranks([{"coverage": 0.9, "minority": 0.1}, {"coverage": 0.8, "minority": 0.1}])[0]
    {'minority': 1.5, 'coverage': 1.0, 'mean_rank': 1.25}
    """
    names = [name for name in CRITERIA if found and name in found[0]]
    by_name = {name: _ranks(np.array([each[name] for each in found]), CRITERIA[name]) for name in names}
    rows = [{name: float(by_name[name][place]) for name in names} for place in range(len(found))]
    known = [name for name in names if not np.isnan(by_name[name]).any()]
    return [{**row, "mean_rank": sum(row[name] for name in known) / len(known) if known else math.nan} for row in rows]


def _ranks(values: Floats, best: str) -> Floats:
    if np.isnan(values).all():
        return values
    worth = np.where(np.isnan(values), -np.inf, values if best == "high" else -values)
    places = Places.of(np.round(worth[None], 12))
    middle: Floats = places.above[0] + (places.tied[0] + 1) / 2
    return middle
