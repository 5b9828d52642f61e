"""Where systems stand by their scores, ties included: what every correlation is computed from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Array, Floats, Rows
from truerank.data.errors import InputError


@dataclass(frozen=True, eq=False)
class Places:
    """For each system of each row (rows x systems), how many have a higher score and how many the same, itself too."""

    above: Rows
    tied: Rows

    @classmethod
    def of(cls, scores: Array) -> Places:
        """The places that scores (rows x systems) give; the highest comes first.

        >>> places = Places.of(np.array([[0.5, 0.9, 0.5]]))
        >>> places.above.tolist(), places.tied.tolist()
        ([[1, 0, 1]], [[2, 1, 2]])
        """
        rows, systems = scores.shape
        place = np.arange(systems)
        order = scores.argsort(axis=-1)[:, ::-1] + systems * np.arange(rows)[:, None]
        ordered = scores.ravel()[order]
        new = ordered[:, 1:] != ordered[:, :-1]
        first = np.zeros((rows, systems), np.int64)
        first[:, 1:] = np.maximum.accumulate(np.where(new, place[1:], 0), axis=-1)
        # A group ends where the next one begins, the last one with the systems.
        end = np.full((rows, systems), systems)
        end[:, :-1] = np.minimum.accumulate(np.where(new, place[1:], systems)[:, ::-1], axis=-1)[:, ::-1]
        above, tied = np.empty((2, rows, systems), np.int64)
        above.ravel()[order] = first
        tied.ravel()[order] = end - first
        return cls(above, tied)

    @property
    def ordered(self) -> Rows:
        """How many pairs of each row are not tied."""
        pairs: Rows = self.above.sum(axis=-1)
        return pairs


@dataclass(frozen=True, eq=False)
class Paired:
    """Two sets of scores for the same systems, as places; one row of either stands against every row of the other."""

    x: Places
    y: Places
    systems: int
    single: bool
    """Whether both are one ranking, so that the result is one number."""

    @classmethod
    def of(cls, x: npt.ArrayLike, y: npt.ArrayLike) -> Paired:
        """Take scores (systems, or rows x systems); refused where they are not of the same systems, or not numbers."""
        first, second = numbers(x), numbers(y)
        rows = [scores.shape[0] for scores in (first, second) if scores.ndim == 2]
        if first.shape[-1] != second.shape[-1] or len({*rows} - {1}) > 1:
            shapes = " and ".join(str(scores.shape) for scores in (first, second))
            raise InputError(f"scores have the shapes {shapes}; give as many systems, and as many rows, on both sides")
        return cls(
            Places.of(np.atleast_2d(first)), Places.of(np.atleast_2d(second)), int(first.shape[-1]), single=not rows
        )

    def given(self, values: Floats) -> Any:
        """Results in the shape of what they are about: a float for two rankings, otherwise one number a row."""
        return float(values[0]) if self.single else values

    def undefined(self) -> Any:
        """NaN, where there are fewer than two systems to compare."""
        return self.given(np.full(max(len(self.x.above), len(self.y.above)), np.nan))


def numbers(scores: npt.ArrayLike) -> Array:
    """Scores as an array that can be sorted; refused where one is no number.

    >>> numbers([1, 2]).tolist()
    [1, 2]
    """
    try:
        values = np.asarray(scores)
        if values.dtype.kind not in "biuf":
            values = values.astype(np.float64) if values.dtype.kind == "O" else np.empty(())
    except (TypeError, ValueError):
        values = np.empty(())
    if values.ndim not in (1, 2):
        raise InputError("scores are not rows of numbers; give one number a system, or one row of them a ranking")
    if values.dtype.kind == "f" and np.isnan(values).any():
        place = ", ".join(map(str, np.argwhere(np.isnan(values))[0].tolist()))
        raise InputError(f"the score at {place} is NaN, which has no place in a ranking; leave that system out")
    return values


def quotient(numerator: Array, denominator: Array) -> Floats:
    """Divide; NaN where the denominator is 0, since the coefficient is undefined there."""
    numerator, denominator = np.broadcast_arrays(numerator, denominator)
    undefined: Floats = np.full(numerator.shape, np.nan)
    return np.divide(numerator, denominator, out=undefined, where=denominator != 0)
