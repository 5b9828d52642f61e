"""What figures are made of."""

from __future__ import annotations

import itertools
import math
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from truerank.report.plots.marks import Bar, Dot, Interval, Line, apart, bars, dots, intervals, lines, rule
from truerank.report.plots.panels import Layer, Panel, PlotAxis, figure
from truerank.report.plots.theme import THEMES, Key, Theme

altair = pytest.importorskip("altair")
pytest.importorskip("vl_convert")

LIGHT = THEMES["light"]
KEY, TWO = Key(LIGHT), Key(LIGHT, "runs", ("a", "b"))
X, Y, LOG = PlotAxis("AP", (0, 1)), PlotAxis("nDCG", (0, 1)), PlotAxis("results", (1, 1000), log=True)

DEFICIENCY = {
    "none": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]],
    "deuteranopia": [[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]],
    "tritanopia": [[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]],
}
"""Machado, Oliveira & Fernandes 2009, on linear RGB."""


@pytest.mark.parametrize(
    ("layers", "marks"),
    [
        ((dots([Dot("a", 0.2, 0.3), Dot("b", 0.4, 0.1), Dot("c", math.nan, 0.1)], X, Y, KEY),), {"symbol": 2}),
        ((dots([Dot("a", 0.2, 0.3, "a"), Dot("b", 0.4, 0.1, "b")], X, Y, TWO),), {"symbol": 2}),
        ((bars([Bar(1, 10, 0.5), Bar(10, 100, 0.25), Bar(100, 1000, 0)], LOG, Y, KEY),), {"rect": 3}),
        (intervals([Interval("a", 0.5, 0.4, 0.6), Interval("b", 0.5, 0.2, 0.8)], X, KEY), {"symbol": 2, "rule": 2}),
        (lines([Line("a", [0, 1], [0.5, 1], "a"), Line("b", [0, 1], [0.5, 0])], X, Y, TWO), {"line": 2}),
        (rule(0.5, X, LIGHT.alarm, text="here"), {"rule": 1, "text": 1}),
        (rule(0.5, Y, LIGHT.alarm, across=True), {"rule": 1}),
    ],
)
def test_marks_are_drawn(layers: tuple[Layer, ...], marks: dict[str, int]) -> None:
    plot = figure([Panel(layers)], LIGHT, title="Marks")
    altair.ConcatChart.from_dict(plot.spec)
    root = ElementTree.fromstring(plot.render("svg"))
    groups = [one for one in root.iter("{http://www.w3.org/2000/svg}g") if "role-mark" in one.get("class", "")]
    found = {mark: sum(len(one) for one in groups if f"mark-{mark}" in one.get("class", "").split()) for mark in marks}
    assert found == marks


def test_bins_of_a_logarithmic_axis_are_equally_wide_and_stand_on_the_axis() -> None:
    layer = bars([Bar(1, 10, 0.5), Bar(10, 100, 0.25), Bar(100, 1000, 1)], LOG, Y, KEY)
    root = ElementTree.fromstring(figure([Panel((layer,))], LIGHT).render("svg"))
    paths = [one.get("d", "") for one in root.iter() if one.get("aria-roledescription") == "rect mark"]
    sizes = [[float(part) for part in path.split("h")[1].split("v")] for path in paths]
    assert sizes == [pytest.approx(one) for one in ([100, 70], [100, 35], [100, 140])]


@pytest.mark.parametrize(
    "values", [[], [0.5], [0.0] * 5, [1.0] * 5, [0.5, 0.49, 0.51, 0.9, 0.0], [0.0, 0.05, 0.1, 0.9]], ids=str
)
def test_names_stand_apart_in_the_order_of_their_lines(values: list[float]) -> None:
    places = apart(values, 0.1, 0.0, 1.0)
    assert all(b - a >= 0.1 - 1e-9 for a, b in itertools.pairwise(sorted(places)))
    assert all(0 <= place <= 1 for place in places)
    order = [place for _, place in sorted(zip(values, places, strict=True))]
    assert order == sorted(places)


def test_rows_are_kept_once() -> None:
    spec = figure([Panel(lines([Line("a", [0, 1], [0, 1], "a")], X, Y, TWO))], LIGHT).spec
    assert len(spec["datasets"]) == 1
    assert len(spec["concat"][0]["layer"]) == 3


@pytest.mark.parametrize("deficiency", DEFICIENCY)
@pytest.mark.parametrize("theme", THEMES)
def test_colours_are_told_apart_by_colour_blind_readers(theme: str, deficiency: str) -> None:
    colours = [*THEMES[theme].palette[:5], THEMES[theme].alarm]
    seen = [lab(np.clip(np.array(DEFICIENCY[deficiency]) @ linear(one), 0, 1)) for one in colours]
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)) > 12


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_colours_stand_out_from_the_background(theme: Theme) -> None:
    def light(colour: str) -> float:
        return float(linear(colour) @ [0.2126, 0.7152, 0.0722]) + 0.05

    for colour, least in [(theme.ink, 7), (theme.quiet, 7), *((one, 2.5) for one in (*theme.palette, theme.alarm))]:
        ratio = light(colour) / light(theme.background)
        assert max(ratio, 1 / ratio) > least


def linear(colour: str) -> np.ndarray:
    parts = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(colour: np.ndarray) -> np.ndarray:
    to_xyz = np.array([[0.4125, 0.3576, 0.1804], [0.2127, 0.7152, 0.0722], [0.0193, 0.1192, 0.9503]])
    x, y, z = np.cbrt(to_xyz @ colour / [0.9505, 1, 1.0888])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_texts_take_the_same_room_in_every_font() -> None:
    layers = (dots([Dot("a", 0.2, 0.3, "a")], X, Y, TWO),)
    plot = figure([Panel(layers, "nDCG@10 & AP")], LIGHT, title="one title", caption="a caption " * 30)
    svg = plot.render("svg").decode()
    texts = re.findall(r"<(?:text|tspan)([^>]*)>[^<]+</", svg)
    assert len(texts) > 5
    assert all("textLength" in text for text in texts)
