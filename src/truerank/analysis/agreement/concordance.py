"""Pairs of systems that two rankings have in the same order, counted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from truerank.analysis.agreement.places import Places
from truerank.data.arrays import Rows

_BLOCK = 1 << 20
_SHORT = np.iinfo(np.int16).max


class Concordance(NamedTuple):
    """For each system (rows x systems): of those above it by the second ranking, how many the first has on which side.

    Systems that the first ranking ties with it are neither.
    """

    concordant: Rows
    """Above it by the first ranking too."""
    discordant: Rows
    """Below it."""


def concordance(x: Places, y: Places) -> Concordance:
    """Compare every pair of systems; one row stands against every row of the other.

    >>> x, y = Places.of(np.array([[3, 2, 1]])), Places.of(np.array([[2, 3, 1]]))
    >>> [counts.tolist() for counts in concordance(x, y)]
    [[[0, 0, 2]], [[1, 0, 0]]]
    """
    rows, systems = max(len(x.above), len(y.above)), x.above.shape[1]
    # Every pair is compared, so that small numbers save time.
    small = np.int16 if systems <= _SHORT else np.int64
    first = np.broadcast_to(x.above.astype(small), (rows, systems))
    second = np.broadcast_to(y.above.astype(small), (rows, systems))
    found = Concordance(*np.empty((2, rows, systems), np.int64))
    for row, system in _blocks(rows, systems):
        here = first[row, system, None]
        above = second[row, None, :] < second[row, system, None]
        found.concordant[row, system] = _count(above & (first[row, None, :] < here))
        found.discordant[row, system] = _count(above & (first[row, None, :] > here))
    return found


def _blocks(rows: int, systems: int) -> Iterator[tuple[slice, slice]]:
    """Rows and systems to be taken at a time, so that pairs of them fit in the processor's cache."""
    at_once = max(1, min(systems, _BLOCK // max(1, systems)))
    rows_at_once = max(1, _BLOCK // max(1, systems * systems))
    for row in range(0, rows, rows_at_once):
        for system in range(0, systems, at_once):
            yield slice(row, row + rows_at_once), slice(system, system + at_once)


def _count(pairs: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Rows:
    counts: Rows = pairs.sum(axis=-1)
    return counts
