"""Figures of curves: lines go through what was computed."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from truerank.questions.curves.figure import CONTOURS
from truerank.questions.curves.question import precision_recall, roc

altair = pytest.importorskip("altair")
pytest.importorskip("vl_convert")

QRELS = {"q": {"a": 1, "c": 1, "z": 1, "x": 2}, "r": {"a": 1}}
RUNS: Any = {
    "tied": {"q": {"a": 3.0, "b": 2.0, "c": 2.0, "d": 1.0}, "r": {"b": 1.0, "a": 0.5}},
    "other": {"q": {"x": 1.0, "a": 0.5}, "r": {"a": 1.0, "b": 0.5}},
}


def named(spec: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Rows of lines by name."""
    data = [spec["datasets"][layer["data"]["name"]] for layer in spec["concat"][0]["layer"]]
    return {row["name"]: row for rows in data for row in rows if isinstance(row.get("x"), list)}


@pytest.mark.parametrize("topic", [None, "q"])
def test_precision_and_recall(topic: str | None) -> None:
    found = precision_recall(QRELS, RUNS, topic=topic)
    spec = found.plot().spec
    altair.ConcatChart.from_dict(spec)
    drawn = named(spec)
    assert {*drawn} == {*RUNS}
    for name, one in found.items():
        points = one.every or list(zip(one.recall.tolist(), one.precision.tolist(), strict=True))
        pairs = [*zip(drawn[name]["x"], drawn[name]["y"], strict=True)]
        assert all(any(pair == pytest.approx(point, abs=1e-5) for pair in pairs) for point in points)
    contours = [row for rows in spec["datasets"].values() for row in rows if str(row.get("name")).startswith("F1")]
    assert len({row["name"] for row in contours}) == len(CONTOURS)
    for row in contours:
        f1 = 2 * row["x"] * row["y"] / (row["x"] + row["y"])
        assert f1 == pytest.approx(float(row["name"].removeprefix("F1 = ")), abs=1e-4)


def test_one_run_shows_every_depth() -> None:
    found = precision_recall(QRELS, RUNS["tied"], topic="q")
    thin = named(found.plot().spec)["run at each depth"]
    assert thin["y"] == pytest.approx([at.precision for at in found["run"].depths], rel=1e-5)


@pytest.mark.parametrize("topic", [None, "q"])
def test_hits_against_false_alarms(topic: str | None) -> None:
    found = roc(QRELS, RUNS, topic=topic, size=20)
    spec = found.plot().spec
    altair.ConcatChart.from_dict(spec)
    for name, one in found.items():
        assert named(spec)[name]["x"] == pytest.approx(one.fpr.tolist(), abs=1e-5)
        assert named(spec)[name]["y"] == pytest.approx(one.tpr.tolist(), abs=1e-5)


def test_hits_over_ranks_lie_below_the_ideal_by_the_discordant_pairs() -> None:
    for grades, groups, pairs in (("01010", range(5), 3), ("10110100100000100000", range(20), 17), ("0110", "0111", 3)):
        qrels = {"q": {f"d{n}": int(grade) for n, grade in enumerate(grades)} | {"missing": 1}}
        run = {f"d{n}": -float(group) for n, group in enumerate(groups)}
        found = roc(qrels, {"q": run}, topic="q")
        others = grades.count("0")
        # The document that was not retrieved stands below all others, which are retrieved.
        assert found["run"].discordant == pairs + others
        spec = found.plot().spec
        assert len(spec["concat"]) == 2
        [rows] = [rows for rows in spec["datasets"].values() if rows and "top" in rows[0]]
        width = [(a["x"], b["x"], a["top"] - a["y"], b["top"] - b["y"]) for a, b in itertools.pairwise(rows)]
        area = sum((right - left) * (one + other) / 2 for left, right, one, other in width)
        assert area == pytest.approx(found["run"].discordant)
        assert spec["concat"][1]["title"]["text"] == f"Discordant pairs: run {found['run'].discordant:g}"


def test_several_topics_have_no_ranks_in_common() -> None:
    qrels, runs = {"p": {"a": 1, "b": 0}, "q": {"a": 1, "b": 0}}, {"p": ["a", "b"], "q": ["b", "a"]}
    found = roc(qrels, runs)
    assert (len(found.plot().spec["concat"]), found["run"].discordant, found["run"].retrieved) == (1, 0.5, 1.0)


def test_many_runs_and_nothing_to_show() -> None:
    runs = {f"run{number}": RUNS["tied"] for number in range(12)}
    for found in (precision_recall(QRELS, runs), roc(QRELS, runs), roc({"q": {"a": 0}}, {"q": ["a"]})):
        altair.ConcatChart.from_dict(found.plot().spec)
        assert json.loads(found.plot().render("json"))
