"""Priority."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from truerank.analysis.properties.base import Universal
from truerank.analysis.properties.cases import Case
from truerank.analysis.properties.comparison import Comparison


class Priority(Universal):
    """A more relevant document moved up, in place of a less relevant one, raises the score.

    >>> from truerank.analysis.properties.cases import drawn
    >>> for comparison in Priority().compare(drawn((0, 1, 1))):
    ...     print(comparison.more[0].list, ">", comparison.less[0].list)
    101 > 011
    110 > 011
    """

    name = "Priority"
    statement = "Swapping two documents so that the more relevant one comes first raises the score."
    formula = "Rel(d_i) < Rel(d_j), i < j  =>  M(d with i and j swapped) > M(d)"
    remark = "Moffat's top-weightedness, a swap within the first k, says the same."

    def compare(self, case: Case) -> Iterator[Comparison]:
        """Every swap of two documents in the wrong order."""
        for i, j in combinations(range(len(case.grades)), 2):
            if case.grades[i] < case.grades[j]:
                yield Comparison((case.swapped(i, j),), (case,))

    def said(self, comparison: Comparison) -> str:
        """The ranking and its swap."""
        return f"{comparison.less[0]}: {{1}}; swapped to {comparison.more[0].list}: {{0}}"
