"""Normalised gain G."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.classes import dataclass
from truerank.data.rankings import row_sum
from truerank.measures.core.base import Graded
from truerank.measures.core.whole import Documents, Sparse


@dataclass(frozen=True, kw_only=True, repr=False)
class G(Sparse, Graded):
    """G: each gain discounted by how far the gain found so far is behind the ideal, over all gain there is.

    A rank at which the ideal has no gain left costs 1.

    >>> round(G().of([1, 0, 2]), 4)
    0.6309
    """

    name = "G"
    formula = "sum_{i<=k} gain_i / log2(2 + sum_{j<=i} (max(ideal_j, 1) - gain_j)) / sum of ideal"
    citation = "trec_eval G (experimental)"
    meets_bounds = False
    sorts_ties = False

    def over(self, d: Documents) -> Floats:
        """Gains discounted by what is missing."""
        # The ideal has at least 1 at every rank, also past its end.
        ahead = d.ideal(np.maximum(d.best, 1.0), d.rank) + np.maximum(d.rank - d.best.shape[1], 0)
        behind = ahead - np.cumsum(d.x, axis=-1)
        found = row_sum(d.x / np.log2(2.0 + np.maximum(behind, 0.0)))
        share: Floats = found / row_sum(d.best)
        return share
