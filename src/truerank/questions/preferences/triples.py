"""Triples of documents all of whose pairs were compared: how many there are, and how many are intransitive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Array, Mask, Rows, spans
from truerank.data.arrays import offsets as offsets_of
from truerank.questions.preferences.graph import Graph

_BLOCK = 1 << 21
"""Pairs of neighbours that are looked at together."""
_DENSE = 4096
"""Documents of a topic up to which their relations may be a matrix."""


@dataclass(frozen=True, eq=False)
class Triples:
    """Triples of each topic, all three pairs of which were compared."""

    closed: Rows
    cyclic: Rows
    """a is better than b, b than c, and c than a."""
    first: Rows
    """The first cyclic triples, rows of (a, b, c), where a has the least number."""


@dataclass(frozen=True, eq=False)
class _Neighbours:
    """Each pair once, at that of its documents which has fewer neighbours: so that no document has many pairs."""

    source: Rows
    target: Rows
    sign: Rows
    """1 where the source is better."""
    pairs: Rows
    """For each edge, how many edges of the same source follow it."""
    code: Rows
    """All pairs as numbers in ascending order, to look one up."""
    known: Rows
    """Whether the document with the smaller number is better, by ``code``."""
    docs: int

    @classmethod
    def of(cls, graph: Graph) -> _Neighbours:
        first, second, docs = graph.compared.first, graph.compared.second, len(graph)
        degree = np.bincount(first, minlength=docs) + np.bincount(second, minlength=docs)
        turned = (degree[first] > degree[second]) | ((degree[first] == degree[second]) & (first > second))
        source, target = np.where(turned, second, first), np.where(turned, first, second)
        order = np.lexsort((target, source))
        count = np.bincount(source, minlength=docs)
        following = np.repeat(offsets_of(count)[1:], count) - np.arange(len(source)) - 1
        sign = np.where(turned, -graph.sign, graph.sign)
        return cls(source[order], target[order], sign[order], following, first * docs + second, graph.sign, docs)

    def relation(self, one: Rows, other: Rows) -> tuple[Rows, Mask]:
        """1 where one document is better than the other, -1 where the other is; and whether they were compared."""
        code = np.minimum(one, other) * self.docs + np.maximum(one, other)
        place = np.minimum(np.searchsorted(self.code, code), len(self.code) - 1)
        return np.where(one < other, self.known[place], -self.known[place]), self.code[place] == code


def triples(graph: Graph, most: int = 1000) -> Triples:
    """Count triples, and list so many of the cyclic ones.

    >>> from truerank.io.load import as_preferences
    >>> found = triples(Graph.of(as_preferences([("q", a, b) for a, b in ("ab", "bc", "ca", "ad", "bd")])))
    >>> found.closed.tolist(), found.cyclic.tolist(), found.first.tolist()
    ([2], [1], [[0, 1, 2]])
    """
    counts, first = np.zeros((2, len(graph.topics)), np.intp), np.zeros((0, 3), np.intp)
    if not len(graph.compared.first):
        return Triples(counts[0], counts[1], first)
    near = _Neighbours.of(graph)
    topic = graph.topic[near.source]
    wedges = np.bincount(topic, near.pairs, len(graph.topics))
    size = np.diff(graph.offsets)
    dense = (wedges > _BLOCK) & (size <= _DENSE)
    for each in np.flatnonzero(dense).tolist():
        counts[:, each], cycles = by_matrix(graph, each, most)
        first = _sorted(np.concatenate([first, cycles]))[:most]
    for some in _blocks(np.where(dense[topic], 0, near.pairs)):
        found, cycles = _by_neighbours(near, graph.topic, some, len(graph.topics))
        counts += found
        first = _sorted(np.concatenate([first, cycles]))[:most]
    return Triples(counts[0], counts[1], first)


def _sorted(rows: Rows) -> Rows:
    return rows[np.lexsort(rows.T[::-1])]


def _blocks(pairs: Rows) -> Iterator[Rows]:
    """Edges that have others of their source behind them, so many at a time."""
    some = np.flatnonzero(pairs)
    end = np.cumsum(pairs[some])
    for first in range(0, int(end[-1]) if len(end) else 0, _BLOCK):
        yield some[np.searchsorted(end, first, side="right") : np.searchsorted(end, first + _BLOCK, side="right")]


def _by_neighbours(near: _Neighbours, topic: Rows, some: Rows, topics: int) -> tuple[Array, Rows]:
    """Of each two neighbours of a document, look whether they were compared as well."""
    one = np.repeat(some, near.pairs[some])
    other = spans(some + 1, near.pairs[some])
    across, closed = near.relation(near.target[one], near.target[other])
    one, other, across = one[closed], other[closed], across[closed]
    # Around a cycle, each is better than the next, or each is worse.
    cyclic: Mask = np.abs(near.sign[one] + across - near.sign[other]) == 3
    where = topic[near.source[one]]
    counts = np.array([np.bincount(where, mask, topics) for mask in (None, cyclic)]).astype(np.intp)
    docs = np.column_stack([near.source[one], near.target[one], near.target[other]])[cyclic]
    docs = np.where(across[cyclic, None] > 0, docs, docs[:, ::-1])
    least = np.argmin(docs, axis=1)[:, None]
    return counts, np.take_along_axis(docs, (least + np.arange(3)) % 3, axis=1)


def by_matrix(graph: Graph, topic: int, most: int) -> tuple[tuple[int, int], Rows]:
    """Count the closed and cyclic triples of one topic, and list the first cyclic ones.

    Entries of the products are counts of documents, small enough to be exact.
    """
    begin, end = graph.offsets[topic : topic + 2].tolist()
    rows = slice(*graph.compared.offsets[topic : topic + 2].tolist())
    first, second, sign = graph.compared.first[rows] - begin, graph.compared.second[rows] - begin, graph.sign[rows]
    better, level = np.zeros((2, end - begin, end - begin), np.float32)
    better[first[sign > 0], second[sign > 0]] = 1
    better[second[sign < 0], first[sign < 0]] = 1
    level[first[sign == 0], second[sign == 0]] = level[second[sign == 0], first[sign == 0]] = 1
    compared = better + better.T + level
    closed = _entries(compared @ compared, compared) // 6
    cyclic = _entries(better @ better, better.T) // 3
    return (closed, cyclic), _cycles(better > 0, min(most, cyclic)) + begin


def _entries(product: Array, mask: Array) -> int:
    return int(product[mask > 0].sum(dtype=np.float64))


def _cycles(better: Array, most: int) -> Rows:
    """The first so many triples, each a better than b better than c better than a, with the least of them first."""
    found = np.zeros((0, 3), np.intp)
    for a in range(len(better)):
        if len(found) >= most:
            break
        # The other two come later, so that each triple is found once.
        below, above = a + 1 + np.flatnonzero(better[a, a + 1 :]), a + 1 + np.flatnonzero(better[a + 1 :, a])
        b, c = np.nonzero(better[np.ix_(below, above)])
        found = np.concatenate([found, np.column_stack([np.full(len(b), a), below[b], above[c]])])
    return found[:most]
