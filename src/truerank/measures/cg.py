"""Cumulative gain."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.gain import Gain
from truerank.expectation.term import Term
from truerank.expectation.weights import Flat, Weight
from truerank.measures.core.base import Graded


@dataclass(frozen=True, kw_only=True, repr=False)
class CG(Graded):
    """Cumulative gain: the sum of gains, at any rank.

    >>> CG(cutoff=2).of([3, 0, 1])
    3.0
    """

    name = "CG"
    formula = "sum_{i<=k} gain_i"
    range = (0.0, np.inf)
    citation = "Järvelin & Kekäläinen 2002"

    def weight(self) -> Weight:
        """Every rank counts 1."""
        return Flat()

    def ideal_steps(self, best: Floats) -> Floats:
        """What each rank of a list with these gains adds."""
        return self.weight().apply(best, np.arange(1, best.shape[-1] + 1))

    def terms(self, r: Rankings) -> Iterable[Term]:
        """Gains by the weight of their ranks."""
        yield Gain(self.weight(), self.gain(r))
