"""Documents that have the id of their topic."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.analysis.lint.case import Case
from truerank.analysis.lint.findings import Finding
from truerank.data.ids import Ids
from truerank.data.printing import counted

COMMON = 0.1
"""Share of topics from which on it is no coincidence, as it is where topics and documents are numbered from 1."""


def identical_ids(case: Case) -> Iterator[Finding]:
    """Documents among the first that are the topic itself."""
    run = case.run
    topic = np.repeat(np.arange(len(run.topics)), np.diff(run.offsets))
    rows = np.flatnonzero(run.key == Ids.pack(run.topics).keys()[topic])
    rows = rows[rows - run.offsets[topic[rows]] < case.cutoff]
    if len(rows) < 2 or len(rows) < COMMON * len(run.topics):
        return
    _, effect = case.apart({"identical": "keep"}, {"identical": "drop"})
    yield Finding(
        severity="warning",
        message=f"{counted(len(rows), 'topic')} of {len(run.topics):,} with themselves among the first {case.cutoff}",
        count=len(rows),
        places=case.rows_of_run(rows),
        effect="a document that is the query takes a rank from the others"
        + (f": {effect} with and without them" if effect else ""),
        remedy="drop them (identical='drop', as BEIR does), where documents are queries of the same collection",
    )
