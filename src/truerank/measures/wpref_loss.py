"""Preference loss, weighted to the top."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings, row_sum
from truerank.expectation.gain import Gain
from truerank.expectation.pair import Pair
from truerank.expectation.weights import Logarithmic, looked_up
from truerank.measures.core.base import Scaled, ratio
from truerank.measures.core.parts import Divisor, Parts
from truerank.measures.pref_loss import BelowGrade, OfGrade, PairLoss, every_pair

_WEIGHT = Logarithmic()


@dataclass(frozen=True, kw_only=True, repr=False)
class WPrefLoss(PairLoss):
    """Preferences that the ranking violates, each weighted by the rank at which its worse document stands.

    Lower is better. A violated preference costs 1/log2(1 + rank) of the document that stands above and should not, so
    that the wrong document at rank 1 costs more than one at rank 18. The sum is over the most that the judgments could
    cost: each document as often as it was found worse, those with most on top. With grades, or preferences that are a
    complete order, that is the order turned around, and 1. Preferences are those of PrefLoss: incomplete, repeated and
    in circles as they may be. Documents that were not retrieved follow the list in any order.

    >>> WPrefLoss().of([0, 2, 1])  # 2 of at most 2 + 1/log2(3)
    0.7601875334318685
    """

    name = "WPrefLoss"
    formula = "sum of 1/log2(1 + rank of the worse document) over pairs with it above the better / the most possible"
    citation = "after Carterette & Bennett 2008"

    def score(self, r: Rankings) -> Floats:
        """What violated pairs cost, of the most that they could."""
        if r.pairs is not None:
            row, each = r.pairs[:, 0], self._costs(r, r.pairs)
            # Added up by size: the same bits in whatever order the judgments came.
            by_size = np.lexsort((each, row))
            given = np.bincount(row[by_size], each[by_size], len(r.length))
            return ratio(given, self._most(r))
        cost = np.zeros(len(r.length))
        # The pairs of a document with the better ones below it are those with all that there are, but for those above.
        for level in np.unique(r.pool[r.pool > 0]).tolist():
            below = BelowGrade(level)
            every = (r.pool == level).sum(axis=-1)
            cost += every * Gain(_WEIGHT, below).total(r, self.depth(r))
            cost -= Pair(_WEIGHT, below, OfGrade(level)).total(r, self.depth(r))
        most = self._most(r)
        # A difference of sums, which rounding may take past either end.
        return ratio(np.clip(cost + self._missing(r), 0.0, most), most)

    def merit(self, grade: Floats, r: Scaled) -> Floats:
        """Higher grades first; an unjudged document on top takes a bad rank away from a judged one."""
        return np.where(np.isnan(grade), np.inf, grade.clip(min=0.0))

    def _missing(self, r: Rankings) -> Floats:
        """What pairs cost of which neither document was retrieved."""
        judged = (r.judged - (r.pool > 0).sum(axis=-1)).astype(np.float64)
        absent = judged - (r.is_judged & (r.grade <= 0)).sum(axis=-1)
        pairs = np.zeros(len(judged))
        for level in np.unique(r.pool[r.pool > 0]):
            missing = (r.pool == level).sum(axis=-1) - (r.grade == level).sum(axis=-1)
            pairs += missing * absent
            absent = absent + missing
        first, last = r.length + 1, r.length + absent.astype(np.intp)
        return pairs * _either_first(first, last)

    def _most(self, r: Rankings) -> Floats:
        """The most that pairs could cost: documents by how often they are worse than others, most often first."""
        if r.lost is not None:
            return row_sum(r.lost * looked_up(_WEIGHT, np.arange(1, r.lost.shape[1] + 1)))
        above = (r.pool > 0).sum(axis=-1)
        sums, _ = _WEIGHT.sums(int(r.judged.max(initial=1)))
        last = r.judged - above
        cost: Floats = (sums[last] * above).astype(np.float64)
        for level in np.unique(r.pool[r.pool > 0]):
            here = (r.pool == level).sum(axis=-1)
            above = above - here
            cost += ((sums[last + here] - sums[last]) * above).astype(np.float64)
            last = last + here
        return cost

    def _costs(self, r: Rankings, pairs: Rows) -> Floats:
        """What each preference costs, on average over the orders of ties; in their best and worst, bounds of that.

        Two tied documents may stand in either order and anywhere in their group. Of a preference that is violated in
        every order, only the rank is open.
        """
        row, better, worse = pairs.T
        # Slot -1, a document that was not retrieved, is then the last one: those follow the list, tied.
        retrieved = r.is_judged if r.pairs is None else r.judgment >= 0
        missing = np.maximum(r.judged - retrieved.sum(axis=-1), 2)
        start, stop = (np.column_stack([ranks, r.length + past]) for ranks, past in ((r.start, 1), (r.stop, missing)))
        first, last, other = start[row, worse], stop[row, worse], start[row, better]
        mean, half = _mean(first, last), _either_first(first, last)
        if r.ties in ("best", "worst"):
            best, listed = r.ties == "best", first <= r.length[row]
            mean = np.where(listed, looked_up(_WEIGHT, last if best else first), mean)
            half = np.where(listed, 0.0 if best else looked_up(_WEIGHT, first), half)
        return np.where(first < other, mean, np.where(first == other, half, 0.0))

    def parts(self, r: Rankings) -> Parts:
        """A sum over documents that stand above better ones: what each of these pairs costs."""
        pairs = every_pair(r) if r.pairs is None else r.pairs
        slots = r.start.shape[1]
        most = float(self._most(r)[0])
        if not len(pairs):
            return Parts(how="sum", contribution=np.zeros(slots), gain=np.zeros(slots), start=np.nan)
        cost = np.bincount(pairs[:, 2] % (slots + 1), self._costs(r, pairs), slots + 1)
        count = np.bincount(pairs[:, 2] % (slots + 1), minlength=slots + 1).astype(np.float64)
        return Parts(
            how="sum",
            contribution=cost[:-1] / most,
            gain=count[:-1],
            factor=np.divide(cost, count, out=np.full(slots + 1, np.nan), where=count > 0)[:-1],
            named="cost",
            rest=float(cost[-1] / most),
            divisor=Divisor("most", most),
        )


def _mean(first: Rows, last: Rows) -> Floats:
    """The mean weight of ranks that documents share."""
    sums, _ = _WEIGHT.sums(int(last.max(initial=1)))
    mean: Floats = ((sums[last] - sums[first - 1]) / (last - first + 1)).astype(np.float64)
    return mean


def _either_first(first: Rows, last: Rows) -> Floats:
    """The expected weight of the rank of one of two documents that share ranks, where it is above the other; else 0.

    It is at rank i with the other one below in (last - i) of the size (size - 1) ways to place the two.
    """
    sums, moments = _WEIGHT.sums(int(last.max(initial=1)))
    size = np.maximum(last - first + 1, 2)
    total = last * (sums[last] - sums[first - 1]) - (moments[last] - moments[first - 1])
    half: Floats = (total / (size * (size - 1))).astype(np.float64)
    return half
