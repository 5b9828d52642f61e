"""Share of judged documents."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.gain import Gain
from truerank.expectation.gain_maps import Quantity
from truerank.expectation.term import Term
from truerank.expectation.weights import Flat
from truerank.measures.core.base import Measure, Scaled


@dataclass(frozen=True)
class IsJudged(Quantity):
    """1 for judged documents."""

    def over(self, r: Rankings) -> Floats:
        """1 or 0 in every slot."""
        return r.is_judged.astype(np.float64)


@dataclass(frozen=True, kw_only=True, repr=False)
class Judged(Measure):
    """The share of judged documents among the first k; of those retrieved, where the list is shorter.

    >>> Judged(cutoff=4).of([1, float("nan"), 0, float("nan")])
    0.5
    """

    name = "Judged"
    formula = "judged@k / min(k, n)"
    citation = "MacAvaney, Macdonald & Ounis 2022"
    takes_terminal = False
    has_bounds = False
    asks_relevance = False
    at_zero = 0.0

    def terms(self, r: Rankings) -> Iterable[Term]:
        """Judged documents."""
        yield Gain(Flat(), IsJudged())

    def normaliser(self, r: Rankings, depth: Rows) -> Rows:
        """The documents looked at."""
        return np.minimum(depth, r.lengths)

    def normaliser_name(self, k: str, relevant: str) -> str:
        """The same in letters."""
        return "n" if k == "n" else "min(k, n)"

    def merit(self, grade: Floats, r: Scaled) -> Floats:
        """What counts is being judged."""
        return (~np.isnan(grade)).astype(np.float64)
