"""F-measure at a depth."""

from __future__ import annotations

from collections.abc import Iterable

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.gain import Gain
from truerank.expectation.term import Term
from truerank.expectation.weights import Flat
from truerank.measures.core.base import Binary
from truerank.measures.core.parameters import number


@dataclass(frozen=True, kw_only=True, repr=False)
class F(Binary):
    """F-measure: the harmonic mean of precision and recall, recall weighted by beta squared.

    >>> F(cutoff=4).of([1, 0, 1, 0], pool=[1, 1, 1, 1])
    0.5
    """

    beta: float = 1.0

    name = "F"
    formula = "(1 + beta^2) hits@k / (k + beta^2 R)"
    citation = "van Rijsbergen 1979"

    def __post_init__(self) -> None:
        super().__post_init__()
        number("beta", self.beta, least=0)

    def terms(self, r: Rankings) -> Iterable[Term]:
        """Hits."""
        yield Gain(Flat(), (1.0 + float(self.beta) ** 2) * self.gain(r))

    def normaliser(self, r: Rankings, depth: Rows) -> Floats:
        """Depth and number of relevant documents, weighted."""
        return r.reach(depth) + float(self.beta) ** 2 * r.relevant(self.gain(r))

    def normaliser_name(self, k: str, relevant: str) -> str:
        """The same in letters."""
        return f"{k} + beta^2 {relevant}"
