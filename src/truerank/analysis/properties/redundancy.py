"""Redundancy."""

from __future__ import annotations

from collections.abc import Iterator

from truerank.analysis.properties.base import Universal
from truerank.analysis.properties.cases import Case
from truerank.analysis.properties.comparison import Comparison
from truerank.analysis.properties.search import Search

_FEWEST = 2
"""Relevant documents: one side retrieves two."""
_MISSING = 3


class Redundancy(Universal):
    """The first relevant document is worth more than the second.

    As sums: M(0..001) + M(0..010) > M(0..000) + M(0..011).

    >>> [each] = Redundancy().compare(Case((0, 1), (1, 1), 3))
    >>> [case.list for case in each.more], [case.list for case in each.less]
    (['01', '10'], ['00', '11'])
    """

    name = "Redundancy"
    statement = "A relevant document raises the score more as the first one of the list than right after another one."
    formula = "M(0^n 1) - M(0^n 0) > M(0^(n-1) 1 1) - M(0^(n-1) 1 0)"
    reading = "R = 2 to 4, the same in all four"
    remark = "R is the same in all four, and at least 2."

    def comparisons(self, search: Search) -> Iterator[Comparison]:
        """One document after n others, for every n and R."""
        for n in range(1, search.farthest):
            for relevant in range(_FEWEST, _FEWEST + _MISSING):
                yield from self.compare(Case((*[0] * n, 1), (1,) * relevant, n + 2))

    def compare(self, case: Case) -> Iterator[Comparison]:
        """The last document of a ranking, and that before it, relevant or not."""
        rest = case.grades[:-2]
        first, none, both, before = (case.ranked((*rest, *end)) for end in ((0, 1), (0, 0), (1, 1), (1, 0)))
        yield Comparison((first, before), (none, both))

    def said(self, comparison: Comparison) -> str:
        """What the document adds in each."""
        (first, before), (none, both) = comparison.more, comparison.less
        return (
            f"{first.relevant}: the hit adds {{4}} from {none.list} to {first.list} ({{2}} to {{0}}), "
            f"{{5}} from {before.list} to {both.list} ({{1}} to {{3}})"
        )

    def added(self, more: tuple[float, ...], less: tuple[float, ...]) -> tuple[float, ...]:
        """The two differences."""
        return more[0] - less[0], less[1] - more[1]
