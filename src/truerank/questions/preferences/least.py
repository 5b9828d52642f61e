"""The least loss that any ranking can have: of preferences that contradict one another, some must be violated.

Of two opposite judgments of a pair, every ranking violates one; of each cycle, it violates a preference. How many that
are is the weight of a minimum feedback arc set of the graph, component by component: found by dynamic programming over
sets of documents for small components (Held & Karp 1962), and bounded for larger ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from truerank.data.arrays import Array, Rows
from truerank.questions.preferences.graph import Graph

EXACT = 20
"""Documents of a component up to which every set of them is looked at, where bounds do not meet."""
_WORK = 1 << 29
"""Sets, times the documents in them, that are looked at in all."""
_DENSE = 4096
_PASSES = 50
_CYCLES = 20_000
"""Cycles of a component that are looked for."""


@dataclass(frozen=True)
class Least:
    """The least number of judgments that a ranking of some documents must violate, or bounds for it."""

    low: int
    high: int
    order: tuple[int, ...]
    """A ranking that violates ``high`` of them, best first."""

    @property
    def exact(self) -> bool:
        """Whether the bounds are one number."""
        return self.low == self.high


def least(graph: Graph, components: list[Rows], *, exact: int = EXACT) -> list[Least]:
    """The least judgments to be violated in each component, beyond those that contradict one another pair by pair.

    >>> from truerank.io.load import as_preferences
    >>> graph = Graph.of(as_preferences([("q", a, b) for a, b in ("ab", "bc", "ca", "ca", "cd", "db")]))
    >>> least(graph, [np.arange(4)])
    [Least(low=1, high=1, order=(2, 3, 0, 1))]
    """
    part, place = np.full(len(graph), -1), np.zeros(len(graph), np.int64)
    for number, docs in enumerate(components):
        part[docs], place[docs] = number, np.arange(len(docs))
    inside = np.flatnonzero((part[graph.better] >= 0) & (part[graph.better] == part[graph.worse]))
    inside = inside[np.argsort(part[graph.better[inside]], kind="stable")]
    bounds = np.searchsorted(part[graph.better[inside]], np.arange(len(components) + 1)).tolist()
    better, worse, margin = place[graph.better[inside]], place[graph.worse[inside]], graph.margin[inside]
    found, left = [], _WORK
    for docs, begin, end in zip(components, bounds[:-1], bounds[1:], strict=True):
        edges = better[begin:end], worse[begin:end], margin[begin:end]
        one = _bounded(docs, *edges)
        work = len(docs) << min(len(docs), exact)
        if not one.exact and len(docs) <= exact and work <= left:
            cost, order = _over_sets(_weights(docs, *edges))
            one, left = _named(docs, cost, cost, order), left - work
        found.append(one)
    return found


def _bounded(docs: Rows, better: Rows, worse: Rows, margin: Rows) -> Least:
    """Bounds for one component, and a ranking that is at the upper one."""
    if len(docs) > _DENSE:
        merit = np.bincount(better, margin, len(docs)) - np.bincount(worse, margin, len(docs))
        order = np.argsort(-merit, kind="stable")
        place = np.argsort(order)
        return _named(docs, int(margin.min()), int(margin[place[better] > place[worse]].sum()), order)
    weight = _weights(docs, better, worse, margin)
    order = _moved(weight)
    return _named(docs, _packed(weight, order), _violated(weight, order), order)


def _weights(docs: Rows, better: Rows, worse: Rows, margin: Rows) -> Array:
    weight = np.zeros((len(docs), len(docs)), np.int64)
    weight[better, worse] = margin
    return weight


def _named(docs: Rows, low: int, high: int, order: Rows) -> Least:
    return Least(low, high, tuple(docs[order].tolist()))


def _violated(weight: Array, order: Rows) -> int:
    """Weight of the preferences for a document that stands below the other."""
    return int(np.tril(weight[np.ix_(order, order)]).sum())


def _over_sets(weight: Array) -> tuple[int, Rows]:
    """The least cost of putting each set of documents on top, by the last of them."""
    count = len(weight)
    sets = np.arange(1 << count)
    size = np.zeros(len(sets), np.int64)
    for doc in range(count):
        size += (sets >> doc) & 1
    # What a document below a set violates: the preferences for it over documents of the set, by halves of the set.
    half = count // 2
    halves = [_sums(weight[:, :half]), _sums(weight[:, half:])]
    cost = np.zeros(len(sets), np.int64)

    def below(doc: int, above: Rows) -> Rows:
        total: Rows = cost[above] + halves[0][doc][above & ((1 << half) - 1)] + halves[1][doc][above >> half]
        return total

    for number in range(1, count + 1):
        now = sets[size == number]
        lowest = np.full(len(now), np.iinfo(np.int64).max)
        for doc in range(count):
            has = np.flatnonzero((now >> doc) & 1)
            lowest[has] = np.minimum(lowest[has], below(doc, now[has] ^ (1 << doc)))
        cost[now] = lowest
    order, left = [], len(sets) - 1
    while left:
        last = next(
            doc
            for doc in range(count - 1, -1, -1)
            if left >> doc & 1 and int(below(doc, np.array([left ^ (1 << doc)]))[0]) == cost[left]
        )
        order.append(last)
        left ^= 1 << last
    return int(cost[-1]), np.array(order[::-1], np.int64)


def _sums(weight: Array) -> Array:
    """For each document, the sum of its weights over every set of the others."""
    sums = np.zeros((len(weight), 1), np.int64)
    for column in weight.T:
        sums = np.concatenate([sums, sums + column[:, None]], axis=1)
    return sums


def _moved(weight: Array) -> Rows:
    """A good ranking: by merit, then each document moved to its best place as long as that helps."""
    for_ = weight - weight.T
    order = np.argsort(-for_.sum(axis=1), kind="stable")
    for _ in range(_PASSES):
        helped = False
        for doc in range(len(order)):
            # What there is for those above a place and against the document: at the best place most of all.
            above = np.cumsum(for_[order, doc])
            best = int(np.argmax(above)) + 1 if above.max() > 0 else 0
            place = int(np.flatnonzero(order == doc)[0])
            if (above[best - 1] if best else 0) > above[place]:
                order, helped = np.insert(np.delete(order, place), best - (best > place), doc), True
        if not helped:
            break
    return order


def _packed(weight: Array, order: Rows) -> int:
    """Cycles that share no judgment, as many as are found: of each, a ranking violates a judgment.

    Each goes through a preference that the ranking violates, and is a triple where there is one.
    """
    left = weight.copy()
    place = np.argsort(order)
    wrong = np.argwhere((weight > 0) & (place[:, None] > place[None, :]))
    low = 0
    for a, b in wrong[:_CYCLES].tolist():
        while left[a, b]:
            room = np.minimum(left[b], left[:, a])
            c = int(np.argmax(room))
            path = [b, c, a] if room[c] else _path(left, b, a)
            if not path:
                break
            edges = [(a, b), *pairwise(path)]
            taken = min(int(left[edge]) for edge in edges)
            for edge in edges:
                left[edge] -= taken
            low += taken
    return low


def _path(left: Array, start: int, end: int) -> list[int]:
    """A shortest path of preferences with something left, or nothing."""
    before = np.full(len(left), -1)
    before[start] = start
    now = [start]
    while now and before[end] < 0:
        reached = []
        for here in now:
            new = np.flatnonzero((left[here] > 0) & (before < 0))
            before[new] = here
            reached += new.tolist()
        now = reached
    path = [end] if before[end] >= 0 else []
    while path and path[-1] != start:
        path.append(int(before[path[-1]]))
    return path[::-1]
