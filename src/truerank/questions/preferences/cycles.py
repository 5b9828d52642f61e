"""Cycles of preferences: levels of documents where there are none, and the parts that have some."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Mask, Rows, distinct, spans
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
    return np.array(part, np.int64)


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
