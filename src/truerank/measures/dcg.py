"""Discounted cumulative gain."""

from __future__ import annotations

from truerank.data.classes import dataclass
from truerank.expectation.gain_maps import Scale, exponential
from truerank.expectation.weights import Logarithmic, Weight
from truerank.measures.cg import CG
from truerank.measures.core.parameters import one_of


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
        return super()._scale() if self.dcg == "log2" else exponential

    def weight(self) -> Weight:
        """The logarithmic discount."""
        return Logarithmic()
