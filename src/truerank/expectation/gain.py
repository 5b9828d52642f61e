"""Gain: a sum over ranks of weight times gain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import Rankings, row_sum
from truerank.expectation.weight import Weight, spread


@dataclass(frozen=True, eq=False)
class Gain:
    """The term w(i) x_i. A document's expected share is its gain times the mean weight of its possible ranks."""

    weight: Weight
    x: Floats
    beyond: float = 0.0
    """Gain of a document past the end of the list, where such documents are taken to have a grade."""

    def total(self, r: Rankings, depth: Rows) -> Floats:
        """Expected sum down to ``depth``, one value a row."""
        shares = spread(self.weight, self.x, r, depth)
        after = r.length[:, None]
        tail = self.weight.tail(after, np.maximum(depth, after))
        if tail is not None and r.terminal == "tail":
            shares[:, -1:] = self.x[:, -1:] * tail
        total = row_sum(shares)
        if tail is not None and self.beyond:
            total = total + self.beyond * tail[:, 0]
        return total
