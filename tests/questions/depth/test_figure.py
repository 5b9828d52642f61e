"""Scores against depth."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from truerank.data.errors import InputError
from truerank.questions.depth.figure import coloured, depths_shown
from truerank.questions.depth.question import Curve, Curves
from truerank.report.plots.theme import THEMES

pytest.importorskip("altair")
pytest.importorskip("vl_convert")

Both = tuple[Curves, Curves]


def layers(panel: dict[str, Any], mark: str, *, hover: bool = False) -> list[dict[str, Any]]:
    return [one for one in panel["layer"] if one["mark"]["type"] == mark and ("name" in one) == hover]


def rows(spec: dict[str, Any], layer: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = spec["datasets"][layer["data"]["name"]]
    return found


def altered(curves: Curves, means: dict[str, list[float]]) -> Curves:
    lines = tuple(
        Curve(run=run, measure=one, unjudged="nonrelevant", value=np.array(values, float))
        for run, values in means.items()
        for one in curves.measures
    )
    return replace(curves, lines=lines, max_depth=len(next(iter(means.values()))), pool_depth=None)


def test_treatments_stand_side_by_side(both: Both) -> None:
    assert both[0].plot(other=both[1]).spec["columns"] == 2


def test_a_row_a_measure_and_a_column_a_treatment(both: Both) -> None:
    plain, condensed = both
    spec = plain.plot(other=condensed).spec
    assert spec["columns"] == 2
    titles = [layers(panel, "line")[0]["encoding"]["y"]["axis"]["title"] for panel in spec["concat"]]
    assert titles == ["AP", None, "nDCG", None, "P", None]
    heads = [panel.get("title", {}).get("text") for panel in spec["concat"]]
    assert heads == ["Unjudged documents count as not relevant", "Unjudged documents taken out", None, None, None, None]
    assert "9 systems" in spec["title"]["subtitle"]
    assert "4 topics" in spec["title"]["subtitle"]


def test_every_system_has_its_line_and_five_are_picked_out(both: Both) -> None:
    plain, condensed = both
    spec = plain.plot(other=condensed).spec
    groups = coloured(plain)
    assert [*groups] == [*plain.picked(plain.measures[0])]
    for place, panel in enumerate(spec["concat"]):
        curves, measure = both[place % 2], plain.measures[place // 2]
        [thin, bold] = layers(panel, "line")
        found = {row["name"]: row for row in rows(spec, thin)}
        assert [*found] == [*curves]
        assert {name: row["group"] for name, row in found.items() if row["group"]} == groups
        for name, row in found.items():
            assert row["y"] == pytest.approx(curves[name][measure][np.array(row["x"], int) - 1], abs=1e-5)
        assert bold["encoding"]["color"]["scale"]["domain"] == [*groups.values()]
        assert len({*bold["encoding"]["color"]["scale"]["range"]}) == 5
        named = [row["name"] for layer in layers(panel, "text") for row in rows(spec, layer) if "name" in row]
        assert sorted(named) == sorted(groups)


def test_the_depth_of_the_pool_is_a_dashed_red_line(both: Both) -> None:
    spec = both[0].plot(other=both[1]).spec
    for place, panel in enumerate(spec["concat"]):
        [rule] = layers(panel, "rule")
        assert rows(spec, rule)[0]["at"] == 7
        assert rule["mark"]["strokeDash"]
        assert rule["mark"]["color"] == THEMES["light"].alarm
        said = [row["text"] for layer in layers(panel, "text") for row in rows(spec, layer) if "text" in row]
        assert said == (["pool depth 7"] if place < 2 else [])


@pytest.mark.parametrize("depth", [None, 31])
def test_a_pool_that_is_empty_or_deeper_has_no_line(both: Both, depth: int | None) -> None:
    spec = replace(both[0], pool_depth=depth).plot().spec
    assert not [rule for panel in spec["concat"] for rule in layers(panel, "rule")]


def test_panels_in_a_row_have_one_scale_of_scores_and_all_have_one_of_depths(both: Both) -> None:
    plain, condensed = both
    spec = plain.plot(other=condensed).spec
    marked = [
        [one["encoding"][axis]["scale"]["domain"] for one in panel["layer"] if "field" in one["encoding"].get(axis, {})]
        for panel in spec["concat"]
        for axis in "xy"
    ]
    assert all(domain == [1, 30] for domains in marked[0::2] for domain in domains)
    for place, measure in enumerate(plain.measures):
        highest = max(plain.means(measure).max(), condensed.means(measure).max())
        assert all(domain == [0, highest] for domains in marked[1::2][2 * place : 2 * place + 2] for domain in domains)


@pytest.mark.parametrize("scale", ["log", "linear"])
def test_the_axis_of_depths_is_what_was_asked_for(both: Both, scale: str) -> None:
    [line, _] = layers(both[0].plot(scale=scale).spec["concat"][0], "line")
    assert line["encoding"]["x"]["scale"]["type"] == scale


@pytest.mark.parametrize("scale", ["log", "linear"])
@pytest.mark.parametrize(("deepest", "pool"), [(1, 1), (2, None), (60, 50), (1000, 117), (100000, 333)])
def test_lines_go_through_the_ends_and_the_pool(deepest: int, pool: int | None, scale: str) -> None:
    shown = depths_shown(deepest, scale, pool).tolist()
    assert shown == sorted({*shown})
    assert {1, deepest, pool or 1} <= {*shown}
    assert len(shown) <= 75


def test_what_is_pointed_at_in_one_panel_is_shown_in_all(both: Both) -> None:
    spec = both[0].plot(other=both[1]).spec
    [param] = spec["params"]
    assert param["select"]["fields"] == ["name"]
    points = [layer for panel in spec["concat"] for layer in layers(panel, "circle", hover=True)]
    assert param["views"] == [layer["name"] for layer in points]
    assert [tip["title"] for tip in points[2]["encoding"]["tooltip"]] == ["system", "Evaluation depth k", "nDCG"]
    assert all(len(layers(panel, "line", hover=True)) == 1 for panel in spec["concat"])


def test_measures_of_one_treatment_stand_in_two_columns(both: Both) -> None:
    few = both[0].plot().spec
    wanted = (*both[0].wanted, replace(both[0].wanted[2], cutoff=5))
    more = [replace(line, measure="P@5") for line in both[0].lines if line.measure == "P"]
    many = replace(both[0], wanted=wanted, lines=(*both[0].lines, *more)).plot().spec
    assert (few["columns"], many["columns"]) == (2, 2)
    labels = [layers(panel, "line")[0]["encoding"]["x"]["axis"]["labels"] for panel in many["concat"]]
    assert labels == [False, False, True, True]


NAN = math.nan


@pytest.mark.parametrize(
    ("means", "groups"),
    [
        ({"only": [0.5, 0.25]}, ["only"]),
        ({"only": [0.5]}, ["only"]),
        ({"a": [0.5, 0.5], "b": [0.5, 0.5], "c": [0.5, 0.5]}, ["a", "b", "c"]),
        ({"a": [0.0, 0.0], "b": [0.0, 0.0]}, ["a", "b"]),
        ({"a": [0.25, NAN], "b": [NAN, NAN], "c": [0.5, 0.5]}, None),
        ({"a": [NAN, NAN]}, ["a"]),
        ({"a": [-0.5, -1.0], "b": [0.5, 2.0]}, None),
        ({"caf\udce9 </script><b>&": [0.1, 0.2], "\u4e2d\n": [0.3, 0.1], "x" * 300: [0.3, 0.2]}, None),
    ],
)
@pytest.mark.parametrize("scale", ["log", "linear"])
def test_few_equal_and_undefined_scores_are_drawn(
    both: Both, means: dict[str, list[float]], groups: list[str] | None, scale: str
) -> None:
    plot = altered(both[0], means).plot(scale=scale)
    [*_, last] = layers(plot.spec["concat"][0], "line")
    if groups is not None:
        assert last["encoding"]["color"]["scale"]["domain"] == groups
    assert b"NaN" not in plot.render("svg")
    assert b"NaN" not in plot.render("json")


def test_a_single_depth_is_seen_as_points(both: Both) -> None:
    root = ElementTree.fromstring(altered(both[0], {"a": [0.5], "b": [0.25]}).plot().render("svg"))
    marks = [one for one in root.iter() if "mark-symbol role-mark" in one.get("class", "")]
    assert [len(one) for one in marks] == [2, 2, 2]


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"scale": "cubic"}, "scale='cubic' is not a choice; take one of log, linear"),
        ({"theme": "pink"}, "theme='pink' is not a choice; take one of light, dark"),
    ],
)
def test_what_is_not_a_choice_is_refused(both: Both, how: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        both[0].plot(**how)


def test_curves_that_do_not_match_are_refused(both: Both) -> None:
    with pytest.raises(InputError, match="different measures"):
        both[0].plot(other=replace(both[1], wanted=both[1].wanted[:1]))
    with pytest.raises(InputError, match="nothing to draw"):
        replace(both[0], lines=()).plot()
