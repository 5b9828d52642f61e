"""Decimal numbers from text, many at once and correctly rounded.

Digits are read eight at a time: a 64-bit word holds eight characters, and three multiplications make them a number.
Numbers are read layout by layout, a layout being the place of the point counted from the end, since nearly all numbers
of a file share a few layouts. What has an exponent or too many digits goes to Python's own float().
"""

from __future__ import annotations

import math
import re

import numpy as np

from truerank.data.arrays import Bytes, Floats, Keys, Mask, Rows
from truerank.data.ids import overlapping

MARGIN = 32
"""Numbers nearer to the start of the text are read one by one, as words that end in them would begin before it."""

_DOT, _MINUS, _PLUS = 46, 45, 43
_LAYOUTS = 24
_MOST_DIGITS = 19
_ZEROS = np.uint64(0x3030303030303030)
_OVER_NINE = np.uint64(0x7676767676767676)
_HIGH_BITS = np.uint64(0x8080808080808080)
_KEEP: Keys = np.array([((1 << 64) - 1) ^ ((1 << 8 * (8 - n)) - 1) for n in range(9)], dtype=np.uint64)
"""The last n characters of a word."""
_EXACT = 22
"""The highest power of ten that is a float."""
_SPLIT = 134217729.0
_NEAR = 2.0**-20
# Each digit can be read in one way only, so that what is no number is known to be none in one pass.
_NUMBER = rb"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"


def decimals(text: Bytes, start: Rows, end: Rows) -> tuple[Floats, Rows]:
    """Return the numbers that stand at text[start:end], and the indexes of those that are not finite decimals.

    >>> text = np.frombuffer(b" " * MARGIN + b"17.25 -3e2 nan", np.uint8)
    >>> values, bad = decimals(text, np.array([0, 6, 11]) + MARGIN, np.array([5, 10, 14]) + MARGIN)
    >>> values[:2].tolist(), bad.tolist()
    ([17.25, -300.0], [2])
    """
    value = np.empty(len(start), dtype=np.float64)
    sign = text[start]
    negative = sign == _MINUS
    signed = negative | (sign == _PLUS)
    has_signs = bool(signed.any())
    left, right, rows = start + signed if has_signs else start, end, np.arange(len(start))
    slow: list[Rows] = []
    if len(start) and int(start.min()) < MARGIN:
        slow.append(np.flatnonzero(start < MARGIN))
        rows = np.flatnonzero(start >= MARGIN)
        left, right = left[rows], right[rows]
    for _ in range(_LAYOUTS):
        if not len(rows):
            break
        field = text[left[0] : right[0]].tobytes()
        pointed = b"." in field
        after = len(field) - 1 - field.find(b".") if pointed else 0
        point = right - (1 + after) if pointed else right
        others = rows[:0]
        if pointed:
            fits = (text[point] == _DOT) & (point >= left)
            if not fits.all():
                others = np.flatnonzero(~fits)
        mine = np.flatnonzero(fits) if len(others) else slice(None)
        number, valid = _digits(text, left[mine], point[mine], right[mine], after)
        result = quotient(number, after)
        valid &= result == result
        if len(result) == len(value):
            value = result
        else:
            value[rows[mine]] = result
        wrong = np.flatnonzero(~valid)
        if pointed:
            slow.append(rows[mine][wrong])
        else:
            # Without a point to go by all rows were tried, and most that failed have a point.
            head = int(len(wrong) > 0 and wrong[0] == 0)
            slow.append(rows[wrong[:head]])
            others = wrong[head:]
        left, right, rows = left[others], right[others], rows[others]
    slow.append(rows)
    if has_signs:
        np.negative(value, out=value, where=negative)
        value += 0.0
    return value, _one_by_one(text, start, end, np.sort(np.concatenate(slow)), value)


def _digits(text: Bytes, left: Rows, point: Rows, right: Rows, after: int) -> tuple[Keys, Mask]:
    """Return the digits before and after the point as one integer, and whether they are digits and not too many."""
    view = overlapping(text)
    before = point - left
    most = int(before.max()) + after if len(before) else 0
    if most <= 8:
        word = view[right - 8] ^ _ZEROS
        gap = int(right[0] - point[0]) if len(right) else 0
        whole = word << np.uint64(8 * gap) if most + (gap > 0) <= 8 else view[point - 8] ^ _ZEROS
        whole &= _KEEP[before]
        word &= _KEEP[after]
        word |= whole >> np.uint64(8 * after)
        return _value(word), _are_digits(word) & (before + after > 0)
    if after > _MOST_DIGITS:
        return np.zeros(len(left), dtype=np.uint64), np.zeros(len(left), dtype=np.bool_)
    number, valid = _integer(view, point, before, min(most - after, _MOST_DIGITS))
    if after:
        fraction, right_valid = _integer(view, right, np.full(len(right), after), after)
        number = number * np.uint64(10**after) + fraction
        valid &= right_valid
    return number, valid & (before + after <= _MOST_DIGITS) & (before + after > 0)


def _integer(view: Keys, end: Rows, count: Rows, most: int) -> tuple[Keys, Mask]:
    """Return the numbers of ``count`` digits (at most ``most``) that end at ``end``."""
    number = np.zeros(len(end), dtype=np.uint64)
    valid = np.ones(len(end), dtype=np.bool_)
    for done in range(0, most, 8):
        word = view[end - (8 + done)] ^ _ZEROS
        word &= _KEEP[np.clip(count - done, 0, 8)]
        valid &= _are_digits(word)
        number += _value(word) * np.uint64(10**done)
    return number, valid


def _are_digits(word: Keys) -> Mask:
    """Tell whether all eight characters, zeros taken off, are at most nine."""
    high = word + _OVER_NINE
    high |= word
    high &= _HIGH_BITS
    digits: Mask = high == 0
    return digits


def _value(word: Keys) -> Keys:
    """Return the number of eight digits, the first in the lowest byte: pairs, then fours, then all eight."""
    word = word * np.uint64(10) + (word >> np.uint64(8))
    word &= np.uint64(0x00FF00FF00FF00FF)
    word = word * np.uint64(100) + (word >> np.uint64(16))
    word &= np.uint64(0x0000FFFF0000FFFF)
    word = word * np.uint64(10000) + (word >> np.uint64(32))
    word &= np.uint64(0xFFFFFFFF)
    return word


def _one_by_one(text: Bytes, start: Rows, end: Rows, rows: Rows, value: Floats) -> Rows:
    """Read the given numbers with float() into ``value`` and return those that are none."""
    bad = []
    for row, left, right in zip(rows.tolist(), start[rows].tolist(), end[rows].tolist(), strict=True):
        field = text[left:right].tobytes()
        number = float(field) if re.fullmatch(_NUMBER, field) else math.nan
        if not math.isfinite(number):
            bad.append(row)
        # -0.0 and 0.0 are one score.
        value[row] = number + 0.0
    return np.array(bad, dtype=np.intp)


def quotient(number: Keys, decimals: int) -> Floats:
    """Return number / 10^decimals correctly rounded, or NaN where that would take a closer look.

    Numbers below 2^53 and powers up to 10^22 are exact, and one division rounds once. Larger numbers, below 10^19, get
    a first quotient and a correction by what it leaves over; undecided is only what lies almost halfway between two
    floats, and whatever has more decimals.

    >>> quotient(np.array([1, 17345600128173828], dtype=np.uint64), 15).tolist()
    [1e-15, 17.345600128173828]
    """
    value = number.astype(np.float64)
    if not decimals:
        return value
    if decimals > _EXACT:
        return np.full(len(number), np.nan)
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
