"""Discounted cumulative gain."""

from __future__ import annotations

from dataclasses import dataclass

from truerank.data.errors import InputError
from truerank.expectation.weight import Weight
from truerank.measures import gains
from truerank.measures.cg import CG
from truerank.measures.gains import Scale
from truerank.measures.weights import Logarithmic


@dataclass(frozen=True, kw_only=True, repr=False)
class DCG(CG):
    """Discounted cumulative gain. The gain is the grade, or 2^grade - 1 with ``dcg='exp-log2'``.

    >>> DCG().of([3, 0, 1])
    3.5
    """

    dcg: str = "log2"

    name = "DCG"
    formula = "sum_{i<=k} gain_i / log2(i + 1)"
    citation = "Järvelin & Kekäläinen 2002; Burges et al. 2005"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.dcg not in ("log2", "exp-log2"):
            raise InputError(f"{self.name} has dcg='log2' or 'exp-log2', not {self.dcg!r}")

    def _scale(self) -> Scale:
        return super()._scale() if self.dcg == "log2" else gains.exponential

    def weight(self) -> Weight:
        """The logarithmic discount."""
        return Logarithmic()
