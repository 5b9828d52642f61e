"""Discounted cumulative gain."""

from __future__ import annotations

from dataclasses import dataclass

from truerank.expectation.weight import Weight
from truerank.measures import gains
from truerank.measures.cg import CG
from truerank.measures.gains import Scale
from truerank.measures.parameters import one_of
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
        one_of("dcg", self.dcg, ("log2", "exp-log2"))

    def _scale(self) -> Scale:
        return super()._scale() if self.dcg == "log2" else gains.exponential

    def weight(self) -> Weight:
        """The logarithmic discount."""
        return Logarithmic()
