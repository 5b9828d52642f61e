"""Effort: what reading the list costs, whatever is in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import Rankings
from truerank.expectation.weight import Weight


@dataclass(frozen=True, eq=False)
class Effort:
    """The term -e w(i) for each document of the list; it does not depend on the order."""

    weight: Weight
    e: float

    def total(self, r: Rankings, depth: Rows) -> Floats:
        """Effort down to ``depth``, one value a row."""
        sums, _ = self.weight.sums(int(r.length.max(initial=0)))
        read: Floats = sums[np.minimum(r.length, depth[:, 0])].astype(np.float64)
        return -self.e * read

    def curve(self, r: Rankings, deepest: int) -> Floats:
        """Effort down to every depth from 0 to ``deepest``, shape (rows, deepest + 1)."""
        sums, _ = self.weight.sums(int(r.length.max(initial=0)))
        read: Floats = sums.astype(np.float64)[np.minimum(r.length[:, None], np.arange(deepest + 1))]
        return -self.e * read

    def terminal(self, adds: Effort, r: Rankings, length: Rows, depth: Rows) -> Floats:
        """The document that ends a list takes no reading."""
        return np.zeros((1, 1))
