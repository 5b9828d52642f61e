"""AP correlation, Kendall's tau with the top of the ranking weighing most."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats
from truerank.statistics.kendall import Paired, Places, concordance, quotient


def tau_ap(truth: npt.ArrayLike, estimate: npt.ArrayLike) -> Any:
    """AP correlation of an estimate with a reference, from scores of the same systems.

    tau_AP = 2 / (n - 1) sum_{i=2..n} C(i) / (i - 1) - 1, where C(i) counts the systems above rank i of the estimate
    that the reference too has above the one at rank i (Yilmaz, Aslam & Robertson 2008). It is not symmetric: mistakes
    weigh by where they stand in the estimate.

    With ties it is the mean over all their orders. In a group of t systems of the estimate that has a above it, each
    stands at every rank from a + 1 to a + t equally often, and pairs within the group cancel, so that a system adds

        (C - D) (1/a + 1/(a + 1) + ... + 1/(a + t - 1)) / t

    to (n - 1) tau_AP, of the a above it: the form tau_AP,a of Urbano & Marrero (2017). They have the reference without
    ties; a pair that it ties stands either way equally often, so that it adds nothing. NaN with fewer than two systems.
    Takes rows as ``kendall`` does.

    >>> round(tau_ap([4, 3, 2, 1], [4, 3, 1, 2]), 4), round(tau_ap([4, 3, 2, 1], [3, 4, 2, 1]), 4)
    (0.7778, 0.3333)
    """
    pair = Paired.of(truth, estimate)
    if pair.systems < 2:
        return pair.undefined()
    counts = concordance(pair.x, pair.y)
    surplus = (counts.concordant - counts.discordant) * _weight(pair.y)
    return pair.given(_total(surplus) / (pair.systems - 1))


def tau_ap_b(x: npt.ArrayLike, y: npt.ArrayLike) -> Any:
    """AP correlation of two rankings neither of which is the reference, from scores of the same systems.

    The form tau_AP,b of Urbano & Marrero (2017), the mean of both directions of

        2 / (n - t_1) sum C(i) / a(i) - 1,

    over the systems i that are not in the first group, which has t_1; a(i) are above the group of i, and C(i) of them
    above i in the other ranking too. Rankings that agree in all, ties included, have 1; a pair that only one of them
    ties is a disagreement. Without ties it is the mean of tau_AP both ways. NaN where one of them ties all systems.
    Takes rows as ``kendall`` does.

    >>> tau_ap_b([3, 1, 1], [3, 1, 1]), tau_ap_b([3, 2, 1], [3, 1, 1])
    (1.0, 0.75)
    """
    pair = Paired.of(x, y)
    return pair.given((_directed(pair.x, pair.y) + _directed(pair.y, pair.x)) / 2)


def _weight(estimate: Places) -> Floats:
    """The mean of 1 / (rank - 1) over the ranks of a system's group; for the first group, of which none counts, 0."""
    above, tied = estimate.above, estimate.tied
    untied = np.divide(1.0, above, out=np.zeros(above.shape), where=above > 0)
    if (tied == 1).all():
        return untied
    reciprocals: Floats = 1.0 / np.arange(1, above.shape[1])
    sums = np.zeros(above.shape[1])
    np.cumsum(reciprocals, out=sums[1:])
    # Sums of 1 to 1/k: of those up to the group's last rank, less those up to its first.
    spread = (sums[above + tied - 1] - sums[np.maximum(above - 1, 0)]) / tied
    return np.where(tied == 1, untied, np.where(above > 0, spread, 0.0))


def _directed(reference: Places, other: Places) -> Floats:
    """One direction of tau_AP,b; NaN where the other ranking ties all systems."""
    counts = concordance(reference, other).concordant
    shares = np.divide(counts, other.above, out=np.zeros(counts.shape), where=other.above > 0)
    return 2.0 * quotient(_total(shares), (other.above > 0).sum(axis=-1)) - 1.0


def _total(terms: Floats) -> Floats:
    """The sum of each row, from the least term on: the order of systems does not change how it is rounded."""
    total: Floats = np.sort(terms, axis=-1).sum(axis=-1)
    return total
