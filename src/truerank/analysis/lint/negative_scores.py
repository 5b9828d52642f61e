"""Runs without a positive score."""

from __future__ import annotations

from collections.abc import Iterator

from truerank.analysis.lint.case import Case
from truerank.analysis.lint.findings import Finding
from truerank.data.printing import counted


def negative_scores(case: Case) -> Iterator[Finding]:
    """Scores that are all below zero."""
    run = case.run
    if float(run.score.max()) < 0 and not case.steps.reversed:
        yield Finding(
            severity="info",
            message=f"all {counted(len(run), 'score')} are negative, {run.score.min():g} to {run.score.max():g}",
            count=len(run),
            places=case.at([0]),
            effect="none here: the highest is the best; torchmetrics takes scores up to 0 as not retrieved",
            remedy="nothing if these are log probabilities; check that they are no distances with the wrong sign",
        )
