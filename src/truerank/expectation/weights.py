"""What a rank is worth: the weights of the literature's measures, and the expected worth of ranks that are shared."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from truerank.data.arrays import Floats, Rows, put
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.rankings import ENDLESS, Rankings, Shared

Sums = NDArray[np.longdouble]
Places = tuple[Rows, ...]
_SHIFT = 16
"""Terms that are added up one by one, so that the rest is far out, where its expansion is exact."""
_SUMMED = 1 << 20
"""Ranks whose weights are added up one by one; cutoffs are mere numbers, and may be larger than any memory."""


@dataclass(frozen=True)
class Weight(ABC):
    """The weight of each rank, from 1 on. Subclasses are hashable, so that tables are computed once.

    One without parameters is equal to any other of its class; one with parameters is a dataclass of its own.
    """

    by_row: ClassVar[bool] = False
    """Whether each row of a block has weights, and so sums, of its own."""

    @abstractmethod
    def at(self, rank: Rows) -> Floats:
        """Weight of each rank."""

    def of_rows(self, rows: Rows) -> Weight:
        """The weight for some rows of a block, which may come more than once; most are the same for all rows."""
        return self

    def apply(self, x: Floats, rank: Rows) -> Floats:
        """``x`` times the weight of its rank."""
        return x * looked_up(self, rank)

    def at_start(self, x: Floats, r: Rankings) -> Floats:
        """The same, where ranks are the first that each slot of rankings may take; an array of its own."""
        return x * r.once((Weight, self), lambda: looked_up(self, r.start))

    def sums(self, deepest: int) -> tuple[Sums, Sums]:
        """Running sums over the ranks 0 to ``deepest`` of the weight, and of rank times weight."""
        return _running(self, 1 << max(deepest, 1).bit_length())

    def between(self, after: Places, until: Places, deepest: int) -> Floats:
        """Weight of all the ranks past ``after`` up to ``until``, which are places in sums down to ``deepest``."""
        sums, _ = self.sums(deepest)
        weight: Floats = (sums[until] - sums[after]).astype(np.float64)
        return weight

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

    def at_start(self, x: Floats, r: Rankings) -> Floats:
        """The same, where ranks are the first that each slot of rankings may take."""
        return x / r.once((Weight, self), lambda: _divisors(self, _size(r.start))[r.start])


class Flat(Weight):
    """Every rank counts 1: precision, recall, utility."""

    def at(self, rank: Rows) -> Floats:
        """1 everywhere."""
        return np.ones(rank.shape)

    def at_start(self, x: Floats, r: Rankings) -> Floats:
        """``x``, copied."""
        copied: Floats = x.copy()
        return copied

    def between(self, after: Places, until: Places, deepest: int) -> Floats:
        """How many ranks there are."""
        return np.asarray(until[-1] - after[-1], np.float64)


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


@dataclass(frozen=True)
class Tabled(Weight):
    """Weights of some ranks, one by one; the others have none."""

    weights: tuple[tuple[float, float], ...]
    """Ranks, ascending, and their weights."""

    def at(self, rank: Rows) -> Floats:
        """Weight of each rank."""
        ranks, weights = np.array(self.weights, np.float64).reshape(-1, 2).T
        place = np.minimum(np.searchsorted(ranks, rank), max(len(ranks) - 1, 0))
        found: Floats = np.where(ranks[place] == rank, weights[place], 0.0) if len(ranks) else np.zeros(rank.shape)
        return found

    def tail(self, after: Rows, until: Rows) -> Floats | None:
        """Weight of the ranks past ``after`` up to ``until``: a sum of some of the weights."""
        ranks, weights = np.array(self.weights, np.float64).reshape(-1, 2).T
        # From the last one up, so that nothing is left where no rank is.
        rest = np.append(np.cumsum(weights[::-1])[::-1], 0.0)
        below, beyond = (np.searchsorted(ranks, rank, side="right") for rank in (after, until))
        left: Floats = rest[below] - rest[beyond]
        return left


@dataclass(frozen=True)
class OwnWeight(Weight):
    """A weight by a function of one's own, which takes a rank and returns a number."""

    function: Callable[[int], float]

    def at(self, rank: Rows) -> Floats:
        """Weight of each rank, each asked for once."""
        ranks, which = np.unique(rank, return_inverse=True)
        weights = np.array([self._number(one) for one in ranks.tolist()], np.float64)
        refuse_rising(self.function.__name__, ranks, weights)
        found: Floats = weights[which].reshape(rank.shape)
        return found

    def _number(self, rank: int) -> float:
        try:
            return float(self.function(rank))
        except Exception as error:
            what = f"{self.function.__name__}({rank}) has no number: {type(error).__name__}: {error}"
            raise InputError(f"{what}; a discount returns one for every rank from 1 on") from error


