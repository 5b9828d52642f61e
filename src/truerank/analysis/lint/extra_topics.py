"""Topics of a run that have no judgments."""

from __future__ import annotations

from collections.abc import Iterator

from truerank.analysis.lint.case import Case, some
from truerank.analysis.lint.findings import Finding
from truerank.data.printing import counted


def extra_topics(case: Case) -> Iterator[Finding]:
    """Lists that nobody judged."""
    known = set(case.renamed.values())
    extra = [topic for topic in case.extra if topic not in known]
    if extra and not case.strangers:
        yield Finding(
            severity="info",
            message=f"{counted(len(extra), 'topic')} without judgments: {some(extra)}",
            count=len(extra),
            places=case.topics_named(extra),
            effect="they are ignored",
            remedy="nothing if they were never judged; otherwise look for the rest of the judgments",
        )
