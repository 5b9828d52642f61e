"""Figures of preferences: shares that make up a whole, losses where they are, a dot a topic."""

from __future__ import annotations

from typing import Any

import pytest

from truerank.data.errors import InputError
from truerank.questions.preferences.figure import LOSS, TOP_LOSS, plot_runs
from truerank.questions.preferences.question import OUTCOMES, preferences

altair = pytest.importorskip("altair")
pytest.importorskip("vl_convert")

PAIRS = [("q", a, b) for a, b in ("ab", "bc", "ca", "ad", "be")] + [("p", "x", "y"), ("p", "x", "z")]
RUNS = {
    "good": {"q": [*"abcde"], "p": ["x", "y"]},
    "tied": {"q": {"a": 1.0, "b": 1.0, "c": 0.5}, "p": {"y": 1.0, "x": 1.0}},
    "bad": {"q": [*"edcba"], "p": ["z"]},
}


def rows(spec: dict[str, Any], panel: int, layer: int) -> list[dict[str, Any]]:
    data: list[dict[str, Any]] = spec["datasets"][spec["concat"][panel]["layer"][layer]["data"]["name"]]
    return data


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_runs(theme: str) -> None:
    found = preferences(PAIRS, RUNS)
    spec = found.plot(theme=theme).spec
    altair.ConcatChart.from_dict(spec)
    bars = {(row["name"], row["group"]): row for row in rows(spec, 0, 0)}
    for name, run in found.items():
        for outcome in OUTCOMES:
            bar = bars[name, outcome]
            assert bar["high"] - bar["low"] == pytest.approx(100 * getattr(run, f"{outcome}_share"), abs=1e-3)
        assert max(bar["high"] for (of, _), bar in bars.items() if of == name) == 100
    marks = {(row["name"], row["group"]): row for row in rows(spec, 1, 0)}
    for name, run in found.items():
        assert (marks[name, LOSS]["x"], marks[name, LOSS]["low"]) == pytest.approx((run.loss, run.least), rel=1e-5)
        assert marks[name, TOP_LOSS]["x"] == pytest.approx(run.top_loss, rel=1e-5)
    assert list(dict.fromkeys(row["name"] for row in rows(spec, 1, 0))) == sorted(found, key=lambda n: found[n].loss)
    assert {row["name"] for row in rows(plot_runs(found, top=1).spec, 0, 0)} == {"good"}


def test_topics() -> None:
    for found, show in ((preferences(PAIRS), None), (preferences(PAIRS, RUNS), "topics")):
        points = {row["name"]: row for row in rows(found.plot(show).spec, 0, 0)}
        assert {name: (row["x"], row["y"]) for name, row in points.items()} == {"q": (5, 0.2), "p": (2, 0)}


def test_nothing_to_draw() -> None:
    found = preferences([("q", "a", "=", "b")], RUNS)
    for show in ("runs", "topics"):
        with pytest.raises(InputError, match="nothing to draw"):
            found.plot(show)


def test_on_the_command_line(truerank: Any, tmp_path: Any) -> None:
    (tmp_path / "prefs.txt").write_text("".join(f"{q} {a} > {b}\n" for q, a, b in PAIRS))
    (tmp_path / "a.run").write_text("q Q0 a 1 2 t\nq Q0 b 2 1 t\n")
    done = truerank("preferences", tmp_path / "prefs.txt", tmp_path / "a.run", "--plot", tmp_path / "f.svg")
    assert done.exit_code == 0
    assert (tmp_path / "f.svg").read_text().startswith("<svg")
