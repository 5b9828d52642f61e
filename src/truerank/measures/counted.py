"""Measures that count."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import Rankings
from truerank.measures.base import Measure, Term


@dataclass(frozen=True, kw_only=True, repr=False)
class Count(Measure):
    """Something counted in each topic and added up over topics."""

    range = (0.0, np.inf)
    takes_cutoff = False
    averages = False
    counts = True
    takes_terminal = False

    def terms(self, r: Rankings) -> Iterable[Term]:
        """Nothing is weighted by rank."""
        return ()

    def aggregate(self, values: Floats, lengths: Rows) -> float:
        """The sum over topics."""
        return float(values.sum())
