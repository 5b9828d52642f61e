"""nDCG averaged over relevant documents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats
from truerank.measures.base import Graded
from truerank.measures.gains import Map
from truerank.measures.whole import WholeRanking


@dataclass(frozen=True, kw_only=True, repr=False)
class NDCGRel(WholeRanking, Graded):
    """nDCG at the rank of each document with gain, averaged; one that is not found has the nDCG of the whole list.

    >>> round(NDCGRel().of([1, 0, 1]), 4)
    0.9599
    """

    name = "nDCGRel"
    formula = "1/R (sum_{gain_i > 0} nDCG@i + (R - found) nDCG)"
    citation = "trec_eval ndcg_rel (experimental)"
    takes_cutoff = False

    def value(self, grades: Floats, pool: Floats, gain: Map) -> Floats:
        """nDCG at each document with gain."""
        x = np.where(grades > 0, gain(grades), 0.0)
        dcg, ideal = curves(x, gain(pool))
        found = x > 0
        ratios = np.where(found, dcg[:, 1:] / ideal[1 : x.shape[1] + 1], 0.0).sum(axis=-1)
        relevant = int((gain(pool) > 0).sum())
        missing = np.maximum(relevant - found.sum(axis=-1), 0)
        mean: Floats = (ratios + missing * dcg[:, -1] / ideal[-1]) / relevant
        return mean


def curves(x: Floats, best: Floats) -> tuple[Floats, Floats]:
    """DCG of each row and of the ideal ranking at every depth, from 0 to the longer of the two."""
    depth = max(x.shape[1], len(best))
    discount = np.log2(np.arange(2, depth + 2))
    dcg = np.zeros((len(x), x.shape[1] + 1))
    np.cumsum(x / discount[: x.shape[1]], axis=-1, out=dcg[:, 1:])
    ideal = np.zeros(depth + 1)
    np.cumsum(-np.sort(-best) / discount[: len(best)], out=ideal[1 : len(best) + 1])
    ideal[len(best) + 1 :] = ideal[len(best)]
    return dcg, ideal
