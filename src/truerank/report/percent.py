"""Shares as people read them."""

from __future__ import annotations

import math


def percent(share: float) -> str:
    """A share in per cent; what is not all is not rounded to all, nor something to nothing.

    >>> percent(1 / 3), percent(0.05), percent(0.0476), percent(0.999), percent(0.0001), percent(0.9999)
    ('33%', '5%', '4.8%', '99.9%', 'less than 0.1%', 'more than 99.9%')
    """
    value = 100 * share
    if math.isnan(value):
        return "undefined"
    if 0 < value < 0.1:
        return "less than 0.1%"
    if 99.9 + 1e-9 < value < 100:
        return "more than 99.9%"
    return f"{value:.0f}%" if 10 <= value <= 90 else f"{value:.1f}".removesuffix(".0") + "%"
