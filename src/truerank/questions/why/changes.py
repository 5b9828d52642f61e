"""What another tool, or another person, may have done differently: each change with its words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from truerank.conventions.axes import AXES, EXTREMES, Conventions
from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.measures.core.base import Measure
from truerank.measures.gm import GM
from truerank.measures.grammar import parse

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
    """Conventions that differ in one axis; those that give an interval, or refuse, or draw lots, explain no number."""
    for axis in AXES.values():
        told: list[Any] = [value for value, meaning in axis.values.items() if meaning.because]
        # An extreme order of ties explains a number if nothing that tools do does.
        for value in sorted(told, key=EXTREMES.__contains__):
            if value != getattr(choice, axis.name):
                yield replace(choice, **{axis.name: value})


def differences(choice: Conventions, reference: Conventions) -> dict[str, str]:
    """The axes in which conventions differ, each with what is done instead, in words."""
    return {
        axis.name: axis.values[value].because
        for axis in AXES.values()
        if (value := getattr(choice, axis.name)) != getattr(reference, axis.name)
    }


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
