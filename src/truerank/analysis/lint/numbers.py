"""Scores and grades that are not finite numbers."""

from __future__ import annotations

from collections.abc import Iterator

from truerank.analysis.lint.case import Case
from truerank.analysis.lint.findings import Finding
from truerank.data.printing import counted


def numbers(case: Case) -> Iterator[Finding]:
    """NaN, infinities, empty fields and text where a number should be."""
    draft = case.draft
    wrong = draft.unreadable
    if len(wrong):
        name = "score" if draft.kind == "run" else "grade"
        topics = len(set(draft.topic_of(wrong).tolist()))
        yield Finding(
            severity="error",
            message=f"{counted(len(wrong), name)} in {counted(topics, 'topic')}: not a finite number",
            count=len(wrong),
            places=case.at(wrong),
            effect="the file is refused; tools that accept it sort such documents anywhere",
            remedy="give every document a finite number, or leave it out",
            fixable=True,
        )
