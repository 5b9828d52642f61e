"""Triples of a topic with many comparisons, by products of matrices."""

from __future__ import annotations

import numpy as np

from truerank.analysis.preferring.graph import Graph
from truerank.data.arrays import Array, Rows


def by_matrix(graph: Graph, topic: int, most: int) -> tuple[tuple[int, int, int], Rows]:
    """Count the closed, cyclic and uneven triples of one topic, and list the first cyclic ones.

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
    twice = better @ better
    cyclic = _entries(twice, better.T) // 3
    uneven = _entries(twice, level) + (_entries(level @ level, better) if level.any() else 0)
    return (closed, cyclic, uneven), _cycles(better > 0, min(most, cyclic)) + begin


def _entries(product: Array, mask: Array) -> int:
    return int(product[mask > 0].sum(dtype=np.float64))


def _cycles(better: Array, most: int) -> Rows:
    """The first so many triples, each a better than b better than c better than a, with the least of them first."""
    found = np.zeros((0, 3), np.int64)
    for a in range(len(better)):
        if len(found) >= most:
            break
        # The other two come later, so that each triple is found once.
        below, above = a + 1 + np.flatnonzero(better[a, a + 1 :]), a + 1 + np.flatnonzero(better[a + 1 :, a])
        b, c = np.nonzero(better[np.ix_(below, above)])
        found = np.concatenate([found, np.column_stack([np.full(len(b), a), below[b], above[c]])])
    return found[:most]
