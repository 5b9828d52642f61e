"""Kendall's tau, in both its forms for ties."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from truerank.analysis.agreement.concordance import concordance
from truerank.analysis.agreement.places import Paired, quotient
from truerank.data.arrays import Rows


def kendall(x: npt.ArrayLike, y: npt.ArrayLike) -> Any:
    """Kendall's tau-a between scores of the same systems.

    tau_a = (C - D) / (n (n - 1) / 2), where C of the pairs of systems stand in the same order by both and D in opposite
    orders; a pair that either ties counts as neither, which is the mean over all orders of ties (Kendall 1938, 1945).
    NaN with fewer than two systems.

    ``x`` and ``y`` are one score a system, or rows of them: one ranking against m rows gives m values, and m rows
    against m rows go row by row.

    >>> kendall([3, 2, 1], [3, 1, 2]), kendall([3, 2, 1], [3, 1, 1])
    (0.3333333333333333, 0.6666666666666666)
    >>> kendall([3, 2, 1], [[3, 2, 1], [1, 2, 3]]).tolist()
    [1.0, -1.0]
    """
    pair = Paired.of(x, y)
    if pair.systems < 2:
        return pair.undefined()
    return pair.given(_surplus(pair) / (pair.systems * (pair.systems - 1) // 2))


def kendall_b(x: npt.ArrayLike, y: npt.ArrayLike) -> Any:
    """Kendall's tau-b between scores of the same systems.

    tau_b = (C - D) / sqrt(P_x P_y), where P_x of the pairs are not tied in x, and P_y not in y: rankings that agree in
    all, ties included, have 1 (Kendall 1945). NaN where one of them ties all systems. Takes rows as ``kendall`` does.

    >>> kendall_b([3, 1, 1], [3, 1, 1]), kendall_b([1, 1, 1], [3, 2, 1])
    (1.0, nan)
    """
    pair = Paired.of(x, y)
    possible = np.sqrt(pair.x.ordered.astype(np.float64) * pair.y.ordered)
    return pair.given(quotient(_surplus(pair), possible))


def _surplus(pair: Paired) -> Rows:
    """C - D of each row."""
    counts = concordance(pair.x, pair.y)
    surplus: Rows = (counts.concordant - counts.discordant).sum(axis=-1)
    return surplus
