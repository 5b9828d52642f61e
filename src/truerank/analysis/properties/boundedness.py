"""Boundedness."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from truerank.analysis.properties.base import MOFFAT, NO_CASE, Found, Property
from truerank.analysis.properties.cases import Case
from truerank.analysis.properties.comparison import Asked, Comparison
from truerank.analysis.properties.scoring import Scores
from truerank.analysis.properties.search import Search
from truerank.analysis.properties.witness import Witness
from truerank.data.arrays import Floats, Rows
from truerank.statistics.pairs import EQUAL

_DOUBLED = tuple(1 << power for power in range(6, 11))
"""Lengths of lists that tell whether scores go on growing."""
_STEADY = 0.9
"""Share of the growth over one doubling that the next one has at least, where there is no bound: by logarithms 1."""
RANGE, GROWTH = "declared range", "lists that grow"


class Boundedness(Property):
    """Scores stay in a range: the declared one, or one that can be seen.

    >>> from truerank.analysis.properties.search import Search
    >>> [str(next(Boundedness().comparisons(Search())).more[0])]
    ['0, R = 1']
    """

    name = "Boundedness"
    statement = "Scores stay within the range that the measure declares; where it declares none, they stop growing."
    formula = "low <= M(d) <= high"
    citation = MOFFAT
    remark = f"Without a declared bound, lists of {_DOUBLED[0]} to {_DOUBLED[-1]} documents tell whether there is one."
    satisfied = ("holds",)

    def comparisons(self, search: Search) -> Iterator[Comparison]:
        """Every ranking, and families that grow, each with its next."""
        for case in search.cases:
            yield Comparison((case,), reading=RANGE)
        families = zip(*(_growing(n) for n in _DOUBLED), strict=True)
        for number, family in enumerate(families):
            for smaller, larger in pairwise(family):
                yield Comparison((larger,), (smaller,), reading=GROWTH, number=number)

    def found(self, asked: Asked, scores: Scores) -> list[Found]:
        """Scores outside of the range, or without an end."""
        low, high = scores.measure.range
        value = scores.value[asked.more[:, 0]]
        here = np.flatnonzero(~np.isnan(value))
        if not len(here):
            return [Found("", "undefined", because=NO_CASE)]
        slack = EQUAL * max(scores.unit, *(abs(end) for end in (low, high) if np.isfinite(end)), 0.0)
        outside = here[(value[here] < low - slack) | (value[here] > high + slack) | np.isinf(value[here])]
        reading = f"declared range {_end(low)} to {_end(high)}"
        if len(outside):
            return [Found(reading, "fails", self.witness(asked, int(outside[0]), scores), len(here))]
        endless = _endless(asked, scores.value, [sign for sign, end in ((-1, low), (1, high)) if np.isinf(end)])
        if endless is not None:
            note = "and no bound in sight"
            return [Found(reading, "fails", self.witness(asked, endless, scores, note), len(here))]
        least, most = (int(here[find(value[here])]) for find in (np.argmin, np.argmax))
        extremes = Comparison(asked[most].more[:1], asked[least].more[:1])
        witness = Witness.of(
            extremes,
            (float(value[most]),),
            (float(value[least]),),
            f"from {{1}} ({extremes.less[0]}) to {{0}} ({extremes.more[0]})",
        )
        return [Found(reading, "holds", witness, len(here))]


def _growing(n: int) -> tuple[Case, ...]:
    """Nothing but relevant documents, none, one half of each, and one of many."""
    hit, miss = (1,) * n, (0,) * n
    return tuple(Case(grades, hit, n + 1) for grades in (hit, miss, miss + hit, hit + miss, (1,)))


def _endless(asked: Asked, value: Floats, signs: list[int]) -> int | None:
    """The last comparison of a family whose scores grow as much with every doubling as with the one before."""
    for sign in signs:
        for family in range(int(asked.number.max(initial=0)) + 1):
            rows: Rows = np.flatnonzero((asked.less[:, 0] >= 0) & (asked.number == family))
            growth = sign * (value[asked.more[rows, 0]] - value[asked.less[rows, 0]])
            if growth[-1] > 0 and growth[-1] >= _STEADY * growth[-2] > 0:
                return int(rows[-1])
    return None


def _end(bound: float) -> str:
    return f"{bound:g}".replace("inf", "infinity")
