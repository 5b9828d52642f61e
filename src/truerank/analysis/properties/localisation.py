"""Localisation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.analysis.properties.base import FACTS, MOFFAT, Universal
from truerank.analysis.properties.cases import Case
from truerank.analysis.properties.comparison import Asked, Comparison
from truerank.analysis.properties.depths import SHALLOW
from truerank.analysis.properties.scoring import Scores
from truerank.data.arrays import Floats


class Localisation(Universal):
    """The first k documents are all that the score depends on.

    >>> from truerank.analysis.properties.cases import drawn
    >>> for comparison in Localisation().compare(drawn((1,))):
    ...     print(comparison.more[0], "=", comparison.less[0])
    1, R = 1 = 1, R = 2
    1@1, R = 1 = 10@1, R = 1
    """

    name = "Localisation"
    statement = "The score at depth k can be computed from the first k documents alone."
    formula = "M@k(d) = M'@k(d') wherever d and d' agree in the first k, whatever else there is"
    citation = MOFFAT
    reading = "R, and documents past the first k, change"
    outcomes = FACTS
    satisfied = ("holds",)

    def compare(self, case: Case) -> Iterator[Comparison]:
        """Other relevant documents in the collection, and other documents past the depth."""
        for grade in range(1, case.top + 1):
            yield Comparison((case,), (case.with_relevant(grade),))
        if (k := len(case.grades)) <= SHALLOW:
            for grade in sorted({0, *case.missing}):
                yield Comparison((case.at(k),), (case.ranked((*case.grades, grade)).at(k),))

    def margin(self, asked: Asked, scores: Scores) -> Floats:
        """Any difference is a failure, whichever side is better."""
        return -np.abs(super().margin(asked, scores))
