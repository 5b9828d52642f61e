"""ir_measures' Accuracy, which has no counterpart among ours."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.measures.core.base import Binary, ratio


@dataclass(frozen=True, kw_only=True, repr=False)
class RetrievedAccuracy(Binary):
    """The share of (relevant, non-relevant) pairs of retrieved documents in the right order.

    ``truerank.AUC`` also knows of relevant documents that were not retrieved.

    >>> RetrievedAccuracy().of([0, 1, 0, 1, 0], pool=[1, 1, 1])
    0.5
    """

    name = "AccuracyAsIrMeasures"
    formula = "1 - discordant pairs / (hits (n - hits))"
    is_sum = False
    takes_terminal = False
    undefined_because = "without a relevant document in the list, or without another one"
    undefined_counts_as = float("nan")

    def score(self, r: Rankings) -> Floats:
        """Pairs in the right order among all pairs, from the ranks of relevant documents, ties being broken."""
        depth = self.depth(r)
        hit = (r.grade >= self.rel) & (r.start <= depth)
        hits = hit.sum(axis=-1)
        others = np.minimum(r.length, depth[:, 0]) - hits
        above = np.where(hit, r.start - np.cumsum(hit, axis=-1), 0).sum(axis=-1)
        pairs = hits * others
        return ratio(pairs - above, pairs)
