"""What another tool, or another person, may have done differently: each change with its words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from truerank.conventions.choices import CHOICES, Conventions
from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.measures.core.base import Measure
from truerank.measures.gm import GM
from truerank.measures.grammar import parse

WORDS: dict[str, dict[str, str]] = {
    "ties": {
        "expected": "ties count with the mean over all their orders",
        "docid": "tied documents stand in descending order of their ids",
        "docid-asc": "tied documents stand in ascending order of their ids",
        "input": "tied documents stand in the order of the rows",
        "rank": "tied documents stand in the order of the rank column",
        "best": "tied documents stand in the best order",
        "worst": "tied documents stand in the worst order",
    },
    "unjudged": {
        "nonrelevant": "unjudged documents count as not relevant",
        "condensed": "unjudged documents are taken out of the lists",
    },
    "ending": {
        "none": "the end of a list is not an answer",
        "terminal": "the end of a list is an answer (terminal document)",
        "terminal-once": "the end of a list is an answer, once (terminal document)",
    },
    "nil": {
        "end": "a NIL is the end of its list, where that is an answer",
        "answer": "a NIL is an answer, right where nothing is relevant",
    },
    "missing": {
        "empty": "topics that the run leaves out count as empty lists",
        "skip": "topics that the run leaves out are not in the mean",
    },
    "no_relevant": {
        "zero": "topics without relevant documents count as 0",
        "skip": "topics without relevant documents are not in the mean",
    },
    "relevant": {
        "judgments": "relevant documents are counted in the judgments",
        "run": "only relevant documents that the run found are counted",
    },
    "negative": {
        "judged": "negative grades count as judged",
        "unjudged": "negative grades count as unjudged",
    },
    "precision": {
        "float64": "scores are compared in double precision",
        "float32": "scores are compared in single precision, so that near ones tie",
    },
    "identical": {
        "keep": "documents with the id of their topic stay",
        "drop": "documents with the id of their topic are dropped",
    },
}
"""Values of conventions in words; those that give an interval, or refuse, or draw lots, explain no number."""

CUTOFFS = (None, 1, 3, 5, 10, 20, 50, 100, 200, 1000)
PARAMETERS: dict[str, tuple[Any, ...]] = {
    "dcg": ("log2", "exp-log2"),
    "norm": ("R", "min", "pool"),
    "relative": (False, True),
    "p": (0.5, 0.8, 0.9, 0.95, 0.98),
    "beta": (0.5, 1.0, 2.0),
}
"""Values of parameters that are in use."""


def conventions_changed(choice: Conventions) -> Iterator[Conventions]:
    """Conventions that differ in one axis."""
    for axis in CHOICES:
        others: list[Any] = [value for value in WORDS[axis] if value != getattr(choice, axis)]
        yield from (replace(choice, **{axis: value}) for value in others)


def differences(choice: Conventions, reference: Conventions) -> tuple[str, ...]:
    """The axes in which conventions differ."""
    return tuple(axis for axis in CHOICES if getattr(choice, axis) != getattr(reference, axis))


def measures_changed(measure: Measure, grades: Floats) -> Iterator[tuple[Measure, str]]:
    """Measures that differ in one parameter, in the cutoff, or in how topics are averaged; each with its words."""
    for name, values in PARAMETERS.items():
        for value in values:
            yield from _with(measure, name, value, f"{name} is {value}")
    for level in grades[grades > 0].tolist():
        yield from _with(measure, "rel", _tidy(level), f"documents are relevant from grade {level:g} on")
    if measure.takes_gains:
        themselves = {_tidy(level): _tidy(level) for level in grades[grades > 0].tolist()}
        yield from _with(measure, "gains", themselves or None, "the gain of a document is its grade")
        yield from _with(measure, "rel", None, "grades are gains, not only relevant or not")
    for cutoff in CUTOFFS if measure.takes_cutoff else ():
        if cutoff != measure.cutoff:
            words = "there is no cutoff" if cutoff is None else f"the cutoff is {cutoff}"
            try:
                yield replace(measure, cutoff=cutoff), words
            except InputError:
                continue
    if measure.averages:
        yield GM(measure=measure), "topics are averaged by the geometric mean"


def _with(measure: Measure, name: str, value: object, words: str) -> Iterator[tuple[Measure, str]]:
    if name in {field.name for field in fields(measure)} and getattr(measure, name) != value:
        try:
            changed = measure(**{name: value})
            yield parse(str(changed)), words
        except InputError:
            return


def _tidy(level: float) -> float:
    return int(level) if level.is_integer() else level
