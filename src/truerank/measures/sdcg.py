"""Scaled discounted cumulative gain."""

from __future__ import annotations

from typing import ClassVar

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.gain_maps import Scale, linear
from truerank.expectation.weights import Logarithmic, Weight, logarithms
from truerank.measures.cg import CG
from truerank.measures.rbp import RBP


@dataclass(frozen=True, kw_only=True, repr=False)
class SDCG(CG):
    """DCG over that of a list whose documents all have the highest grade: unlike nDCG, it does not ask what there is.

    >>> SDCG(cutoff=2).of([1, 1, 0]), round(SDCG(cutoff=2).of([0, 1, 0]), 4)
    (1.0, 0.3869)
    """

    name = "SDCG"
    formula = "sum_{i<=k} gain_i / log2(i + 1) / sum_{i<=k} 1 / log2(i + 1), gain = grade / max_rel"
    citation = "Järvelin & Kekäläinen 2002; Moffat, Bailey, Scholer & Thomas 2017"
    range = RBP.range
    scale: ClassVar[Scale] = staticmethod(linear)
    undefined_because = "without documents"
    needs_depth = True

    def weight(self) -> Weight:
        """The logarithmic discount."""
        return Logarithmic()

    def normaliser(self, r: Rankings, depth: Rows) -> Floats:
        """What the highest grade at every rank is worth."""
        return logarithms(r.reach(depth))

    def normaliser_name(self, k: str, relevant: str) -> str:
        """What that is called."""
        return "DCG of the highest grade at every rank"
