"""Grades that tools read differently."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.analysis.lint.case import Case
from truerank.analysis.lint.findings import Finding
from truerank.data.printing import counted

HIGHEST = 20
"""A grade above it is worth a million of the lowest, with exponential gains."""


def grades(case: Case) -> Iterator[Finding]:
    """Grades below zero, between whole numbers, and far above the usual ones."""
    draft = case.draft
    rows = draft.kept
    grade = draft.number[rows]
    negative = rows[grade < 0]
    if len(negative):
        yield Finding(
            severity="info",
            message=f"{counted(len(negative), 'grade')} below 0, down to {grade.min():g}",
            count=len(negative),
            places=case.at(negative),
            effect="judged and not relevant here; trec_eval takes such documents as unjudged (negative='unjudged')",
            remedy="nothing, if these are spam or broken pages; otherwise grade them 0",
        )
    fractional = rows[grade != np.floor(grade)]
    if len(fractional):
        yield Finding(
            severity="warning",
            message=f"{counted(len(fractional), 'grade')} with a fraction, such as {draft.number[fractional[0]]:g}",
            count=len(fractional),
            places=case.at(fractional),
            effect="used as they are here; trec_eval and tools made of it cut them to whole numbers, 0.9 to 0",
            remedy="multiply grades, so that all are whole numbers",
        )
    huge = rows[grade > HIGHEST]
    if len(huge):
        yield Finding(
            severity="warning",
            message=f"{counted(len(huge), 'grade')} above {HIGHEST}, up to {grade.max():g}",
            count=len(huge),
            places=case.at(huge),
            effect="nDCG and ERR are about these documents alone; with exponential gains nothing else counts",
            remedy="check that the last column is the grade, and no id, score or count",
        )
