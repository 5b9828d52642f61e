"""Confidence."""

from __future__ import annotations

from collections.abc import Iterator

from truerank.analysis.properties.base import Universal
from truerank.analysis.properties.cases import Case
from truerank.analysis.properties.comparison import Comparison


class Confidence(Universal):
    """Noise at the end of a list lowers the score.

    >>> from truerank.analysis.properties.cases import drawn
    >>> for comparison in Confidence().compare(drawn((1,))):
    ...     print(comparison.more[0].list, ">", comparison.less[0].list)
    1 > 10
    """

    name = "Confidence"
    statement = "A document without relevance added at the end of the list lowers the score."
    formula = "M(d_1, ..., d_n) > M(d_1, ..., d_n, d'), Rel(d') = 0"
    remark = (
        "n is at least 1, and the collection the same on both sides; collections without a relevant document count."
    )

    def compare(self, case: Case) -> Iterator[Comparison]:
        """The ranking without and with another document."""
        yield Comparison((case,), (case.ranked((*case.grades, 0)),))

    def said(self, comparison: Comparison) -> str:
        """The ranking and the longer one."""
        return f"{comparison.more[0]}: {{0}}; extended to {comparison.less[0].list}: {{1}}"
