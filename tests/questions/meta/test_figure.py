"""How sure measures are, and how alike."""

from __future__ import annotations

from typing import Any

import pytest

import truerank as tr
from truerank.questions.meta.answer import Meta
from truerank.questions.meta.consistency import falling
from truerank.questions.meta.question import meta

altair = pytest.importorskip("altair")
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
    altair.ConcatChart.from_dict({**spec, "datasets": {}})
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
        assert row["y"] == pytest.approx((100 * falling(swaps.count, swaps.swapped)[some]).tolist(), abs=1e-3)


@pytest.mark.parametrize(("show", "panels"), [("summary", 2), ("discrimination", 1), ("swap", 1), ("tau", 1)])
def test_each_can_be_drawn_alone(found: Meta, show: str, panels: int) -> None:
    plot = found.plot(show, theme="dark")
    assert len(plot.spec["concat"]) == panels
    assert b"NaN" not in plot.render("svg")


def test_tau_has_a_cell_a_pair(found: Meta) -> None:
    spec = found.plot("tau").spec
    rows = drawn(spec, 0, "rect")
    order = [found.measures[place] for place in found.correlations.order]
    assert len(rows) == 16
    for row in rows:
        one, other = order[row["y"]], order[row["x"]]
        if one == other:
            assert (row["tau"], row["text"]) == (1.0, "")
        else:
            assert row["text"] == f"{found.tau(one, other):.2f}"


def test_nothing_to_draw_is_drawn_empty() -> None:
    alike = {name: {"q1": ["a"], "q2": ["b"]} for name in "xy"}
    same = meta({"q1": {"a": 1}, "q2": {"a": 1}}, alike, "AP RR", reference="P@1", splits=5)
    for show in ("summary", "tau"):
        assert same.plot(show).render("svg").startswith(b"<svg")


def test_sheets_without_a_figure_of_their_own_have_that_of_the_summary(found: Meta) -> None:
    assert found.plot("coverage").spec == found.plot().spec
    with pytest.raises(tr.InputError, match="show='x' is not one of"):
        found.plot("x")


def test_labels_have_the_digits_of_their_ticks(found: Meta) -> None:
    picture = found.plot("discrimination").render("svg").decode()
    assert [f">{label}<" in picture for label in ("0", "0.05", "0.1", "0.15")] == [True] * 4
