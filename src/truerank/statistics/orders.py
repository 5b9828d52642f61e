"""How far two ways of scoring agree on the order of the same systems: the one place that says what is counted."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats
from truerank.statistics.correlations import kendall, kendall_b, tau_ap
from truerank.statistics.level import level
from truerank.statistics.pairs import every_pair


class TwoOrders(NamedTuple):
    """Two orders of the same systems; the first is the reference. Correlations are NaN if they are undefined."""

    runs: int
    """Systems with a score in both."""
    tau_a: float
    tau_b: float
    tau_ap: float
    """AP correlation; the first order is the truth."""
    tau_ap_other: float
    """AP correlation; the second order is the truth."""
    pairs: int
    """All pairs of systems."""
    ordered_pairs: int
    """Pairs that the reference does not tie."""
    reversed: int
    """Pairs that both order, in opposite ways."""


def agreement(x: npt.ArrayLike, y: npt.ArrayLike) -> TwoOrders:
    """Compare the orders by two sets of scores, the higher the better; ``x`` is the reference.

    Scores that differ by rounding alone are equal. Systems without a score in one of both are left out.

    >>> found = agreement([0.9, 0.5, 0.5, 0.1], [0.9, 0.6, 0.2, 0.3])
    >>> found.tau_a, found.pairs, found.ordered_pairs, found.reversed
    (0.5, 6, 5, 1)
    """
    first, second = _known(np.asarray(x, np.float64), np.asarray(y, np.float64))
    one, other = every_pair(len(first))
    before, after = np.sign(first[one] - first[other]), np.sign(second[one] - second[other])
    undefined = len(first) < 2
    return TwoOrders(
        runs=len(first),
        tau_a=np.nan if undefined else kendall(first, second),
        tau_b=np.nan if undefined else kendall_b(first, second),
        tau_ap=np.nan if undefined else tau_ap(first, second),
        tau_ap_other=np.nan if undefined else tau_ap(second, first),
        pairs=len(one),
        ordered_pairs=int((before != 0).sum()),
        reversed=int((before * after < 0).sum()),
    )


def _known(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """The scores of systems that have both, level where they differ by rounding alone."""
    some = np.isfinite(x) & np.isfinite(y)
    return level(x)[some], level(y)[some]


def ranks(scores: npt.ArrayLike) -> list[int | None]:
    """The rank of each system, 1 for the highest score: one more than there are better ones; None without a score.

    >>> ranks([0.5, 0.7, float("nan"), 0.5])
    [2, 1, None, 2]
    """
    known: Any = level(scores)
    above = (known[None, :] > known[:, None]).sum(axis=1) + 1
    return [None if np.isnan(score) else rank for score, rank in zip(known, above.tolist(), strict=True)]
