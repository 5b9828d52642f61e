"""Best lengths, and scores of lists cut against whole ones."""

from __future__ import annotations

from typing import Any

import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.questions.truncate.figure import plot_lengths
from truerank.questions.truncate.question import Cuts
from truerank.report.plots.theme import chosen

pytest.importorskip("altair")
pytest.importorskip("vl_convert")


against, truncate = tr.against, tr.truncate


@pytest.fixture(scope="module")
def both() -> dict[str, Cuts]:
    """Two collections."""
    found = {}
    for seed in (1, 2):
        track = tr.simulate(systems=4, topics=5, seed=seed, depth=20 * seed, documents=1000, relevant=8)
        measures = "RBPU DCGU nDCGT F OIE(size=1000)"
        found[f"track {seed}"] = truncate(track.qrels, track.runs, measures, against="AP RBP")
    return found


def drawn(spec: dict[str, Any], panel: dict[str, Any], mark: str) -> list[dict[str, Any]]:
    layers = [one for one in panel["layer"] if one["mark"]["type"] == mark]
    rows: list[dict[str, Any]] = spec["datasets"][layers[0]["data"]["name"]]
    return rows


def test_a_panel_a_family_and_a_line_a_measure(both: dict[str, Cuts]) -> None:
    cuts = both["track 1"]
    spec = cuts.plot().spec
    assert [panel["title"]["text"] for panel in spec["concat"]] == [
        "Effort of reading",
        "Terminal document",
        "Other measures",
    ]
    rows = {row["name"]: row for row in drawn(spec, spec["concat"][0], "line")}
    assert [*rows] == ["RBPU(p=0.8)", "DCGU", "relevant documents"]
    colour = next(one["encoding"]["color"] for one in spec["concat"][0]["layer"] if "color" in one["encoding"])
    colours = dict(zip(colour["scale"]["domain"], colour["scale"]["range"], strict=True))
    assert colours.pop("relevant documents") == chosen("light").faint
    assert chosen("light").faint not in colours.values()
    assert rows["RBPU(p=0.8)"]["y"] == pytest.approx((100 * cuts.shares("RBPU")).tolist(), abs=1e-3)
    [axis] = {str(layer["encoding"]["x"]["axis"].get("labelExpr")) for layer in spec["concat"][0]["layer"]}
    assert axis.startswith('["empty", "1-4", "5-8"')


def test_several_collections_have_the_mean_of_their_shares(both: dict[str, Cuts]) -> None:
    plot = plot_lengths([*both.values()])
    [row] = [row for row in drawn(plot.spec, plot.spec["concat"][2], "line") if row["name"] == "F"]
    one, other = (cuts.shares("F") for cuts in both.values())
    assert len(one) < len(other), "lists of the second are longer"
    assert row["y"][0] == pytest.approx(50 * (one[0] + other[0]), abs=1e-3)
    assert row["y"][-1] == pytest.approx(50 * other[-1], abs=1e-3)
    assert "Mean over 2 collections" in plot.spec["title"]["subtitle"]
    assert plot.render("png").startswith(b"\x89PNG")


def test_a_panel_a_pair_and_a_dot_a_system(both: dict[str, Cuts]) -> None:
    found = against(both)
    spec = found.scatter().spec
    assert len(spec["concat"]) == 10
    rows = drawn(spec, spec["concat"][0], "point")
    assert [row["group"] for row in rows] == ["track 1"] * 4 + ["track 2"] * 4
    cuts = both["track 1"]
    first = next(iter(cuts))
    assert rows[0]["x"] == pytest.approx(cuts.whole_means["AP"][first], abs=1e-5)
    assert rows[0]["y"] == pytest.approx(cuts[first]["RBPU"].mean_best, abs=1e-5)
    assert spec["concat"][0]["title"]["text"] == f"tau {found.tau('AP', 'RBPU'):.2f}"
    assert found.scatter([("AP", "F")]).render("svg").startswith(b"<svg")


def test_a_measure_of_cut_lists_may_stand_across(both: dict[str, Cuts]) -> None:
    [panel] = against(both["track 1"]).scatter([("DCGU", "F")]).spec["concat"]
    assert panel["layer"][0]["encoding"]["x"]["axis"]["title"] == "DCGU, lists cut"


def test_too_many_or_unknown_pairs_are_refused(both: dict[str, Cuts]) -> None:
    found = against(both)
    with pytest.raises(InputError, match="not among the measures"):
        found.scatter([("AP", "ERRU")])
    track = tr.simulate(systems=2, topics=2, seed=1, depth=5, documents=100, relevant=3)
    many = truncate(track.qrels, track.runs, "F RBPU DCGU FlatU ERRU", against="AP RBP nDCG")
    with pytest.raises(InputError, match="15 pairs of measures are too many"):
        against(many).scatter()
