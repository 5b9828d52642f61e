"""INST."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.classes import dataclass
from truerank.expectation.weights import inverse_squares
from truerank.measures.core.parameters import number
from truerank.measures.core.reader import Reader


@dataclass(frozen=True, kw_only=True, repr=False)
class INST(Reader):
    """Gain per document for a reader who wants T relevant documents, and goes on the less, the more were found.

    >>> round(INST(T=1).of([1, 0, 1]), 4)
    0.7231
    """

    T: float = 1.0

    name = "INST"
    formula = "sum gain_i w_i, w_(i+1)/w_i = ((i - 1 + T + T_i)/(i + T + T_i))^2, T_i = T - sum_{j<=i} gain_j"
    citation = "Moffat, Bailey, Scholer & Thomas 2015"
    takes_cutoff = False

    def __post_init__(self) -> None:
        super().__post_init__()
        number("T", self.T, least=0.5)

    def going_on(self, x: Floats, rank: Floats) -> Floats:
        """By what is still wanted."""
        wanted = rank + 2.0 * self.T - np.cumsum(x, axis=-1)
        chance: Floats = ((wanted - 1.0) / wanted) ** 2
        return chance

    def rest(self, x: Floats) -> Floats:
        """Where nothing more is found, chances are those of inverse squares."""
        wanted = x.shape[1] + 2.0 * self.T - x.sum(axis=-1)
        read: Floats = wanted**2 * inverse_squares(wanted)
        return read
