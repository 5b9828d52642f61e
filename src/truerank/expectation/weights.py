"""What a rank is worth: the weights of the literature's measures, and the expected worth of ranks that are shared."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import ENDLESS, Rankings

Sums = NDArray[np.longdouble]
_SHIFT = 16
"""Terms that are added up one by one, so that the rest is far out, where its expansion is exact."""
_SUMMED = 1 << 20
"""Ranks whose weights are added up one by one; cutoffs are mere numbers, and may be larger than any memory."""


@dataclass(frozen=True)
class Weight(ABC):
    """The weight of each rank, from 1 on. Subclasses are hashable, so that tables are computed once.

    One without parameters is equal to any other of its class; one with parameters is a dataclass of its own.
    """

    @abstractmethod
    def at(self, rank: Rows) -> Floats:
        """Weight of each rank."""

    def apply(self, x: Floats, rank: Rows) -> Floats:
        """``x`` times the weight of its rank."""
        return x * looked_up(self, rank)

    def sums(self, deepest: int) -> tuple[Sums, Sums]:
        """Running sums over the ranks 0 to ``deepest`` of the weight, and of rank times weight."""
        return _running(self, 1 << max(deepest, 1).bit_length())

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
        return x / _divisors(self, _size(rank))[rank]


class Flat(Weight):
    """Every rank counts 1: precision, recall, utility."""

    def at(self, rank: Rows) -> Floats:
        """1 everywhere."""
        return np.ones(rank.shape)


class Linear(Weight):
    """A rank counts as itself, so that the sum is a sum of ranks: AUC."""

    def at(self, rank: Rows) -> Floats:
        """The rank."""
        return rank.astype(np.float64)


class Harmonic(Reciprocal):
    """1/i: reciprocal rank, average precision, ERR."""

    def divisor(self, rank: Rows) -> Floats:
        """The rank."""
        return rank.astype(np.float64)


class Logarithmic(Reciprocal):
    """1/log2(i + 1): discounted cumulative gain."""

    def divisor(self, rank: Rows) -> Floats:
        """log2(rank + 1)."""
        discount: Floats = np.log2(rank + 1.0)
        return discount


@dataclass(frozen=True)
class Geometric(Weight):
    """(1 - p) p^(i-1): a reader who goes on with probability p. All ranks together weigh 1."""

    p: float

    def at(self, rank: Rows) -> Floats:
        """(1 - p) p^(rank - 1)."""
        weight: Floats = (1.0 - self.p) * np.power(self.p, rank - 1.0)
        return weight

    def tail(self, after: Rows, until: Rows) -> Floats | None:
        """p^after - p^until."""
        endless = until == ENDLESS
        rest = np.where(endless, 0.0, np.power(self.p, np.where(endless, 0, until).astype(np.float64)))
        return np.power(self.p, after.astype(np.float64)) - rest


@dataclass(frozen=True)
class InverseSquare(Weight):
    """1/(i + 2T - 1)^2, scaled so that all ranks together weigh 1.

    It is the weight of a reader who goes on the more surely, the further down.
    """

    T: float

    def at(self, rank: Rows) -> Floats:
        """Weight of each rank."""
        # From the rank first: less 1 is exact, and a small T is not lost in it.
        place = (rank.astype(np.float64) - 1.0) + 2.0 * self.T
        weight: Floats = 1.0 / place**2 / self._whole()
        return weight

    def tail(self, after: Rows, until: Rows) -> Floats | None:
        """Weight of the ranks past ``after`` up to ``until``."""
        endless = until == ENDLESS
        last = np.where(endless, 0, until).astype(np.float64)
        rest = np.where(endless, 0.0, inverse_squares(last + 2.0 * self.T))
        return (inverse_squares(after.astype(np.float64) + 2.0 * self.T) - rest) / self._whole()

    def _whole(self) -> float:
        return float(inverse_squares(np.array([2.0 * self.T]))[0])


@dataclass(frozen=True, eq=False)
class Blended(Reciprocal):
    """1/(i + beta cg*(i)), with the ideal cumulative gain of each row's topic: Q-measure."""

    beta: float
    ideal: Floats
    """Cumulative gain of the ideal ranking, one row a topic, from rank 0 on."""

    def divisor(self, rank: Rows) -> Floats:
        """rank + beta times the ideal cumulative gain at that rank; one row a topic."""
        last = self.ideal.shape[1] - 1
        rank = np.broadcast_to(rank, (len(self.ideal), rank.shape[-1]))
        return rank + self.beta * np.take_along_axis(self.ideal, np.minimum(rank, last), axis=-1)

    def apply(self, x: Floats, rank: Rows) -> Floats:
        """``x`` over the divisor of its rank in its topic."""
        return x / self.divisor(rank)

    def sums(self, deepest: int) -> tuple[Sums, Sums]:
        """Running sums as of any weight, one row a topic."""
        rank = np.arange(1, deepest + 1)[None, :]
        w = np.zeros((len(self.ideal), deepest + 1), np.longdouble)
        w[:, 1:] = self.at(rank)
        return np.cumsum(w, axis=-1), np.cumsum(w * np.arange(deepest + 1), axis=-1)


