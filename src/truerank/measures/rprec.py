"""R-precision, the break-even point."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Rows
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.measures.core.parameters import positive
from truerank.measures.r import R


@dataclass(frozen=True, kw_only=True, repr=False)
class Rprec(R):
    """Precision at R, the number of relevant documents; there precision and recall are equal: the break-even point.

    ``mult`` looks at that multiple of R instead, rounded up where more than a tenth is over.

    >>> Rprec().of([1, 0, 1], pool=[1, 1])
    0.5
    """

    mult: float = 1.0

    name = "Rprec"
    formula = "hits@R / R, mult: hits@c / c with c = floor(mult R + 0.9)"
    citation = "Buckley & Voorhees 2005"
    takes_cutoff = False

    def __post_init__(self) -> None:
        super().__post_init__()
        positive("mult", self.mult, most=1e6)

    def depth(self, r: Rankings) -> Rows:
        """The number of relevant documents, or a multiple of it."""
        relevant = r.relevant(self.gain(r))
        return relevant if self.mult == 1 else np.floor(self.mult * relevant + 0.9).astype(np.intp)

    def normaliser(self, r: Rankings, depth: Rows) -> Rows:
        """The depth, where there are relevant documents."""
        return np.where(r.relevant(self.gain(r)) > 0, depth, 0)

    def normaliser_name(self, k: str, relevant: str) -> str:
        """The same in letters."""
        return relevant if self.mult == 1 else "c"
