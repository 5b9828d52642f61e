"""Integers divided by powers of ten, correctly rounded."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats, Keys

_SPLIT = 134217729.0
_NEAR = 2.0**-20


def quotient(number: Keys, decimals: int) -> Floats:
    """Return number / 10^decimals correctly rounded, or NaN where that would take a closer look.

    Numbers below 2^53 and powers up to 10^22 are exact, and one division rounds once. Larger numbers, below 10^19, get
    a first quotient and a correction by what it leaves over; undecided is only what lies almost halfway between two
    floats.

    >>> quotient(np.array([1, 17345600128173828], dtype=np.uint64), 15).tolist()
    [1e-15, 17.345600128173828]
    """
    value = number.astype(np.float64)
    if not decimals:
        return value
    power = 10.0**decimals
    result: Floats = value / power
    if len(number) and int(number.max()) >> 53:
        large = np.flatnonzero(number >> np.uint64(53))
        result[large] = _corrected(number[large], value[large], power)
    return result


def _corrected(number: Keys, value: Floats, power: float) -> Floats:
    lost = (number - value.astype(np.uint64)).view(np.int64).astype(np.float64)
    first = value / power
    product, error = _exact_product(first, power)
    left_over = ((value - product) - error) + lost
    correction = left_over / power
    result: Floats = first + correction
    off = np.abs(correction - (result - first))
    unit = np.spacing(result)
    # Halfway is half a unit away, but a quarter below a power of two, where the units halve.
    undecided = (np.abs(off - unit / 2) < unit * _NEAR) | (np.abs(off - unit / 4) < unit * _NEAR)
    result[undecided] = np.nan
    return result


def _exact_product(a: Floats, b: float) -> tuple[Floats, Floats]:
    """Return the rounded product and what rounding took away (Dekker 1971)."""
    product = a * b
    wide = _SPLIT * a
    a_high = wide - (wide - a)
    a_low = a - a_high
    b_wide = _SPLIT * b
    b_high = b_wide - (b_wide - b)
    b_low = b - b_high
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