def refuse_rising(name: str, ranks: Rows | Floats, weights: Floats) -> None:
    """Refuse a discount that is no number from 0 on somewhere, or rises: what is best could not be told then."""
    wrong = np.flatnonzero(~np.isfinite(weights) | (weights < 0))
    if len(wrong):
        at = int(wrong[0])
        raise InputError(f"{name} is {weights[at]:g} at rank {ranks[at]:g}; a discount is a number from 0 on")
    rises = np.flatnonzero(np.diff(weights) > 1e-12 * np.abs(weights[:-1]))
    if len(rises):
        at = int(rises[0])
        what = f"{name} rises from {weights[at]:g} at rank {ranks[at]:g} to {weights[at + 1]:g} at {ranks[at + 1]:g}"
        raise InputError(f"{what}; a discount gives no rank more than those above it")


@dataclass(frozen=True, eq=False)
class Blended(Reciprocal):
    """1/(i + beta cg*(i)), with the ideal cumulative gain of each row's topic: Q-measure."""

    by_row = True

    beta: float
    ideal: Floats
    """Cumulative gain of the ideal ranking, one row a topic, from rank 0 on."""

    def of_rows(self, rows: Rows) -> Weight:
        """With the ideal rankings of these rows."""
        return replace(self, ideal=self.ideal[rows])

    def divisor(self, rank: Rows) -> Floats:
        """rank + beta times the ideal cumulative gain at that rank; one row a topic."""
        last = self.ideal.shape[1] - 1
        rank = np.broadcast_to(rank, (len(self.ideal), rank.shape[-1]))
        return rank + self.beta * np.take_along_axis(self.ideal, np.minimum(rank, last), axis=-1)

    def apply(self, x: Floats, rank: Rows) -> Floats:
        """``x`` over the divisor of its rank in its topic."""
        return x / self.divisor(rank)

    def at_start(self, x: Floats, r: Rankings) -> Floats:
        """The same, where ranks are the first that each slot of rankings may take."""
        return self.apply(x, r.start)

    def sums(self, deepest: int) -> tuple[Sums, Sums]:
        """Running sums as of any weight, one row a topic."""
        rank = np.arange(1, deepest + 1)[None, :]
        w = np.zeros((len(self.ideal), deepest + 1), np.longdouble)
        w[:, 1:] = self.at(rank)
        return np.cumsum(w, axis=-1), np.cumsum(w * np.arange(deepest + 1), axis=-1)


@dataclass(frozen=True)
class Squared(Weight):
    """The square of a weight: squares of sums of which one term at most is not 0 are sums of squares."""

    weight: Weight

    def at(self, rank: Rows) -> Floats:
        """Its square."""
        square: Floats = self.weight.at(rank) ** 2
        return square


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
    shares = within(weight.at_start(x, r), r, depth)
    if r.tied:
        s = r.shared_within(depth)
        whole = weight.between(*_reached(weight, s, depth))
        put(shares, s.flat, x.take(s.flat) * whole[s.group] / s.size)
    return shares


def within(x: Floats, r: Rankings, depth: Rows) -> Floats:
    """``x`` of the slots that may stand within ``depth``, 0 elsewhere; in place."""
    if depth is not r.depth(None):
        np.copyto(x, 0.0, where=r.start > depth)
    return x


def spread_after_mate(weight: Weight, r: Rankings, depth: Rows) -> Floats:
    """For slots that may share ranks within ``depth``: expectation of the weight, where one given tie mate is above.

    A mate is above with probability (i - a - 1)/(n - 1) for rank i in a group of n below a documents. The rank is to
    be within ``depth``.
    """
    s = r.shared_within(depth)
    after, until, deepest = _reached(weight, s, depth)
    sums, moments = weight.sums(deepest)
    whole, moment = sums[until] - sums[after], moments[until] - moments[after]
    late: Floats = (moment - s.groups.start * whole).astype(np.float64)
    return (late / (s.groups.size * (s.groups.size - 1)))[s.group]


def _reached(weight: Weight, s: Shared, depth: Rows) -> tuple[Places, Places, int]:
    """What is above each tie group and where it ends within ``depth``, as places in the running sums of the weight.

    The deepest rank that these sums are to go down to follows. All documents of a group share its ranks.
    """
    groups = s.groups
    limit = depth[groups.row, 0] if len(depth) > 1 else depth[0, 0]
    after, until = np.minimum(groups.start - 1, limit), np.minimum(groups.stop, limit)
    deepest = int(until.max(initial=0))
    return ((groups.row, after), (groups.row, until), deepest) if weight.by_row else ((after,), (until,), deepest)


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
