"""Variance over the orders of ties: of sums over ranks, and of sums over pairs of ranks.

What groups above a tie group hold does not depend on their order, and each group is shuffled on its own. So groups are
independent, and their variances add up.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from truerank.data.arrays import Floats, Rows, distinct
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.weights import Weight

Exact = NDArray[np.longdouble]
_SLOTS = 1 << 20
"""Weights that are worked on at once."""
_ROUNDING = 64.0 * float(np.finfo(np.longdouble).eps)
"""Differences of means of squares that are no more than this share of them are none."""


@dataclass(frozen=True, eq=False)
class _TieGroups:
    """Tie groups that a depth reaches, with the weights of their ranks."""

    which: Rows
    """Their numbers in ``Rankings.shared``."""
    row: Rows
    size: Exact
    weight: Exact
    """Of each rank of a group, as a row; 0 past the group and past the depth."""

    @property
    def place(self) -> Exact:
        """Places in a group, from 0 on: how many documents of it stand above."""
        return np.arange(self.weight.shape[1], dtype=np.longdouble)


def _groups(weight: Weight, r: Rankings, depth: Rows) -> Iterator[_TieGroups]:
    """Groups of much the same number of ranks at a time."""
    s = r.shared
    row, start, size = s.groups.row, s.groups.start, s.groups.size
    limit = np.broadcast_to(depth[:, 0], len(r.length))[row]
    ranks = np.clip(limit - start + 1, 0, size)
    width = np.ceil(np.log2(np.maximum(ranks, 1))).astype(np.intp)
    for each in distinct(width[ranks > 0]):
        alike = np.flatnonzero((width == each) & (ranks > 0))
        most = int(ranks[alike].max())
        step = max(_SLOTS // most, 1)
        for first in range(0, len(alike), step):
            which = alike[first : first + step]
            place = np.arange(most)
            inside = place < ranks[which][:, None]
            rank = np.where(inside, start[which][:, None] + place, 1)
            w = np.where(inside, weight.of_rows(row[which]).at(rank), 0.0)
            yield _TieGroups(which, row[which], size[which].astype(np.longdouble), w.astype(np.longdouble))


def of_gains(weight: Weight, x: Floats, r: Rankings, depth: Rows) -> Floats:
    """Variance of the sum of weight times ``x``: that of ``x`` times that of weights, over all pairings (Hoeffding).

    >>> from truerank.expectation.weights import Flat
    >>> r = Rankings.single([1, 0], groups=[0, 0])
    >>> of_gains(Flat(), np.array([[1.0, 0.0]]), r, np.array([[1]])).tolist()
    [0.25]
    """
    found = np.zeros(len(r.length))
    if not r.tied:
        return found
    s = r.shared
    size = s.groups.size
    mean = s.each(x) / size
    apart = x.take(s.flat) - mean[s.group]
    unlisted = size - np.diff(s.first, append=len(s.flat))
    spread = np.add.reduceat(apart**2, s.first) + unlisted * mean**2
    for g in _groups(weight, r, depth):
        middle = g.weight.sum(axis=-1) / g.size
        ranks = ((g.weight - middle[:, None]) ** 2).sum(axis=-1) + (g.size - g.weight.shape[1]) * middle**2
        np.add.at(found, g.row, (spread[g.which] * ranks / (g.size - 1)).astype(np.float64))
    return found


def of_pairs(weight: Weight, x: Floats, y: Floats, r: Rankings, depth: Rows) -> Floats:
    """Variance of the sum of weight times ``x`` times the sum of ``y`` down to there.

    Squared, it is a sum over two ranks and what stands above each. Which of these are the same document says how many
    documents are involved; the mean over orders is that over all ways to choose so many, each different.
    """
    found = np.zeros(len(r.length))
    if not r.tied:
        return found
    s = r.shared
    xs, ys = (values.take(s.flat).astype(np.longdouble) for values in (x, y))
    alone = xs * (r.above(y).take(s.flat) + ys)
    mean = _Means(s.first, s.groups.size.astype(np.longdouble))
    own, both = mean(alone), mean(xs, ys)
    own_own, own_two = mean(alone * alone), mean(alone, alone)
    own_x_y, x_own_y, apart = mean(alone * xs, ys), mean(xs, alone * ys), mean(alone, xs, ys)
    same, same_rank = mean(xs * xs, ys * ys), mean(xs * xs, ys, ys)
    same_mate, chain, four = mean(xs, xs, ys * ys), mean(xs, xs * ys, ys), mean(xs, xs, ys, ys)
    for g in _groups(weight, r, depth):
        w, above, at = g.weight, g.place, g.which
        # Sums over the ranks above each: of their weights, and of weights by how many stand above those.
        lighter = np.cumsum(w, axis=-1) - w
        before = np.cumsum(w * above, axis=-1) - w * above
        total, squares, late = w.sum(axis=-1), (w * w).sum(axis=-1), (w * above).sum(axis=-1)
        squares_late = (w * w * above).sum(axis=-1)
        two_late = (w * before).sum(axis=-1)
        first = total * own[at] + late * both[at]
        square = squares * own_own[at] + (total**2 - squares) * own_two[at]
        square += 2.0 * squares_late * own_x_y[at]
        square += 2.0 * (w * lighter).sum(axis=-1) * x_own_y[at]
        square += 2.0 * ((w * lighter * (above - 1.0)).sum(axis=-1) + two_late) * apart[at]
        square += squares_late * same[at]
        square += (w * w * above * (above - 1.0)).sum(axis=-1) * same_rank[at]
        square += 2.0 * two_late * (same_mate[at] + chain[at])
        square += 2.0 * (w * (above - 2.0) * before).sum(axis=-1) * four[at]
        variance = square - first**2
        variance[variance <= _ROUNDING * square] = 0.0
        np.add.at(found, g.row, variance.astype(np.float64))
    return found


@dataclass(frozen=True, eq=False)
class _Means:
    """Means over documents of tie groups, of which those that are not listed have nothing."""

    first: Rows
    size: Exact

    def __call__(self, *columns: Exact) -> Exact:
        """The mean product over all ways to choose a document for each column, no document twice."""
        ways = np.ones_like(self.size)
        for taken in range(len(columns)):
            ways *= np.maximum(self.size - taken, 1.0)
        mean: Exact = self._sum(*columns) / ways
        return mean

    def _sum(self, *columns: Exact) -> Exact:
        *others, last = columns
        whole: Exact = np.add.reduceat(last, self.first)
        if not others:
            return whole
        # All documents for the last column, less those that another column has.
        total = self._sum(*others) * whole
        for at, one in enumerate(others):
            total = total - self._sum(*others[:at], one * last, *others[at + 1 :])
        return total
