"""Judgments of relevant documents alone."""

from __future__ import annotations

from collections.abc import Iterator

from truerank.analysis.lint.case import Case
from truerank.analysis.lint.findings import Finding


def only_relevant(case: Case) -> Iterator[Finding]:
    """Judgments without a grade of zero."""
    draft = case.draft
    grade = draft.number[draft.kept]
    if len(grade) and float(grade.min()) > 0:
        one = f": all {len(grade):,} grades are {grade[0]:g}" if (grade == grade[0]).all() else ""
        yield Finding(
            severity="info",
            message=f"no document is judged as not relevant{one}",
            count=len(grade),
            places=case.at([0]),
            effect="not relevant and unjudged are one: bpref, condensed lists and judged shares say little",
            remedy="use judgments with grades of 0, if there are any; otherwise leave these measures out",
        )
