"""Intentwise rank-biased utility."""

from __future__ import annotations

from truerank.data.classes import dataclass
from truerank.expectation.weights import Geometric, Weight
from truerank.measures.core.parameters import number
from truerank.measures.err import ERR


@dataclass(frozen=True, kw_only=True, repr=False)
class IRBU(ERR):
    """RBU without effort: a reader who stops where satisfied and otherwise goes on with probability p.

    Sakai & Zeng's own form has p^i where this has (1 - p) p^(i-1): a constant factor.

    >>> round(IRBU(p=0.5, max_rel=1).of([1, 1]), 4)
    0.3125
    """

    p: float = 0.8

    name = "iRBU"
    formula = "(1 - p) sum_{i<=k} p^(i-1) Rel_i prod_{j<i} (1 - Rel_j), Rel = (2^grade - 1) / 2^max_rel"
    citation = "Sakai & Zeng 2019; Amigó, Spina & Carrillo-de-Albornoz 2018"

    def __post_init__(self) -> None:
        super().__post_init__()
        number("p", self.p, least=0, below=1)

    def weight(self) -> Weight:
        """The rate at which the reader arrives."""
        return Geometric(self.p)
