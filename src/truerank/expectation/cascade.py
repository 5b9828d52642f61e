"""Cascade: a sum over ranks of weight times gain times the chance that the reader has come this far."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import ENDLESS, Rankings, row_sum
from truerank.expectation.cascade_ties import at_cuts, at_ranks, inside, matter
from truerank.expectation.ranks import every_rank, finished, laid_out, picked, running
from truerank.expectation.weight import Weight, table


@dataclass(frozen=True, eq=False)
class Cascade:
    """The term w(i) x_i q_1 ... q_(i-1).

    A finished group passes on the product of its q, whatever its order; ``cascade_ties`` has the mean inside a group.
    """

    weight: Weight
    x: Floats
    q: Floats
    beyond: float | None = None
    """Gain x = 1 - q of a document past the end of the list; by default what the block of rankings says."""

    def total(self, r: Rankings, depth: Rows) -> Floats:
        """Expected sum down to ``depth``, one value a row."""
        reached = np.ones((len(self.q), self.q.shape[1] + 1))
        np.cumprod(self.q, axis=-1, out=reached[:, 1:])
        carry = np.ascontiguousarray(reached[:, :-1])
        terms = np.where(r.start <= depth, self.weight.apply(self.x * carry, r.start), 0.0)
        if r.tied:
            terms.ravel()[r.shared.flat] = 0.0
            groups = matter(r, depth, self.x, self.q, carry)
            terms.ravel()[groups.first] = carry.ravel()[groups.first] * inside(groups, self.weight, self.x, self.q)
        total = row_sum(terms)
        beyond = r.gain_beyond(self.x) if self.beyond is None else self.beyond
        if beyond and (depth == ENDLESS).all():
            total = total + reached[:, -1] * self._tail(r.length, beyond)
        return total

    def curve(self, r: Rankings, deepest: int) -> Floats:
        """Expected sums over the list down to every depth from 0 to ``deepest``, shape (rows, deepest + 1)."""
        carry = self._carry()
        terms = laid_out(r, self.x * carry, deepest)
        if r.tied:
            groups = matter(r, np.full((1, 1), deepest), self.x, self.q, carry)
            for some, found in at_ranks(groups, self.x, self.q):
                group, place = np.nonzero(some.ranks <= some.within[:, None])
                reached = carry.ravel()[some.first[group]]
                terms[some.row(r)[group], some.above[group] + place] = reached * found[group, place]
        return running(self.weight.apply(terms, every_rank(deepest)))

    def terminal(self, adds: Cascade, r: Rankings, length: Rows, depth: Rows) -> Floats:
        """Expected worth of the document that ends lists cut at ``length``; see ``Gain.terminal``."""
        longest = int(length.max(initial=0))
        reached = finished(r, self.q, longest, np.multiply)
        found = adds.x[:, -1:] + finished(r, adds.x, longest)
        worth = reached * found
        if r.tied:
            groups = matter(r, np.full((1, 1), longest), self.x, self.q, self._carry())
            for some, left, more in at_cuts(groups, adds.x, self.q):
                group, place = np.nonzero(some.ranks <= some.within[:, None])
                row, above = some.row(r)[group], some.above[group]
                inside = found[row, above] * left[group, place] + more[group, place]
                worth[row, above + place + 1] = reached[row, above] * inside
        return self.weight.apply(picked(worth, length), length + 1)

    def _carry(self) -> Floats:
        """For every slot, the chance that the reader comes to it or, if it is tied, to the first of its group."""
        carry = np.ones(self.q.shape)
        np.cumprod(self.q[:, :-1], axis=-1, out=carry[:, 1:])
        return carry

    def _tail(self, length: Rows, beyond: float) -> Floats:
        # Past these steps less than 1e-20 of the readers are left; a gain so small that it takes more is next to none.
        step = np.arange(min(int(np.ceil(46 / beyond)), 1 << 20))
        each, which = np.unique(length, return_inverse=True)
        rank = each[:, None] + 1 + step
        w = table(self.weight, 1 << int(rank.max(initial=1)).bit_length())[rank]
        tail: Floats = (w * beyond * (1.0 - beyond) ** step).sum(axis=-1)[which]
        return tail
