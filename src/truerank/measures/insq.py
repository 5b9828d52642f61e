"""INSQ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from truerank.expectation.weight import Weight
from truerank.measures import gains
from truerank.measures.cg import CG
from truerank.measures.gains import Scale
from truerank.measures.parameters import positive
from truerank.measures.rbp import RBP
from truerank.measures.squares import InverseSquare


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
    scale: ClassVar[Scale] = staticmethod(gains.linear)

    def __post_init__(self) -> None:
        super().__post_init__()
        positive("T", self.T)

    def weight(self) -> Weight:
        """The rate at which the reader arrives."""
        return InverseSquare(float(self.T))