def inverse_squares(a: Floats) -> Floats:
    """1/a^2 + 1/(a + 1)^2 + ..., for ever on.

    >>> bool(abs(inverse_squares(np.array([1.0]))[0] - np.pi**2 / 6) < 1e-15)
    True
    """
    far = a + _SHIFT
    first = sum((1.0 / (a + term) ** 2 for term in reversed(range(_SHIFT))), np.zeros_like(a))
    y = 1.0 / far**2
    rest: Floats = 1.0 / far + y / 2 + y / far * (1 / 6 - y * (1 / 30 - y * (1 / 42 - y * (1 / 30 - y * 5 / 66))))
    return first + rest


def harmonic(after: int, until: int) -> float:
    """1/(after + 1) + ... + 1/until.

    >>> harmonic(1, 3), round(harmonic(0, 10**15), 9)
    (0.8333333333333333, 35.11599206)
    """
    near = min(until, after + _SUMMED)
    total = float((1.0 / np.arange(near, after, -1.0)).sum())
    if near < until:
        total += math.log(until / near) + (1.0 / until - 1.0 / near) / 2 - (1.0 / until**2 - 1.0 / near**2) / 12
    return total


def logarithms(rank: Rows) -> Floats:
    """Sum of 1/log2(i + 1) over the ranks i from 1 on, down to each of some ranks.

    >>> logarithms(np.array([0, 1, 2])).round(4).tolist()
    [0.0, 1.0, 1.6309]
    """
    sums = np.zeros(min(int(rank.max(initial=0)), _SUMMED) + 1)
    np.cumsum(Logarithmic().at(np.arange(1, len(sums))), out=sums[1:])
    total: Floats = sums[np.minimum(rank, _SUMMED)]
    far = rank > _SUMMED
    total[far] += [_integral(_SUMMED + 1.0, float(last) + 1.0) for last in rank[far].tolist()]
    return total


def _integral(after: float, until: float) -> float:
    """Sum of 1/log2(x) over the whole numbers past ``after`` up to ``until``, both large (Euler and Maclaurin)."""
    # The integral of 1/log x is Ramanujan's series in log x; its slope at the ends is the correction.
    integral = _logarithmic_integral(until) - _logarithmic_integral(after)
    a, b = math.log(after), math.log(until)
    slopes = 1.0 / (until * b**2) - 1.0 / (after * a**2)
    return math.log(2.0) * (integral + (1.0 / b - 1.0 / a) / 2 - slopes / 12)


def _logarithmic_integral(x: float) -> float:
    """li(x) but for Euler's constant: log log x and the sum of (log x)^n / (n n!)."""
    power, total = 1.0, math.log(math.log(x))
    for n in range(1, 200):
        power *= math.log(x) / n
        total += power / n
    return total


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


def looked_up(weight: Weight, rank: Rows) -> Floats:
    """Weight of each rank, from a table kept for the next power of two."""
    return _table(weight, _size(rank))[rank]


@lru_cache(maxsize=256)
def _table(weight: Weight, size: int) -> Floats:
    """Weights of the ranks below ``size``; rank 0 has none."""
    w = np.zeros(size)
    w[1:] = weight.at(np.arange(1, size))
    return w


@lru_cache(maxsize=256)
def _divisors(weight: Reciprocal, size: int) -> Floats:
    """Divisors of the ranks below ``size``."""
    d = np.ones(size)
    d[1:] = weight.divisor(np.arange(1, size))
    return d


@lru_cache(maxsize=64)
def _running(weight: Weight, size: int) -> tuple[Sums, Sums]:
    # Differences of these sums cancel deep in a list; the extra bits of long double keep them exact where it has them.
    w = _table(weight, size).astype(np.longdouble)
    return np.cumsum(w), np.cumsum(w * np.arange(size))
