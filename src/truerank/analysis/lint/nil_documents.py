"""NIL in the place of a document."""

from __future__ import annotations

from collections.abc import Iterator

from truerank.analysis.lint.case import Case
from truerank.analysis.lint.findings import Finding
from truerank.conventions.ending import nil_rows
from truerank.data.printing import counted


def nil_documents(case: Case) -> Iterator[Finding]:
    """Documents called NIL."""
    rows = nil_rows(case.run)
    if len(rows):
        yield Finding(
            severity="info",
            message=f"{counted(len(rows), 'topic')} with a document called NIL",
            count=len(rows),
            places=case.rows_of_run(rows),
            effect="it is a document like any other, unless the end of a list is an answer: then the list stops there",
            remedy="score with ending='terminal' if NIL says that nothing more is worth showing, or with nil='answer' "
            "as TREC 2001 did; truerank nil compares the two",
        )
