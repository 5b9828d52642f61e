"""Effort: what reading the list costs, whatever is in it."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.ranks import every_rank
from truerank.expectation.term import Factors, Term
from truerank.expectation.weights import Weight, spread


@dataclass(frozen=True)
class Effort(Term):
    """The term -e w(i) for each document of the list; it does not depend on the order.

    >>> from truerank.expectation.weights import Flat
    >>> Effort(Flat(), 0.25).total(Rankings.single([1, 0, 1]), np.array([[2]])).tolist()
    [-0.5]
    """

    weight: Weight
    e: float

    alone = True

    @property
    def ends_by(self) -> str:
        """The cost; a negative one counts documents."""
        return "effort" if self.e >= 0 else ""

    @property
    def factorises(self) -> bool:
        """It asks for no grades."""
        return True

    def total(self, r: Rankings, depth: Rows) -> Floats:
        """All that is read costs."""
        return -self.e * self._weight(r)[np.minimum(r.length, depth[:, 0])]

    def variance(self, r: Rankings, depth: Rows) -> Floats:
        """None: the order does not matter."""
        return np.zeros(len(r.length))

    def adds(self, r: Rankings, depth: Rows) -> Floats:
        """Each document of the list its cost."""
        return -self._costs(r, depth)

    def factors(self, r: Rankings, depth: Rows) -> Factors:
        """The cost."""
        return Factors(cost=self._costs(r, depth))

    def credit(self, r: Rankings, depth: Rows) -> Floats:
        """No document is to blame for the length of the list."""
        return np.zeros(r.start.shape)

    def steps(self, r: Rankings, deepest: int) -> Floats:
        """The cost of each rank down to the end of the list."""
        rank = np.broadcast_to(every_rank(deepest), (len(r.length), deepest))
        return np.where(rank <= r.length[:, None], self.weight.apply(np.full(rank.shape, -self.e), rank), 0.0)

    def curve(self, r: Rankings, deepest: int) -> Floats:
        """The cost of reading down to every depth."""
        return -self.e * self._weight(r)[np.minimum(r.length[:, None], np.arange(deepest + 1))]

    def terminal(self, r: Rankings, length: Rows, depth: Rows) -> Floats:
        """The document that ends a list takes no reading."""
        return np.zeros((1, 1))

    def _weight(self, r: Rankings) -> Floats:
        """Weight of all ranks down to every length that a list has."""
        sums, _ = self.weight.sums(int(r.length.max(initial=0)))
        return sums.astype(np.float64)

    def _costs(self, r: Rankings, depth: Rows) -> Floats:
        return self.e * spread(self.weight, np.ones(r.start.shape), r, np.minimum(depth, r.length[:, None]))
