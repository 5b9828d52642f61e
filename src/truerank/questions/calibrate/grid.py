"""Values of parameters that are tried, and the one between them that is likeliest."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.measures.core.base import Measure

NAMES = ("p", "e", "beta", "T")
"""Parameters that people can tell something about."""
ALONE, BOTH = 61, 21
"""Values of a parameter that are tried, where it is the only one, and where there are two."""


def _scale(measure: Measure, name: str) -> tuple[float, float, float]:
    """Where values begin and end, and what they are counted from: steps are alike in the log of what is above that."""
    if name == "p":
        return 0.02, 0.998, 1.0
    if name == "e":
        return 0.0005, 1.0, 0.0
    if name == "beta":
        # Of OIE it is more than 1 by as much as a document is to cost.
        return (1.001, 2.0, 1.0) if measure.core.ends_by == "information" else (0.05, 20.0, 0.0)
    return 0.5, 100.0, 0.0


@dataclass(frozen=True)
class ParameterAxis:
    """The values of a parameter, and a coordinate in which they are evenly spaced."""

    name: str
    low: float
    high: float
    origin: float
    count: int

    @cached_property
    def places(self) -> Floats:
        """Evenly spaced coordinates."""
        return np.linspace(self._coordinate(self.low), self._coordinate(self.high), self.count)

    @property
    def values(self) -> list[float]:
        return [self.value(place) for place in self.places.tolist()]

    def _coordinate(self, value: float) -> float:
        # p by the log of the mean depth 1 / (1 - p), the others by the log of how far they are from their origin.
        return float(-np.log(self.origin - value) if self.name == "p" else np.log(value - self.origin))

    def value(self, place: float) -> float:
        """The value at a coordinate."""
        return float(self.origin - np.exp(-place) if self.name == "p" else self.origin + np.exp(place))


@dataclass(frozen=True)
class Grid:
    """Measures with every combination of values."""

    measure: Measure
    axes: tuple[ParameterAxis, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """How many values each parameter has."""
        return tuple(axis.count for axis in self.axes)

    def measures(self) -> list[Measure]:
        """The measure with each combination."""
        every = product(*(axis.values for axis in self.axes))
        return [self.with_values(dict(zip((axis.name for axis in self.axes), each, strict=True))) for each in every]

    def with_values(self, values: dict[str, float]) -> Measure:
        """The measure with some values."""
        given: dict[str, Any] = {**values}
        return self.measure.with_core(lambda core: replace(core, **given))

    def likeliest(self, likelihood: Floats) -> Floats:
        """Where the log of likelihoods (values x cases) is highest, a row a parameter: between values by a parabola."""
        cube = likelihood.reshape(*self.shape, -1)
        best = np.stack(np.unravel_index(likelihood.argmax(axis=0), self.shape))
        found = np.empty(best.shape)
        cases = np.arange(cube.shape[-1])
        for number, axis in enumerate(self.axes):
            inner = np.clip(best[number], 1, axis.count - 2)
            around = []
            for step in (-1, 0, 1):
                at = (*(inner + step if i == number else place for i, place in enumerate(best)), cases)
                around.append(cube[at])
            below, here, above = around
            bend = below - 2.0 * here + above
            step = np.divide(below - above, 2.0 * bend, out=np.zeros(len(bend)), where=bend < 0)
            at_end = (best[number] == 0) | (best[number] == axis.count - 1)
            places = np.interp(inner + np.clip(step, -1.0, 1.0), np.arange(axis.count), axis.places)
            found[number] = np.where(at_end, axis.places[best[number]], places)
        return found


def grid_of(measure: Measure, wanted: tuple[str, ...], *, reader: bool) -> Grid:
    """The values to try for a measure; ``reader`` where only how readers go on can be seen, and not what they gain."""
    core = measure.core
    known = [name for name in NAMES if any(each.name == name for each in fields(core)) and _takes(core, name)]
    if reader:
        known = [name for name in known if name in ("p", "T")]
        if not callable(getattr(core, "weight", None)):
            raise InputError(f"{measure} does not say how readers go down a list; fit one such as RBP or INSQ to these")
    names = [name for name in known if not wanted or name in wanted]
    for name in wanted:
        if name not in known:
            has = f"it has {', '.join(known)}" if known else "there is none of it to be fitted"
            raise InputError(f"{measure}: {name} cannot be fitted to these; {has}")
    if not names:
        raise InputError(f"{measure} has no parameter that can be fitted to these; try RBP, RBPU or OIE")
    if len(names) > 2:
        raise InputError(f"{measure} has {', '.join(names)}; name two of them at most with parameter=")
    count = ALONE if len(names) == 1 else BOTH
    return Grid(measure, tuple(ParameterAxis(name, *_scale(measure, name), count) for name in names))


def _takes(core: Measure, name: str) -> bool:
    """Whether the measure has a use for a parameter with the others that it has."""
    given: dict[str, Any] = {name: 0.5 if name == "p" else 2.0}
    try:
        replace(core, **given)
    except InputError:
        return False
    return True
