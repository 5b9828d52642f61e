"""The figure of a comparison."""

from __future__ import annotations

from typing import Any

import pytest
from tests.questions.compare.tracks import judged, run

from truerank.data.errors import InputError
from truerank.questions.compare.question import compare

pytest.importorskip("scipy")
pytest.importorskip("altair")
pytest.importorskip("vl_convert")

RUNS = {
    "base": run([2, 2, 2, 3, 3, 2]),
    "good": run([1, 1, 1, 2, 1, 1]),
    "poor": run([5, 6, 5, 7, 8, 5]),
    "same": run([2, 2, 2, 3, 3, 2]),
}


def rows(plot: Any) -> list[dict[str, Any]]:
    return [row for some in plot.spec["datasets"].values() for row in some if "low" in row]


def test_systems_best_first_with_their_intervals() -> None:
    found = compare(judged(6), RUNS, "RR")
    drawn = rows(found.plot())
    assert [row["name"] for row in drawn] == ["good", "base", "same", "poor"]
    good = found["RR"].systems["good"]
    assert (drawn[0]["x"], drawn[0]["low"], drawn[0]["high"]) == pytest.approx(
        (good.mean, good.low, good.high), abs=1e-5
    )
    assert found.plot().render("svg").startswith(b"<svg")


def test_differences_from_the_baseline_coloured_by_verdict() -> None:
    found = compare(judged(6), RUNS, "RR AP", baseline="base")
    drawn = rows(found.plot(theme="dark"))
    groups = {row["name"]: row["group"] for row in drawn}
    assert groups == {"good": "significantly better", "poor": "significantly worse", "same": "not significant"}
    assert "base" not in groups
    assert len(found.plot().spec["concat"]) == 2
    assert {row["name"] for row in rows(found.plot("systems"))} == {*RUNS}


def test_one_topic_has_no_interval_and_is_drawn() -> None:
    found = compare(judged(1), {"a": run([1]), "b": run([2])}, "RR")
    assert found.plot().render("svg").startswith(b"<svg")
    assert [row["low"] for row in rows(found.plot("systems"))] == [None] * 2


def test_what_is_refused() -> None:
    found = compare(judged(6), RUNS, "RR")
    with pytest.raises(InputError, match="one baseline"):
        found.plot("differences")
    with pytest.raises(InputError, match="systems, differences"):
        found.plot("z")
