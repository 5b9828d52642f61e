"""Lengths in bins that grow twofold, as Amigó, Mizzaro & Spina (2022) have them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows

_FIRST = 4
"""The end of the first bin past the empty list: 1-2 and 3-4 are one."""


@dataclass(frozen=True)
class Bin:
    """Lengths from one to another, both included.

    >>> [str(one) for one in bins(20)], str(Bin(3, 3))
    (['empty', '1-4', '5-8', '9-16', '17-32'], '3')
    """

    low: int
    high: int

    def __str__(self) -> str:
        if self.low == self.high:
            return str(self.low) if self.low else "empty"
        return f"{self.low}-{self.high}"


def bins(longest: int) -> tuple[Bin, ...]:
    """The empty list, 1 to 4, 5 to 8, 9 to 16, ... as far as the longest list goes."""
    found = [Bin(0, 0), Bin(1, _FIRST)]
    while found[-1].high < longest:
        found.append(Bin(found[-1].high + 1, 2 * found[-1].high))
    return tuple(found)


def counts(lengths: Rows, among: tuple[Bin, ...]) -> Rows:
    """How many lengths are in each bin; the last bin has all that are longer.

    >>> counts(np.array([0, 3, 4, 99]), bins(10)).tolist()
    [1, 2, 0, 1]
    """
    place = np.searchsorted([one.high for one in among], lengths)
    return np.bincount(np.minimum(place, len(among) - 1), minlength=len(among))


def shares(lengths: Rows, among: tuple[Bin, ...]) -> Floats:
    """Share of the lengths in each bin; NaN where there are none."""
    return counts(lengths, among) / len(lengths) if len(lengths) else np.full(len(among), np.nan)
