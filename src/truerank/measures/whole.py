"""Measures that are functions of a whole ranking."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.rankings import Rankings
from truerank.expectation.opaque import Opaque
from truerank.measures.base import Estimate, Measure, Term
from truerank.measures.gains import Map


@dataclass(frozen=True, kw_only=True, repr=False)
class WholeRanking(Measure):
    """A measure whose value is a function of the whole ranking, not a sum whose mean over orders of ties is known."""

    takes_terminal = False

    @abstractmethod
    def value(self, grades: Floats, pool: Floats, gain: Map) -> Floats:
        """Value of each row of grades (NaN: unjudged), given the positive grades of the pool, descending, and the map.

        It is asked for topics with gain in the pool only; the others have no value.
        """

    def terms(self, r: Rankings) -> Iterable[Term]:
        """The function itself."""
        yield self._opaque(r)

    def estimate(self, r: Rankings) -> Estimate:
        """Value, and its standard error where orders of ties were sampled."""
        return Estimate(*self._opaque(r).estimate(r, self.depth(r)))

    def _opaque(self, r: Rankings) -> Opaque:
        gain = self.gain(r)

        def function(grades: Floats, pool: Floats) -> Floats:
            some = bool((gain(pool) > 0).any())
            return self.value(grades, pool, gain) if some else np.full(len(grades), np.nan)

        return Opaque(function)
