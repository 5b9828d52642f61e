"""Success at a depth."""

from __future__ import annotations

from collections.abc import Iterable

from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.cascade import Cascade
from truerank.expectation.term import Term
from truerank.expectation.weights import Flat
from truerank.measures.core.base import Binary


@dataclass(frozen=True, kw_only=True, repr=False)
class Success(Binary):
    """Whether there is a relevant document among the first k, also called hit rate.

    >>> Success(cutoff=1).of([0, 1]), Success(cutoff=2).of([0, 1])
    (0.0, 1.0)
    """

    name = "Success"
    formula = "1 if hits@k > 0 else 0"
    citation = "Craswell & Hawking 2004"

    def terms(self, r: Rankings) -> Iterable[Term]:
        """The reader stops at the first relevant document, wherever it is."""
        gain = self.gain(r)
        yield Cascade(Flat(), gain, 1 - gain)
