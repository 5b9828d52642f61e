"""Sums over topics, weighted by what was drawn."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.parallel import blocks

_COLUMNS = 32
_ALONE = 1 << 18
"""Multiplications up to which OpenBLAS keeps to the thread it was called from."""


class Sums:
    """Weighted sums over topics, of the same draws for one set of rows after the other.

    A product of matrices, cut so small that the library of linear algebra starts no threads of its own: those would
    be in the way of ours, and on a busy machine wait for each other.
    """

    def __init__(self, weights: Floats) -> None:
        draws, topics = weights.shape
        even = draws - draws % _COLUMNS
        self.rows = max(1, _ALONE // (topics * _COLUMNS))
        """How many rows are best asked for at once."""
        whole = weights[:even].reshape(-1, _COLUMNS, topics).transpose(0, 2, 1)
        rest = weights[even:].T[None]
        self._pieces = [np.ascontiguousarray(piece) for piece in (whole, rest) if piece.size]

    def of(self, rows: Floats) -> Iterator[Floats]:
        """The sums of each row under each draw (pieces x rows x draws of the piece).

        >>> [sums.tolist() for sums in Sums(np.array([[1.0, 1.0], [1.0, -1.0]])).of(np.array([[0.5, 0.25]]))]
        [[[[0.75, 0.25]]]]
        """
        for piece in self._pieces:
            yield np.matmul(rows, piece)

    def at_least(self, rows: Floats, least: Floats, *, two_sided: bool) -> Rows:
        """For how many draws the sum of each row is at least so much, or in two-sided terms so far from 0.

        >>> Sums(np.array([[1.0, 1.0], [-1.0, -1.0]])).at_least(np.ones((1, 2)), np.array([2.0]), two_sided=True)
        array([2])
        """
        found = np.zeros(len(rows), np.int64)
        for part in blocks(len(rows), self.rows):
            for sums in self.of(rows[part]):
                if two_sided:
                    np.abs(sums, out=sums)
                found[part] += tally(sums >= least[part, None])
        return found


def tally(found: Mask) -> Rows:
    """How many are found for each row (pieces x rows x draws of the piece)."""
    # As bytes they are added up several times as fast.
    counts: Rows = found.view(np.uint8).sum(axis=(0, 2), dtype=np.uint32).astype(np.int64)
    return counts
