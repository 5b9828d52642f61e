"""Monotonicity."""

from __future__ import annotations

from collections.abc import Iterator

from truerank.analysis.properties.base import MOFFAT, Universal
from truerank.analysis.properties.cases import Case
from truerank.analysis.properties.comparison import Comparison
from truerank.analysis.properties.depths import DEPTH, LIST, SHALLOW


class Monotonicity(Universal):
    """Looking one document deeper never lowers the score.

    >>> from truerank.analysis.properties.cases import drawn
    >>> for comparison in Monotonicity().compare(drawn((1, 0))):
    ...     print(comparison.more[0].list, ">=", comparison.less[0].list)
    100 >= 10
    10@2 >= 10@1
    """

    name = "Monotonicity"
    statement = "A list that goes on for one more document, or is read one deeper, never scores less."
    formula = "M(d_1, ..., d_k+1) >= M(d_1, ..., d_k), and M@(k+1)(d) >= M@k(d)"
    citation = MOFFAT
    satisfied = ("strict", "equal")

    def compare(self, case: Case) -> Iterator[Comparison]:
        """Lists that grow, and depths."""
        for grade in sorted({0, *case.missing}):
            yield Comparison((case.ranked((*case.grades, grade)),), (case,), reading=LIST)
        if len(case.grades) <= SHALLOW:
            for k in range(1, len(case.grades)):
                yield Comparison((case.at(k + 1),), (case.at(k),), reading=DEPTH)

    def said(self, comparison: Comparison) -> str:
        """Before and after."""
        return f"{comparison.less[0]}: {{1}}; {comparison.more[0].list}: {{0}}"
