"""Inferred average precision."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.rankings import Rankings, row_sum
from truerank.measures.core.base import Binary, FoundRange, ratio
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
    needs_depth = True
    skips_unjudged = True
    negative_unsampled = True
    meets_bounds = False

    def over(self, d: Documents) -> Floats:
        """The estimate from the judged documents above each relevant one."""
        if self.cutoff == 0:
            return np.full(len(d.grade), np.nan)
        relevant = d.grade >= self.rel
        above: Floats = np.cumsum(relevant, axis=-1) - relevant
        known = above + np.cumsum((d.grade >= 0) & ~relevant, axis=-1)
        pooled = known + np.cumsum(d.grade < 0, axis=-1)
        share = pooled * (above + EPSILON) / (known + 2 * EPSILON)
        precision = np.where(relevant, (1.0 + np.where(d.rank > 1, share, 0.0)) / d.rank, 0.0)
        mean: Floats = row_sum(precision) / row_sum(d.best)
        return mean

    def outcomes(self, r: Rankings, found: FoundRange) -> tuple[Floats, Floats]:
        """At least what is known to be relevant above, at most all but what is known not to be."""
        relevant = (r.grade >= self.rel).astype(np.float64)
        others = ((r.grade >= 0) & ~found.open & (relevant == 0)).astype(np.float64)
        open_ = found.open.astype(np.float64)
        before = (r.pool >= self.rel).sum(axis=-1, keepdims=True)
        above = r.above(relevant)
        with_mates = above + r.group_sum(relevant) - relevant
        hits = with_mates + np.minimum(r.above(open_) + r.group_sum(open_), found.most_listed)
        share = (hits + EPSILON) / (hits + r.above(others) + 2 * EPSILON)
        depth = self.depth(r)
        best = (r.start <= depth) * (1.0 + (r.start - 1) * share) / r.start
        least = (r.stop <= depth) * (1.0 + above * (above + EPSILON) / (above + 2 * EPSILON)) / r.stop
        low = ratio((relevant * least).sum(axis=-1) + found.smallest(least), (before + found.most)[:, 0])
        high = ratio((relevant * best).sum(axis=-1) + found.largest(best), (before + found.least)[:, 0])
        return low, np.minimum(high, 1.0)
