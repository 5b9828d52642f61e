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


def test_differences_from_the_best_run_without_a_baseline() -> None:
    found = compare(judged(6), RUNS, "RR")
    drawn = rows(found.plot())
    assert [(row["name"], row["word"]) for row in drawn] == [
        ("good", "leads"),
        ("base", "worse"),
        ("same", "worse"),
        ("poor", "worse"),
    ]
    pair = found["RR"].of(found.runs.index("poor"), found.runs.index("good"))
    assert (drawn[-1]["x"], drawn[-1]["low"], drawn[-1]["high"]) == pytest.approx(
        (pair.difference, pair.low, pair.high), abs=1e-5
    )
    assert found.plot().spec["title"]["text"] == '"good" is the best of these 4 runs by RR (95%)'
    assert found.plot().render("svg").startswith(b"<svg")


def test_systems_best_first_with_their_intervals() -> None:
    found = compare(judged(6), RUNS, "RR")
    drawn = rows(found.plot("systems"))
    assert [row["name"] for row in drawn] == ["good", "base", "same", "poor"]
    good = found["RR"].systems["good"]
    assert (drawn[0]["x"], drawn[0]["low"], drawn[0]["high"]) == pytest.approx(
        (good.mean, good.low, good.high), abs=1e-5
    )


def test_possible_ranks_of_many_runs() -> None:
    many = {f"run-{n:02}": run([1 + n // 2, 1, 2 + n // 3, 1 + n, 2, 1 + n // 4]) for n in range(14)}
    found = compare(judged(6), many, "RR")
    drawn = rows(found.plot())
    systems = found["RR"].systems
    assert [(row["x"], row["low"], row["high"]) for row in drawn] == [
        (one.rank, one.rank_low, one.rank_high) for one in systems.values()
    ]
    assert {row["name"] for row in drawn if row["word"] == "could be best"} == {
        one.run for one in systems.values() if one.could_be_best
    }


def test_differences_from_the_baseline_with_their_verdicts() -> None:
    found = compare(judged(6), RUNS, "RR AP", baseline="base")
    drawn = rows(found.plot(theme="dark"))
    words = {row["name"]: row["word"] for row in drawn}
    assert words == {"good": "better", "poor": "worse", "same": ""}
    assert "base" not in words
    assert len(found.plot().spec["concat"]) == 2
    assert {row["name"] for row in rows(found.plot("systems"))} == {*RUNS}


def test_one_topic_has_no_interval_and_is_drawn() -> None:
    found = compare(judged(1), {"a": run([1]), "b": run([2])}, "RR")
    assert found.plot().render("svg").startswith(b"<svg")
    assert [row["low"] for row in rows(found.plot("systems"))] == [None] * 2


def test_what_is_refused() -> None:
    found = compare(judged(6), RUNS, "RR", baseline=["base", "good"])
    with pytest.raises(InputError, match="one baseline"):
        found.plot("differences")
    with pytest.raises(InputError, match="systems, differences"):
        found.plot("z")
