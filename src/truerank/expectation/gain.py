"""Gain: a sum over ranks of weight times gain."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings, row_sum
from truerank.expectation.gain_maps import Quantity, check
from truerank.expectation.ranks import averaged, every_rank, picked, running
from truerank.expectation.term import Factors, Term
from truerank.expectation.weights import Weight, spread


@dataclass(frozen=True)
class Gain(Term):
    """The term w(i) x_i. A document's expected share is its gain times the mean weight of its possible ranks.

    >>> from truerank.expectation.gain_maps import Map, identity
    >>> from truerank.expectation.weights import Harmonic
    >>> Gain(Harmonic(), Map(identity)).total(Rankings.single([3, 0, 2]), np.array([[3]])).round(4).tolist()  # 3 + 2/3
    [3.6667]
    """

    weight: Weight
    gain: Quantity

    alone = True
    weighs_gains = True

    def __post_init__(self) -> None:
        check(self, gain=self.gain)

    @property
    def factorises(self) -> bool:
        """As gains do."""
        return self.gain.by_grade

    def worth(self, grade: float) -> float | None:
        """The gain, if it depends on the grade alone."""
        return self.gain.of_grade(grade) if self.gain.by_grade else None

    def total(self, r: Rankings, depth: Rows) -> Floats:
        """What all documents add, those past the end of the list included."""
        return row_sum(self.adds(r, depth)) + self.beyond(r, depth)

    def variance(self, r: Rankings, depth: Rows) -> Floats:
        """Of gains and weights in random pairs."""
        from truerank.expectation.variance import of_gains

        return of_gains(self.weight, self.gain.over(r), r, depth)

    def adds(self, r: Rankings, depth: Rows) -> Floats:
        """Gain by the mean weight of the ranks that a document may have."""
        return self._spread(self.gain.over(r), r, depth)

    def factors(self, r: Rankings, depth: Rows) -> Factors:
        """That weight."""
        weight = self._spread(np.ones(r.start.shape), r, depth)
        return Factors(gain=self.gain.over(r), factor=weight, named="weight", weight=weight)

    def beyond(self, r: Rankings, depth: Rows) -> Floats | float:
        """The gain there by the weight of all ranks past the list, where these have a sum."""
        gain = self.gain.beyond(r)
        tail = self._tail(r.length[:, None], depth) if gain else None
        return 0.0 if tail is None else gain * tail[:, 0]

    def steps(self, r: Rankings, deepest: int) -> Floats:
        """What each rank is expected to hold, by its weight."""
        return self.weight.apply(averaged(r, self.gain.over(r), deepest), every_rank(deepest))

    def terminal(self, r: Rankings, length: Rows, depth: Rows) -> Floats:
        """The share that was found by the weight of its rank or, where it ends the list for good, of all past it."""
        adds = self.gain.shares(r)
        found = picked(adds[:, -1:] + running(averaged(r, adds, int(length.max(initial=0)))), length)
        tail = self._tail(length, depth) if r.terminal == "tail" else None
        return self.weight.apply(found, length + 1) if tail is None else found * tail

    def _spread(self, x: Floats, r: Rankings, depth: Rows) -> Floats:
        shares = spread(self.weight, x, r, depth)
        tail = self._tail(r.length[:, None], depth) if r.terminal == "tail" else None
        if tail is not None:
            shares[:, -1:] = x[:, -1:] * tail
        return shares

    def _tail(self, length: Rows, depth: Rows) -> Floats | None:
        """Weight of the ranks past ``length`` down to ``depth``; None where these have no sum."""
        return self.weight.tail(length, np.maximum(depth, length))
