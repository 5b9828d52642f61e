"""Terms laid out by rank: what each rank is expected to add, so that running sums give every depth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows, spans
from truerank.data.rankings import Rankings


@dataclass(frozen=True, eq=False)
class GroupRanks:
    """The ranks of tie groups down to a depth, as columns: a group has one entry for each of its ranks."""

    row: Rows
    rank: Rows
    slot: Rows
    """Where in ``Rankings.shared`` the group begins."""

    def mates(self, r: Rankings) -> Rows:
        """How many documents of its group stand above each rank."""
        return self.rank - r.shared.start[self.slot]


def group_ranks(r: Rankings, deepest: int) -> GroupRanks:
    """The ranks that documents share, none past ``deepest``."""
    s = r.shared
    first = s.first
    start, stop = s.start[first], np.minimum(s.stop[first], deepest)
    count = np.maximum(stop - start + 1, 0)
    return GroupRanks(np.repeat(s.row[first], count), spans(start, count), np.repeat(first, count))


def laid_out(r: Rankings, x: Floats, deepest: int) -> Floats:
    """``x`` of documents that are not tied at their ranks, shape (rows, deepest); nothing elsewhere.

    >>> laid_out(Rankings.single([1, 0, 1]), np.array([[2.0, 0.0, 3.0]]), 4).tolist()
    [[2.0, 0.0, 3.0, 0.0]]
    """
    dense = np.zeros((len(r.length), deepest))
    row, slot = np.nonzero((x != 0) & (r.start == r.stop) & (r.start <= deepest))
    dense[row, r.start[row, slot] - 1] = x[row, slot]
    return dense


def every_rank(r: Rankings, deepest: int) -> Rows:
    """The ranks 1 to ``deepest`` in every row."""
    return np.broadcast_to(np.arange(1, deepest + 1), (len(r.length), deepest))
