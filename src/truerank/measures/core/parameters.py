"""Parameters of measures: which values they may have, and how these are written."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from truerank.data.errors import InputError
from truerank.data.printing import brief

LARGEST = 1e100
"""Parameters and gains up to which sums over all documents, and squares of them, are numbers."""
MOST = min(10**15, sys.maxsize // 2)
"""Cutoffs, sizes and counts up to which every whole number is a number of its own in double precision, and a place."""


def number(
    name: str, value: object, *, least: float = -LARGEST, most: float = LARGEST, below: float | None = None
) -> None:
    """Refuse a parameter that is not a number between bounds; ``below`` is one that it may not reach."""
    real = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    # Compared as it is: a whole number may be too large to be made a float, and NaN is between no bounds.
    if not real or not least <= value <= most or (below is not None and not value < below):  # type: ignore[operator]
        raise InputError(f"{name} is a number{_bounds(least, most, below)}, not {brief(value)}")


def _bounds(least: float, most: float, below: float | None) -> str:
    if below is not None:
        return f" from {least:g} to less than {below:g}"
    return f" from {least:g} to {most:g}"


def positive(name: str, value: object, *, most: float = LARGEST) -> None:
    """Refuse a parameter that is not a positive number."""
    number(name, value)
    if not 1 / LARGEST <= value <= most:  # type: ignore[operator]
        upto = "" if most == LARGEST else f" and at most {most:g}"
        above = "above 0" if not 0 < value < 1 else f"from {1 / LARGEST:g} on"  # type: ignore[operator]
        raise InputError(f"{name} is a number {above}{upto}, not {brief(value)}")


def whole(name: str, value: object, *, least: int, most: float = MOST, told: float | None = None) -> None:
    """Refuse a parameter that is not a whole number from ``least`` to ``most``.

    ``told`` is the least one that is said to be, where somebody else refuses what is below.
    """
    count = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not count or value < least:  # type: ignore[operator]
        told = least if told is None else told
        from_on = "" if told == -MOST else f" from {told:g} on"
        raise InputError(f"{name} is a whole number{from_on}, not {brief(value)}")
    if value > most:  # type: ignore[operator]
        raise InputError(f"{name} is at most {most:{',' if most <= MOST else 'g'}}, not {brief(value)}")


def held(value: Any) -> Any:
    """A parameter as arrays hold it: a whole number that they would not is the float next to it.

    >>> held(3), held(10**20), held("min")
    (3, 1e+20, 'min')
    """
    whole_number = isinstance(value, int) and not isinstance(value, bool)
    return float(value) if whole_number and MOST < abs(value) <= LARGEST else value


def limit(name: str, value: object, *, least: float = -math.inf) -> None:
    """Refuse a parameter that is not a number from ``least`` on; one without bound is a number here."""
    real = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    # What ``held`` leaves a whole number beyond all others is past what arrays are compared with.
    if not real or not value >= least or (isinstance(value, int) and abs(value) > MOST):  # type: ignore[operator]
        raise InputError(f"{name} is a number{'' if math.isinf(least) else f' from {least:g} on'}, not {brief(value)}")


def one_of(name: str, value: object, choices: tuple[object, ...]) -> None:
    """Refuse a parameter that is not one of a few values."""
    if value not in choices:
        raise InputError(f"{name} is {' or '.join(map(repr, choices))}, not {brief(value)}")


def gain_map(gains: object) -> tuple[tuple[float, float], ...]:
    """Gains by grade as pairs in order, from a map or such pairs.

    >>> gain_map({2: 9, 1: 3})
    ((1, 3), (2, 9))
    """
    try:
        pairs = dict(gains)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        raise InputError(f"gains map grades to gains, as in {{1: 3, 2: 9}}, not {brief(gains)}") from None
    for grade, value in pairs.items():
        number("a grade of gains", grade)
        number("a gain of gains", value, least=0)
        if grade <= 0 < value:
            raise InputError(f"gains has {value:g} for grade {grade:g}; only grades above 0 have a gain")
    return tuple(sorted((held(grade), held(value)) for grade, value in pairs.items()))


def written(value: object) -> str:
    """A parameter's value as text that parses back."""
    if isinstance(value, tuple):
        # A tuple of pairs is a map.
        return "{" + ",".join(f"{written(k)}:{written(v)}" for k, v in value) + "}"
    if callable(value):
        return str(getattr(value, "__name__", value))
    return repr(value.item() if isinstance(value, np.generic) else value)
