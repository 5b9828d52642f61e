"""INSQ."""

from __future__ import annotations

from typing import ClassVar

from truerank.data.classes import dataclass
from truerank.expectation.gain_maps import Scale, linear
from truerank.expectation.weights import InverseSquare, Weight
from truerank.measures.cg import CG
from truerank.measures.core.parameters import positive
from truerank.measures.rbp import RBP


@dataclass(frozen=True, kw_only=True, repr=False)
class INSQ(CG):
    """Gain per document for a reader who wants T relevant documents, and goes on the more surely, the further down.

    >>> round(INSQ(T=1).of([1, 0, 1]), 4)
    0.4845
    """

    T: float = 1.0

    name = "INSQ"
    formula = "sum_{i<=k} gain_i w_i, w_i = 1/(i + 2T - 1)^2 over the sum of these, gain = grade / max_rel"
    citation = "Moffat, Scholer & Thomas 2012"
    range = RBP.range
    scale: ClassVar[Scale] = staticmethod(linear)

    def __post_init__(self) -> None:
        super().__post_init__()
        positive("T", self.T)

    def weight(self) -> Weight:
        """The rate at which the reader arrives."""
        return InverseSquare(float(self.T))
