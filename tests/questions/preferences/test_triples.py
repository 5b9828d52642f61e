"""Closed and cyclic triples against looking at every triple."""

from __future__ import annotations

import numpy as np
import pytest

from truerank.io.load import as_preferences
from truerank.questions.preferences import triples as module
from truerank.questions.preferences.graph import Graph
from truerank.questions.preferences.triples import triples

from . import made


@pytest.mark.parametrize("block", [1, 7, module._BLOCK])
@pytest.mark.parametrize("signs", ["<>", "<=>", "="])
def test_against_every_triple(signs: str, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A block of 1 has matrices do the work, one of 7 for some topics."""
    monkeypatch.setattr(module, "_BLOCK", block)
    seen = np.zeros(2, np.int64)
    for seed in range(40):
        rows = made.rows(seed, docs=4 + seed % 5, count=3 + 2 * seed, signs=signs)
        graph = Graph.of(as_preferences(rows))
        found = triples(graph)
        listed = [(graph.topic[a], *(graph.docs[doc].decode() for doc in (a, b, c))) for a, b, c in found.first]
        for number, topic in enumerate(graph.topics):
            closed, cyclic = made.triples(made.of_topic(rows, topic.decode()))
            assert (found.closed[number], found.cyclic[number]) == (closed, len(cyclic))
            assert [tuple(docs) for place, *docs in listed if place == number] == cyclic
            seen += [closed, len(cyclic)]
    assert seen[0] > 100
    assert (seen[1] > 10) == (signs != "=")


def test_without_a_matrix_large_topics_are_counted_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = made.rows(1, docs=9, count=80, topics=1)
    graph = Graph.of(as_preferences(rows))
    expected = triples(graph)
    monkeypatch.setattr(module, "_BLOCK", 5)
    monkeypatch.setattr(module, "_DENSE", 3)
    found = triples(graph)
    for part in ("closed", "cyclic", "first"):
        assert getattr(found, part).tolist() == getattr(expected, part).tolist()


@pytest.mark.parametrize("block", [1, module._BLOCK])
def test_only_the_first_are_listed(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BLOCK", block)
    graph = Graph.of(as_preferences(made.rows(3, docs=8, count=120, signs="<>")))
    every = triples(graph).first.tolist()
    assert len(every) > 5
    assert triples(graph, 5).first.tolist() == every[:5]


def test_a_complete_order_has_no_cycle_and_a_random_one_a_quarter() -> None:
    """Of three documents compared at random, two of eight outcomes are cycles."""
    ids = [f"d{number:03d}" for number in range(200)]
    rng = np.random.default_rng(0)
    pairs = [(a, b) for place, a in enumerate(ids) for b in ids[place + 1 :]]
    ordered = triples(Graph.of(as_preferences([("q", a, b) for a, b in pairs])))
    assert (ordered.closed.tolist(), ordered.cyclic.tolist()) == ([200 * 199 * 198 // 6], [0])
    chance = triples(Graph.of(as_preferences([("q", *pair[:: rng.choice([1, -1])]) for pair in pairs])))
    assert chance.cyclic[0] / chance.closed[0] == pytest.approx(0.25, abs=0.01)
