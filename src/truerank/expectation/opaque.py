"""Opaque: any function of a ranking, averaged over the orders of its ties."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from itertools import combinations, product
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from truerank.data.arrays import Floats, Mask, Rows, begins
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings

ORDERINGS = 2000
"""Up to so many distinct orders are all taken."""
SAMPLED = 500
"""Past it so many are sampled."""
ROOM = 1 << 21
"""Grades of orders that are worked on at once."""

Function = Callable[[Floats, Floats], Floats]
"""Maps grades of shape (orders, ranks) and the pool's positive grades to one value an order."""

TAKEN: dict[str, Callable[[Floats], float]] = {
    "expected": lambda values: values.sum() / len(values),
    "best": np.max,
    "worst": np.min,
}
"""What is taken over the orders of ties."""


@dataclass(frozen=True, eq=False)
class Ranking:
    """One topic's ranking, as a measure of one's own sees it.

    >>> Ranking(np.array([2.0, np.nan, 0.0]), np.array([2.0, 1.0, 0.0])).grades.tolist()
    [2.0, 0.0, 0.0]
    """

    raw: Floats
    """Grades in rank order, NaN where unjudged."""
    pool: Floats
    """Positive grades of the topic's judgments, descending."""

    def __len__(self) -> int:
        return len(self.raw)

    @property
    def grades(self) -> Floats:
        """Grades in rank order, 0 where unjudged or negative."""
        return np.where(self.raw > 0, self.raw, 0.0)

    @property
    def judged(self) -> NDArray[np.bool_]:
        """Which ranks hold a judged document."""
        return ~np.isnan(self.raw)


