"""Figures that are described by columns: each kind is drawn, is valid, and has the values of its rows."""

from __future__ import annotations

import math
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from truerank.report.figures import (
    BarMarks,
    DotMarks,
    Figure,
    FigureAxis,
    FigurePanel,
    HeatMarks,
    IntervalMarks,
    LineMarks,
    PlacedDot,
    RangeMarks,
    Series,
)
from truerank.report.plots.heat import heat, places
from truerank.report.plots.kinds import drawn
from truerank.report.plots.marks import (
    Arrow,
    Line,
    NamedSpan,
    PlacedText,
    Segment,
    arrows,
    diagonal,
    ends,
    segments,
    stretches,
    words,
)
from truerank.report.plots.panels import Layer, Panel, PlotAxis, figure
from truerank.report.plots.theme import THEMES, Key

altair = pytest.importorskip("altair")
pytest.importorskip("vl_convert")

LIGHT = THEMES["light"]
KEY, TWO = Key(LIGHT), Key(LIGHT, "runs", ("a", "b"))
X, Y = PlotAxis("AP", (0, 1)), PlotAxis("nDCG", (0, 1))
ROWS = [
    SimpleNamespace(run="good", low=0.4, mean=0.5, high=0.7, p=0.01, worst=0.3, best=0.9, orders={"docid": 0.6}),
    SimpleNamespace(run="bad", low=-0.2, mean=0.1, high=0.3, p=0.5, worst=0.0, best=0.2, orders={"docid": 0.1}),
]
AXIS = FigureAxis(title="AP")


def sure(row: Any) -> str:
    return "sure" if row.p < 0.05 else "not sure"


def found(row: Any) -> str:
    return "better" if row.p < 0.05 else ""


KINDS: dict[str, tuple[Any, list[Any], dict[str, Any]]] = {
    "intervals": (IntervalMarks(value="mean", low="low", high="high", group=sure, word=found, zero=True), ROWS, {}),
    "intervals_with_a_legend": (IntervalMarks(value="mean", low="low", high="high", group=sure), ROWS, {}),
    "bars": (BarMarks(name="run", low="worst", high="best", group=sure), ROWS, {}),
    "heat": (
        HeatMarks(called="name", text="name", field="tau", noun="pair", cell=(30, 20)),
        [
            SimpleNamespace(row=row, column=column, value=value, name=f"{value:.1f}")
            for row, column, value in ((0, 0, 0.1), (0, 1, 0.9), (1, 0, math.nan), (1, 1, 0.5))
        ],
        {"x": FigureAxis(title="x", names=("a", "b")), "y": FigureAxis(title="", names=("c", "d"))},
    ),
    "ranges": (
        RangeMarks(worst="worst", low="low", mean="mean", high="high", best="best", points="orders", called="sure"),
        ROWS,
        {},
    ),
    "dots": (DotMarks(x="mean", y="p", group=sure), ROWS, {"y": FigureAxis(title="p")}),
    "lines": (
        LineMarks(group=lambda row: "sure" if row.name == "good" else "", beside=True),
        [Series("good", [1, 2, 3], [0.1, 0.2, 0.4]), Series("bad", [1, 2, 3], [0.1, 0.1, 0.2])],
        {
            "y": FigureAxis(title="p", names=("first", "second")),
            "across": 0.3,
            "dots": [PlacedDot("good", 2, 0.2, "sure")],
        },
    ),
}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("grouped", [True, False])
@pytest.mark.parametrize("name", KINDS)
def test_a_kind_is_valid(name: str, grouped: bool, theme: str) -> None:
    kind, rows, more = KINDS[name]
    panels = [FigurePanel(**{"x": AXIS, **more, "rows": rows, "title": title}) for title in ("one", "two")]
    groups = ("sure", "not sure") if grouped else ()
    described = Figure(
        kind=kind, panels=panels, title="Title", caption="caption", groups=groups, aside="not sure" * grouped, columns=2
    )
    plot = drawn(described, theme=theme)
    altair.ConcatChart.from_dict(plot.spec)
    assert plot.render("svg").startswith(b"<svg")
    assert [panel["title"]["text"] for panel in plot.spec["concat"]] == ["one", "two"]


