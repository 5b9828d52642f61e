"""Integers as the decimal text that ids consist of, many at once and four digits at a time."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Bytes, Ints, Keys
from truerank.data.ids import Ids
from truerank.data.parallel import blocks, parallel

_BLOCK = 1 << 16
_POWERS: Keys = np.array([10**n for n in range(1, 20)], dtype=np.uint64)


def decimal_ids(values: Ints) -> Ids:
    """Return integers as identifiers.

    >>> decimal_ids(np.array([7, -120345, 0])).tolist()
    [b'7', b'-120345', b'0']
    """
    size = len(values)
    negative = bool(size) and int(values.min()) < 0
    most = max(abs(int(values.max())), abs(int(values.min()))) if size else 0
    groups = -(-len(str(most)) // 4)
    width = groups + negative
    text = np.empty((size, width), dtype=np.uint32)
    start = np.empty(size, dtype=np.uint32 if text.nbytes < 1 << 32 else np.int64)
    length = np.empty(size, dtype=np.uint16)
    four = _four_digits()

    def write(block: slice) -> None:
        rest = values[block].astype(np.uint64)
        # The least integer is its own negative, except that here it has no sign.
        below = values[block] < 0 if negative else None
        if below is not None:
            rest[below] = -rest[below]
        digits = 1 + np.searchsorted(_POWERS, rest, side="right")
        rest = rest.astype(np.uint32) if most < 1 << 32 else rest
        for column in range(width - 1, width - 1 - groups, -1):
            higher = rest // 10_000
            text[block, column] = four.take(rest - higher * 10_000)
            rest = higher
        end = np.arange(block.start + 1, block.stop + 1) * (4 * width)
        if below is not None:
            signed = np.flatnonzero(below)
            text.view(np.uint8).ravel()[end[signed] - digits[signed] - 1] = ord("-")
            digits += below
        start[block] = end - digits
        length[block] = digits

    parallel(write, blocks(size, _BLOCK))
    buffer: Bytes = text.view(np.uint8).ravel()
    return Ids(buffer, start, length)


def _four_digits() -> Ints:
    """Return the text of 0000 to 9999, each in one word."""
    number = np.arange(10_000)
    digits = np.column_stack([number // 1000, number // 100 % 10, number // 10 % 10, number % 10]) + ord("0")
    words: Ints = digits.astype(np.uint8).view(np.uint32).ravel()
    return words
