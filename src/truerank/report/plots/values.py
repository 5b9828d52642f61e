"""Numbers and names as a figure has them."""

from __future__ import annotations

import math
from collections.abc import Iterable

_DIGITS = 6
"""Significant digits of a number, far more than can be seen."""


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
