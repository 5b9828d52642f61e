"""Pair: a sum over ranks of weight times gain times what has been seen down to there."""

from __future__ import annotations

from dataclasses import dataclass

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import Rankings, row_sum
from truerank.expectation.ranks import every_rank, finished, group_ranks, laid_out, picked, running
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
        """Expected sums over the list down to every depth from 0 to ``deepest``, shape (rows, deepest + 1)."""
        above = r.above(self.y)
        terms = laid_out(r, self.x * (above + self.y), deepest)
        if r.tied:
            s, at = r.shared, group_ranks(r, deepest)
            x, y, xy = s.each(self.x), s.each(self.y), s.each(self.x * self.y)
            alone = x * above.ravel()[s.flat[s.first]] + xy
            together = (x * y - xy) / (s.size[s.first] - 1)
            terms[at.row, at.rank - 1] = (alone[at.group] + at.mates * together[at.group]) / at.size
        return running(self.weight.apply(terms, every_rank(deepest)))

    def terminal(self, adds: Pair, r: Rankings, length: Rows, depth: Rows) -> Floats:
        """Expected worth of the document that ends lists cut at ``length``; see ``Gain.terminal``."""
        longest = int(length.max(initial=0))
        # The terminal document counts in what is seen down to it.
        y = self.y + adds.y
        x_found = adds.x[:, -1:] + finished(r, adds.x, longest)
        y_found = adds.y[:, -1:] + finished(r, y, longest)
        product = x_found * y_found
        if r.tied:
            s, at = r.shared, group_ranks(r, longest)
            x_above, y_above = x_found[at.row, at.start - 1], y_found[at.row, at.start - 1]
            sum_x, sum_y, both = (s.each(z)[at.group] for z in (adds.x, y, adds.x * y))
            kept = (at.mates + 1) / at.size
            kept_too = at.mates / (at.size - 1)
            inside = both + kept_too * (sum_x * sum_y - both)
            product[at.row, at.rank] = x_above * y_above + kept * (x_above * sum_y + y_above * sum_x + inside)
        return self.weight.apply(picked(product, length), length + 1)
