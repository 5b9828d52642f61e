"""A document judged more than once for a topic."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.analysis.lint.case import Case
from truerank.analysis.lint.findings import Finding
from truerank.data.printing import counted


def contradictions(case: Case) -> Iterator[Finding]:
    """Judgments that contradict each other, and judgments that repeat each other."""
    draft = case.draft
    pairs = draft.pairs
    differ = draft.number[pairs[:, 0]] != draft.number[pairs[:, 1]]
    if differ.any():
        wrong = pairs[np.flatnonzero(differ)]
        first, second = (draft.number[row] for row in wrong[0])
        yield Finding(
            severity="error",
            message=f"{counted(len(wrong), 'document')} judged twice and differently: {first:g} and {second:g}",
            count=len(wrong),
            places=case.at([row for pair in wrong for row in pair]),
            effect="the file is refused; tools that accept it take the first or the last of the two",
            remedy="keep one judgment of each document; which one is right, only you know",
        )
    if not differ.all():
        again = pairs[np.flatnonzero(~differ), 1]
        yield Finding(
            severity="info",
            message=f"{counted(len(again), 'judgment')} given twice, alike",
            count=len(again),
            places=case.at(again),
            effect="none: two that agree count as one",
            remedy="keep one of the two",
            fixable=True,
        )
