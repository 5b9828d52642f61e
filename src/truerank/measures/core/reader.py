"""Measures stated by how likely a reader goes on after each document, given what was found so far (C/W/L)."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.classes import dataclass
from truerank.expectation.gain_maps import Map, Scale, linear
from truerank.measures.core.base import Graded, ratio
from truerank.measures.core.parameters import number
from truerank.measures.core.whole import WholeRanking


@dataclass(frozen=True, kw_only=True, repr=False)
class Reader(WholeRanking, Graded):
    """Gain per document read: what the reader finds, over how many documents the reader looks at, both expected.

    Past the end of the list nothing is found, and the reader goes on as far as the measure says.
    """

    citation = "Moffat, Bailey, Scholer & Thomas 2017"
    scale: ClassVar[Scale] = staticmethod(linear)
    has_bounds = False
    sorts_ties = False
    needs_depth = True
    undefined_because = "without relevant documents, or with none to read"

    def __post_init__(self) -> None:
        super().__post_init__()
        for _, gain in self.own_gains:
            number("gains", gain, least=0, most=1)

    @abstractmethod
    def going_on(self, x: Floats, rank: Floats) -> Floats:
        """The chance of going on after each rank; ``x`` has a row an order, ``rank`` counts its columns."""

    @abstractmethod
    def rest(self, x: Floats) -> Floats:
        """How many documents past the list are read once it is at its end; one value a row of ``x``."""

    def value(self, grades: Floats, pool: Floats, gain: Map) -> Floats:
        """Gain found over documents read."""
        relevant = grades > 0
        x = np.where(relevant, gain(np.where(relevant, grades, 0.0)), 0.0)
        arrives = np.ones((len(x), x.shape[1] + 1))
        np.cumprod(self.going_on(x, np.arange(1.0, x.shape[1] + 1.0)), axis=-1, out=arrives[:, 1:])
        on_list, at_end = arrives[:, :-1], arrives[:, -1]
        beyond = np.zeros(len(x))
        np.multiply(at_end, self.rest(x), out=beyond, where=at_end > 0)
        return ratio((on_list * x).sum(axis=-1), on_list.sum(axis=-1) + beyond)

    def unseen(self, x: Floats) -> int:
        """Ranks down to the cutoff that the list does not reach."""
        return max((self.cutoff or 0) - int(x.shape[1]), 0)
