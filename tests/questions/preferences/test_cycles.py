"""Levels and strongly connected components against brute force and scipy."""

from __future__ import annotations

import numpy as np
import pytest

from truerank.io.load import as_preferences
from truerank.questions.preferences.cycles import components, levels, shortest_cycle
from truerank.questions.preferences.graph import Graph

from . import made


def reach(better: np.ndarray, worse: np.ndarray, docs: int) -> np.ndarray:
    step = np.zeros((docs, docs), np.int64)
    step[better, worse] = 1
    found = step.copy()
    for _ in range(docs):
        found = np.minimum(found + found @ step, 1)
    return found > 0


@pytest.mark.parametrize("seed", range(30))
def test_components_are_documents_that_reach_one_another(seed: int) -> None:
    graph = Graph.of(as_preferences(made.rows(seed, docs=8, count=4 + seed, signs="<=>")))
    reached = reach(graph.better, graph.worse, len(graph))
    both = reached & reached.T
    expected = {tuple(np.flatnonzero(both[doc]).tolist()) for doc in np.flatnonzero(both.any(axis=1))}
    found = components(graph)
    assert [tuple(part.tolist()) for part in found] == sorted(expected)
    level = levels(graph.better, graph.worse, len(graph))
    on = np.diag(reached)
    assert (level < 0).tolist() == (on | (reached & on).any(axis=1)).tolist()
    for doc in np.flatnonzero(level >= 0):
        below = graph.worse[graph.better == doc]
        assert level[doc] == (level[below].max() + 1 if len(below) else 0)
    for part in found:
        cycle = shortest_cycle(graph, part)
        edges = set(zip(graph.better.tolist(), graph.worse.tolist(), strict=True))
        assert cycle[0] == part[0]
        assert len(set(cycle)) == len(cycle) >= 3
        assert all(pair in edges for pair in zip(cycle, [*cycle[1:], cycle[0]], strict=True))


def test_components_of_a_large_graph() -> None:
    csgraph = pytest.importorskip("scipy.sparse.csgraph")
    sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(0)
    graph = Graph.of(as_preferences([("q", f"d{a}", f"d{b}") for a, b in rng.integers(0, 400, (600, 2)) if a != b]))
    matrix = sparse.coo_matrix((np.ones(len(graph.better)), (graph.better, graph.worse)), (len(graph), len(graph)))
    _, label = csgraph.connected_components(matrix, connection="strong")
    expected = {frozenset(np.flatnonzero(label == each).tolist()) for each in label if (label == each).sum() > 1}
    assert {frozenset(part.tolist()) for part in components(graph)} == expected
    assert expected


def test_a_long_cycle_needs_no_recursion() -> None:
    docs = [f"d{number:05d}" for number in range(5000)]
    graph = Graph.of(as_preferences([("q", a, b) for a, b in zip(docs, [*docs[1:], docs[0]], strict=True)]))
    [part] = components(graph)
    assert part.tolist() == [*range(5000)]
    assert shortest_cycle(graph, part) == [*range(5000)]
