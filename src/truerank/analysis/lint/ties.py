"""Ties, and how much depends on their order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.analysis.lint.case import Case
from truerank.analysis.lint.constant_scores import constant, tie_moves
from truerank.analysis.lint.findings import Finding
from truerank.data.printing import counted
from truerank.data.ties import all_tie_groups

MATTERS = 0.01
"""Difference between the best and the worst order that could be taken for one between systems."""
VISIBLE = 0.0001
SHARES = (0.5, 0.1)
"""Tied shares that are a warning, and worth knowing, where there are no judgments to see what they do."""


def ties(case: Case) -> Iterator[Finding]:
    """Documents with equal scores, whose order is left to the tool."""
    run = case.run
    is_tied = all_tie_groups(run.score, run.offsets)[1] > 1
    for topic in constant(run).tolist():
        # These have a finding of their own.
        is_tied[run.offsets[topic] : run.offsets[topic + 1]] = False
    count = int(np.count_nonzero(is_tied))
    if not count:
        return
    share = count / len(run)
    moves = tie_moves(case)
    if moves is not None:
        effect = f"their order can move {moves[1]}"
        severity = "warning" if moves[0] >= MATTERS else "info" if moves[0] >= VISIBLE else ""
    else:
        effect = "their order is left to the tool: ids, the order of lines, or chance"
        severity = "warning" if share >= SHARES[0] else "info" if share >= SHARES[1] else ""
    if severity:
        rows = np.flatnonzero(is_tied)
        topics = len(set(run.topic_of(rows).tolist()))
        yield Finding(
            severity=severity,
            message=f"{counted(count, 'document')} in {counted(topics, 'topic')} tied, {share:.0%} of all",
            count=count,
            places=case.rows_of_run(rows),
            effect=effect,
            remedy="write scores with all their digits; or report the expected score, which no order changes",
        )
