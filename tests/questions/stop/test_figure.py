"""Stopping rules between whole lists and best cuts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import truerank as tr
from truerank import stop
from truerank.data.errors import InputError
from truerank.questions.stop.figure import EFFECTS, REFERENCE
from truerank.questions.stop.question import Stopping

pytest.importorskip("altair")
pytest.importorskip("vl_convert")


@pytest.fixture(scope="module")
def found() -> Stopping:
    track = tr.simulate(systems=2, topics=8, seed=3, depth=30, documents=1000, relevant=8)
    return stop(track.qrels, track.runs, "RBPU(p=0.98) F", "fixed tail")


def test_a_panel_a_measure_and_run_and_a_row_a_rule(found: Stopping) -> None:
    spec = found.plot().spec
    assert [panel["title"]["text"] for panel in spec["concat"]] == [*found, *found]
    for panel, (measure, _, one) in zip(spec["concat"], found.comparisons(), strict=True):
        rows = spec["datasets"][panel["layer"][1]["data"]["name"]]
        assert [row["name"].partition(":")[0] for row in rows] == ["whole list", "fixed", "tail", "oracle"]
        assert [row["x"] for row in rows] == pytest.approx(
            [one.mean_whole, one["fixed"].mean, one["tail"].mean, one.mean_oracle], rel=1e-4
        )
        groups = [EFFECTS[one.effect(rule)] for rule in ("fixed", "tail")]
        assert [row["group"] for row in rows] == [REFERENCE, *groups, REFERENCE]
        assert all(one.mean_whole == pytest.approx(row["low"], rel=1e-4) for row in rows if row["x"] > row["low"])
        assert panel["layer"][0]["encoding"]["x"]["axis"]["title"] == measure


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_can_be_saved(found: Stopping, theme: str, tmp_path: Path) -> None:
    assert found.plot(theme=theme).save(tmp_path / "rules.svg").read_text().startswith("<svg")


def test_too_many_panels_are_refused(found: Stopping) -> None:
    first = [one for one in found.compared if one.run == next(iter(found))]
    many = replace(found, compared=tuple(replace(one, run=f"r{n}") for n in range(13) for one in first))
    with pytest.raises(InputError, match="2 measures of 13 runs are 26 panels"):
        many.plot()
