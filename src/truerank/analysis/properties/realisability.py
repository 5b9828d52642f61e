"""Realisability."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from truerank.analysis.properties.base import MOFFAT, NO_CASE, Found, Property
from truerank.analysis.properties.cases import Case
from truerank.analysis.properties.comparison import Asked, Comparison
from truerank.analysis.properties.depths import DEPTH, LIST
from truerank.analysis.properties.scoring import Scores
from truerank.analysis.properties.search import Search
from truerank.data.arrays import Mask
from truerank.statistics.pairs import EQUAL

_MOST = 5
"""Depths and numbers of relevant documents that are tried."""


class Realisability(Property):
    """The highest score can be reached at any depth, whatever there is to find.

    >>> from truerank.analysis.properties.search import Search
    >>> [str(next(Realisability().comparisons(Search())).more[0])]
    ['0, R = 1']
    """

    name = "Realisability"
    statement = "Where anything is relevant, some list of k documents has the highest score there is."
    formula = "for all k and R >= 1: max over d_1, ..., d_k of M(d) = highest score"
    citation = MOFFAT
    satisfied = ("holds",)

    def comparisons(self, search: Search) -> Iterator[Comparison]:
        """All rankings of each length from each collection."""
        for k, relevant in product(range(1, _MOST + 1), repeat=2):
            for grades in product((0, 1), repeat=k):
                if sum(grades) <= relevant:
                    case = Case(grades, (1,) * relevant, k + 1)
                    yield Comparison((case,), reading=LIST, number=k * (_MOST + 1) + relevant)
                    yield Comparison((case.at(k),), reading=DEPTH, number=k * (_MOST + 1) + relevant)

    def found(self, asked: Asked, scores: Scores) -> list[Found]:
        """The best list of each length and collection."""
        highest = scores.measure.range[scores.measure.higher_is_better]
        if np.isinf(highest):
            return [Found("", "undefined", because="no highest score is declared")]
        return [self._found(asked, scores, asked.read(reading), reading, highest) for reading in asked.readings]

    def _found(self, asked: Asked, scores: Scores, read: Mask, reading: str, highest: float) -> Found:
        merit = scores.measure.sign * scores.value[asked.more[:, 0]]
        read = read & ~np.isnan(merit)
        if not read.any():
            return Found(reading, "undefined", because=NO_CASE)
        best = None
        for group in dict.fromkeys(asked.number[read].tolist()):
            rows = np.flatnonzero(read & (asked.number == group))
            at = int(rows[np.argmax(merit[rows])])
            if merit[at] < scores.measure.sign * highest - EQUAL * max(1.0, abs(highest)):
                k, relevant = divmod(group, _MOST + 1)
                note = f"the best of all lists with k = {k} and R = {relevant}; the highest score is {highest:g}"
                return Found(reading, "fails", self.witness(asked, at, scores, note), int(read.sum()))
            best = at if best is None else best
        return Found(reading, "holds", self.witness(asked, best or 0, scores), int(read.sum()))
