"""Cycles of preferences: levels where there are none, the parts that have some, and the least that a ranking violates.

Of two opposite judgments of a pair, every ranking violates one; of each cycle, it violates a preference. How many that
are is the weight of a minimum feedback arc set of the graph, component by component: found by dynamic programming over
sets of documents for small components (Held & Karp 1962), and bounded for larger ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from truerank.data.arrays import Array, Mask, Rows, distinct, spans
from truerank.questions.preferences.graph import Graph


def levels(better: Rows, worse: Rows, docs: int) -> Rows:
    """The longest chain of worse documents below each; -1 for those in a cycle, or above one.

    >>> levels(np.array([0, 1]), np.array([1, 2]), 4).tolist()
    [2, 1, 0, 0]
    >>> levels(np.array([0, 1, 2, 3]), np.array([1, 2, 1, 1]), 4).tolist()
    [-1, -1, -1, -1]
    """
    order = np.argsort(worse, kind="stable")
    above, at = better[order], np.searchsorted(worse[order], np.arange(docs + 1))
    left = np.bincount(better, minlength=docs)
    level = np.full(docs, -1)
    now, step = np.flatnonzero(left == 0), 0
    while len(now):
        level[now] = step
        their = above[spans(at[now], at[now + 1] - at[now])]
        np.subtract.at(left, their, 1)
        now, step = distinct(their[left[their] == 0]), step + 1
    return level


def components(graph: Graph) -> list[Rows]:
    """Documents that are better than one another by way of others: the strongly connected components with a cycle.

    >>> from truerank.io.load import as_preferences
    >>> graph = Graph.of(as_preferences([("q", a, b) for a, b in ("ab", "bc", "ca", "ad")]))
    >>> [part.tolist() for part in components(graph)]
    [[0, 1, 2]]
    """
    better, worse = graph.better, graph.worse
    for _ in range(2):
        # What is not above a cycle is on none, and neither is what is not below one.
        inside: Mask = levels(better, worse, len(graph)) < 0
        kept = inside[better] & inside[worse]
        better, worse = worse[kept], better[kept]
    # Turned around twice, the edges are what they were.
    number = distinct(np.concatenate([better, worse]))
    part = _strongly_connected(np.searchsorted(number, better), np.searchsorted(number, worse), len(number))
    order = np.argsort(part, kind="stable")
    found = [number[each] for each in np.split(order, np.flatnonzero(np.diff(part[order])) + 1) if len(each) > 1]
    return sorted(found, key=lambda docs: int(docs[0]))


def _strongly_connected(source: Rows, target: Rows, count: int) -> Rows:
    """The number of each vertex's component (Tarjan 1972), without recursion."""
    order = np.argsort(source, kind="stable")
    to: list[int] = target[order].tolist()
    at: list[int] = np.searchsorted(source[order], np.arange(count + 1)).tolist()
    index, low, part = [-1] * count, [0] * count, [-1] * count
    following = at[:-1]
    stack: list[int] = []
    met = found = 0
    for root in range(count):
        path = [root] if index[root] < 0 else []
        while path:
            here = path[-1]
            if index[here] < 0:
                index[here] = low[here] = met
                met += 1
                stack.append(here)
            if following[here] < at[here + 1]:
                there = to[following[here]]
                following[here] += 1
                if index[there] < 0:
                    path.append(there)
                elif part[there] < 0:
                    low[here] = min(low[here], index[there])
                continue
            path.pop()
            if path:
                low[path[-1]] = min(low[path[-1]], low[here])
            if low[here] == index[here]:
                while True:
                    member = stack.pop()
                    part[member] = found
                    if member == here:
                        break
                found += 1
    return np.array(part, np.intp)


def shortest_cycle(graph: Graph, docs: Rows) -> list[int]:
    """The shortest cycle through the first document of a component, each document better than the next.

    >>> from truerank.io.load import as_preferences
    >>> graph = Graph.of(as_preferences([("q", a, b) for a, b in ("ab", "bc", "cd", "da", "ac")]))
    >>> shortest_cycle(graph, np.arange(4))
    [0, 2, 3]
    """
    inside = np.zeros(len(graph), np.bool_)
    inside[docs] = True
    kept = np.flatnonzero(inside[graph.better] & inside[graph.worse])
    better, worse = graph.better[kept], graph.worse[kept]
    order = np.lexsort((worse, better))
    better, worse = better[order], worse[order]
    first = int(docs[0])
    before = {first: -1}
    now = [first]
    while now:
        reached: list[int] = []
        for here in now:
            for there in worse[np.searchsorted(better, here) : np.searchsorted(better, here + 1)].tolist():
                if there == first:
                    path = [here]
                    while path[-1] != first:
                        path.append(before[path[-1]])
                    return path[::-1]
                if there not in before:
                    before[there] = here
                    reached.append(there)
        now = reached
    return []


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
        return self.low == self.high


def least(graph: Graph, components: list[Rows], *, exact: int = EXACT) -> list[Least]:
    """The least judgments to be violated in each component, beyond those that contradict one another pair by pair.

    >>> from truerank.io.load import as_preferences
    >>> graph = Graph.of(as_preferences([("q", a, b) for a, b in ("ab", "bc", "ca", "ca", "cd", "db")]))
    >>> least(graph, [np.arange(4)])
    [Least(low=1, high=1, order=(2, 3, 0, 1))]
    """
    part, place = np.full(len(graph), -1), np.zeros(len(graph), np.intp)
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
    return int(cost[-1]), np.array(order[::-1], np.intp)


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
