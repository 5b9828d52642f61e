"""Numbers that questions take: whatever else is given, and however large, there is an answer or a line."""

from __future__ import annotations

import contextlib
import inspect
import math
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest

import truerank as tr
from truerank.questions import QUESTIONS
from truerank.questions.demo.question import demo
from truerank.report.signature import Argument, parameters

QRELS = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 0, "d": 1}, "q3": {"b": 1, "c": 0}}
RUN = {"q1": {"a": 2.0, "b": 2.0, "e": 1.0}, "q2": {"d": 1.0, "a": 0.5}, "q3": {"b": 3.0, "a": 1.0}}
OTHER = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"a": 1.0, "d": 0.5}, "q3": {"c": 3.0, "b": 1.0}}
DATA: dict[str, Any] = {
    "qrels": QRELS,
    "runs": {"x": RUN, "y": OTHER},
    "run": RUN,
    "run_a": RUN,
    "run_b": OTHER,
    "a": {"q1": ["a", "b"]},
    "b": {"q1": ["b", "c"]},
    "preferences": [("q1", "a", "b")],
    "before": QRELS,
    "after": {**QRELS, "q1": {"a": 0, "b": 1, "c": 2}},
    "data": ([[1.0, 2.0], [2.0, 2.0], [1.0, 0.0]], [1, 0, 1], ["q1", "q1", "q2"]),
}
MORE: dict[str, dict[str, Any]] = {
    "explain": {"topic": "q1"},
    "why": {"value": 0.5, "measures": "AP"},
    "nil": {"limit": 3},
    "properties": {"measures": "P@2", "longest": 3},
    "compare": {"permutations": 20},
    "meta": {"splits": 4, "pairs": 5, "permutations": 10, "measures": "AP RR"},
    "stop": {"folds": 2, "measure": "F"},
    "truncate": {"measures": "F"},
    "judges": {"judges": {"a": QRELS, "b": {"q1": {"a": 0, "b": 1}}}, "measures": "AP"},
    "audit": {"people": {"q1": {"a": 1}}, "measures": "P@2"},
    "design": {"difference": 0.1},
}
"""What a question needs beside its data, or is quicker with."""
PEOPLE = {"run": {"x": RUN}, "qrels": QRELS, "reading": [("q1", "x", 1)], "measures": "RBP", "resamples": 100}
"""What calibrate needs for these of its numbers, which are about what people did."""
OF_PEOPLE = ("seconds", "shown", "confidence", "resamples", "seed")
WHOLE = (2**63, 2**64, 10**30, 10**400, -(2**70), 1.5, "x", math.nan)
REAL = (0, 1, 0.0, 1.0, -1, 5e-324, 1 - 1e-16, 1e308, -1e308, 10**400, 2**64, math.nan, math.inf, "x", [])


def asked() -> Iterator[Any]:
    for name in QUESTIONS:
        module = import_module(f"truerank.questions.{name}.question")
        function = getattr(module, name, None) or module.COMMAND
        for each in parameters(function):
            if each.type in (int, float) and not isinstance(each.told, Argument):
                yield pytest.param(function, each, id=f"{name}-{each.name}")


@pytest.mark.parametrize(("function", "parameter"), [*asked()])
def test_any_number_is_answered_or_refused(function: Callable[..., object], parameter: Any) -> None:
    names = inspect.signature(function).parameters
    given = {name: value for name, value in DATA.items() if name in names and name not in ("run", "qrels")}
    if function.__name__ != "calibrate":
        given |= {name: DATA[name] for name in ("run", "qrels") if name in names}
    else:
        given = PEOPLE if parameter.name in OF_PEOPLE else {}
    for value in WHOLE if parameter.type is int else REAL:
        if parameter.name == "seed" and isinstance(value, int) and value > 0:
            continue  # Any whole number is a seed.
        with warnings.catch_warnings(), contextlib.suppress(tr.InputError):
            warnings.simplefilter("error")
            function(**{**given, **MORE.get(function.__name__, {}), parameter.name: value})


def test_there_are_numbers_to_try() -> None:
    assert len([*asked()]) > 30


@pytest.mark.parametrize("name", ["systems", "topics", "seed", "documents", "depth", "pool_depth", "grades"])
@pytest.mark.parametrize("value", [10**30, -1, 1.5, "x"])
def test_a_track_of_any_size_is_made_or_refused(name: str, value: object) -> None:
    with contextlib.suppress(tr.InputError):
        tr.simulate(**{"systems": 2, "topics": 2, "depth": 10, "documents": 100, name: value})


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: tr.diff(QRELS, RUN, OTHER, depth=2**64), "depth is at most 1,000,000,000,000,000, not 1844674407"),
        (lambda: tr.unjudged(QRELS, RUN, cutoff=2**64), "cutoff is at most 1,000,000,000,000,000, not"),
        (lambda: tr.calibrate(pays_for=10**9), "pays_for is at most 10,000,000, not 1000000000"),
        (lambda: tr.calibrate(silence_at=10**9), "silence_at is at most 10,000,000, not 1000000000"),
        (lambda: tr.meta(QRELS, DATA["runs"], splits=10**9), "splits is at most 1,000,000, not 1000000000"),
        (lambda: tr.compare(QRELS, DATA["runs"], alpha="x"), "alpha is a number"),
        (lambda: tr.depth(QRELS, DATA["runs"], "AP", alpha=0), "alpha=0; give a number between 0 and 1"),
        (lambda: tr.depth(QRELS, DATA["runs"], "AP", within=3), "within is a number from 0 to 2, not 3"),
        (lambda: tr.compare(QRELS, DATA["runs"], depths=[1, 2.5]), "depths is a whole number from 1 on, not 2.5"),
        (lambda: demo(systems=10**9), "systems=1000000000: give a whole number from 1 to 100000"),
    ],
)
def test_what_is_wrong_is_said_by_name(ask: Callable[[], object], said: str) -> None:
    with pytest.raises(tr.InputError) as error:
        ask()
    assert said in str(error.value)


def test_a_list_is_cut_at_any_depth() -> None:
    """A depth that no list reaches changes nothing, and takes no memory."""
    deep, shallow = (
        tr.meta(QRELS, DATA["runs"], "AP RR", depth=depth, splits=4, pairs=5, permutations=10)
        for depth in (10**12, 1000)
    )
    assert [row.discrimination for row in deep.merits] == [row.discrimination for row in shallow.merits]
