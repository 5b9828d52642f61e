"""Interpolated precision averaged over recall levels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats
from truerank.measures.iprec import Interpolated
from truerank.measures.parameters import whole


@dataclass(frozen=True, kw_only=True, repr=False)
class IPrecAvg(Interpolated):
    """Mean interpolated precision over evenly spaced recall levels from 0 to 1, by default the classic eleven points.

    >>> round(IPrecAvg().of([1, 0, 1], pool=[1, 1]), 4)
    0.8485
    """

    points: int = 11

    name = "IPrecAvg"
    formula = "mean of IPrec over recall 0, .1, ..., 1"

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("points", self.points, least=2)

    def levels(self) -> Floats:
        """The recall levels looked at."""
        return np.linspace(0.0, 1.0, self.points)
