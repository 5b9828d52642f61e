"""Share of judged documents."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import Rankings
from truerank.expectation.gain import Gain
from truerank.measures.base import Measure, Scaled, Term
from truerank.measures.weights import Flat


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
    at_zero = 0.0

    def terms(self, r: Rankings) -> Iterable[Term]:
        """Judged documents."""
        yield Gain(Flat(), r.is_judged.astype(np.float64))

    def normaliser(self, r: Rankings, depth: Rows) -> Rows:
        """The documents looked at."""
        return np.minimum(depth, r.lengths)

    def merit(self, grade: Floats, r: Scaled) -> Floats:
        """What counts is being judged."""
        return (~np.isnan(grade)).astype(np.float64)
