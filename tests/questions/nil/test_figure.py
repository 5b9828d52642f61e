"""Figures of silence: as many marks as there are runs, where their scores are."""

from __future__ import annotations

from typing import Any

import pytest

from truerank.boards.rows import BoardPair
from truerank.questions.nil.figure import AFTER, BEFORE, KEPT, REVERSED, lettered, plot_lengths, plot_scores
from truerank.questions.nil.question import NilAnswer, nil

altair = pytest.importorskip("altair")
pytest.importorskip("vl_convert")

QRELS = {"q1": {"a": 1}, "q2": {"a": 1}, "n": {"a": 0}}
RUNS: dict[str, dict[str, list[str]]] = {
    "plain": {topic: ["a", "x"] for topic in QRELS},
    "hedged": {topic: ["NIL", "a"] for topic in QRELS},
    "wary": {"q1": ["a"], "q2": ["a"]},
    "late": {topic: ["x", "a", "NIL"] for topic in QRELS},
}


@pytest.fixture
def found() -> NilAnswer:
    return nil(QRELS, RUNS, "RR AP", limit=2)


def rows(spec: dict[str, Any], panel: int, layer: int) -> list[dict[str, Any]]:
    data: list[dict[str, Any]] = spec["datasets"][spec["concat"][panel]["layer"][layer]["data"]["name"]]
    return data


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_scores(found: NilAnswer, theme: str) -> None:
    spec = plot_scores(found, theme=theme).spec
    altair.ConcatChart.from_dict(spec)
    assert len(spec["concat"]) == 4
    for place, measure in enumerate(found.measures):
        dots = {row["name"]: row for row in rows(spec, 2 * place, 1)}
        arrows = {row["name"]: row for row in rows(spec, 2 * place + 1, 0)}
        turned = {name for pair in found.reversed_pairs(measure) for name in (pair.run, pair.compared_with)}
        for name, run in found.items():
            scores = tuple(run[measure].scores.values())
            assert (dots[name]["x"], dots[name]["y"]) == pytest.approx(scores, rel=1e-5)
            assert (arrows[name]["y"], arrows[name]["to"]) == pytest.approx(scores, rel=1e-5)
            assert arrows[name]["x"] == pytest.approx(100 * found.cases[name].ended)
            assert dots[name]["group"] == (REVERSED if name in turned else KEPT)
            head = "circle" if scores[0] == scores[1] else "triangle-up" if scores[1] > scores[0] else "triangle-down"
            assert arrows[name]["head"] == head
        first = found.reversed_pairs(measure)[0]
        letters = {row["letter"]: row for row in rows(spec, 2 * place, 2)}
        assert (letters["A"]["name"], letters["B"]["name"]) == (first.run, first.compared_with)
        for row in letters.values():
            assert (row["x"], row["y"]) == (dots[row["name"]]["x"], dots[row["name"]]["y"])
        assert rows(spec, 2 * place, 3)[0]["said"] == f"A {first.run}, B {first.compared_with}"
    assert {row["head"] for row in rows(spec, 1, 0)} == {"circle", "triangle-down", "triangle-up"}


def test_lengths(found: NilAnswer) -> None:
    spec = plot_lengths(found).spec
    bars = rows(spec, 0, 0)
    assert [(bar["name"], bar["group"], bar["y"]) for bar in bars] == [
        (one.length, group, count)
        for one in found.lengths
        for group, count in ((BEFORE, one.before), (AFTER, one.after))
    ]


@pytest.mark.parametrize("runs", [{"one": {"q1": ["NIL"]}}, {"long": {"q1": [f"d{n}" for n in range(60)]}}], ids=str)
def test_one_run_is_drawn_too(runs: Any) -> None:
    found = nil(QRELS, runs)
    for show in ("runs", "lengths"):
        assert found.plot(show).render("svg").startswith(b"<svg")


def test_the_best_runs_alone_have_arrows(found: NilAnswer) -> None:
    spec = found.plot(top=2).spec
    for place, measure in enumerate(found.measures):
        best = sorted(found, key=lambda name: -found[name][measure].scores["modified"])[:2]
        assert {row["name"] for row in rows(spec, 2 * place + 1, 0)} == {*best}
        assert len(rows(spec, 2 * place, 1)) == len(found)
        assert spec["concat"][2 * place + 1]["title"]["text"].endswith("the best 2 of 4 runs")


def test_no_run_has_two_letters() -> None:
    pairs = [("a", "b"), ("a", "c"), ("d", "b"), ("d", "c"), ("e", "f"), ("g", "h")]
    rows = tuple(
        BoardPair(measure="RR", run=a, compared_with=b, differences={}, p={}, depends="order") for a, b in pairs
    )
    assert [(one.run, one.compared_with) for one in lettered(rows)] == [("a", "b"), ("d", "c"), ("e", "f")]
