"""Topics that run and judgments name differently."""

from __future__ import annotations

from collections.abc import Iterator

from truerank.analysis.lint.case import Case, some
from truerank.analysis.lint.findings import Finding
from truerank.analysis.lint.forms import both
from truerank.data.printing import counted


def topic_ids(case: Case) -> Iterator[Finding]:
    """Topic ids that differ in zeros, case, quotes or a .0 only, and runs without a judged topic."""
    if case.judgments is None or not (case.renamed or case.strangers):
        return
    ours, theirs = next(iter(case.renamed.items()), (case.judgments.topics[0], case.run.topics[0]))
    if case.renamed:
        message = f"{counted(len(case.renamed), 'topic')} written differently in the judgments: {both(theirs, ours)}"
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
