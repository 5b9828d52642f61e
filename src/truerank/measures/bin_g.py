"""Binary G."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.classes import dataclass
from truerank.data.rankings import row_sum
from truerank.measures.core.base import Binary
from truerank.measures.core.whole import Documents, Sparse


@dataclass(frozen=True, kw_only=True, repr=False)
class BinG(Sparse, Binary):
    """Binary G: each relevant document discounted by the non-relevant ones above it, averaged over all relevant ones.

    >>> round(BinG().of([1, 0, 1]), 4)
    0.8155
    """

    name = "BinG"
    formula = "1/R sum_{relevant i<=k} 1 / log2(2 + non-relevant documents above i)"
    citation = "trec_eval binG (experimental)"

    def over(self, d: Documents) -> Floats:
        """The discounted relevant documents."""
        found = row_sum(d.x / np.log2(2.0 + np.maximum(d.rank - np.cumsum(d.x, axis=-1), 0.0)))
        mean: Floats = found / row_sum(d.best)
        return mean
