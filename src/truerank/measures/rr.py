"""Reciprocal rank."""

from __future__ import annotations

from collections.abc import Iterable

from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.cascade import Cascade
from truerank.expectation.term import Term
from truerank.expectation.weights import Harmonic
from truerank.measures.core.base import Binary


@dataclass(frozen=True, kw_only=True, repr=False)
class RR(Binary):
    """Reciprocal rank of the first relevant document; 0 if there is none within the depth.

    >>> RR().of([0, 1, 1])
    0.5
    """

    name = "RR"
    formula = "1 / rank of the first relevant document"
    citation = "Kantor & Voorhees 2000"

    def terms(self, r: Rankings) -> Iterable[Term]:
        """The reader stops at the first relevant document."""
        gain = self.gain(r)
        yield Cascade(Harmonic(), gain, 1 - gain)
