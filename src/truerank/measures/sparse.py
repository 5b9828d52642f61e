"""Measures of a whole ranking that only its judged documents add to."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import Rankings, gain_of
from truerank.measures.base import Estimate
from truerank.measures.gains import Map
from truerank.measures.whole import WholeRanking


class Documents(NamedTuple):
    """Documents of rankings, a row each, in the order of their ranks."""

    rank: Rows
    grade: Floats
    """NaN where unjudged; padding too."""
    length: Rows
    """Documents in each list."""
    best: Floats
    """Gains of the pool, descending, padded with 0."""
    gain: Map

    @property
    def x(self) -> Floats:
        """Gain of each document."""
        return gain_of(self.grade, self.gain)

    def ideal(self, gains: Floats, rank: Rows) -> Floats:
        """Sum of ``gains``, which belong to the ranks from 1 on, down to each rank."""
        running = np.zeros((len(gains), gains.shape[1] + 1))
        np.cumsum(gains, axis=-1, out=running[:, 1:])
        return np.take_along_axis(running, np.minimum(rank, gains.shape[1]), axis=-1)


@dataclass(frozen=True, kw_only=True, repr=False)
class Sparse(WholeRanking):
    """A measure of a whole ranking that unjudged documents only push judged ones down in.

    So rankings without ties are read all at once, from their judged documents; those with ties order by order.
    """

    @abstractmethod
    def over(self, d: Documents) -> Floats:
        """Value of each row, for topics with gain in the pool."""

    def value(self, grades: Floats, pool: Floats, gain: Map) -> Floats:
        """Value of each order of one topic."""
        rank = np.broadcast_to(np.arange(1, grades.shape[1] + 1), grades.shape)
        best = np.broadcast_to(-np.sort(-gain_of(pool, gain)), (len(grades), len(pool)))
        return self.over(Documents(rank, grades, np.full(len(grades), grades.shape[1]), best, gain))

    def estimate(self, r: Rankings) -> Estimate:
        """Value, and its standard error where orders of ties were sampled."""
        if r.tied:
            return super().estimate(r)
        gain, depth = self.gain(r), self.depth(r)
        grade = np.where(r.start <= depth, r.grade, np.nan)
        best = r.ideal(gain)
        some = np.flatnonzero((best > 0).any(axis=-1))
        length = np.minimum(r.reach(depth)[:, 0], r.end)
        value = np.full(len(grade), np.nan)
        value[some] = self.over(Documents(r.start[some], grade[some], length[some], best[some], gain))
        return Estimate(value)
