"""nDCG averaged over the levels of gain."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats, distinct
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings, row_sum
from truerank.measures.core.base import FoundRange, Graded
from truerank.measures.core.whole import Documents, Sparse
from truerank.measures.ndcg_rel import discounted


@dataclass(frozen=True, kw_only=True, repr=False)
class RNDCG(Sparse, Graded):
    """nDCG where the ideal ranking goes from one gain to the next lower one, averaged; also at a longer list's end.

    >>> round(RNDCG().of([1, 0, 1, 0]), 4)
    0.7664
    """

    name = "RnDCG"
    formula = "mean of nDCG@c over the depths c at which the ideal gain falls, and over the list's end"
    citation = "trec_eval Rndcg (experimental)"
    meets_bounds = False
    takes_cutoff = False

    def outcomes(self, r: Rankings, found: FoundRange) -> tuple[Floats, Floats]:
        """Anything: where the ideal gain falls, and so what is averaged, changes with every judgment."""
        return np.zeros(len(r.length)), np.ones(len(r.length))

    def over(self, d: Documents) -> Floats:
        """nDCG at each fall of the ideal gain."""
        shares, ideal = d.x / np.log2(d.rank + 1.0), discounted(d.best)
        total, count = np.zeros(len(d.length)), np.zeros(len(d.length))
        for level in distinct(d.best[d.best > 0]):
            fall = (d.best >= level).sum(axis=-1, keepdims=True)
            falls = (d.best == level).any(axis=-1)
            dcg = row_sum(np.where(d.rank <= fall, shares, 0.0))
            total += np.where(falls, dcg / np.where(falls, d.ideal(ideal, fall)[:, 0], 1.0), 0.0)
            count += falls
        # The end counts where the list goes on for more than one document past the last one with gain.
        ends = d.length > (d.best > 0).sum(axis=-1) + 1
        mean: Floats = (total + ends * row_sum(shares) / row_sum(ideal)) / (count + ends)
        return mean
