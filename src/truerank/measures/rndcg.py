"""nDCG averaged over the levels of gain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats
from truerank.measures.base import Graded
from truerank.measures.gains import Map
from truerank.measures.ndcg_rel import curves
from truerank.measures.whole import WholeRanking


@dataclass(frozen=True, kw_only=True, repr=False)
class RNDCG(WholeRanking, Graded):
    """nDCG where the ideal ranking goes from one gain to the next lower one, averaged; also at a longer list's end.

    >>> round(RNDCG().of([1, 0, 1, 0]), 4)
    0.7664
    """

    name = "RnDCG"
    formula = "mean of nDCG@c over the depths c at which the ideal gain falls, and over the list's end"
    citation = "trec_eval Rndcg (experimental)"
    takes_cutoff = False

    def value(self, grades: Floats, pool: Floats, gain: Map) -> Floats:
        """nDCG at each fall of the ideal gain."""
        x = np.where(grades > 0, gain(grades), 0.0)
        best = gain(pool)
        dcg, ideal = curves(x, best)
        falls = [int((best >= level).sum()) for level in np.unique(best[best > 0])]
        # The end counts where the list goes on for more than one document past the last one with gain.
        ends = [dcg[:, -1] / ideal[-1]] if x.shape[1] > max(falls) + 1 else []
        mean: Floats = np.mean([*(dcg[:, min(c, x.shape[1])] / ideal[c] for c in falls), *ends], axis=0)
        return mean
