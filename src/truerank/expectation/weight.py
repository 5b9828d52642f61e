"""What a rank is worth, and the expected worth of a document that shares its ranks with others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import ENDLESS, Rankings

Sums = NDArray[np.longdouble]


class Weight(ABC):
    """The weight of each rank, from 1 on. Subclasses are hashable, so that tables are computed once."""

    @abstractmethod
    def at(self, rank: Rows) -> Floats:
        """Weight of each rank."""

    def apply(self, x: Floats, rank: Rows) -> Floats:
        """``x`` times the weight of its rank."""
        return x * table(self, _size(rank))[rank]

    def sums(self, deepest: int) -> tuple[Sums, Sums]:
        """Running sums over the ranks 0 to ``deepest`` of the weight, and of rank times weight."""
        return running_sums(self, deepest)

    def tail(self, after: Rows, until: Rows) -> Floats | None:
        """Weight of all the ranks past ``after`` up to ``until``, which may be ``ENDLESS``; None if it has no bound."""
        return None


class Reciprocal(Weight):
    """A weight stated by what it divides by: dividing once keeps the bits that the formula has on paper."""

    @abstractmethod
    def divisor(self, rank: Rows) -> Floats:
        """What the gain at each rank is divided by."""

    def at(self, rank: Rows) -> Floats:
        """Weight of each rank."""
        return 1.0 / self.divisor(rank)

    def apply(self, x: Floats, rank: Rows) -> Floats:
        """``x`` over the divisor of its rank."""
        return x / divisors(self, _size(rank))[rank]


def spread(weight: Weight, x: Floats, r: Rankings, depth: Rows) -> Floats:
    """Expectation of ``x`` times the weight of the document's rank, where that rank is within ``depth``."""
    shares = np.where(r.start <= depth, weight.apply(x, r.start), 0.0)
    if r.tied:
        flat = r.shared.flat
        whole, _ = _over_ranks(weight, r, depth)
        shares.ravel()[flat] = x.ravel()[flat] * whole.astype(np.float64) / r.shared.size
    return shares


def spread_after_mate(weight: Weight, r: Rankings, depth: Rows) -> Floats:
    """For slots that share ranks: expectation of the rank's weight, where one given tie mate is ranked above.

    A mate is above with probability (i - a - 1)/(n - 1) for rank i in a group of n below a documents. The rank is to
    be within ``depth``.
    """
    s = r.shared
    whole, moment = _over_ranks(weight, r, depth)
    late: Floats = (moment - s.start * whole).astype(np.float64)
    return late / (s.size * (s.size - 1))


def _over_ranks(weight: Weight, r: Rankings, depth: Rows) -> tuple[Sums, Sums]:
    """Weight, and rank times weight, summed over the ranks that each shared slot may take within ``depth``."""
    s = r.shared
    limit = np.broadcast_to(depth[:, 0], len(r.length))[s.row]
    upto, above = np.minimum(s.stop, limit), np.minimum(s.start - 1, limit)
    sums, moments = weight.sums(int(s.stop.max()))
    own = () if sums.ndim == 1 else (s.row,)
    last, before = (*own, upto), (*own, above)
    return sums[last] - sums[before], moments[last] - moments[before]


def _size(rank: Rows) -> int:
    return 1 << int(rank.max(initial=1)).bit_length()


@lru_cache(maxsize=256)
def table(weight: Weight, size: int) -> Floats:
    """Weights of the ranks below ``size``; rank 0 has none."""
    w = np.zeros(size)
    w[1:] = weight.at(np.arange(1, size))
    return w


@lru_cache(maxsize=256)
def divisors(weight: Reciprocal, size: int) -> Floats:
    """Divisors of the ranks below ``size``."""
    d = np.ones(size)
    d[1:] = weight.divisor(np.arange(1, size))
    return d


@lru_cache(maxsize=64)
def _running(weight: Weight, size: int) -> tuple[Sums, Sums]:
    # Differences of these sums cancel deep in a list; the extra bits of long double keep them exact where it has them.
    w = table(weight, size).astype(np.longdouble)
    return np.cumsum(w), np.cumsum(w * np.arange(size))


def running_sums(weight: Weight, deepest: int) -> tuple[Sums, Sums]:
    """``Weight.sums`` from a table kept for the next power of two."""
    return _running(weight, 1 << max(deepest, 1).bit_length())


__all__ = ["ENDLESS", "Reciprocal", "Weight", "spread", "spread_after_mate"]
