"""The figure of differences."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from truerank.questions.diff.figure import BARS
from truerank.questions.diff.question import Diff, diff

pytest.importorskip("altair")
pytest.importorskip("vl_convert")

SVG = "{http://www.w3.org/2000/svg}"


def both(topics: int, measures: str = "RR") -> Diff:
    """Every third topic is level, of the others half are better."""
    names = [f"t{n}" for n in range(topics)]
    qrels = {name: {"x": 1, "y": 0} for name in names}
    base = {name: ["x", "y"] if n % 2 else ["y", "x"] for n, name in enumerate(names)}
    new = {name: base[name] if n % 3 == 0 else base[name][::-1] for n, name in enumerate(names)}
    return diff(qrels, {"base": base}, {"new": new}, measures)


def words(found: Diff) -> list[str]:
    root = ElementTree.fromstring(found.plot().render("svg"))
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def test_a_bar_a_topic_that_differs_sorted_and_coloured() -> None:
    found = both(12)
    spec = found.plot().spec
    bars = [row for rows in spec["datasets"].values() for row in rows if "low" in row]
    assert [row["y"] for row in bars] == [0.5] * 4 + [-0.5] * 4
    assert {(row["group"], row["y"] > 0) for row in bars} == {("new is better", True), ("base is better", False)}
    assert {row["name"] for row in bars} == {f"t{n}" for n in range(12) if n % 3}
    assert spec["title"]["text"] == '"new" is better on 4 topics, "base" on 4, with 4 equal'
    assert "title" not in spec["concat"][0]
    heads = [panel["title"]["text"] for panel in both(12, "RR P@1").plot().spec["concat"]]
    assert heads[0] == "RR: 0.7500 to 0.7500, 4 topics better, 4 worse, 4 equal"


def test_the_mean_is_drawn_over_the_bars_and_named_beside_them() -> None:
    spec = both(12).plot().spec
    marks = [layer["mark"]["type"] for layer in spec["concat"][0]["layer"]]
    assert marks.index("rect") < marks.index("rule")
    assert "mean 0.000" in words(both(12))


def test_every_topic_is_named_where_there_is_room() -> None:
    assert {"t1", "t2", "new is better", "base is better", "Difference in RR"} <= {*words(both(12))}
    many = words(both(100))
    assert len({word for word in many if word.startswith("t") and word[1:].isdigit()}) == 2


def test_low_values_may_be_good() -> None:
    [rows] = [rows for rows in both(6, "PrefLoss").plot().spec["datasets"].values() if any("low" in r for r in rows)]
    assert {(row["group"], row["y"] < 0) for row in rows} == {("new is better", True), ("base is better", False)}


def test_many_topics_share_bars() -> None:
    found = both(3 * BARS)
    spec = found.plot().spec
    bars = [row for rows in spec["datasets"].values() for row in rows if "low" in row]
    assert len(bars) <= BARS
    assert "960 topics, each bar the mean of 3" in spec["title"]["subtitle"]


def test_a_panel_a_measure_and_dark() -> None:
    found = both(4, "RR P@1")
    assert len(found.plot().spec["concat"]) == 2
    assert found.plot(theme="dark").render("svg") != found.plot().render("svg")


def test_runs_that_are_the_same() -> None:
    qrels, run = {"q": {"x": 1}}, {"q": ["x"]}
    assert diff(qrels, run, run).plot().render("svg")
