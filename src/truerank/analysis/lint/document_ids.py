"""Documents that run and judgments name differently."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.analysis.lint.case import Case
from truerank.analysis.lint.findings import Finding
from truerank.analysis.lint.forms import both, plain
from truerank.data.arrays import spans
from truerank.data.printing import counted

DEPTH, AT_MOST = 100, 100_000
"""Documents looked at: so many of each topic, and not many more than so many in all."""


def document_ids(case: Case) -> Iterator[Finding]:
    """Unjudged documents that would be judged, if case, zeros, quotes or a .0 did not matter."""
    judged, run = case.judged, case.run
    if judged is None or case.forms is None:
        return
    listed = np.flatnonzero(judged.run_topic >= 0)
    depth = max(case.cutoff, min(DEPTH, AT_MOST // len(listed)))
    begin = run.offsets[judged.run_topic[listed]]
    count = np.minimum(judged.length[listed], depth)
    rows, topic = spans(begin, count), np.repeat(listed, count)
    unjudged = ~np.isin(rows, judged.row)
    rows, topic = rows[unjudged], topic[unjudged]
    if not len(rows):
        return
    forms = case.forms.by_topic
    retrieved = {(topic, doc) for topic, doc in _retrieved(case)}
    found = [
        (row, doc, other)
        for row, which, doc in zip(rows.tolist(), topic.tolist(), run.docs.take(rows).tolist(), strict=True)
        if (other := forms[which].get(plain(doc))) is not None and (which, other) not in retrieved
    ]
    if found:
        _, doc, other = found[0]
        none = not len(judged.row)
        yield Finding(
            severity="error" if none else "warning",
            message=f"{counted(len(found), 'document')} of the first {depth} of each topic written differently in the "
            f"judgments: {both(doc, other)}",
            count=len(found),
            places=case.rows_of_run(np.array([row for row, _, _ in found])),
            effect="they count as unjudged"
            + (", so that every score is 0" if none else ": relevant ones score nothing"),
            remedy="name documents in the run as the judgments do",
        )


def _retrieved(case: Case) -> Iterator[tuple[int, bytes]]:
    """Topic and id of each retrieved document that is judged."""
    assert case.judged is not None
    topic = np.repeat(np.arange(len(case.judged.length)), np.diff(case.judged.offsets))
    yield from zip(topic.tolist(), case.run.docs.take(case.judged.row).tolist(), strict=True)
