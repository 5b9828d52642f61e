"""Cascade: a sum over ranks of weight times gain times the chance that the reader has come this far."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import ENDLESS, Rankings, row_sum
from truerank.expectation.weight import Weight, table

BATCH = 1 << 15
"""Numbers worked on at once inside tie groups: few enough to stay in cache."""
TAIL = 1 << 16
"""Ranks past the end that may matter, where each document there satisfies very few readers."""


@dataclass(frozen=True, eq=False)
class Cascade:
    """The term w(i) x_i q_1 ... q_(i-1).

    A finished group passes on the product of its q, whatever its order. Inside a group the mean over the orders comes
    from mean elementary symmetric polynomials, grown one document at a time; each step is a convex combination.
    """

    weight: Weight
    x: Floats
    q: Floats
    beyond: float = 0.0
    """Gain x = 1 - q of a document past the end of the list, where such documents are taken to have a grade."""

    def total(self, r: Rankings, depth: Rows) -> Floats:
        """Expected sum down to ``depth``, one value a row."""
        reached = np.ones((len(self.q), self.q.shape[1] + 1))
        np.cumprod(self.q, axis=-1, out=reached[:, 1:])
        carry = np.ascontiguousarray(reached[:, :-1])
        terms = np.where(r.start <= depth, self.weight.apply(self.x * carry, r.start), 0.0)
        if r.tied:
            terms.ravel()[r.shared.flat] = 0.0
            groups = self._groups(r, depth, carry)
            terms.ravel()[groups.first] = carry.ravel()[groups.first] * self._inside(groups)
        total = row_sum(terms)
        if self.beyond and (depth == ENDLESS).all():
            total = total + reached[:, -1] * self._tail(r.length)
        return total

    def _groups(self, r: Rankings, depth: Rows, carry: Floats) -> Groups:
        s = r.shared
        first, members = s.flat[s.first], np.diff(s.first, append=len(s.flat))
        above, size = s.start[s.first] - 1, s.size[s.first]
        within = np.minimum(size, np.broadcast_to(depth[:, 0], len(r.length))[s.row[s.first]] - above)
        matter = np.add.reduceat(self.x.ravel()[s.flat], s.first) != 0
        matter &= (within > 0) & (carry.ravel()[first] > 0)
        chosen = np.flatnonzero(matter)
        chosen = chosen[np.lexsort((within[chosen], members[chosen]))]
        return Groups(first[chosen], members[chosen], above[chosen], size[chosen], within[chosen])

    def _inside(self, groups: Groups) -> Floats:
        values = np.empty(len(groups.first))
        x, q = self.x.ravel(), self.q.ravel()
        for part in groups.batches():
            values[part] = self._batch(groups.part(part), x, q)
        return values

    def _batch(self, groups: Groups, x: Floats, q: Floats) -> Floats:
        first, members, above, size, within = groups.columns()
        deepest = int(within.max())
        k = np.arange(1.0, deepest + 1)
        # e[k]: mean product of q over k documents; d[k]: mean sum over one of them of its x times the others' q.
        # Documents not listed keep every reader, so the first listed one meets nothing but ones.
        added = np.minimum(k / (size - members + 1.0)[:, None], 1.0)
        e, d = np.ones((len(first), deepest + 1)), np.zeros((len(first), deepest + 1))
        np.multiply(added, x[first, None], out=d[:, 1:])
        e[:, 1:] -= added * (1.0 - q[first, None])
        for t in range(1, int(members[-1])):
            live = int(np.searchsorted(members, t, side="right"))
            added = np.minimum(k / (size - members + t + 1.0)[live:, None], 1.0)
            qt, xt = q[first[live:] + t, None], x[first[live:] + t, None]
            d[live:, 1:] += added * (qt * d[live:, :-1] + xt * e[live:, :-1] - d[live:, 1:])
            e[live:, 1:] += added * (qt * e[live:, :-1] - e[live:, 1:])
        rank = np.minimum(above[:, None] + np.arange(1, deepest + 1), (above + within)[:, None])
        w = table(self.weight, 1 << int(rank.max()).bit_length())[rank]
        terms = np.where(k <= within[:, None], w * d[:, 1:] / k, 0.0)
        return row_sum(terms)

    def _tail(self, length: Rows) -> Floats:
        # Past these steps less than 1e-20 of the readers are left.
        steps = TAIL if self.beyond < 46 / TAIL else int(np.ceil(46 / self.beyond))
        step = np.arange(steps)
        each, which = np.unique(length, return_inverse=True)
        rank = each[:, None] + 1 + step
        w = table(self.weight, 1 << int(rank.max(initial=1)).bit_length())[rank]
        tail: Floats = (w * self.beyond * (1.0 - self.beyond) ** step).sum(axis=-1)[which]
        return tail


@dataclass(frozen=True, eq=False)
class Groups:
    """Tie groups as columns, those with few listed members first."""

    first: Rows
    members: Rows
    above: Rows
    size: Rows
    within: Rows

    def part(self, some: slice) -> Groups:
        """Some of the groups."""
        return Groups(*(column[some] for column in self.columns()))

    def columns(self) -> tuple[Rows, Rows, Rows, Rows, Rows]:
        """The columns in order."""
        return self.first, self.members, self.above, self.size, self.within

    def batches(self) -> Iterator[slice]:
        """Slices of groups whose tables fit into ``BATCH`` numbers, or of one group."""
        begin = 0
        while begin < len(self.first):
            widest = np.maximum.accumulate(self.within[begin : begin + BATCH])
            room = np.arange(1, len(widest) + 1) * (widest + 1) <= BATCH
            count = max(int(room.argmin()) if not room.all() else len(room), 1)
            yield slice(begin, begin + count)
            begin += count
