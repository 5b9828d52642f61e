"""Measures that are functions of a whole ranking."""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings, gain_of
from truerank.expectation.gain_maps import Map
from truerank.expectation.opaque import Opaque
from truerank.measures.core.base import Estimate, Measure, Scaled


@dataclass(frozen=True, kw_only=True, repr=False)
class WholeRanking(Measure):
    """A measure whose value is a function of the whole ranking, not a sum whose mean over orders of ties is known."""

    is_sum = False
    by_order = True
    reads_orders = True
    takes_terminal = False

    @abstractmethod
    def value(self, grades: Floats, pool: Floats, gain: Map) -> Floats:
        """Value of each row of grades (NaN: unjudged), given the positive grades of the pool, descending, and the map.

        It is asked for topics with gain in the pool only; the others have no value.
        """

    def opaque(self, r: Rankings) -> Opaque:
        """The function, with what it needs to know of the rankings."""
        gain = self.gain(r)

        def function(grades: Floats, pool: Floats) -> Floats:
            some = bool((gain(pool) > 0).any())
            return self.value(grades, pool, gain) if some else np.full(len(grades), np.nan)

        return Opaque(function)

    def score(self, r: Rankings) -> Floats:
        """The mean over the orders of ties."""
        return self.estimate(r).value

    def estimate(self, r: Rankings) -> Estimate:
        """Value, and its standard error where orders of ties were sampled."""
        return Estimate(*self.opaque(r).estimate(r, self.depth(r)))

    def cuts(self, r: Rankings, longest: int) -> Floats | None:
        """Values of lists cut at every length, from the same orders of ties."""
        return self.opaque(r).cuts(r, self.depth(r), longest)

    def explicit(self, grades: Floats, pool: Floats, r: Scaled) -> Floats:
        """Values of rankings of one length and pool, as if they were orders of ties."""
        gain = self.gain(r)
        some = bool((gain_of(pool, gain) > 0).any())
        return self.value(grades, pool, gain) if some else np.full(len(grades), np.nan)


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

    reads_orders = False

    @abstractmethod
    def over(self, d: Documents) -> Floats:
        """Value of each row, for topics with gain in the pool."""

    def value(self, grades: Floats, pool: Floats, gain: Map) -> Floats:
        """Value of each order of one topic."""
        rank = np.broadcast_to(np.arange(1, grades.shape[1] + 1), grades.shape)
        best = np.broadcast_to(-np.sort(-gain_of(pool, gain)), (len(grades), len(pool)))
        return self._over(Documents(rank, grades, np.full(len(grades), grades.shape[1]), best, gain))

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
        value[some] = self._over(Documents(r.start[some], grade[some], length[some], best[some], gain))
        return Estimate(value)

    def _over(self, d: Documents) -> Floats:
        # As in ``ratio``: gains of unjudged documents may be any number of times those of the ideal ranking.
        with np.errstate(over="ignore"):
            return self.over(d)
