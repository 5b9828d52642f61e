"""An answer about several collections."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import truerank as tr

QRELS = {"q1": {"a": 1, "b": 1}, "q2": {"a": 1}}
RUNS = {"x": {"q1": {"a": 2.0, "b": 2.0, "c": 1.0}, "q2": {"b": 1.0, "a": 1.0}}, "y": {"q1": {"c": 1.0, "a": 1.0}}}
OTHER = {"q1": {"b": 1}}


@pytest.fixture
def found() -> Any:
    return tr.ties(QRELS, RUNS, "AP", also={"other": (OTHER, RUNS)}, name="one")


def test_everything_else_is_that_of_the_first(found: Any) -> None:
    first = found.collections["one"]
    assert (found.measures, len(found), [*found], found["x"]["AP"]) == (("AP",), 2, ["x", "y"], first["x"]["AP"])
    assert (bool(found), dict(found)) == (True, dict(first))
    with pytest.raises(AttributeError, match="reversals_of"):
        _ = found.reversals_of


def test_copies_say_the_same(found: Any) -> None:
    for one in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert one.to_json() == found.to_json()


def test_figures_stand_side_by_side(found: Any) -> None:
    pytest.importorskip("altair", reason="draws figures")
    panels = found.plot(title="Two").spec
    assert panels["title"]["text"] == "Two"
    assert [panel["title"]["text"] for panel in panels["concat"]] == ["one", "other"]
