"""How sure measures are, and how alike."""

from __future__ import annotations

from typing import Any

import pytest

import truerank as tr
from truerank.questions.meta.consistency import falling
from truerank.questions.meta.question import Meta, meta

pytest.importorskip("altair")
pytest.importorskip("vl_convert")


@pytest.fixture(scope="module")
def found() -> Meta:
    made = tr.simulate(systems=8, topics=12, seed=5, depth=25, documents=1000, relevant=12)
    return meta(made.qrels, made.runs, "AP nDCG P@10 RR", reference="P@10 RR", splits=50)


def drawn(spec: dict[str, Any], panel: int, mark: str) -> list[dict[str, Any]]:
    layers = [one for one in spec["concat"][panel]["layer"] if one["mark"]["type"] == mark]
    rows: list[dict[str, Any]] = spec["datasets"][layers[0]["data"]["name"]]
    return rows


def test_a_line_a_measure_in_both_panels(found: Meta) -> None:
    spec = found.plot().spec
    for panel in (0, 1):
        assert [row["name"] for row in drawn(spec, panel, "line")] == [*found.ranked]
    for row in drawn(spec, 0, "line"):
        p = found[row["name"]].tests.p
        assert set(row["y"]) <= {float(f"{one:.6g}") for one in p}
        assert row["y"] == sorted(row["y"], reverse=True)
        assert all(0 <= x <= 1 for x in row["x"])
    for row in drawn(spec, 1, "line"):
        swaps = found[row["name"]].swaps
        some = swaps.count > 0
        assert row["x"] == pytest.approx((100 * swaps.below[some]).tolist(), abs=1e-3)
        assert row["y"] == pytest.approx((100 * falling(swaps.count, swaps.reversed)[some]).tolist(), abs=1e-3)


@pytest.mark.parametrize("show", [show for show in Meta.sheets if show != "runs"])
def test_each_can_be_drawn_alone(found: Meta, show: str) -> None:
    plot = found.plot(show, theme="dark")
    assert len(plot.spec["concat"]) == (2 if show == "summary" else 1)
    assert b"NaN" not in plot.render("svg")


def test_tau_has_a_cell_a_pair(found: Meta) -> None:
    spec = found.plot("tau").spec
    rows = drawn(spec, 0, "rect")
    order = [found.measures[place] for place in found.correlations.order]
    assert len(rows) == 16
    for row in rows:
        one, other = order[row["y"]], order[row["x"]]
        if one == other:
            assert (row["tau_a"], row["text"]) == (1.0, "")
        else:
            assert row["text"] == f"{found.tau_a(one, other):.2f}"


def test_nothing_to_draw_is_drawn_empty() -> None:
    alike = {name: {"q1": ["a"], "q2": ["b"]} for name in "xy"}
    same = meta({"q1": {"a": 1}, "q2": {"a": 1}}, alike, "AP RR", reference="P@1", splits=5)
    for show in ("summary", "tau"):
        assert same.plot(show).render("svg").startswith(b"<svg")


def test_coverage_has_a_row_a_measure(found: Meta) -> None:
    rows = drawn(found.plot("coverage").spec, 0, "point")
    assert len(rows) == 8
    for row in rows:
        merit = found[row["name"]]
        value = merit.coverage if row["group"] == "all pairs of topics" else merit.sampled_coverage
        assert row["x"] == pytest.approx(value, abs=1e-5)
    exact = {row["name"]: row["y"] for row in rows}
    assert sorted(exact, key=exact.__getitem__) == sorted(found.measures, key=lambda name: -found[name].coverage)


def test_improvements_have_a_cell_a_pair_of_runs(found: Meta) -> None:
    rows = drawn(found.plot("uir").spec, 0, "rect")
    assert len(rows) == 64
    names = [*found.systems]
    for row in rows:
        one, other = (names.index(name.split(" ", 1)[1]) for name in row["pair"].split(" and "))
        assert row["uir"] == pytest.approx(float(found.unanimity.uir[one, other]), abs=1e-5)


def test_no_line_leaves_its_panel(found: Meta) -> None:
    """Of few comparisons, more than half may be reversed."""
    made = tr.simulate(systems=4, topics=6, seed=2, depth=25, documents=1000, relevant=12)
    few = meta(made.qrels, made.runs, "AP nDCG P@10 RR", reference="P@10 RR", splits=3)
    highest = 0.0
    for one in (found, few):
        for panel in one.plot().spec["concat"]:
            for layer in panel["layer"]:
                for row in one.plot().spec["datasets"][layer["data"]["name"]]:
                    for axis in ("x", "y"):
                        if axis in row and axis in layer["encoding"]:
                            low, high = layer["encoding"][axis]["scale"]["domain"]
                            assert all(low - 1e-5 <= value <= high + 1e-5 for value in row[axis])
                            highest = max([highest, *row[axis]]) if axis == "y" else highest
    assert highest > 50


def test_a_sheet_without_a_figure_is_refused(found: Meta, truerank: Any, tmp_path: Any) -> None:
    with pytest.raises(tr.InputError, match="no figure of runs"):
        found.plot("runs")
    said = truerank("meta", "no.qrels", "no.run", "--show", "runs", "--plot", tmp_path / "x.svg")
    assert said.exit_code == 2
    assert "there is no figure of --show runs" in said.stderr
    with pytest.raises(tr.InputError, match="show='x' is not one of"):
        found.plot("x")


def test_labels_have_the_digits_of_their_ticks(found: Meta) -> None:
    picture = found.plot("discrimination").render("svg").decode()
    assert [f">{label}<" in picture for label in ("0", "0.05", "0.1", "0.15")] == [True] * 4
