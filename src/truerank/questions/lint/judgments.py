"""Checks of judgments: contradictions, grades, topics without relevant documents."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.data.printing import counted
from truerank.questions.lint.case import LintCase, some
from truerank.questions.lint.question import Finding

HIGHEST = 20
"""A grade above it is worth a million of the lowest, with exponential gains."""


def contradictions(case: LintCase) -> Iterator[Finding]:
    """Judgments that contradict each other, judgments that repeat each other, and judgments by subtopic."""
    draft = case.draft
    pairs = draft.pairs
    if draft.by_subtopic:
        yield Finding(
            severity="info",
            message=f"{counted(draft.by_subtopic, 'document')} judged for several subtopics: the second column differs",
            count=draft.by_subtopic,
            effect="the best grade of each document counts; trec_eval refuses the file",
            remedy="nothing, if the second column is a subtopic; otherwise keep one judgment of each document",
        )
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


def grades(case: LintCase) -> Iterator[Finding]:
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
            effect="judged and not relevant here; trec_eval takes such documents as unjudged (--negative unjudged)",
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


def no_relevant(case: LintCase) -> Iterator[Finding]:
    """Topics, or whole collections, where no grade is above zero."""
    qrels = case.judgments
    if qrels is None:
        return
    before = np.concatenate([[0], np.cumsum(qrels.grade > 0)])
    empty = np.flatnonzero(np.diff(before[qrels.offsets]) == 0)
    names = [qrels.topics[topic] for topic in empty]
    if len(empty) == len(qrels.topics):
        yield Finding(
            severity="error",
            message="no document is relevant: all grades are 0 or less" if len(qrels) else "no document is judged",
            count=max(len(qrels), 1),
            places=case.at([0]) if len(qrels) else case.topics_at(range(len(qrels.topics))),
            effect="every score is 0 or undefined",
            remedy="check that the last column is the grade" if len(qrels) else "give judgments with documents",
        )
    elif len(empty):
        most = 1 - len(empty) / len(qrels.topics)
        yield Finding(
            severity="info",
            message=f"{counted(len(empty), 'topic')} of {len(qrels.topics):,} without relevant ones: {some(names)}",
            count=len(empty),
            places=case.topics_named(names),
            effect=f"AP and nDCG are undefined there, Success and RR are 0; no run can score above {most:.4f}",
            remedy="say how they count (--no-relevant zero or skip), or let an empty list be right (--ending terminal)",
        )


def only_relevant(case: LintCase) -> Iterator[Finding]:
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
