"""Recall at a depth."""

from __future__ import annotations

from collections.abc import Iterable

from truerank.data.arrays import Rows
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.gain import Gain
from truerank.expectation.term import Term
from truerank.expectation.weights import Flat
from truerank.measures.core.base import Binary


@dataclass(frozen=True, kw_only=True, repr=False)
class R(Binary):
    """Recall: the share of all relevant documents that is among the first k.

    >>> R(cutoff=3).of([1, 0, 1], pool=[1, 1, 1, 1])
    0.5
    """

    name = "R"
    formula = "hits@k / R"
    citation = "Cleverdon & Keen 1966"

    def terms(self, r: Rankings) -> Iterable[Term]:
        """Hits."""
        yield Gain(Flat(), self.gain(r))

    def normaliser(self, r: Rankings, depth: Rows) -> Rows:
        """The number of relevant documents."""
        return r.relevant(self.gain(r))
