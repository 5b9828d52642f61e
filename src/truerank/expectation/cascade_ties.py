"""The inside of tie groups in a cascade: the mean over all orders, at the cost of a table a group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows, spans
from truerank.data.rankings import Rankings, row_sum
from truerank.expectation.weight import Weight, table

BATCH = 1 << 15
"""Numbers worked on at once: few enough to stay in cache."""


@dataclass(frozen=True, eq=False)
class Groups:
    """Tie groups as columns, those with few active documents first; active is one with x, or that loses readers."""

    first: Rows
    """Flat index of the group's first slot."""
    begin: Rows
    """Where in ``active`` its documents begin."""
    members: Rows
    """How many they are."""
    above: Rows
    size: Rows
    within: Rows
    """How many of its ranks are within the depth."""
    active: Rows
    """Flat indexes of active documents, group by group."""

    @property
    def ranks(self) -> Rows:
        """Ranks inside a group, from 1 to the most that one has within the depth."""
        return np.arange(1, int(self.within.max(initial=0)) + 1)

    def row(self, r: Rankings) -> Rows:
        """The row of each group."""
        row: Rows = self.first // r.start.shape[1]
        return row

    def part(self, some: slice | Rows) -> Groups:
        """Some of the groups."""
        first, begin, members = self.first[some], self.begin[some], self.members[some]
        return Groups(first, begin, members, self.above[some], self.size[some], self.within[some], self.active)

    def parts(self) -> Iterator[Groups]:
        """Stretches of groups whose tables fit into ``BATCH`` numbers, or of one group."""
        start = 0
        while start < len(self.first):
            widest = np.maximum.accumulate(self.within[start : start + BATCH])
            room = np.arange(1, len(widest) + 1) * (widest + 1) <= BATCH
            count = max(int(room.argmin()) if not room.all() else len(room), 1)
            yield self.part(slice(start, start + count))
            start += count


def matter(r: Rankings, depth: Rows, x: Floats, q: Floats, carry: Floats) -> Groups:
    """The groups that are reached and have something to find."""
    s = r.shared
    active = np.flatnonzero((x.ravel()[s.flat] != 0) | (q.ravel()[s.flat] != 1))
    members = np.bincount(s.group[active], minlength=len(s.first))
    first, above, size = s.flat[s.first], s.start[s.first] - 1, s.size[s.first]
    within = np.minimum(size, np.broadcast_to(depth[:, 0], len(r.length))[s.row[s.first]] - above)
    chosen = np.flatnonzero((r.shared.sums(x)[s.first] != 0) & (within > 0) & (carry.ravel()[first] > 0))
    chosen = chosen[np.lexsort((within[chosen], members[chosen]))]
    begin = np.cumsum(members) - members
    return Groups(first, begin, members, above, size, within, s.flat[active]).part(chosen)


def inside(groups: Groups, weight: Weight, x: Floats, q: Floats) -> Floats:
    """Expected sum over each group's ranks within the depth, for a reader who reaches the group."""
    values, done = np.empty(len(groups.first)), 0
    for part, found in at_ranks(groups, x, q):
        rank = np.arange(1, found.shape[1] + 1)
        last = part.within[:, None]
        place = np.minimum(part.above[:, None] + rank, part.above[:, None] + last)
        w = table(weight, 1 << int(place.max()).bit_length())[place]
        values[done : done + len(found)] = row_sum(np.where(rank <= last, w * found, 0.0))
        done += len(found)
    return values


def at_ranks(groups: Groups, x: Floats, q: Floats) -> Iterator[tuple[Groups, Floats]]:
    """For some groups at a time, the expectation at each of their ranks, for a reader who reaches the group."""
    xs, qs = x.ravel()[groups.active], q.ravel()[groups.active]
    for part in groups.parts():
        listed = spans(part.begin, part.members)
        stops = not qs[listed].any() and (xs[listed] == 1).all()
        yield part, _first_hit(part) if stops else _grown(part, xs, qs)[1] / part.ranks


def at_cuts(groups: Groups, x: Floats, q: Floats) -> Iterator[tuple[Groups, Floats, Floats]]:
    """For some groups at a time, what is left behind each of their ranks, for a reader who reaches the group.

    The mean product of q over the documents down to there; and the same times the sum of their x.
    """
    xs, qs = x.ravel()[groups.active], q.ravel()[groups.active]
    for part in groups.parts():
        # One document's x times the q of all is its x q times the others' q.
        yield part, *_grown(part, xs * qs, qs)


def _first_hit(groups: Groups) -> Floats:
    """Chance that the first active document stands at each rank of its group: all that counts where each one stops."""
    n, m = groups.size[:, None].astype(np.float64), groups.members[:, None]
    j = np.arange(1, int(groups.within.max()))
    chance = np.empty((len(n), len(j) + 1))
    chance[:, :1] = m / n
    # From one rank to the next: the document there is none of the m, and one of them follows.
    chance[:, 1:] = np.maximum(n - m - j + 1, 0.0) / np.maximum(n - j, 1.0)
    return np.cumprod(chance, axis=-1, dtype=np.float64)


def _grown(groups: Groups, x: Floats, q: Floats) -> tuple[Floats, Floats]:
    """Over the first k documents of a group, the mean product of q, and the mean sum of one's x times the others' q.

    These are mean elementary symmetric polynomials, grown one document at a time; each step is a convex combination.
    """
    begin, members, size = groups.begin, groups.members, groups.size
    k = groups.ranks.astype(np.float64)
    # Documents that are not active keep every reader, so the first active one meets nothing but ones.
    added = np.minimum(k / (size - members + 1.0)[:, None], 1.0)
    e, d = np.ones((len(begin), len(k) + 1)), np.zeros((len(begin), len(k) + 1))
    np.multiply(added, x[begin, None], out=d[:, 1:])
    e[:, 1:] -= added * (1.0 - q[begin, None])
    for t in range(1, int(members[-1])):
        live = int(np.searchsorted(members, t, side="right"))
        added = np.minimum(k / (size - members + t + 1.0)[live:, None], 1.0)
        qt, xt = q[begin[live:] + t, None], x[begin[live:] + t, None]
        d[live:, 1:] += added * (qt * d[live:, :-1] + xt * e[live:, :-1] - d[live:, 1:])
        e[live:, 1:] += added * (qt * e[live:, :-1] - e[live:, 1:])
    return e[:, 1:], d[:, 1:]
