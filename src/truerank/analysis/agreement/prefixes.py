"""What the first d ranks of two rankings hold, for every depth d."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.analysis.agreement.weak_order import WeakOrder
from truerank.data.arrays import Floats, Rows


@dataclass(frozen=True, eq=False)
class Prefixes:
    """Sums over items of their contribution c(d) to the first d ranks, for d from 1 to the longer ranking's length.

    Past its end, the shorter ranking is taken to go on without ties.
    """

    short: int
    long: int
    overlap: Floats
    """Of the product of both contributions, over the items that are listed."""
    sizes: Floats
    """Of contributions, the mean of both rankings."""
    squares: Floats
    """Of squared contributions, the product of both rankings."""
    best: Floats
    """Of contributions, over as many items that only the longer ranking has as the shorter one has ended ranks ago."""
    usual: Floats
    """The mean contribution of all those items, times how many ranks ago the shorter ranking ended."""

    @classmethod
    def of(cls, short: WeakOrder, long: WeakOrder, *, spread: bool) -> Prefixes:
        """Contributions are those of a group's first rank, or ``spread`` over its ranks.

        At most one group of a ranking has begun and not ended by depth d. Items before it contribute 1, items after it
        nothing, and its own all the same share, so that sums follow from counts.
        """
        depths = len(long)
        x, y = _Group.at(short, depths, spread=spread), _Group.at(long, depths, spread=spread)
        place = long.places_in(short)
        alone = place < 0
        ended = np.maximum(np.arange(1, depths + 1) - len(short), 0)
        # Of the items that only the longer ranking has: those in ended groups, and those in the one that has begun.
        whole = _by((long.above + long.tied + 1)[alone], depths)
        begun = _by((long.above + 1)[alone], depths) - whole
        full = np.minimum(ended, whole)
        reached = whole + begun * y.share
        return cls(
            short=len(short),
            long=depths,
            overlap=_overlap(short, long, place, x.share, y.share),
            sizes=(x.sum + y.sum) / 2.0,
            squares=x.sum_of_squares * y.sum_of_squares,
            best=full + np.minimum(ended - full, begun) * y.share,
            usual=ended * np.divide(reached, whole + begun, out=np.zeros(depths), where=whole + begun > 0),
        )


@dataclass(frozen=True, eq=False)
class _Group:
    """The group of tied items that each depth falls into: items above it, its size, what each contributes."""

    above: Rows
    tied: Rows
    share: Floats

    @classmethod
    def at(cls, order: WeakOrder, depths: int, *, spread: bool) -> _Group:
        depth = np.arange(depths)
        above, tied = depth.copy(), np.ones(depths, np.int64)
        above[: len(order)], tied[: len(order)] = order.above, order.tied
        return cls(above, tied, (depth + 1 - above) / tied if spread else np.ones(depths))

    @property
    def sum(self) -> Floats:
        return self.above + self.tied * self.share

    @property
    def sum_of_squares(self) -> Floats:
        return self.above + self.tied * self.share**2


def _overlap(short: WeakOrder, long: WeakOrder, place: Rows, x: Floats, y: Floats) -> Floats:
    """Common items, counted by whether their group has ended in each ranking, times what they contribute there."""
    common = place >= 0
    at = place[common]
    begun_x, begun_y = short.above[at] + 1, long.above[common] + 1
    ended_x, ended_y = begun_x + short.tied[at], begun_y + long.tied[common]

    def count(x: Rows, y: Rows) -> Rows:
        return _by(np.maximum(x, y), len(long))

    met, ended = count(begun_x, begun_y), count(ended_x, ended_y)
    in_x, in_y = count(begun_x, ended_y) - ended, count(ended_x, begun_y) - ended
    overlap: Floats = ended + in_x * x + in_y * y + (met - in_x - in_y - ended) * x * y
    return overlap


def _by(depth: Rows, depths: int) -> Rows:
    """How many of the items have been met by each depth, where they are met at ``depth``."""
    counts = np.bincount(depth, minlength=depths + 1)[: depths + 1]
    met: Rows = np.cumsum(counts)[1:]
    return met
