"""nDCG averaged over relevant documents."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.classes import dataclass
from truerank.data.rankings import row_sum
from truerank.measures.core.base import Graded
from truerank.measures.core.whole import Documents, Sparse


@dataclass(frozen=True, kw_only=True, repr=False)
class NDCGRel(Sparse, Graded):
    """nDCG at the rank of each document with gain, averaged; one that is not found has the nDCG of the whole list.

    >>> round(NDCGRel().of([1, 0, 1]), 4)
    0.9599
    """

    name = "nDCGRel"
    formula = "1/R (sum_{gain_i > 0} nDCG@i + (R - found) nDCG)"
    citation = "trec_eval ndcg_rel (experimental)"
    takes_cutoff = False
    has_bounds = False

    def over(self, d: Documents) -> Floats:
        """nDCG at each document with gain."""
        x, ideal = d.x, discounted(d.best)
        found = x > 0
        dcg = np.cumsum(x / np.log2(d.rank + 1.0), axis=-1)
        ratios = row_sum(np.divide(dcg, d.ideal(ideal, d.rank), out=np.zeros(x.shape), where=found))
        relevant = (d.best > 0).sum(axis=-1)
        missing = np.maximum(relevant - found.sum(axis=-1), 0)
        whole = (dcg[:, -1] if x.shape[1] else 0.0) / row_sum(ideal)
        mean: Floats = (ratios + missing * whole) / relevant
        return mean


def discounted(gains: Floats) -> Floats:
    """Gains of the ranks from 1 on, by the logarithmic discount."""
    shares: Floats = gains / np.log2(np.arange(2.0, gains.shape[1] + 2.0))
    return shares
