"""Parameters of measures: which values they may have, and how these are written."""

from __future__ import annotations

import numpy as np

from truerank.data.errors import InputError


def number(name: str, value: object, *, least: float = -np.inf, most: float = np.inf) -> None:
    """Refuse a parameter that is not a number between bounds."""
    real = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not real or not np.isfinite(value) or not least <= float(value) <= most:  # type: ignore[call-overload, arg-type]
        bounds = ""
        if most < np.inf:
            bounds = f" from {least:g} to {most:g}"
        elif least > -np.inf:
            bounds = f" of at least {least:g}"
        raise InputError(f"{name} is a number{bounds}, not {value!r}")


def positive(name: str, value: object) -> None:
    """Refuse a parameter that is not a positive number."""
    number(name, value)
    if not value > 0:  # type: ignore[operator]
        raise InputError(f"{name} is a number above 0, not {value!r}")


def whole(name: str, value: object, *, least: int) -> None:
    """Refuse a parameter that is not a whole number from ``least`` on."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise InputError(f"{name} is a whole number from {least} on, not {value!r}")


def one_of(name: str, value: object, choices: tuple[object, ...]) -> None:
    """Refuse a parameter that is not one of a few values."""
    if value not in choices:
        raise InputError(f"{name} is {' or '.join(map(repr, choices))}, not {value!r}")


def gain_map(gains: object) -> tuple[tuple[float, float], ...]:
    """Gains by grade as pairs in order, from a map or such pairs.

    >>> gain_map({2: 9, 1: 3})
    ((1, 3), (2, 9))
    """
    try:
        pairs = dict(gains)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        raise InputError(f"gains map grades to gains, as in {{1: 3, 2: 9}}, not {gains!r}") from None
    for grade, value in pairs.items():
        number("a grade of gains", grade)
        number("a gain of gains", value, least=0)
        if grade <= 0 < value:
            raise InputError(f"gains has {value:g} for grade {grade:g}; only grades above 0 have a gain")
    return tuple(sorted(pairs.items()))


def written(value: object) -> str:
    """A parameter's value as text that parses back."""
    if isinstance(value, tuple):
        return "{" + ",".join(f"{written(k)}:{written(v)}" for k, v in value) + "}"
    return repr(value.item() if isinstance(value, np.generic) else value)
