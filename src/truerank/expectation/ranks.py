"""Terms laid out by rank: what each rank is expected to add, so that running sums give every depth."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats, Mask, Rows, spans
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings


@dataclass(frozen=True, eq=False)
class GroupRanks:
    """The ranks of tie groups down to a depth, as columns: a group has one entry for each of its ranks."""

    row: Rows
    rank: Rows
    group: Rows
    """Number of the group in ``Rankings.shared``."""
    start: Rows
    """Its first rank."""
    size: Rows
    """How many documents share it."""

    @property
    def mates(self) -> Rows:
        """How many documents of its group stand above each rank."""
        return self.rank - self.start

    def part(self, some: Mask) -> GroupRanks:
        """Some of the ranks."""
        return GroupRanks(self.row[some], self.rank[some], self.group[some], self.start[some], self.size[some])


def group_ranks(r: Rankings, deepest: int) -> GroupRanks:
    """The ranks that documents share, none past ``deepest``."""
    s = r.shared
    start, stop = s.groups.start, np.minimum(s.groups.stop, deepest)
    count = np.maximum(stop - start + 1, 0)
    group = np.repeat(np.arange(len(start)), count)
    return GroupRanks(s.groups.row[group], spans(start, count), group, start[group], s.groups.size[group])


def laid_out(r: Rankings, x: Floats, deepest: int, nothing: float = 0.0) -> Floats:
    """``x`` of the list's documents that are not tied at their ranks, shape (rows, deepest); ``nothing`` elsewhere.

    >>> laid_out(Rankings.single([1, 0, 1]), np.array([[2.0, 0.0, 3.0]]), 4).tolist()
    [[2.0, 0.0, 3.0, 0.0]]
    """
    dense = np.full((len(r.length), deepest), nothing)
    listed = slice(x.shape[1] - bool(r.terminal))
    start = r.start[:, listed]
    row, slot = np.nonzero((x[:, listed] != nothing) & (start == r.stop[:, listed]) & (start <= deepest))
    dense[row, start[row, slot] - 1] = x[row, slot]
    return dense


def averaged(r: Rankings, x: Floats, deepest: int) -> Floats:
    """``x`` as expected at each rank: a group's mean where documents are tied."""
    dense = laid_out(r, x, deepest)
    if r.tied:
        at = group_ranks(r, deepest)
        dense[at.row, at.rank - 1] = r.shared.each(x)[at.group] / at.size
    return dense


def finished(r: Rankings, x: Floats, deepest: int, how: np.ufunc = np.add) -> Floats:
    """``x`` of whole groups down to every depth from 0 to ``deepest``, added up or multiplied; shape as of ``running``.

    >>> finished(Rankings.single([1, 1, 1], groups=[0, 0, 1]), np.array([[2.0, 3.0, 4.0]]), 3).tolist()
    [[0.0, 0.0, 5.0, 9.0]]
    """
    dense = laid_out(r, x, deepest, float(how.identity))
    if r.tied:
        s = r.shared
        within = np.flatnonzero(s.groups.stop <= deepest)
        dense[s.groups.row[within], s.groups.stop[within] - 1] = s.each(x, how)[within]
    return running(dense, how)


def running(x: Floats, how: np.ufunc = np.add) -> Floats:
    """Running sums (or products) over ranks, from nothing on: one column more than there are ranks."""
    sums = np.full((len(x), x.shape[1] + 1), float(how.identity))
    how.accumulate(x, axis=-1, out=sums[:, 1:])
    return sums


def every_rank(deepest: int) -> Rows:
    """The ranks 1 to ``deepest``, as a row."""
    return np.arange(1, deepest + 1)[None, :]


def picked(sums: Floats, depth: Rows) -> Floats:
    """Of running sums those at some depths, the same for all rows or each row its own."""
    return sums[:, depth[0]] if len(depth) == 1 else np.take_along_axis(sums, depth, axis=-1)
