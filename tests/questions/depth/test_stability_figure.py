"""Stability against depth."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from truerank.data.errors import InputError
from truerank.questions.depth import figure
from truerank.questions.depth.question import Curves, Stability

pytest.importorskip("altair")
pytest.importorskip("vl_convert")

Both = tuple[Curves, Curves]
plot_stability = partial(figure.plot_stability, alpha=0.05)


@pytest.fixture
def found(both: Both) -> tuple[Stability, ...]:
    return both[0].stability()


def rows(spec: dict[str, Any], panel: int, mark: str) -> list[dict[str, Any]]:
    [layer] = [one for one in spec["concat"][panel]["layer"] if one["mark"]["type"] == mark and "name" not in one]
    found: list[dict[str, Any]] = spec["datasets"][layer["data"]["name"]]
    return found


def test_a_line_a_measure_in_both_panels(found: tuple[Stability, ...]) -> None:
    spec = plot_stability(found).spec
    for one, tau, share in zip(found, rows(spec, 0, "line"), rows(spec, 1, "line"), strict=True):
        assert tau["name"] == share["name"] == one.measure
        assert tau["y"] == pytest.approx(one.tau_a[np.array(tau["x"], int) - 1], abs=1e-5)
        assert share["x"] == one.checkpoints.tolist()
        assert share["y"] == pytest.approx(one.discrimination, abs=1e-5)


def test_dots_are_where_orderings_are_stable(found: tuple[Stability, ...]) -> None:
    """None for a measure by which no two systems differ."""
    some = replace(found[0], measure="some", discrimination=np.ones(len(found[0].checkpoints)))
    some = replace(some, significant_reversed=np.array([2, 0, 1, *[0] * 27]))
    none = replace(found[0], measure="none", discrimination=np.zeros(len(found[0].checkpoints)))
    [dot] = rows(plot_stability([some, none]).spec, 0, "circle")
    # On the line, also where depths lie too close to be drawn one by one.
    long = replace(some, tau_a=np.linspace(0, 1, 1000), significant_reversed=(np.arange(1000) < 876).astype(np.int64))
    [line] = rows(plot_stability([long]).spec, 0, "line")
    assert {876, 877} <= {*line["x"]}
    assert (dot["x"], dot["y"]) == (4, pytest.approx(some.tau_a[3], abs=1e-5))


def test_the_pool_is_in_both_panels(found: tuple[Stability, ...]) -> None:
    spec = plot_stability(found, pool_depth=7).spec
    assert [[row["at"] for name, rows in spec["datasets"].items() for row in rows if row.get("text")]] == [[7, 7]]


def test_more_measures_than_colours_are_dashed(found: tuple[Stability, ...]) -> None:
    many = [replace(found[0], measure=f"P@{place}") for place in range(1, 10)]
    [layer] = [one for one in plot_stability(many).spec["concat"][0]["layer"] if "strokeDash" in one["encoding"]]
    pairs = zip(*(layer["encoding"][one]["scale"]["range"] for one in ("color", "strokeDash")), strict=True)
    assert len({(colour, *dash) for colour, dash in pairs}) == 9
    assert plot_stability(many).render("svg").count(b'stroke-dasharray="5,3"') > 0


@pytest.mark.parametrize("value", [1.0, np.nan])
def test_constant_and_undefined_lines_are_drawn(found: tuple[Stability, ...], value: float) -> None:
    flat = replace(found[0], tau_a=np.full(30, value), discrimination=np.full(len(found[0].checkpoints), value))
    assert b"NaN" not in plot_stability([flat]).render("svg")


def test_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="no measure to draw"):
        plot_stability([])


def test_the_figure_follows_the_sheet(both: Both) -> None:
    assert both[0].plot("stability").spec["concat"][1]["title"] != both[0].plot().spec["concat"][1].get("title")
    assert both[0].plot("curves").spec == both[0].plot().spec
    with pytest.raises(InputError, match="there is no grid"):
        both[0].plot("grid")
