"""Ids with quotes around them, or with what nobody sees."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.analysis.lint.case import Case
from truerank.analysis.lint.findings import Finding
from truerank.analysis.lint.forms import QUOTES, UNSEEN, trimmed
from truerank.data.arrays import Mask, Rows
from truerank.data.ids import Ids
from truerank.data.printing import counted, shown
from truerank.io.drafts import Draft

_FIRST: Mask = np.isin(np.arange(256), [sign[0] for sign in (*QUOTES, *UNSEEN)])
_LAST: Mask = np.isin(np.arange(256), [sign[-1] for sign in (*QUOTES, *UNSEEN)])


def id_marks(case: Case) -> Iterator[Finding]:
    """Quotes, blanks and invisible characters around ids of topics and documents."""
    draft = case.draft
    topics, rows = marked(draft)
    for what, count, example, places in (
        ("topic id", len(topics), draft.topics[topics[0]] if topics else b"", case.topics_at(topics)),
        ("document id", len(rows), draft.docs[int(rows[0])] if len(rows) else b"", case.at(rows)),
    ):
        if count:
            yield Finding(
                severity="warning",
                message=f"{counted(count, what)} with quotes or invisible characters around, such as {shown(example)}",
                count=count,
                places=places,
                effect=f"it is another id than {shown(trimmed(example))}, and matches nothing that is written so",
                remedy="write ids bare, in runs and in judgments",
                fixable=True,
            )


def marked(draft: Draft) -> tuple[list[int], Rows]:
    """Topics, and rows of documents, whose ids have something around them."""
    topics = [number for number, topic in enumerate(draft.topics) if trimmed(topic) != topic]
    docs: Ids = draft.docs
    full = np.flatnonzero(docs.length > 0)
    last = docs.start[full].astype(np.int64) + docs.length[full] - 1
    likely = full[_FIRST[docs.buffer[docs.start[full]]] | _LAST[docs.buffer[last]]]
    wrong = [row for row, doc in zip(likely.tolist(), docs.take(likely).tolist(), strict=True) if trimmed(doc) != doc]
    return topics, np.array(wrong, dtype=np.int64)
