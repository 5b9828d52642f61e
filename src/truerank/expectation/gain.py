"""Gain: a sum over ranks of weight times gain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import Rankings, row_sum
from truerank.expectation.ranks import every_rank, group_ranks, laid_out
from truerank.expectation.weight import Weight, spread


@dataclass(frozen=True, eq=False)
class Gain:
    """The term w(i) x_i. A document's expected share is its gain times the mean weight of its possible ranks."""

    weight: Weight
    x: Floats
    beyond: float | None = None
    """Gain of a document past the end of the list; by default what the block of rankings says."""

    def total(self, r: Rankings, depth: Rows) -> Floats:
        """Expected sum down to ``depth``, one value a row."""
        shares = spread(self.weight, self.x, r, depth)
        after = r.length[:, None]
        tail = self.weight.tail(after, np.maximum(depth, after))
        if tail is not None and r.terminal == "tail":
            shares[:, -1:] = self.x[:, -1:] * tail
        total = row_sum(shares)
        beyond = r.gain_beyond(self.x) if self.beyond is None else self.beyond
        if tail is not None and beyond:
            total = total + beyond * tail[:, 0]
        return total

    def curve(self, r: Rankings, deepest: int) -> Floats:
        """Expected sums down to every depth from 1 to ``deepest``, shape (rows, deepest)."""
        x = laid_out(r, self.x, deepest)
        if r.tied:
            at = group_ranks(r, deepest)
            x[at.row, at.rank - 1] = (r.shared.sums(self.x) / r.shared.size)[at.slot]
        return np.cumsum(self.weight.apply(x, every_rank(r, deepest)), axis=-1)