@dataclass(frozen=True, eq=False)
class Orders:
    """The orders of one ranking that are taken: all of them if they are few, otherwise a sample."""

    whole: Floats
    """Grades by rank, without those that are tied."""
    groups: list[tuple[int, Floats]]
    """Where each tie group begins, and the grades of its documents."""
    reach: int
    """Ranks that are looked at."""
    seed: list[int]
    extremes: bool
    """Whether a sample is to have the orders that most measures find best and worst."""

    @cached_property
    def count(self) -> int:
        """How many there are, up to one more than are all taken."""
        count = 1
        for _, mates in self.groups:
            count *= _distinct(mates)
            if count > ORDERINGS:
                return ORDERINGS + 1
        return count

    @property
    def exact(self) -> bool:
        """Whether these are all."""
        return self.count <= ORDERINGS

    def batches(self) -> Iterator[Floats]:
        """Their grades, shape (orders, ranks), some orders at a time: a sample of a long list fills no memory."""
        if self.exact:
            yield self._every()[:, : self.reach]
            return
        rng = np.random.default_rng(self.seed)
        size = max(ROOM // max(len(self.whole), 1), 1)
        for first in range(0, SAMPLED, size):
            orders = np.tile(self.whole, (min(size, SAMPLED - first), 1))
            for at, mates in self.groups:
                orders[:, at : at + len(mates)] = rng.permuted(np.tile(mates, (len(orders), 1)), axis=1)
            for place, order in enumerate(_sorted(self.whole, self.groups) if self.extremes else ()):
                if 0 <= place - first < len(orders):
                    orders[place - first] = order
            yield orders[:, : self.reach]

    def values(self, function: Callable[[Floats], Floats]) -> Floats:
        """A function of every order, in their order."""
        return np.concatenate([function(orders) for orders in self.batches()])

    def _every(self) -> Floats:
        orders = np.tile(self.whole, (self.count, 1))
        for order, choice in zip(orders, product(*(list(_arrangements(m)) for _, m in self.groups)), strict=True):
            for (at, _), mates in zip(self.groups, choice, strict=True):
                order[at : at + len(mates)] = mates
        return orders


@dataclass(frozen=True, eq=False)
class Opaque:
    """A function of the whole ranking. Its mean is exact over few orders, sampled with a standard error over many."""

    function: Function
    seed: int = 0

    def estimate(self, r: Rankings, depth: Rows) -> tuple[Floats, Floats]:
        """Mean (or extreme) of the orders down to ``depth`` and its standard error, one a row.

        The error is 0 where all orders were gone through, and NaN for an extreme of a sample, of which it is not known.
        """
        mean, error = np.empty(len(r.length)), np.zeros(len(r.length))
        for row, pool, orders in orders_of_rows(r, depth, self.seed):
            values = self._values(orders, pool)
            mean[row] = TAKEN[r.ties](values)
            if not orders.exact and not np.isnan(mean[row]):
                error[row] = values.std(ddof=1) / math.sqrt(len(values)) if r.ties == "expected" else np.nan
        return mean, error

    def total(self, r: Rankings, depth: Rows) -> Floats:
        """Mean over the orders down to ``depth``, one value a row."""
        return self.estimate(r, depth)[0]

    def columns(self, r: Rankings, depth: Rows) -> tuple[Floats, Mask]:
        """Means of a function with several values an order, shape (rows, values); and which rows were not sampled."""
        found = [(self._values(orders, pool), orders.exact) for _, pool, orders in orders_of_rows(r, depth, self.seed)]
        every = np.array([exact for _, exact in found], np.bool_)
        return np.array([values.sum(axis=0) / len(values) for values, _ in found]), every

    def cuts(self, r: Rankings, depth: Rows, longest: int) -> Floats:
        """Mean over the same orders of lists cut at 0, 1, ..., ``longest`` documents, shape (rows, longest + 1)."""
        means = np.empty((len(r.length), longest + 1))
        for row, pool, orders in orders_of_rows(r, depth, self.seed):
            reach = min(orders.reach, longest)
            values = orders.values(partial(self._at_cuts, pool=pool, reach=reach))
            means[row, : reach + 1] = [TAKEN[r.ties](column) for column in values.T]
            means[row, reach + 1 :] = means[row, reach]
        return means

    def _values(self, orders: Orders, pool: Floats) -> Floats:
        return orders.values(lambda some: self.function(some, pool))

    def _at_cuts(self, orders: Floats, pool: Floats, reach: int) -> Floats:
        """Values of each order cut at every length up to ``reach``."""
        return np.stack([self.function(orders[:, :length], pool) for length in range(reach + 1)], axis=-1)


def orders_of_rows(r: Rankings, depth: Rows, seed: int = 0) -> Iterator[tuple[int, Floats, Orders]]:
    """For each row the grades of its pool, and the orders that are taken of what is within ``depth``."""
    reach = np.minimum(r.reach(depth)[:, 0], r.end)
    for row in range(len(r.length)):
        whole = np.full(int(r.end[row]), np.nan)
        listed = (r.start[row] <= r.length[row]) | ~np.isnan(r.grade[row])
        start, size, grade = r.start[row][listed], r.size[row][listed], r.grade[row][listed]
        whole[start[size == 1] - 1] = grade[size == 1]
        groups: list[tuple[int, Floats]] = []
        tied = np.flatnonzero((size > 1) & (start <= reach[row]))
        # The slots of a group stand side by side.
        for slots in np.split(tied, np.flatnonzero(begins(start[tied]))[1:]) if len(tied) else ():
            mates = np.full(int(size[slots[0]]), np.nan)
            mates[: len(slots)] = grade[slots]
            groups.append((int(start[slots[0]]) - 1, mates))
        # Each topic has samples of its own, so that their errors do not add up in the mean over topics.
        seeds = [seed, seed_of(r, row)]
        orders = Orders(whole, groups, int(reach[row]), seeds, extremes=r.ties != "expected")
        yield row, r.pool[row][r.pool[row] > 0], orders


def seed_of(r: Rankings, row: int) -> int:
    """What samples of a row are drawn with: its topic's own, whichever other topics there are."""
    return crc32(r.names[r.topic[row]] if r.names else b"")


def _sorted(whole: Floats, groups: list[tuple[int, Floats]]) -> Floats:
    """The orders that most measures find best and worst: likely extremes, where not all orders can be tried."""
    orders = np.tile(whole, (2, 1))
    for at, mates in groups:
        orders[0, at : at + len(mates)] = mates[np.argsort(-np.nan_to_num(mates), kind="stable")]
        orders[1, at : at + len(mates)] = orders[0, at : at + len(mates)][::-1]
    return orders


def _distinct(mates: Floats) -> int:
    """How many distinct orders there are, up to one more than are all taken: factorials of long lists are no numbers.

    >>> _distinct(np.array([1.0, 0.0, 0.0])), _distinct(np.arange(100_000.0)) > ORDERINGS, _distinct(np.zeros(100_000))
    (3, True, 1)
    """
    _, counts = np.unique(mates, return_counts=True)
    ways, placed = 1, 0
    for count in sorted(counts.tolist(), reverse=True):
        # Places for each of this grade among those placed so far; the binomial coefficient grows with every one.
        for one in range(1, count + 1) if placed else ():
            ways = ways * (placed + one) // one
            if ways > ORDERINGS:
                return ORDERINGS + 1
        placed += count
    return ways


def _arrangements(mates: Floats) -> Iterator[Floats]:
    """Every distinct order of a multiset of grades: places for each rarer grade, the commonest fills the rest."""
    values, counts = np.unique(mates, return_counts=True)
    common, *rarer = sorted(zip(counts.tolist(), values.tolist(), strict=True), key=lambda pair: -pair[0])

    def place(order: Floats, free: list[int], left: list[tuple[int, float]]) -> Iterator[Floats]:
        if not left:
            yield order
            return
        (count, value), *others = left
        for chosen in combinations(free, count):
            filled = order.copy()
            filled[list(chosen)] = value
            yield from place(filled, [at for at in free if at not in chosen], others)

    return place(np.full(len(mates), common[1]), list(range(len(mates))), rarer)
