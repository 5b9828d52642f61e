"""Tie groups: the documents of a topic that share a score. Rows are in score order, so a group is a stretch of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats, Rows

PRECISIONS = ("float64", "float32")


def tie_groups(score: Floats, row: Rows, begin: Rows, end: Rows, precision: str = "float64") -> tuple[Rows, Rows]:
    """Return for each row the first row of its tie group and the number of documents in it.

    ``begin`` and ``end`` are the bounds of each row's topic. ``precision="float32"`` compares scores rounded to single
    precision, as trec_eval 9 does. Only tied rows cost more than a look at their two neighbours.

    >>> score, rows = np.array([3.0, 2.0, 2.0, 2.0, 1.0]), np.array([0, 2])
    >>> first, size = tie_groups(score, rows, np.array([0, 0]), np.array([5, 5]))
    >>> first.tolist(), size.tolist()
    ([0, 1], [1, 3])
    """
    if precision not in PRECISIONS:
        raise ValueError(f"precision is {precision!r}; choose one of {', '.join(PRECISIONS)}")
    first = row.copy()
    size = np.ones(len(row), dtype=np.int64)
    own = _at(score, row, precision)
    up = (row > begin) & (_at(score, np.maximum(row - 1, begin), precision) == own)
    down = (row < end - 1) & (_at(score, np.minimum(row + 1, end - 1), precision) == own)
    some = np.flatnonzero(up)
    first[some] = _first(score, own[some], begin[some], row[some], precision, larger=True)
    some = np.flatnonzero(up | down)
    last = row[some] + 1
    more = np.flatnonzero(down[some])
    lower = _first(score, own[some[more]], row[some[more]], end[some[more]], precision, larger=False)
    last[more] = lower
    size[some] = last - first[some]
    return first, size


def _at(score: Floats, row: Rows, precision: str) -> npt.NDArray[np.floating[Any]]:
    value = score[row]
    if precision == "float64":
        return value
    with np.errstate(over="ignore"):
        return value.astype(np.float32)


def _first(
    score: Floats, own: npt.NDArray[np.floating[Any]], low: Rows, high: Rows, precision: str, *, larger: bool
) -> Rows:
    """Bisect for the first row of [low, high) that is not larger than ``own``, or else that is smaller."""
    low, high = low.copy(), high.copy()
    while len(low) and int((high - low).max()) > 0:
        middle = (low + high) >> 1
        value = _at(score, np.minimum(middle, len(score) - 1), precision)
        after = (value > own) if larger else (value >= own)
        open_ = low < high
        low = np.where(open_ & after, middle + 1, low)
        high = np.where(open_ & ~after, middle, high)
    return low
