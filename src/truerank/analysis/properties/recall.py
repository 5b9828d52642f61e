"""Recall."""

from __future__ import annotations

from collections.abc import Iterator

from truerank.analysis.properties.base import Universal
from truerank.analysis.properties.cases import Case
from truerank.analysis.properties.comparison import Comparison


class Recall(Universal):
    """What could have been found lowers the score of what was.

    >>> from truerank.analysis.properties.cases import drawn
    >>> for comparison in Recall().compare(drawn((1,))):
    ...     print(comparison.more[0], ">", comparison.less[0])
    1, R = 1 > 1, R = 2
    """

    name = "Recall"
    statement = "A relevant document more in the collection that is not retrieved lowers the score."
    formula = "M_D(d) > M_{D + d'}(d), Rel(d') > 0, d has a relevant document and not d'"
    reading = "R grows by one"
    remark = "The size of the collection, which OIE asks for, stays: a document of it becomes relevant."

    def compare(self, case: Case) -> Iterator[Comparison]:
        """One more relevant document, of each level."""
        if case.hits:
            for grade in range(1, case.top + 1):
                yield Comparison((case,), (case.with_relevant(grade),))

    def said(self, comparison: Comparison) -> str:
        """The ranking in both collections."""
        (more,), (less,) = comparison.more, comparison.less
        return f"{more.list}: {{0}} with {more.relevant}, {{1}} with {less.relevant}"
