"""Where judgments contradict the answers that led to a measure."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.analysis.choosing.evidence import Evidence
from truerank.analysis.lint.case import some
from truerank.analysis.lint.findings import Finding
from truerank.data.arrays import distinct
from truerank.data.printing import counted


def several_grades(evidence: Evidence) -> Iterator[Finding]:
    """Grades that were said to be there and are not, or that a measure ignores."""
    grades, graded = evidence.grades, evidence.answers.get("graded")
    if graded and len(grades) < 2:
        which = f"all relevant documents have grade {grades[0]:g}" if len(grades) else "no document is relevant"
        yield Finding(
            severity="warning",
            message=f"several grades were answered, but {which}",
            effect=f"{evidence.measure} has nothing to tell apart among them",
            remedy="answer no to graded, or give the judgments that have grades",
        )
    elif evidence.ignores_grades and len(grades) > 1:
        yield Finding(
            severity="info" if graded is None else "warning",
            message=f"relevant documents have {len(grades)} grades, from {grades[0]:g} to {grades[-1]:g}",
            count=len(grades),
            effect=f"{evidence.measure} takes all of them to be alike",
            remedy=f"say from which grade on a document counts, as in {evidence.measure(rel=_short(grades[1]))}"
            + ", or answer yes to graded" * (graded is not None),
        )


def no_relevant(evidence: Evidence) -> Iterator[Finding]:
    """Topics without a relevant document, where the measure has no value."""
    empty = np.flatnonzero(evidence.relevant == 0)
    if not len(empty) or not evidence.needs_relevant:
        return
    names = some(evidence.qrels.topics[topic] for topic in empty)
    yield Finding(
        severity="warning",
        message=f"{counted(len(empty), 'topic')} of {len(evidence.relevant):,} without relevant documents: {names}",
        count=len(empty),
        effect=f"{evidence.measure} is undefined there, and counts as {evidence.measure.undefined_counts_as:g}",
        remedy="leave them out (no_relevant='skip'); or, if an empty list is the right answer there, answer yes to "
        "length",
    )


def one_relevant(evidence: Evidence) -> Iterator[Finding]:
    """Topics that all have one relevant document, where it was asked how several count."""
    asked = [name for name in ("recall", "redundancy") if evidence.answers.get(name)]
    if not asked or len(evidence.relevant) < 2 or evidence.relevant.max(initial=0) != 1:
        return
    yield Finding(
        severity="warning",
        message="no topic has more than one relevant document",
        effect=f"there is nothing for {' and '.join(asked)} to count; {evidence.measure} sees the rank of one document",
        remedy="answer yes to single, and no to length, which leads to RR",
    )


def small_size(evidence: Evidence) -> Iterator[Finding]:
    """More judged documents than the collection is said to have."""
    judged = len(distinct(evidence.qrels.key))
    size = evidence.measure.collection
    if size is not None and size < judged:
        yield Finding(
            severity="warning",
            message=f"{judged:,} documents are judged, more than the {size:,} of the collection",
            effect="OIE takes what was not retrieved for less than it is",
            remedy="give the number of documents that were searched as size",
        )


def _short(grade: float) -> float:
    return int(grade) if grade == int(grade) else float(grade)
