"""How alike the orderings of systems by different measures are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.statistics.correlations import kendall, kendall_b, tau_ap


@dataclass(frozen=True, eq=False)
class Correlations:
    """Correlations between the orderings of systems by every two measures (measures x measures)."""

    tau: Floats
    """Kendall's tau-a."""
    tau_b: Floats
    """Kendall's tau-b; NaN with a measure that ties all systems."""
    tau_ap: Floats
    """AP correlation; the row is the reference, the column the estimate."""

    @property
    def mean_tau(self) -> Floats:
        """The mean of tau-a with the other measures; NaN without any."""
        others = len(self.tau) - 1
        total: Floats = self.tau.sum(axis=1) - np.diag(self.tau)
        return total / others if others else np.full(1, np.nan)

    @property
    def order(self) -> Rows:
        """The measures in a row where those that agree stand near each other.

        By the eigenvector of the second smallest eigenvalue of the graph's Laplacian (Fiedler 1973; for ordering
        Atkins, Boman & Hendrickson 1998), with the first measure in the first half.
        """
        weight = (1.0 + self.tau) / 2.0
        np.fill_diagonal(weight, 0.0)
        _, vectors = np.linalg.eigh(np.diag(weight.sum(axis=1)) - weight)
        along = np.round(vectors[:, min(1, len(weight) - 1)], 9)
        order: Rows = np.argsort(along, kind="stable")
        return order if 2 * int(np.flatnonzero(order == 0)[0]) < len(order) else order[::-1]


def correlations(means: Sequence[Floats]) -> Correlations:
    """Correlations between measures, from the means of systems by each.

    >>> correlations([np.array([0.3, 0.2, 0.1]), np.array([0.5, 0.6, 0.1])]).tau.round(4).tolist()
    [[1.0, 0.3333], [0.3333, 1.0]]
    """
    rows = np.stack(means)
    return Correlations(*(np.stack([of(row, rows) for row in rows]) for of in (kendall, kendall_b, tau_ap)))
