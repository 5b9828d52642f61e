"""How much of what a reader sees was judged."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.analysis.lint.case import Case
from truerank.analysis.lint.findings import Finding
from truerank.analysis.notices import UNJUDGED

LOW = 0.5
"""Judged share below which judgments that could cover the cutoff leave more open than they settle."""


def judged_share(case: Case) -> Iterator[Finding]:
    """Unjudged documents among the first of each list."""
    judged, cutoff = case.judged, case.cutoff
    if judged is None:
        return
    if not len(judged.row):
        yield Finding(
            severity="error",
            message=f"none of the {len(case.run):,} documents is judged",
            count=len(case.run),
            places=case.at([0]),
            effect="every score is 0",
            remedy="check that these are the judgments of this collection, and that both name documents alike",
        )
        return
    if float(judged.qrels.grade.min()) > 0:
        return  # Only relevant documents are judged, so that their share is the precision, and says nothing new.
    share = case.score(f"Judged@{cutoff}", missing="skip")
    if share is None or 1 - share.mean < UNJUDGED:
        return
    # Where few documents are judged at all, as with one relevant document a topic, no run can be judged well.
    sparse = float(np.median(np.diff(judged.qrels.offsets))) < cutoff
    bounds = case.score(case.measures[0], unjudged="bounds")
    effect = "unjudged documents count as not relevant"
    if bounds is not None and bounds.high is not None:
        effect += f": {bounds.measure} is {bounds.mean:.4f}, and could be up to {bounds.high:.4f}"
    lowest = np.argsort(share.values)[:1]
    yield Finding(
        severity="warning" if share.mean < LOW and not sparse else "info",
        message=f"{share.mean:.0%} of the top {cutoff} documents are judged; least in topic "
        f"{share.names[int(lowest[0])]!r}: {share.values[lowest[0]]:.0%}",
        effect=effect,
        remedy="report bounds or condensed lists beside the score, or judge the top documents",
    )
