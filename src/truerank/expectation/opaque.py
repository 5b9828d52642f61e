"""Opaque: any function of a ranking, averaged over the orders of its ties."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, product
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.rankings import Rankings

ORDERINGS = 2000
"""Up to so many distinct orders are all taken."""
SAMPLED = 500
"""Past it so many are sampled."""


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
class Opaque:
    """A function of the whole ranking. Its mean is exact over few orders, sampled with a standard error over many."""

    function: Function
    seed: int = 0

    def estimate(self, r: Rankings, depth: Rows) -> tuple[Floats, Floats]:
        """Mean (or extreme) of the orders down to ``depth`` and its standard error (0 where exact), one a row."""
        mean, error = np.empty(len(r.length)), np.zeros(len(r.length))
        for row, pool, orders, exact in self._rows(r, depth):
            values = self.function(orders, pool)
            mean[row] = TAKEN[r.ties](values)
            if r.ties == "expected" and not exact and not np.isnan(mean[row]):
                error[row] = values.std(ddof=1) / math.sqrt(len(values))
        return mean, error

    def total(self, r: Rankings, depth: Rows) -> Floats:
        """Mean over the orders down to ``depth``, one value a row."""
        return self.estimate(r, depth)[0]

    def columns(self, r: Rankings, depth: Rows) -> tuple[Floats, Mask]:
        """Means of a function with several values an order, shape (rows, values); and which rows were not sampled."""
        found = [(self.function(orders, pool), exact) for _, pool, orders, exact in self._rows(r, depth)]
        every = np.array([exact for _, exact in found], np.bool_)
        return np.array([values.sum(axis=0) / len(values) for values, _ in found]), every

    def cuts(self, r: Rankings, depth: Rows, longest: int) -> Floats:
        """Mean over the same orders of lists cut at 0, 1, ..., ``longest`` documents, shape (rows, longest + 1)."""
        means = np.empty((len(r.length), longest + 1))
        for row, pool, orders, _ in self._rows(r, depth):
            reach = min(orders.shape[1], longest)
            means[row, : reach + 1] = [TAKEN[r.ties](self.function(orders[:, :n], pool)) for n in range(reach + 1)]
            means[row, reach + 1 :] = means[row, reach]
        return means

    def _rows(self, r: Rankings, depth: Rows) -> Iterator[tuple[int, Floats, Floats, bool]]:
        """For each row the grades of its pool, the orders that are taken, and whether these are all."""
        reach = np.minimum(r.reach(depth)[:, 0], r.end)
        for row in range(len(r.length)):
            whole = np.full(int(r.end[row]), np.nan)
            groups: list[tuple[int, Floats]] = []
            listed = (r.start[row] <= r.length[row]) | ~np.isnan(r.grade[row])
            start, size, grade = r.start[row][listed], r.size[row][listed], r.grade[row][listed]
            whole[start[size == 1] - 1] = grade[size == 1]
            for first in np.unique(start[(size > 1) & (start <= reach[row])]):
                mates = np.full(int(size[start == first][0]), np.nan)
                mates[: int((start == first).sum())] = grade[start == first]
                groups.append((int(first) - 1, mates))
            # Each topic has samples of its own, so that their errors do not add up in the mean over topics.
            orders, exact = _orders(whole, groups, np.random.default_rng([self.seed, seed_of(r, row)]))
            if not exact and r.ties != "expected":
                orders[:2] = _sorted(whole, groups)
            yield row, r.pool[row][r.pool[row] > 0], orders[:, : int(reach[row])], exact


def seed_of(r: Rankings, row: int) -> int:
    """What samples of a row are drawn with: its topic's own, whichever other topics there are."""
    return crc32(r.names[r.topic[row]] if r.names else b"")


def _orders(whole: Floats, groups: list[tuple[int, Floats]], rng: np.random.Generator) -> tuple[Floats, bool]:
    count = math.prod(_distinct(mates) for _, mates in groups)
    if count <= ORDERINGS:
        orders = np.tile(whole, (count, 1))
        for order, choice in zip(orders, product(*(list(_arrangements(m)) for _, m in groups)), strict=True):
            for (at, _), mates in zip(groups, choice, strict=True):
                order[at : at + len(mates)] = mates
        return orders, True
    orders = np.tile(whole, (SAMPLED, 1))
    for at, mates in groups:
        orders[:, at : at + len(mates)] = rng.permuted(np.tile(mates, (SAMPLED, 1)), axis=1)
    return orders, False


def _sorted(whole: Floats, groups: list[tuple[int, Floats]]) -> Floats:
    """The orders that most measures find best and worst: likely extremes, where not all orders can be tried."""
    orders = np.tile(whole, (2, 1))
    for at, mates in groups:
        orders[0, at : at + len(mates)] = mates[np.argsort(-np.nan_to_num(mates), kind="stable")]
        orders[1, at : at + len(mates)] = orders[0, at : at + len(mates)][::-1]
    return orders


def _distinct(mates: Floats) -> int:
    _, counts = np.unique(mates, return_counts=True)
    return math.factorial(len(mates)) // math.prod(math.factorial(int(c)) for c in counts)


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
