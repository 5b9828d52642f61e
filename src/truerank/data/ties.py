"""Tie groups: the documents of a topic that share a score. Rows are in score order, so a group is a stretch of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats, Rows

PRECISIONS = ("float64", "float32")

_DENSE = 100
"""One group searched for among so many rows is where looking at all rows becomes cheaper."""


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
    tied = (row > begin) & (_at(score, np.maximum(row - 1, begin), precision) == own)
    tied |= (row < end - 1) & (_at(score, np.minimum(row + 1, end - 1), precision) == own)
    some = np.flatnonzero(tied)
    if not len(some):
        return first, size
    row, begin, end, own = row[some], begin[some], end[some], own[some]
    # Neighbours of one group share one search.
    new = np.flatnonzero(np.concatenate([[True], (own[1:] != own[:-1]) | (begin[1:] != begin[:-1])]))
    search = _in_edges if len(new) * _DENSE > len(score) else _by_bisection
    top, bottom = search(score, row[new], begin[new], end[new], precision)
    shared = np.diff(new, append=len(some))
    first[some], size[some] = np.repeat(top, shared), np.repeat(bottom - top, shared)
    return first, size


def all_tie_groups(score: Floats, bounds: Rows, precision: str = "float64") -> tuple[Rows, Rows]:
    """Return what ``tie_groups`` does for every row, when ``score`` holds whole topics one after the other.

    >>> first, size = all_tie_groups(np.array([2.0, 1.0, 1.0, 1.0]), np.array([0, 3, 4]))
    >>> first.tolist(), size.tolist()
    ([0, 1, 1, 3], [1, 2, 2, 1])
    """
    value = _rounded(score, precision)
    new = np.ones(len(score), dtype=np.bool_)
    np.not_equal(value[1:], value[:-1], out=new[1:])
    new[bounds[bounds < len(score)]] = True
    top = np.flatnonzero(new)
    count = np.diff(top, append=len(score))
    return np.repeat(top, count), np.repeat(count, count)


def _rounded(score: Floats, precision: str) -> npt.NDArray[np.floating[Any]]:
    if precision == "float64":
        return score
    with np.errstate(over="ignore"):
        return score.astype(np.float32)


def _at(score: Floats, row: Rows, precision: str) -> npt.NDArray[np.floating[Any]]:
    return _rounded(score[row], precision)


def _in_edges(score: Floats, row: Rows, begin: Rows, end: Rows, precision: str) -> tuple[Rows, Rows]:
    """Find where scores change, all over, and look up the rows among these places."""
    value = _rounded(score, precision)
    edges = np.concatenate([[0], np.flatnonzero(value[1:] != value[:-1]) + 1, [len(score)]])
    place = np.searchsorted(edges, row, side="right")
    return np.maximum(edges[place - 1], begin), np.minimum(edges[place], end)


def _by_bisection(score: Floats, row: Rows, begin: Rows, end: Rows, precision: str) -> tuple[Rows, Rows]:
    """Find the two ends of each row's group in its topic."""
    own = _at(score, row, precision)
    top = _first(score, own, begin, row, precision, larger=True)
    return top, _first(score, own, row, end, precision, larger=False)


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
