"""Top-weightedness."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from truerank.analysis.properties.base import Universal
from truerank.analysis.properties.cases import Case
from truerank.analysis.properties.comparison import Comparison


class TopWeightedness(Universal):
    """A correct swap of neighbours gains more, the higher up they stand.

    >>> from truerank.analysis.properties.cases import drawn
    >>> for comparison in TopWeightedness().compare(drawn((0, 1, 0, 1))):
    ...     print(comparison.more[0].list, ">", comparison.less[0].list)
    1001 > 0110
    """

    name = "Top-weightedness"
    statement = "Of two swaps that bring neighbours into the right order, the one higher up raises the score more."
    formula = (
        "Rel(d_i) = Rel(d_j) < Rel(d_i+1) = Rel(d_j+1), i < j  "
        "=>  M(d with i and i+1 swapped) > M(d with j and j+1 swapped)"
    )
    remark = "As printed, both sides have the same swap; the right-hand one is that of j and j+1."

    def compare(self, case: Case) -> Iterator[Comparison]:
        """Every two such swaps."""
        grades = case.grades
        correct = [i for i in range(len(grades) - 1) if grades[i] < grades[i + 1]]
        for i, j in combinations(correct, 2):
            if grades[i] == grades[j] and grades[i + 1] == grades[j + 1]:
                yield Comparison((case.swapped(i, i + 1),), (case.swapped(j, j + 1),), of=case)

    def said(self, comparison: Comparison) -> str:
        """The ranking, and where the swaps are."""
        assert comparison.of is not None
        first, second = (_where(comparison.of, each[0]) for each in (comparison.more, comparison.less))
        return f"{comparison.of}: the swap at rank {first} gives {{0}}, the swap at rank {second} gives {{1}}"


def _where(case: Case, swapped: Case) -> int:
    return next(rank for rank, (a, b) in enumerate(zip(case.grades, swapped.grades, strict=True), 1) if a != b)