def test_values_are_those_of_the_columns() -> None:
    def rows(name: str) -> list[list[dict[str, Any]]]:
        kind, given, more = KINDS[name]
        panel = FigurePanel(**{"x": AXIS, **more, "rows": given})
        spec = drawn(Figure(kind=kind, panels=[panel], title="", caption="")).spec
        return [spec["datasets"][layer["data"]["name"]] for layer in spec["concat"][0]["layer"]]

    assert rows("intervals")[-1] == [
        {"name": "good", "x": 0.5, "low": 0.4, "high": 0.7, "group": "sure", "word": "better"},
        {"name": "bad", "x": 0.1, "low": -0.2, "high": 0.3, "group": "not sure", "word": ""},
    ]
    assert rows("bars")[0][0] == {"name": "good", "low": 0.3, "high": 0.9, "group": "sure"}
    cells = [(row["left"], row["top"], row["tau"], row["text"]) for row in rows("heat")[0]]
    assert cells == [
        (-0.5, -0.5, 0.1, "0.1"),
        (0.5, -0.5, 0.9, "0.9"),
        (-0.5, 0.5, None, "nan"),
        (0.5, 0.5, 0.5, "0.5"),
    ]
    assert rows("dots")[0][1] == {"name": "bad", "x": 0.1, "y": 0.5, "group": "not sure"}
    assert rows("ranges")[0][0] == {"name": "good", "worst": 0.3, "low": 0.4, "mean": 0.5, "high": 0.7, "best": 0.9}
    assert rows("ranges")[-1][:2] == [
        {"name": "good", "group": "docid", "x": 0.6},
        {"name": "good", "group": "sure", "x": 0.5},
    ]
    assert rows("lines")[0] == [{"at": 0.3, "text": ""}]
    assert rows("lines")[-1] == [{"name": "good", "x": 2, "y": 0.2, "group": "sure"}]
    assert rows("lines")[1][0] == {"name": "good", "group": "sure", "x": [1, 2, 3], "y": [0.1, 0.2, 0.4]}


def test_an_axis_without_a_domain_has_room_for_what_is_drawn_and_for_0() -> None:
    kind, rows, _ = KINDS["intervals"]
    spec = drawn(Figure(kind=kind, panels=[FigurePanel(rows=rows[:1], x=AXIS)], title="", caption="")).spec
    scale = spec["concat"][0]["layer"][-2]["encoding"]["x"]["scale"]
    assert scale["domain"] == pytest.approx([-0.035, 0.735])


CELLS = np.array([[0.1, 0.9], [np.nan, 0.5]])


@pytest.mark.parametrize(
    "layers",
    [
        arrows([Arrow("a", 0.2, 0.3, 0.6, "a"), Arrow("b", 0.2, 0.3, 0.3, "b")], X, Y, TWO),
        (diagonal(X, Y, LIGHT.quiet),),
        (stretches([NamedSpan("a", 0.1, 0.4, "a")], X, TWO, noun="property", group="verdict"),),
        (segments([Segment(0, 0, 1, 1)], X, Y, LIGHT.ink),),
        (words([PlacedText(0.5, 0.5, "one\ntwo")], X, Y, LIGHT.ink, bold=True, up=3),),
        (ends([Line("a", [0, 1], [0.5, 1], "a")], Y, TWO, width=300, height=140),),
        heat(
            "tau",
            CELLS,
            places("ab", "x"),
            places("cd", down=True),
            ((0.0, 1.0), (LIGHT.background, LIGHT.ink)),
            LIGHT,
            called=lambda i, j: f"{i} and {j}",
            noun="pair",
            dark=0.5,
            cell=(30, 20),
            written=lambda i, j: "x",
        ).layers,
    ],
    ids=("arrows", "diagonal", "stretches", "segments", "words", "ends", "heat"),
)
def test_marks_that_single_figures_are_made_of_are_valid(layers: tuple[Layer, ...]) -> None:
    plot = figure([Panel(layers)], LIGHT, title="Marks")
    altair.ConcatChart.from_dict(plot.spec)
    assert plot.render("svg").startswith(b"<svg")


def test_a_description_imports_nothing_that_draws() -> None:
    code = (
        "import sys, truerank.report.figures; print([one for one in sys.modules if 'plots' in one or one == 'altair'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
