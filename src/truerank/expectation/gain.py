"""Gain: a sum over ranks of weight times gain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import Rankings, row_sum
from truerank.expectation.ranks import averaged, every_rank, picked, running
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
        """Expected sums over the list down to every depth from 0 to ``deepest``, shape (rows, deepest + 1)."""
        return running(self.weight.apply(averaged(r, self.x, deepest), every_rank(deepest)))

    def terminal(self, adds: Gain, r: Rankings, length: Rows, depth: Rows) -> Floats:
        """Expected worth of the document that ends lists cut at ``length``, read down to ``depth``.

        ``adds`` has what each document adds to it, see ``truerank.data.shares``.
        """
        found = adds.x[:, -1:] + running(averaged(r, adds.x, int(length.max(initial=0))))
        tail = self.weight.tail(length, np.maximum(depth, length)) if r.terminal == "tail" else None
        share = picked(found, length)
        return self.weight.apply(share, length + 1) if tail is None else share * tail
