"""Inferred average precision."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from truerank.data.arrays import Floats, Rows, begins, offsets
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings, row_sum
from truerank.expectation.drawn import mean_reciprocals
from truerank.measures.core.base import Binary, Estimate, FoundRange, could_find, ratio
from truerank.measures.core.whole import Documents, Sparse

EPSILON = 0.00001


class _RankPrecisions(NamedTuple):
    """What relevant documents add to the sums of rows, rank by rank."""

    row: Rows
    rank: Rows
    precision: Floats


def _share(pooled: Floats, relevant: Floats, known: Floats) -> Floats:
    """Expected number of relevant documents among those of the pool, by the share of relevant among judged ones."""
    share: Floats = pooled * (relevant + EPSILON) / (known + 2 * EPSILON)
    return share


def _precision(rank: Rows, share: Floats) -> Floats:
    """Expected precision at the rank of a relevant document, of the expected number of relevant ones above it."""
    precision: Floats = (1.0 + np.where(rank > 1, share, 0.0)) / rank
    return precision


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
        precision = np.where(relevant, _precision(d.rank, _share(pooled, above, known)), 0.0)
        mean: Floats = row_sum(precision) / row_sum(d.best)
        return mean

    def estimate(self, r: Rankings) -> Estimate:
        """The mean over the orders of ties."""
        if not r.tied or r.ties != "expected":
            return super().estimate(r)
        found = self._precisions(r)
        total = np.bincount(found.row, found.precision, len(r.length))
        return Estimate(ratio(total, self._relevant(r)))

    def cuts(self, r: Rankings, longest: int) -> Floats | None:
        """Values of lists cut at every length: a cut loses what is found below it."""
        if not r.tied or r.ties != "expected":
            return super().cuts(r, longest)
        found = self._precisions(r)
        within = found.rank <= longest
        place = found.row[within] * (longest + 1) + found.rank[within]
        each = np.bincount(place, found.precision[within], len(r.length) * (longest + 1))
        total = each.reshape(len(r.length), longest + 1).cumsum(axis=-1)
        return ratio(total, np.broadcast_to(self._relevant(r)[:, None], total.shape))

    def _relevant(self, r: Rankings) -> Floats:
        """How many relevant documents there are, none to a depth of 0."""
        return could_find(row_sum(r.ideal(self.gain(r)))[:, None], r, self.depth(r), "")[:, 0]

    def _precisions(self, r: Rankings) -> _RankPrecisions:
        """What relevant documents add, over the orders of ties, at each rank where one may stand.

        Above a relevant document stand all groups above its own, and t of the M other documents of its group. k of the
        t are judged. On average a share p of the k is relevant, and a share q of the t - k others is in the pool,
        whatever k is. So the mean for a given k is a product of two linear functions of k over k + b. That is a linear
        function of k + b and of 1 / (k + b), and their means over k are known.
        """
        hit = (r.grade >= self.rel).astype(np.float64)
        other = ((r.grade >= 0) & (hit == 0)).astype(np.float64)
        unsampled = (r.grade < 0).astype(np.float64)
        reach = np.minimum(r.reach(self.depth(r))[:, 0], r.end)
        # A slot of each group that has a relevant document; r.grade has the slots of a group side by side.
        row, slot = np.nonzero((hit > 0) & (r.start <= reach[:, None]))
        first = np.flatnonzero(begins(r.start[row, slot], row))
        at = row[first], slot[first]
        start, size, hits = r.start[at], r.size[at], r.group_sum(hit)[at]
        hits_above, others_above, unsampled_above = (r.above(x)[at] for x in (hit, other, unsampled))
        judged = (hits + r.group_sum(other)[at]).astype(np.intp) - 1
        left, pooled = size - 1 - judged, r.group_sum(unsampled)[at]
        p = np.divide(hits - 1, judged, out=np.zeros(len(first)), where=judged > 0)
        q = np.divide(pooled, left, out=np.zeros(len(first)), where=left > 0)
        known = hits_above + others_above
        count = np.minimum(size, reach[at[0]] - start + 1)
        reciprocal = mean_reciprocals(size - 1, judged, known + 2 * EPSILON, count)
        group = np.repeat(np.arange(len(first)), count)
        t = np.arange(len(group)) - offsets(count)[:-1][group]
        # At k = -b the two functions are these.
        b = (known + 2 * EPSILON)[group]
        inside = (unsampled_above + q * known)[group] + q[group] * t - 2 * EPSILON * (1 - q[group])
        relevant = (hits_above - p * known)[group] + EPSILON * (1 - 2 * p[group])
        k = np.divide(t * judged[group], size[group] - 1, out=np.zeros(len(t)), where=size[group] > 1)
        share = (1 - q[group]) * (p[group] * (k + b) + relevant) + inside * (p[group] + relevant * reciprocal)
        # A document that is not tied has the bits that it has in a list without ties.
        alone = _share(known + unsampled_above, hits_above, known)
        share = np.where((size == 1)[group], alone[group], share)
        rank = start[group] + t
        return _RankPrecisions(row[first][group], rank, _precision(rank, share) * (hits / size)[group])

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
        low = ratio(row_sum(relevant * least) + found.smallest(least), (before + found.most)[:, 0])
        high = ratio(row_sum(relevant * best) + found.largest(best), (before + found.least)[:, 0])
        return low, np.minimum(high, 1.0)
