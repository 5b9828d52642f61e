"""Figures of worked scores: lines go through what was computed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from truerank.questions.explain.question import explain

pytest.importorskip("altair")
pytest.importorskip("vl_convert")

QRELS = {"q": {"a": 1, "c": 1, "z": 1, "x": 2}, "r": {"a": 1}}
RUN = {"q": {"a": 3.0, "b": 2.0, "c": 2.0, "d": 1.0}, "r": {"b": 1.0, "a": 0.5}}


def named(spec: dict[str, Any], panel: int = 0) -> dict[str, dict[str, Any]]:
    """Rows of lines by name."""
    data = [spec["datasets"][layer["data"]["name"]] for layer in spec["concat"][panel]["layer"]]
    return {row["name"]: row for rows in data for row in rows if isinstance(row.get("x"), list)}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_score_so_far(theme: str) -> None:
    found = explain(QRELS, RUN, "AP OIE(size=9) RBPT", topic="q")
    spec = found.plot(theme=theme).spec
    assert len(spec["concat"]) == 3
    for panel, one in enumerate(found.values()):
        line = named(spec, panel)["score"]
        assert line["y"][-1] == pytest.approx(one.score, rel=1e-5)
        assert line["x"][:4] == [1, 2, 3, 4]
        assert line["y"][1] - line["y"][0] == pytest.approx(line["y"][2] - line["y"][1], abs=1e-5)  # b and c are tied


def test_nothing_to_show() -> None:
    found = explain({"q": {"a": 0}}, {"q": []}, "AP")
    assert json.loads(found.plot().render("json"))
