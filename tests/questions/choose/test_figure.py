"""The guide as a picture."""

from __future__ import annotations

from typing import Any

import pytest

import truerank as tr
from truerank.questions.choose.figure import plot_guide
from truerank.questions.choose.guide import paths

pytest.importorskip("altair")


def texts(spec: dict[str, Any]) -> list[str]:
    return [row["text"] for rows in spec["datasets"].values() for row in rows if "text" in row]


def test_every_end_of_the_guide_is_drawn_once_for_each_way_to_it() -> None:
    drawn = texts(plot_guide().spec)
    for way in paths():
        assert drawn.count(way.measure) == sum(other.measure == way.measure for other in paths())


def test_the_way_that_was_taken_ends_in_the_measure() -> None:
    found = tr.choose(length=False, top=True, exactly=False, single=False, recall=False, redundancy=True, depth=10)
    spec = found.plot(theme="dark").spec
    assert spec["title"]["text"] == "Which measure: iRBU(p=0.9)"
    # Seven answers were given, so that seven times a line goes down or up, and on.
    [lines] = [
        spec["datasets"][layer["data"]["name"]]
        for layer in spec["concat"][0]["layer"]
        if layer["mark"].get("strokeWidth") == 2.2
    ]
    assert len(lines) == 2 * len(found.path)
    assert texts(spec).count("iRBU(p=0.9)") == 1
    assert "10" in texts(spec)
