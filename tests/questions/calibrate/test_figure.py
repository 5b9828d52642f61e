"""Scores against the length of a list, drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from truerank.data.errors import InputError
from truerank.questions.calibrate.question import calibrate

pytest.importorskip("altair")
pytest.importorskip("vl_convert")


def rows(spec: dict[str, Any], panel: int, mark: str) -> list[dict[str, Any]]:
    [layer] = [one for one in spec["concat"][panel]["layer"] if one["mark"]["type"] == mark and "name" not in one]
    found: list[dict[str, Any]] = spec["datasets"][layer["data"]["name"]]
    return found


def test_all_measures_on_one_scale() -> None:
    found = calibrate("RBU(p=0.98) OIE(size=1000) RBPU", ranking="0^10 1^30")
    spec = found.plot().spec
    assert len(spec["concat"]) == 1
    lines = {row["name"]: row for row in rows(spec, 0, "line")}
    assert {*lines} == {"RBU(p=0.98)", "OIE(size=1000)", "RBPU"}
    for line in lines.values():
        assert (len(line["x"]), line["x"][0], line["y"][0]) == (41, 0, 0)
        assert max(map(abs, line["y"])) == 1
    dots = {row["name"]: (row["x"], row["y"]) for row in rows(spec, 0, "circle")}
    assert dots["RBU(p=0.98)"][0] == 14
    assert dots["RBPU"] == (40, 1)
    assert [row["at"] for row in rows(spec, 0, "rule")] == [0]
    assert "0^10 1^30 (30 relevant documents)" in spec["description"]


def test_raw_scores_in_a_panel_each() -> None:
    found = calibrate("RBPU OIE(size=1000)", ranking="0^10 1^30")
    spec = found.plot(raw=True, theme="dark").spec
    assert found.lengths is not None
    assert len(spec["concat"]) == 2
    for panel, name in enumerate(found):
        [line] = rows(spec, panel, "line")
        assert np.array(line["y"]) == pytest.approx(found.lengths[name], rel=1e-5)
        assert [row["at"] for row in rows(spec, panel, "rule")] == pytest.approx([found.lengths[name][0]], rel=1e-5)


def test_a_long_list_keeps_its_best_length() -> None:
    spec = calibrate("RBPU(p=0.99)", ranking="0^4 1^3333 0^9000").plot().spec
    [line], [dot] = rows(spec, 0, "line"), rows(spec, 0, "circle")
    assert len(line["x"]) < 2100
    assert dot["x"] in line["x"]
    assert (line["x"][0], line["x"][-1]) == (0, 12337)


@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize("measures", ["AP nDCG", "FlatU", "Judged"])
def test_saved(tmp_path: Path, measures: str, raw: bool) -> None:
    """Also where there is no score, and where all are the same."""
    calibrate(measures, ranking="0").plot(raw=raw).save(tmp_path / "lengths.svg")
    assert b"Score by length" in (tmp_path / "lengths.svg").read_bytes()


def test_without_a_list() -> None:
    with pytest.raises(InputError, match="give a ranking"):
        calibrate("RBPU").plot()
