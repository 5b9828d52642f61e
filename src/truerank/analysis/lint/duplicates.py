"""A document listed more than once for a topic."""

from __future__ import annotations

from collections.abc import Iterator

from truerank.analysis.lint.case import Case
from truerank.analysis.lint.findings import Finding
from truerank.data.printing import counted


def duplicates(case: Case) -> Iterator[Finding]:
    """Documents that a run lists twice."""
    draft = case.draft
    pairs = draft.pairs
    if len(pairs):
        differ = int((draft.number[pairs[:, 0]] != draft.number[pairs[:, 1]]).sum())
        alike = f"{differ:,} with another score" if differ else "with the same score"
        topics = len(set(draft.topic_of(pairs[:, 1]).tolist()))
        yield Finding(
            severity="error",
            message=f"{counted(len(pairs), 'repeated document')} in {counted(topics, 'topic')}, {alike}",
            count=len(pairs),
            places=case.at(pairs[:, 1]),
            effect="the file is refused, here and by trec_eval; other tools keep one of them, or score it twice",
            remedy="list each document once for a topic, with its best score",
            fixable=True,
        )
