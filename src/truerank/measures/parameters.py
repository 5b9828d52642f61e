"""Parameters of measures: which values they may have, and how these are written."""

from __future__ import annotations

import numpy as np

from truerank.data.errors import InputError


def number(name: str, value: object, *, least: float = -np.inf, most: float = np.inf) -> None:
    """Refuse a parameter that is not a number between bounds."""
    real = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not real or not np.isfinite(value) or not least <= float(value) <= most:  # type: ignore[call-overload, arg-type]
        bounds = f" from {least:g} to {most:g}" if most < np.inf else f" of at least {least:g}" * (least > -np.inf)
        raise InputError(f"{name} is a number{bounds}, not {value!r}")


def positive(name: str, value: object) -> None:
    """Refuse a parameter that is not a positive number."""
    number(name, value)
    if not value > 0:  # type: ignore[operator]
        raise InputError(f"{name} is a number above 0, not {value!r}")


def written(value: object) -> str:
    """A parameter's value as text that parses back."""
    if isinstance(value, tuple):
        return "{" + ",".join(f"{written(k)}:{written(v)}" for k, v in value) + "}"
    return repr(value.item() if isinstance(value, np.generic) else value)
