"""Binary G."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats
from truerank.measures.base import Binary
from truerank.measures.gains import Map
from truerank.measures.whole import WholeRanking


@dataclass(frozen=True, kw_only=True, repr=False)
class BinG(WholeRanking, Binary):
    """Binary G: each relevant document discounted by the non-relevant ones above it, averaged over all relevant ones.

    >>> round(BinG().of([1, 0, 1]), 4)
    0.8155
    """

    name = "BinG"
    formula = "1/R sum_{relevant i<=k} 1 / log2(2 + non-relevant documents above i)"
    citation = "trec_eval binG (experimental)"

    def value(self, grades: Floats, pool: Floats, gain: Map) -> Floats:
        """The discounted relevant documents."""
        hit = gain(grades)
        found = (hit / np.log2(2.0 + np.cumsum(1.0 - hit, axis=-1))).sum(axis=-1)
        mean: Floats = found / gain(pool).sum()
        return mean
