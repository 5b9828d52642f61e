"""Topics without a relevant document."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.analysis.lint.case import Case, some
from truerank.analysis.lint.findings import Finding
from truerank.data.printing import counted


def no_relevant(case: Case) -> Iterator[Finding]:
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
            message="no document is relevant: all grades are 0 or less",
            count=len(qrels),
            places=case.at([0]),
            effect="every score is 0 or undefined",
            remedy="check that the last column is the grade",
        )
    elif len(empty):
        most = 1 - len(empty) / len(qrels.topics)
        yield Finding(
            severity="info",
            message=f"{counted(len(empty), 'topic')} of {len(qrels.topics):,} without relevant ones: {some(names)}",
            count=len(empty),
            places=case.topics_named(names),
            effect=f"AP and nDCG are undefined there; counted as 0, no mean can be above {most:.4f}",
            remedy="say how they count (no_relevant='zero' or 'skip'), or score silence (ending='terminal')",
        )
