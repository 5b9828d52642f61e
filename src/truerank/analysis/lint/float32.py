"""Scores that only 64 bits tell apart."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.analysis.lint.case import Case
from truerank.analysis.lint.findings import Finding
from truerank.analysis.lint.ties import VISIBLE
from truerank.data.printing import counted
from truerank.data.ties import PRECISIONS, all_tie_groups


def float32(case: Case) -> Iterator[Finding]:
    """Scores that differ, and are equal when rounded to single precision."""
    run = case.run
    sizes = [all_tie_groups(run.score, run.offsets, precision)[1] for precision in PRECISIONS]
    rows = np.flatnonzero(sizes[0] != sizes[1])
    if not len(rows):
        return
    # With both tools over the same topics, only the precision differs.
    old, new = ({"like": tool, "missing": "skip"} for tool in ("trec_eval-9", "trec_eval-10"))
    difference, effect = case.apart(old, new)
    yield Finding(
        severity="warning" if difference >= VISIBLE else "info",
        message=f"{counted(len(rows), 'document')} tied in single precision, and not in double",
        count=len(rows),
        places=case.rows_of_run(rows),
        effect="trec_eval 9 and tools made of it see ties where trec_eval 10 and truerank see none"
        + (f": {effect}" if effect else ""),
        remedy="subtract what all scores have in common, or write fewer digits",
    )
