"""Scores of which small ones are good."""

from __future__ import annotations

from collections.abc import Iterator

from truerank.analysis.lint.case import Case
from truerank.analysis.lint.findings import Finding
from truerank.data.printing import counted


def direction(case: Case) -> Iterator[Finding]:
    """Scores that rise down the list, as distances do."""
    steps = case.steps
    if not steps.reversed:
        return
    turned = case.draft.ranked(-case.draft.number)
    _, effect = case.apart({}, {"run": turned})
    order = "with the rank" if steps.by_rank else "from each line to the next"
    yield Finding(
        severity="warning",
        message=f"scores rise {order} in {counted(len(steps.rises), 'place')}, and fall in {steps.falls:,}: distances?",
        count=len(steps.rises),
        places=case.at(steps.rises),
        effect="every list is read upside down" + (f": {effect} as it is and turned round" if effect else ""),
        remedy="write scores of which the highest is the best: the negative distance will do",
    )
