"""Ways to lay out the same array in memory, and what results are to the bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from truerank.data.arrays import Array


def strided(array: Array) -> Array:
    """Every other place of a larger array."""
    larger = np.repeat(array, 2, axis=-1)
    larger[..., 1::2] = 0
    return larger[..., ::2]


def backwards(array: Array) -> Array:
    """Stored from the last to the first, and read in reverse."""
    turn = (slice(None, None, -1),) * array.ndim
    return np.ascontiguousarray(array[turn])[turn]


def read_only(array: Array) -> Array:
    """Nobody may write there."""
    copy: Array = array.copy()
    copy.setflags(write=False)
    return copy


LAYOUTS: dict[str, Callable[[Array], Array]] = {
    "fortran": np.asfortranarray,
    "strided": strided,
    "backwards": backwards,
    "read-only": read_only,
}


def bits(value: Any) -> Any:
    """What a result is, to the last bit; -0.0 and 0.0 differ, NaN equals NaN."""
    if isinstance(value, np.ndarray):
        if value.dtype == np.object_:
            return value.tolist()
        return value.dtype.kind, value.shape, np.ascontiguousarray(value).tobytes()
    if isinstance(value, float):
        return np.float64(value).tobytes()
    if isinstance(value, tuple | list):
        return [bits(part) for part in value]
    if hasattr(value, "__dataclass_fields__"):
        return [(name, bits(getattr(value, name))) for name in value.__dataclass_fields__]
    return value
