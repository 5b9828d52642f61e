"""Convergence."""

from __future__ import annotations

from collections.abc import Iterator

from truerank.analysis.properties.base import MOFFAT, Universal
from truerank.analysis.properties.cases import Case
from truerank.analysis.properties.comparison import Comparison
from truerank.analysis.properties.depths import DEPTH, LIST, SHALLOW


class Convergence(Universal):
    """A more relevant document from outside, in place of a less relevant one inside, raises the score.

    >>> from truerank.analysis.properties.cases import drawn
    >>> for comparison in Convergence().compare(drawn((0, 1), missing=(1,))):
    ...     print(comparison.more[0].list, ">", comparison.less[0].list)
    11 > 01
    10@1 > 01@1
    """

    name = "Convergence"
    statement = "A document of the first k replaced by a more relevant one from outside of them raises the score."
    formula = "Rel(d_i) < Rel(d_j), i <= k < j  =>  M@k(d with i and j swapped) > M@k(d)"
    citation = MOFFAT
    remark = "Outside are documents that are not retrieved or, for measures with a cutoff, ranks past it."

    def compare(self, case: Case) -> Iterator[Comparison]:
        """Documents that are not retrieved, and those past a depth."""
        grades = case.grades
        for i, grade in enumerate(grades):
            for better in sorted({each for each in case.missing if each > grade}):
                yield Comparison((case.ranked((*grades[:i], better, *grades[i + 1 :])),), (case,), reading=LIST)
        if len(grades) <= SHALLOW:
            for k in range(1, len(grades)):
                for i in range(k):
                    for j in range(k, len(grades)):
                        if grades[i] < grades[j]:
                            yield Comparison((case.swapped(i, j).at(k),), (case.at(k),), reading=DEPTH)

    def said(self, comparison: Comparison) -> str:
        """Before and after."""
        return f"{comparison.less[0]}: {{1}}; {comparison.more[0].list}: {{0}}"
