"""Inferred average precision."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.rankings import row_sum
from truerank.measures.core.base import Binary
from truerank.measures.core.whole import Documents, Sparse

EPSILON = 0.00001


@dataclass(frozen=True, kw_only=True, repr=False)
class InfAP(Sparse, Binary):
    """Average precision estimated from a sample of judgments.

    A negative grade marks a document of the pool that was not sampled; documents without a row were not in the pool
    and count as not relevant.

    >>> round(InfAP().of([1, -1, 0, 1]), 4)
    0.8125
    """

    name = "infAP"
    formula = "1/R sum_{relevant i} (1/i + (i-1)/i * pooled above/(i-1) * (rel above + eps)/(judged above + 2 eps))"
    citation = "Yilmaz & Aslam 2006"
    sorts_ties = False
    skips_unjudged = True
    negative_unsampled = True

    def over(self, d: Documents) -> Floats:
        """The estimate from the judged documents above each relevant one."""
        relevant = d.grade >= self.rel
        above: Floats = np.cumsum(relevant, axis=-1) - relevant
        known = above + np.cumsum((d.grade >= 0) & ~relevant, axis=-1)
        pooled = known + np.cumsum(d.grade < 0, axis=-1)
        share = pooled * (above + EPSILON) / (known + 2 * EPSILON)
        precision = np.where(relevant, (1.0 + np.where(d.rank > 1, share, 0.0)) / d.rank, 0.0)
        mean: Floats = row_sum(precision) / row_sum(d.best)
        return mean
