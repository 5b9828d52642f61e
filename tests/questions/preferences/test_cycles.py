"""Levels and strongly connected components against brute force and scipy; the least loss against every ranking."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from truerank.io.load import as_preferences
from truerank.questions.preferences import cycles as module
from truerank.questions.preferences.cycles import components, least, levels, shortest_cycle
from truerank.questions.preferences.grades import graded
from truerank.questions.preferences.graph import Graph
from truerank.questions.preferences.work import judgments

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


@pytest.mark.parametrize("signs", ["<>", "<=>"])
def test_against_every_ranking(signs: str) -> None:
    cyclic = 0
    for seed in range(40):
        rows = made.rows(seed, docs=4 + seed % 4, count=6 + seed, signs=signs)
        graph = Graph.of(as_preferences(rows))
        for one in judgments(graph, graded(graph)).topics:
            expected = made.least(made.of_topic(rows, one.topic))
            assert (one.least, one.least_found, one.exact) == (expected, expected, True)
            cyclic += one.in_cycles > 0
    assert cyclic >= 20


def weights(seed: int, docs: int) -> np.ndarray:
    """A random weight one way or the other for most pairs."""
    rng = np.random.default_rng(seed)
    weight = np.triu(rng.integers(0, 4, (docs, docs)), 1)
    turned = rng.random((docs, docs)) < 0.4
    made: np.ndarray = np.where(turned, 0, weight) + np.where(turned, weight, 0).T
    return made


@pytest.mark.parametrize("seed", range(20))
def test_bounds_hold_and_sets_give_the_least(seed: int) -> None:
    weight = weights(seed, 7)
    every = [module._violated(weight, np.array(order)) for order in permutations(range(7))]
    cost, order = module._over_sets(weight)
    assert cost == min(every) == module._violated(weight, order)
    moved = module._moved(weight)
    assert sorted(moved.tolist()) == [*range(7)]
    assert module._packed(weight, moved) <= cost <= module._violated(weight, moved)


def test_moving_a_document_never_helps_in_the_end() -> None:
    weight = weights(3, 40)
    order = module._moved(weight)
    cost = module._violated(weight, order)
    for place in range(40):
        rest = np.delete(order, place)
        assert min(module._violated(weight, np.insert(rest, at, order[place])) for at in range(40)) >= cost


def test_large_components_have_bounds_that_every_ranking_keeps(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    docs = [f"d{number:02d}" for number in range(30)]
    rows = [
        ("q", a, b) if rng.random() < 0.8 else ("q", b, a) for place, a in enumerate(docs) for b in docs[place + 1 :]
    ]
    graph = Graph.of(as_preferences(rows))
    parts = components(graph)
    [one] = least(graph, parts)
    assert one.low < one.high
    assert sorted(one.order) == parts[0].tolist()
    better = {doc: place for place, doc in enumerate(one.order)}
    violated = sum(better[a] > better[b] for a, b in zip(graph.better, graph.worse, strict=True))
    assert violated == one.high <= sum(a > b for a, b in zip(graph.better, graph.worse, strict=True))
    monkeypatch.setattr(module, "_DENSE", 10)
    [rough] = least(graph, parts)
    assert rough.low <= one.low
    assert one.high <= rough.high


def test_work_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where sets cost too much, or components are too large for them, bounds remain."""
    graph = next(
        graph
        for seed in range(100)
        for graph in [Graph.of(as_preferences(made.rows(seed, docs=9, count=60, topics=1, signs="<>")))]
        if not all(one.exact for one in least(graph, components(graph), exact=0))
    )
    exact, bounds = least(graph, components(graph)), least(graph, components(graph), exact=0)
    monkeypatch.setattr(module, "_WORK", 0)
    assert least(graph, components(graph)) == bounds
    for one, other in zip(exact, bounds, strict=True):
        assert other.low <= one.low == one.high <= other.high


def test_opposite_judgments_cost_one_each() -> None:
    graph = Graph.of(as_preferences([("q", "a", "b")] * 3 + [("q", "b", "a")] * 2 + [("q", "a", "c")]))
    found = judgments(graph, graded(graph))
    assert (found.total.least, found.total.contradictory, found.total.repeated, found.cycles) == (2, 1, 1, ())
    assert found.total.least_loss == 2 / 6
