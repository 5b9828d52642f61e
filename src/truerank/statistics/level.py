"""Scores of systems that are level: they differ by rounding alone. Whatever orders systems by scores asks here."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Array, Floats, Mask

EQUAL = 1e-12
"""Scores that differ by no more differ by rounding only; scores above 1, by no more than this share of them."""


def level(scores: npt.ArrayLike, *, size: float | None = None, axis: int = -1) -> Floats:
    """The scores to order systems by: those that are level are the same number, the lowest of them.

    Scores are level where no step between neighbours is more than rounding. Rounding each by itself to some decimals
    would tear apart two that lie on both sides of where the digit changes, as 1/8192 does at the 12th. ``size`` is that
    of the numbers the scores were made of, where it is known; otherwise 1, or that of the largest score. NaN stays.

    >>> level([0.5, 0.1 + 0.2, 0.3, float("nan")]).tolist()
    [0.5, 0.3, 0.3, nan]
    """
    rows = np.moveaxis(np.asarray(scores, np.float64), axis, -1)
    order = rows.argsort(axis=-1, kind="stable")
    ascending = np.take_along_axis(rows, order, axis=-1)
    slack = EQUAL * (largest(rows, axis=-1) if size is None else size)
    begins = np.ones(rows.shape, np.bool_)
    # Not the difference, which two that are infinite do not have.
    begins[..., 1:] = ~(ascending[..., 1:] <= ascending[..., :-1] + slack)
    place = np.maximum.accumulate(np.where(begins, np.arange(rows.shape[-1]), 0), axis=-1)
    found = np.empty_like(rows)
    np.put_along_axis(found, order, np.take_along_axis(ascending, place, axis=-1), axis=-1)
    return np.moveaxis(found, -1, axis)


def above(one: npt.ArrayLike, other: npt.ArrayLike) -> Any:
    """Whether one score is above another by more than rounding; False where one is NaN.

    >>> above(0.1 + 0.2, 0.3), above([0.31, 3e15 + 1], [0.3, 3e15]).tolist()
    (False, [True, False])
    """
    first, second = np.broadcast_arrays(np.asarray(one, np.float64), np.asarray(other, np.float64))
    found: Mask = first > second + EQUAL * largest(np.stack([first, second]), axis=0)[0]
    return bool(found) if found.ndim == 0 else found


def largest(scores: Array, axis: int) -> Floats:
    """The size of the largest of the finite scores, and at least 1."""
    size = np.where(np.isfinite(scores), np.abs(scores), 0.0)
    found: Floats = size.max(axis=axis, keepdims=True, initial=1.0)
    return found
