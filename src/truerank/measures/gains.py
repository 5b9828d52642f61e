"""Gain maps: from the grade of a relevant document to what it is worth. ``top`` is the highest grade there is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats

Scale = Callable[[Floats, float], Floats]
_STEEP = 1000.0
"""Highest grade from which on 2^grade may be no number."""


def identity(grade: Floats, top: float) -> Floats:
    """The grade itself."""
    return grade


def exponential(grade: Floats, top: float) -> Floats:
    """2^grade - 1.

    >>> exponential(np.array([1.0, 3.0]), 3.0).tolist()
    [1.0, 7.0]
    """
    return np.exp2(grade) - 1.0


def linear(grade: Floats, top: float) -> Floats:
    """grade / top, so that the highest grade is worth 1."""
    return grade / top


def satisfaction(grade: Floats, top: float) -> Floats:
    """(2^grade - 1) / 2^top: the chance that the reader is satisfied (Chapelle et al., CIKM 2009).

    >>> satisfaction(np.array([1.0, 3.0]), 3.0).tolist(), satisfaction(np.array([1e9 - 1]), 1e9).tolist()
    ([0.125, 0.875], [0.5])
    """
    steep = top > _STEEP
    chance: Floats = np.exp2(grade - top) - np.exp2(-top) if steep else (np.exp2(grade) - 1.0) / np.exp2(top)
    return chance


@dataclass(frozen=True)
class Map:
    """A gain map: a scale, given the top grade; with ``level`` only grades from there on have a gain, all the same.

    Maps compare by value, so that measures with the same map share the gains of a ranking.

    >>> Map(identity, gains=((1.0, 3.0),))(np.array([1.0, 2.0])).tolist()
    [3.0, 2.0]
    """

    scale: Scale
    top: float = 1.0
    level: float | None = None
    gains: tuple[tuple[float, float], ...] = ()
    """Gains of one's own; grades not named here keep the gain of ``scale``."""

    def __call__(self, grade: Floats) -> Floats:
        """Gain of each grade."""
        grade = grade if self.level is None else (grade >= self.level).astype(np.float64)
        worth = self.scale(grade, self.top)
        for named, value in self.gains:
            worth = np.where(grade == named, value, worth)
        return worth


@dataclass(frozen=True)
class Hit:
    """1 where another map has a gain."""

    of: Map

    def __call__(self, grade: Floats) -> Floats:
        """1 or 0 for each grade."""
        return (self.of(grade) > 0).astype(np.float64)
