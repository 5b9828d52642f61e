"""The price of measures with effort: each document costs e times the weight of its rank."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from truerank.data.errors import InputError
from truerank.data.rankings import ENDLESS
from truerank.expectation.weights import Flat, Geometric
from truerank.measures.effort import Effortful
from truerank.questions.calibrate.price import Balance, Price, Reach, reach

HITS = 100
"""Hits up to which it is asked what one more document is worth."""


@dataclass(frozen=True)
class EffortPrice(Price):
    """A hit brings its gain times the weight of its rank; silence scores 0.

    >>> from truerank.measures.effort import FlatU
    >>> EffortPrice(FlatU(e=0.05), 1.0).pays_for()
    Reach(last=20, equal=True, exact=20.0, at_least=False)
    """

    measure: Effortful
    gain: float
    """What the hit is worth on the measure's scale."""

    parameter = "e"

    def __post_init__(self) -> None:
        if not self._weight(1) > 0:
            raise InputError(f"{self.measure} gives every list the score 0; choose another p")

    @property
    def value(self) -> float:
        """The effort."""
        return self.measure.e

    def first(self, length: int) -> Balance:
        """The gain at rank 1 against the effort of the whole list."""
        return Balance(self.gain * self._weight(1), self.value * self._read(length))

    def lone(self, rank: int) -> Balance:
        """The gain at the rank against the effort of getting there."""
        return Balance(self.gain * self._weight(rank), self.value * self._read(rank))

    def for_first(self, length: int) -> float:
        """Gain over effort at e = 1."""
        return self.gain * self._weight(1) / self._read(length)

    def for_lone(self, rank: int) -> float:
        """Gain over effort at e = 1."""
        e = self.gain * self._weight(rank) / self._read(rank)
        if e == 0.0:
            raise InputError(f"{self.measure} gives rank {rank} no weight; choose a rank further up, or a larger p")
        return e

    def pays_for(self) -> Reach:
        """Any number of documents where all ranks together weigh too little to lose by."""
        every = self._every()
        if self.value == 0 or Balance(self.first(1).gain, self.value * every).sign >= 0:
            return Reach(math.inf)
        return self._reach(self.first, self._exact_first())

    def silence_at(self) -> Reach:
        """Every rank, where reading costs nothing."""
        return Reach(math.inf) if self.value == 0 else self._reach(self.lone, self._exact_lone())

    def chances(self) -> tuple[float, ...]:
        """The same after any number of hits, or more after each one where readers stop when satisfied."""
        left = 1.0 - self.gain
        worth = [self.gain * left**hits for hits in range(HITS if self.cascades else 1)]
        return tuple(min(self.value / x, 1.0) for x in worth if x > 0 and Balance(x, self.value).sign >= 0)

    @property
    def cascades(self) -> bool:
        """Whether each hit leaves less for the next one to bring."""
        return self.measure.reader_stops and self.value > 0

    def _weight(self, rank: int) -> float:
        return float(self.measure.weight().at(np.array([rank]))[0])

    def _read(self, length: int) -> float:
        """Weight of the ranks down to a length."""
        return float(self.measure.weight().sums(length)[0][length])

    def _every(self) -> float:
        whole = self.measure.weight().tail(np.array([0]), np.array([ENDLESS]))
        return math.inf if whole is None else float(whole[0])

    def _reach(self, balance: Callable[[int], Balance], exact: float | None) -> Reach:
        found = reach(balance, self.longest, exact=exact)
        return replace(found, at_least=found.last == self.longest)

    def _exact_first(self) -> float | None:
        weight = self.measure.weight()
        if isinstance(weight, Geometric) and weight.p > 0:
            return math.log1p(-self.gain * (1.0 - weight.p) / self.value) / math.log(weight.p)
        return self.gain / self.value if isinstance(weight, Flat) else None

    def _exact_lone(self) -> float | None:
        weight = self.measure.weight()
        if isinstance(weight, Geometric) and weight.p > 0:
            return math.log1p(self.gain * (1.0 - weight.p) / (weight.p * self.value)) / -math.log(weight.p)
        return self.gain / self.value if isinstance(weight, Flat) else None
