"""Count: a sum over documents of a function of how many others stand above."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import Rankings, row_sum
from truerank.expectation.hypergeometric import draws, means
from truerank.expectation.ranks import group_ranks, laid_out, running

Phi = Callable[[Floats, Rows], Floats]
"""Maps counts, and the rows of the block they belong to, to values."""


@dataclass(frozen=True, eq=False)
class Count:
    """The sum over documents d of x_d phi(number of counted documents above d).

    ``counted`` marks documents without x. A tied document stands at every place among its group's counted ones with
    equal chance; where the depth cuts the group, the chances of a place within the depth are taken.
    """

    x: Floats
    counted: Floats
    phi: Phi

    def total(self, r: Rankings, depth: Rows) -> Floats:
        """Expected sum down to ``depth``, one value a row."""
        terms = np.zeros(r.start.shape)
        above = r.above(self.counted)
        here = (self.x != 0) & (r.start <= depth)
        row, slot = np.nonzero(here & (r.size == 1))
        terms[row, slot] = self.x[row, slot] * self.phi(above[row, slot], row)
        row, slot = np.nonzero(here & (r.size > 1))
        if len(row):
            mates = r.group_sum(self.counted)[row, slot].astype(np.int64)
            chance = self._chances(r, depth, row, slot, mates)
            mean = np.zeros(len(row))
            for more in range(int(mates.max()) + 1):
                reachable = mates >= more
                value = self.phi(above[row, slot][reachable] + more, row[reachable])
                mean[reachable] += chance[reachable, more] * value
            terms[row, slot] = self.x[row, slot] * mean
        return row_sum(terms)

    def curve(self, r: Rankings, deepest: int) -> Floats:
        """Expected sums down to every depth from 0 to ``deepest``, shape (rows, deepest + 1)."""
        above = r.above(self.counted)
        row, slot = np.nonzero(self.x)
        terms = np.zeros(self.x.shape)
        terms[row, slot] = self.x[row, slot] * self.phi(above[row, slot], row)
        dense = laid_out(r, terms, deepest)
        if r.tied:
            s = r.shared
            at = group_ranks(r, deepest)
            at = at.part(s.each(self.x)[at.group] != 0)
            ranks = np.bincount(at.group, minlength=len(s.first))
            group = np.flatnonzero(ranks)
            first = s.first[group]
            marked = s.each(self.counted)[group].astype(np.int64)
            count = above.ravel()[s.flat[first]][:, None] + np.arange(int(marked.max(initial=0)) + 1)
            mean = means(s.size[first] - 1, marked, self.phi(count, s.row[first][:, None]), ranks[group])
            dense[at.row, at.rank - 1] = s.each(self.x)[at.group] / at.size * mean
        return running(dense)

    @staticmethod
    def _chances(r: Rankings, depth: Rows, row: Rows, slot: Rows, mates: Rows) -> Floats:
        size = r.size[row, slot]
        within = np.minimum(size, depth[row, 0] - r.start[row, slot] + 1)
        chance = np.where(np.arange(int(mates.max()) + 1) <= mates[:, None], 1.0 / (mates[:, None] + 1), 0.0)
        cut = np.flatnonzero(within < size)
        if len(cut):
            chance[cut] = 0.0
            deepest = int(within[cut].max())
            for j, p in enumerate(draws(size[cut] - 1, mates[cut], deepest - 1)):
                chance[cut, : p.shape[1]] += np.where((j < within[cut])[:, None], p, 0.0) / size[cut, None]
        return chance
