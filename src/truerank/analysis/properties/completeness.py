"""Completeness."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.analysis.properties.base import FACTS, MOFFAT, Universal
from truerank.analysis.properties.cases import Case, drawn
from truerank.analysis.properties.comparison import Asked, Comparison
from truerank.analysis.properties.scoring import Scores
from truerank.analysis.properties.search import Search
from truerank.data.arrays import Floats

_LENGTHS = range(1, 4)


class Completeness(Universal):
    """There is a score even where nothing is relevant.

    >>> from truerank.analysis.properties.search import Search
    >>> [str(comparison.more[0]) for comparison in Completeness().comparisons(Search())]
    ['0, R = 0', '00, R = 0', '000, R = 0']
    """

    name = "Completeness"
    statement = "There is a score also for topics without a relevant document."
    formula = "M(d) is defined for R = 0"
    citation = MOFFAT
    reading = "R = 0"
    outcomes = FACTS
    satisfied = ("holds",)

    def comparisons(self, search: Search) -> Iterator[Comparison]:
        """Lists from a collection with nothing to find."""
        for length in _LENGTHS:
            yield from self.compare(drawn((0,) * length))

    def compare(self, case: Case) -> Iterator[Comparison]:
        """The ranking alone."""
        yield Comparison((case,))

    def margin(self, asked: Asked, scores: Scores) -> Floats:
        """Whether there is a score."""
        return np.where(np.isnan(scores.value[asked.more[:, 0]]), -1.0, 0.0)
