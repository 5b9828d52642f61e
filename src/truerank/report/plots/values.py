"""Numbers and names as a figure has them."""

from __future__ import annotations

import math
from collections.abc import Iterable

_DIGITS = 6
"""Significant digits of a number, far more than can be seen."""
_ROOM = 0.05
"""What is left free around a single value."""


def numbers(values: Iterable[float]) -> list[float | None]:
    """Numbers as JSON has them, without digits that nobody sees; None for what is undefined.

    >>> numbers([1, 0.123456789, float("nan")])
    [1.0, 0.123457, None]
    """
    return [float(f"{value:.{_DIGITS}g}") if math.isfinite(value) else None for value in values]


def readable(name: str) -> str:
    r"""A name that can be written in any file; bytes that were no text are spelled out.

    >>> readable("caf\udce9")
    'caf\\xe9'
    """
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def extent(values: Iterable[float], room: float = 0.0) -> tuple[float, float]:
    """From the smallest to the largest of values, with a share of that as ``room`` at either end.

    Where all are the same there is a little room, and 0 to 1 where none is defined.

    >>> extent([1, 3, float("nan")], room=0.25), extent([0.5]), extent([])
    ((0.5, 3.5), (0.45, 0.55), (0.0, 1.0))
    """
    known = [float(value) for value in values if math.isfinite(value)] or [0.0, 1.0]
    low, high = min(known), max(known)
    free = room * (high - low) if high > low else _ROOM
    return low - free, high + free
