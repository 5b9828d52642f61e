"""Gains for documents of grade 0, which measures here do not know of: such documents get their gain for a grade."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.rankings import Rankings
from truerank.measures.core.base import Estimate
from truerank.measures.core.wrapped import Wrapped


@dataclass(frozen=True, kw_only=True, repr=False)
class Regraded(Wrapped):
    """A measure of grades that are replaced by gains, those of documents without relevance included.

    >>> from truerank.measures.ndcg import NDCG
    >>> round(Regraded(measure=NDCG(), gains=((0, 1.0),)).of([1, 0], pool=[1, 0]), 4)
    1.0
    """

    gains: tuple[tuple[float, float], ...] = ()

    name = "Regraded"
    formula = "the measure, with gains for grades"

    def estimate(self, r: Rankings) -> Estimate:
        """The measure of rankings whose grades are gains."""
        relevant = (r.pool > 0).sum(axis=-1)
        zeros = r.judged - relevant
        pool = np.concatenate([r.pool, np.zeros((len(r.pool), int(zeros.max(initial=0))))], axis=-1)
        judged = np.arange(pool.shape[1]) < (relevant + zeros)[:, None]
        grade, worth = r.grade.copy(), pool.copy()
        for named, value in self.gains:
            grade[r.grade == named] = value
            worth[(pool == named) & judged] = value
        return self.measure.estimate(replace(r, grade=grade, pool=-np.sort(-worth, axis=-1)))

    def score(self, r: Rankings) -> Floats:
        """One value a row."""
        return self.estimate(r).value
