"""Normalised gain G."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats
from truerank.measures.base import Graded
from truerank.measures.gains import Map
from truerank.measures.whole import WholeRanking


@dataclass(frozen=True, kw_only=True, repr=False)
class G(WholeRanking, Graded):
    """G: each gain discounted by how far the gain found so far is behind the ideal, over all gain there is.

    A rank at which the ideal has no gain left costs 1.

    >>> round(G().of([1, 0, 2]), 4)
    0.6309
    """

    name = "G"
    formula = "sum_{i<=k} gain_i / log2(2 + sum_{j<=i} (max(ideal_j, 1) - gain_j)) / sum of ideal"
    citation = "trec_eval G (experimental)"
    sorts_ties = False

    def value(self, grades: Floats, pool: Floats, gain: Map) -> Floats:
        """Gains discounted by what is missing."""
        x = np.where(grades > 0, gain(grades), 0.0)
        best = -np.sort(-gain(pool))
        ideal = np.zeros(x.shape[1])
        ideal[: len(best)] = best[: x.shape[1]]
        behind = np.cumsum(np.maximum(ideal, 1.0)) - np.cumsum(x, axis=-1)
        found = (x / np.log2(2.0 + np.maximum(behind, 0.0))).sum(axis=-1)
        share: Floats = found / best.sum()
        return share
