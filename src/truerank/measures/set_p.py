"""Precision of the retrieved set."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Rows
from truerank.data.rankings import Rankings
from truerank.expectation.gain import Gain
from truerank.measures.base import Binary, Term
from truerank.measures.weights import Flat


@dataclass(frozen=True, kw_only=True, repr=False)
class SetP(Binary):
    """Precision of everything retrieved; nothing retrieved scores 0. Relative: against the best possible.

    >>> SetP().of([1, 0, 1, 0]), SetP(relative=True).of([1, 0, 0, 0])
    (0.5, 1.0)
    """

    relative: bool = False

    name = "SetP"
    formula = "hits / n, relative: hits / min(n, R)"
    citation = "trec_eval set_P, set_relative_P"
    takes_cutoff = False
    takes_terminal = False
    at_zero = 0.0

    def terms(self, r: Rankings) -> Iterable[Term]:
        """Hits."""
        yield Gain(Flat(), r.gains(self.gain(r)))

    def normaliser(self, r: Rankings, depth: Rows) -> Rows:
        """The size of the set, or of the best set."""
        size = r.reach(depth)
        return np.minimum(size, r.relevant(self.gain(r))) if self.relative else size
