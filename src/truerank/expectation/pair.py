"""Pair: a sum over ranks of weight times gain times what has been seen down to there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import Rankings, row_sum
from truerank.expectation.ranks import every_rank, group_ranks, laid_out
from truerank.expectation.weight import Weight, spread, spread_after_mate


@dataclass(frozen=True, eq=False)
class Pair:
    """The term w(i) x_i (y_1 + ... + y_i).

    Documents of finished groups and the document itself count in full; a tie mate counts when it is ranked above.
    """

    weight: Weight
    x: Floats
    y: Floats

    def total(self, r: Rankings, depth: Rows) -> Floats:
        """Expected sum down to ``depth``, one value a row."""
        seen = r.above(self.y) + self.y
        terms = spread(self.weight, self.x * seen, r, depth)
        if r.tied:
            flat = r.shared.flat
            mates = r.shared.sums(self.y) - self.y.ravel()[flat]
            terms.ravel()[flat] += self.x.ravel()[flat] * mates * spread_after_mate(self.weight, r, depth)
        return row_sum(terms)

    def curve(self, r: Rankings, deepest: int) -> Floats:
        """Expected sums down to every depth from 1 to ``deepest``, shape (rows, deepest)."""
        above = r.above(self.y)
        terms = laid_out(r, self.x * (above + self.y), deepest)
        if r.tied:
            s, at = r.shared, group_ranks(r, deepest)
            x, y, xy = s.sums(self.x), s.sums(self.y), s.sums(self.x * self.y)
            alone = x * above.ravel()[s.flat] + xy
            together = (x * y - xy) / (s.size - 1)
            terms[at.row, at.rank - 1] = ((alone / s.size)[at.slot]) + at.mates(r) * (together / s.size)[at.slot]
        return np.cumsum(self.weight.apply(terms, every_rank(r, deepest)), axis=-1)
