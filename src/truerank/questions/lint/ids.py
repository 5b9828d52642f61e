"""Checks of ids: what is around them, and whether run and judgments name topics and documents alike."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.conventions.ending import hedging, nil_ranks, nil_rows
from truerank.data.arrays import Mask, Rows, spans
from truerank.data.ids import Ids
from truerank.data.printing import counted, shown
from truerank.io.drafts import Draft
from truerank.questions.lint.case import LintCase, as_columns, some
from truerank.questions.lint.question import Finding
from truerank.questions.lint.spellings import QUOTES, UNSEEN, pair_text, plain_form, trimmed

_FIRST: Mask = np.isin(np.arange(256), [sign[0] for sign in (*QUOTES, *UNSEEN)])
_LAST: Mask = np.isin(np.arange(256), [sign[-1] for sign in (*QUOTES, *UNSEEN)])
DEPTH, AT_MOST = 100, 100_000
"""Documents looked at: so many of each topic, and not many more than so many in all."""
COMMON = 0.1
"""Share of topics from which on it is no coincidence, as it is where topics and documents are numbered from 1."""


def id_marks(case: LintCase) -> Iterator[Finding]:
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
    last = docs.start[full].astype(np.intp) + docs.length[full] - 1
    likely = full[_FIRST[docs.buffer[docs.start[full]]] | _LAST[docs.buffer[last]]]
    wrong = [row for row, doc in zip(likely.tolist(), docs.take(likely).tolist(), strict=True) if trimmed(doc) != doc]
    return topics, np.array(wrong, dtype=np.intp)


def topic_ids(case: LintCase) -> Iterator[Finding]:
    """Topic ids that differ in zeros, case, quotes or a .0 only, and runs without a judged topic."""
    if case.judgments is None or not (case.renamed or case.strangers):
        return
    ours, theirs = next(iter(case.renamed.items()), (case.judgments.topics[0], case.run.topics[0]))
    if case.renamed:
        message = (
            f"{counted(len(case.renamed), 'topic')} written differently in the judgments: {pair_text(theirs, ours)}"
        )
    else:
        message = (
            f"no topic is judged: the run has {some(case.run.topics)}, the judgments {some(case.judgments.topics)}"
        )
    yield Finding(
        severity="error" if case.strangers else "warning",
        message=message,
        count=len(case.renamed) or len(case.run.topics),
        places=case.topics_named(case.renamed.values() or case.run.topics),
        effect="nothing can be scored"
        if case.strangers
        else "the lists of these topics are not scored, and count as empty",
        remedy="name topics in the run as the judgments do"
        if case.renamed
        else "give the judgments of this collection",
    )


def document_ids(case: LintCase) -> Iterator[Finding]:
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
        if (other := forms[which].get(plain_form(doc))) is not None and (which, other) not in retrieved
    ]
    if found:
        _, doc, other = found[0]
        none = not len(judged.row)
        yield Finding(
            severity="error" if none else "warning",
            message=f"{counted(len(found), 'document')} of the first {depth} of each topic written differently in the "
            f"judgments: {pair_text(doc, other)}",
            count=len(found),
            places=case.rows_of_run(np.array([row for row, _, _ in found])),
            effect="they count as unjudged"
            + (", so that every score is 0" if none else ": relevant ones score nothing"),
            remedy="name documents in the run as the judgments do",
        )


def _retrieved(case: LintCase) -> Iterator[tuple[int, bytes]]:
    """Topic and id of each retrieved document that is judged."""
    assert case.judged is not None
    topic = np.repeat(np.arange(len(case.judged.length)), np.diff(case.judged.offsets))
    yield from zip(topic.tolist(), case.run.docs.take(case.judged.row).tolist(), strict=True)


def identical_ids(case: LintCase) -> Iterator[Finding]:
    """Documents among the first that are the topic itself."""
    run = case.run
    topic = np.repeat(np.arange(len(run.topics)), np.diff(run.offsets))
    rows = np.flatnonzero(run.key == Ids.pack(run.topics).keys()[topic])
    rows = rows[rows - run.offsets[topic[rows]] < case.cutoff]
    if len(rows) < 2 or len(rows) < COMMON * len(run.topics):
        return
    effect = case.apart({"identical": "keep"}, {"identical": "drop"})
    yield Finding(
        severity="warning",
        message=f"{counted(len(rows), 'topic')} of {len(run.topics):,} with themselves among the first {case.cutoff}",
        count=len(rows),
        places=case.rows_of_run(rows),
        effect="a document that is the query takes a rank from the others"
        + (f": {effect.joined()} with and without them" if effect else ""),
        **as_columns(effect),
        remedy="drop them (--identical drop, as BEIR does) if documents are queries of the same collection",
    )


def nil_documents(case: LintCase) -> Iterator[Finding]:
    """Documents called NIL."""
    rows = nil_rows(case.run)
    if len(rows):
        yield Finding(
            severity="info",
            message=f"{counted(len(rows), 'topic')} with a document called NIL",
            count=len(rows),
            places=case.rows_of_run(rows),
            effect="it is a document like any other, unless the end of a list is an answer: then the list stops there",
            remedy="score with --ending terminal if NIL says that nothing more is worth showing, or with --nil answer "
            "as TREC 2001 did; truerank nil compares the two",
        )


def hedged_nil(case: LintCase) -> Iterator[Finding]:
    """A NIL in every list that has documents, whatever the topic."""
    run = case.run
    found = hedging(np.diff(run.offsets), nil_ranks(run))
    if found is None:
        return
    where = f"rank {found.first}" if found.first == found.last else f"ranks {found.first} to {found.last}"
    yield Finding(
        severity="warning",
        message=f"NIL beside documents at {where} of every list, {found.lists:,} of them",
        count=found.lists,
        places=case.rows_of_run(nil_rows(run)),
        effect="as a document (--nil answer) it is right wherever a topic has no answer, without having told which "
        "topics those are; as an end (ending='terminal') it takes away all that stands below it",
        remedy="leave NIL out of lists that are answers; truerank nil --show endings tells what it brings and costs",
    )
