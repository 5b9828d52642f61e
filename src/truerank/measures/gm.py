"""Geometric mean over topics."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.measures.ap import AP
from truerank.measures.core.base import Measure
from truerank.measures.core.parameters import positive
from truerank.measures.core.wrapped import Wrapped


@dataclass(frozen=True, kw_only=True, repr=False)
class GM(Wrapped):
    """The geometric mean over topics of another measure, so that the worst topics weigh most; GM alone is GMAP.

    The mean over the orders of ties is taken in each topic, the geometric mean after it. Values below ``floor`` count
    as ``floor``.

    >>> GM().aggregate(np.array([0.25, 1.0]), np.array([1, 1]))
    0.5
    """

    measure: Measure = AP()
    floor: float = 0.00001

    name = "GM"
    formula = "exp(mean over topics of log max(value, floor))"
    citation = "Robertson 2006"

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.measure, GM):
            raise InputError("GM takes a measure of topics, not a geometric mean over them; write GM(measure=AP)")
        positive("floor", self.floor)

    def aggregate(self, values: Floats, lengths: Rows) -> float:
        """The geometric mean."""
        if not len(values):
            return float("nan")
        return float(np.exp(self.averaged(values).sum() / len(values)))

    def averaged(self, values: Floats) -> Floats:
        """Logarithms."""
        logs: Floats = np.log(np.maximum(values, self.floor))
        return logs
