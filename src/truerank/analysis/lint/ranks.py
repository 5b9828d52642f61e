"""Ranks that say something else than the scores."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.analysis.lint.case import Case
from truerank.analysis.lint.findings import Finding
from truerank.analysis.lint.ties import VISIBLE
from truerank.data.printing import counted

LAST = 1e300
"""Rank of documents without one."""


def ranks(case: Case) -> Iterator[Finding]:
    """Documents with a higher score than the one ranked above them, and ranks that are not numbers."""
    draft, steps = case.draft, case.steps
    if draft.rank is None:
        return
    unreadable = np.flatnonzero(np.isnan(draft.rank))
    if len(unreadable):
        yield Finding(
            severity="info",
            message=f"{counted(len(unreadable), 'rank')}: not a number",
            count=len(unreadable),
            places=case.at(unreadable),
            effect="none, unless ties are broken by rank (ties='rank'), which is then refused",
            remedy="number the documents of each topic from 1",
        )
    if not steps.by_rank or steps.reversed or not len(steps.rises):
        return
    topics = len(set(draft.topic_of(steps.rises).tolist()))
    by_rank = draft.ranked(-np.where(np.isnan(draft.rank), LAST, draft.rank))
    difference, effect = case.apart({}, {"run": by_rank})
    yield Finding(
        severity="info" if effect and difference < VISIBLE else "warning",
        message=f"{counted(len(steps.rises), 'document')} in {counted(topics, 'topic')} below one with a lower score",
        count=len(steps.rises),
        places=case.at(steps.rises),
        effect="tools sort by score, and ignore ranks" + (f": {effect} by score and by rank" if effect else ""),
        remedy="write ranks and scores that agree; if ranks are right, give scores that fall with them",
        fixable=True,
    )
