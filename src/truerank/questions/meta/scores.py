"""Scores of the same systems on the same topics, and how alike measures order the systems by them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.parallel import blocks
from truerank.statistics.level import EQUAL, level
from truerank.statistics.orders import TwoOrders, agreement

_ROOM = 1 << 21
"""Numbers worked on at once."""


@dataclass(frozen=True, eq=False)
class SystemScores:
    """Scores by one measure (systems x topics), turned so that more is better.

    >>> scores = SystemScores(np.array([[0.1 + 0.2, 0.5], [0.3, 0.5]]))
    >>> scores.means.tolist()
    [0.4, 0.4]
    """

    values: Floats
    measure: str = ""

    @property
    def systems(self) -> int:
        return int(self.values.shape[0])

    @property
    def topics(self) -> int:
        return int(self.values.shape[1])

    @property
    def one_sided(self) -> bool:
        """Whether 0 is an end of the scale, so that a share of a score has a meaning."""
        return bool((self.values >= 0).all() or (self.values <= 0).all())

    def level(self, values: Floats, axis: int = -1) -> Floats:
        """Means or differences of these scores, the same where they differ by rounding alone."""
        return level(values, size=self.size, axis=axis)

    @property
    def size(self) -> float:
        """The largest score, of which means have their rounding."""
        return float(np.abs(self.values).max(initial=0.0))

    @property
    def rounding(self) -> float:
        """How much of a difference of means may be rounding."""
        return EQUAL * self.size

    @property
    def means(self) -> Floats:
        """The mean of each system; those that are level are the same."""
        return self.level(self.values.mean(axis=-1))

    @property
    def spread(self) -> float:
        """From the mean of the worst system to that of the best."""
        means = self.means
        return float(means.max() - means.min())

    def over(self, drawn: Rows) -> Iterator[Floats]:
        """The means of systems over each of some sets of topics (draws x ... x topics), some draws at a time.

        A row a system (systems x draws x ...). Each is summed up on its own, so that none depends on the other systems.
        """
        for part in blocks(len(drawn), max(1, _ROOM // max(1, self.systems * drawn[0].size))):
            yield self.level(self.values[:, drawn[part]].mean(axis=-1), axis=0)


@dataclass(frozen=True, eq=False)
class Correlations:
    """Kendall's tau-a between the orders of systems by every two measures."""

    tau_a: Floats
    """Measures x measures; on the diagonal, the share of pairs of systems that a measure does not tie."""

    @property
    def mean_tau_a(self) -> Floats:
        """The mean of tau-a with the other measures; NaN without any."""
        others = len(self.tau_a) - 1
        total: Floats = self.tau_a.sum(axis=1) - np.diag(self.tau_a)
        return total / others if others else np.full(1, np.nan)

    @property
    def order(self) -> Rows:
        """The measures in a row where those that agree stand near each other.

        By the eigenvector of the second smallest eigenvalue of the graph's Laplacian (Fiedler 1973; for ordering
        Atkins, Boman & Hendrickson 1998), with the first measure in the first half.
        """
        weight = (1.0 + self.tau_a) / 2.0
        np.fill_diagonal(weight, 0.0)
        _, vectors = np.linalg.eigh(np.diag(weight.sum(axis=1)) - weight)
        along = np.round(vectors[:, min(1, len(weight) - 1)], 9)
        order: Rows = np.argsort(along, kind="stable")
        return order if 2 * int(np.flatnonzero(order == 0)[0]) < len(order) else order[::-1]


def orders(means: Sequence[Floats]) -> tuple[list[tuple[int, int, TwoOrders]], Correlations]:
    """How far every two measures agree on the order of systems, from the means by each; the first is the reference.

    >>> [(one, other, both)], correlations = orders([np.array([0.3, 0.2, 0.1]), np.array([0.5, 0.6, 0.1])])
    >>> round(both.tau_a, 4), both.reversed, correlations.tau_a.round(4).tolist()
    (0.3333, 1, [[1.0, 0.3333], [0.3333, 1.0]])
    """
    pairs = [(one, other, agreement(means[one], means[other])) for one, other in combinations(range(len(means)), 2)]
    tau_a = np.diag([agreement(each, each).tau_a for each in means])
    for one, other, both in pairs:
        tau_a[one, other] = tau_a[other, one] = both.tau_a
    return pairs, Correlations(tau_a)
