"""Ways to lay out the same array in memory, and what results are to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
from fuzz.differences.layouts import LAYOUTS as LAYOUTS


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
