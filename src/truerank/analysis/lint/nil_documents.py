"""NIL in the place of a document."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.analysis.lint.case import Case, counted
from truerank.analysis.lint.findings import Finding
from truerank.conventions.ending import NIL
from truerank.data.ids import Ids


def nil_documents(case: Case) -> Iterator[Finding]:
    """Documents called NIL."""
    rows = np.flatnonzero(case.run.key == Ids.pack([NIL]).keys()[0])
    if len(rows):
        yield Finding(
            severity="info",
            message=f"{counted(len(rows), 'topic')} with a document called NIL",
            count=len(rows),
            places=case.rows_of_run(rows),
            effect="it is a document like any other, unless the end of a list is an answer: then the list stops there",
            remedy="score with ending='terminal' if NIL says that nothing more is worth showing",
        )
