"""Pairs of systems: all of them, the better of two, and whether intervals of scores leave their order open."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats, Mask, Rows
from truerank.statistics.level import above


def every_pair(count: int) -> tuple[Rows, Rows]:
    """All pairs of some systems, as two columns of their numbers."""
    return np.triu_indices(count, 1)


def farthest(some: Mask, apart: Floats) -> Rows:
    """Numbers of some of the pairs, the farthest apart first.

    >>> farthest(np.array([True, False, True]), np.array([0.1, 0.9, -0.3])).tolist()
    [2, 0]
    """
    rows = np.flatnonzero(some)
    return rows[np.argsort(-np.abs(apart[rows]), kind="stable")]


def ordered(one: Rows, other: Rows, difference: Floats) -> tuple[Rows, Rows]:
    """The better and the worse of each pair, given by how much the one is better than the other."""
    return np.where(difference > 0, one, other), np.where(difference > 0, other, one)


def is_open(low: Floats, high: Floats, one: Rows, other: Rows) -> Mask:
    """Whether of two systems, each with a score between ``low`` and ``high``, each may be above the other.

    Where one can at best draw level, nothing is open.

    >>> low, high = np.array([0.1, 0.3, 0.5]), np.array([0.4, 0.5, 0.6])
    >>> one, other = every_pair(3)
    >>> is_open(low, high, one, other).tolist()  # 0 and 1, 0 and 2, 1 and 2
    [True, False, False]
    """
    open_: Mask = above(high[one], low[other]) & above(high[other], low[one])
    return open_
