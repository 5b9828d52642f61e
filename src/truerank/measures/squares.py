"""Inverse squares: the weights of a reader who goes on the more surely, the further down."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import ENDLESS
from truerank.expectation.weight import Weight

_SHIFT = 16
"""Terms that are added up one by one, so that the rest is far out, where its expansion is exact."""


def inverse_squares(a: Floats) -> Floats:
    """1/a^2 + 1/(a + 1)^2 + ..., for ever on.

    >>> bool(abs(inverse_squares(np.array([1.0]))[0] - np.pi**2 / 6) < 1e-15)
    True
    """
    far = a + _SHIFT
    first = sum((1.0 / (a + term) ** 2 for term in reversed(range(_SHIFT))), np.zeros_like(a))
    y = 1.0 / far**2
    rest: Floats = 1.0 / far + y / 2 + y / far * (1 / 6 - y * (1 / 30 - y * (1 / 42 - y * (1 / 30 - y * 5 / 66))))
    return first + rest


@dataclass(frozen=True)
class InverseSquare(Weight):
    """1/(i + 2T - 1)^2, scaled so that all ranks together weigh 1."""

    T: float

    def at(self, rank: Rows) -> Floats:
        """Weight of each rank."""
        place = rank.astype(np.float64) + (2.0 * self.T - 1.0)
        weight: Floats = 1.0 / place**2 / self._whole()
        return weight

    def tail(self, after: Rows, until: Rows) -> Floats | None:
        """Weight of the ranks past ``after`` up to ``until``."""
        endless = until == ENDLESS
        last = np.where(endless, 0, until).astype(np.float64)
        rest = np.where(endless, 0.0, inverse_squares(last + 2.0 * self.T))
        return (inverse_squares(after.astype(np.float64) + 2.0 * self.T) - rest) / self._whole()

    def _whole(self) -> float:
        return float(inverse_squares(np.array([2.0 * self.T]))[0])
