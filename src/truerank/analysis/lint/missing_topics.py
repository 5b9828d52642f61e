"""Judged topics that the run leaves out."""

from __future__ import annotations

from collections.abc import Iterator

from truerank.analysis.lint.case import Case, some
from truerank.analysis.lint.findings import Finding
from truerank.data.printing import counted


def missing_topics(case: Case) -> Iterator[Finding]:
    """Judged topics without a list."""
    absent = [topic for topic in case.missing if topic not in case.renamed]
    if case.judgments is None or case.strangers or not absent:
        return
    _, effect = case.apart({"missing": "empty"}, {"missing": "skip"})
    yield Finding(
        severity="warning",
        message=f"{counted(len(absent), 'topic')} of {len(case.judgments.topics):,} missing: {some(absent)}",
        count=len(absent),
        effect="some tools count them as empty lists, some leave them out of the mean"
        + (f": {effect} then" if effect else ""),
        remedy="retrieve something for every topic; or say which mean is reported (missing='empty' or 'skip')",
    )
