"""Lists that are very short, or longer than is usually scored."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.analysis.lint.case import Case
from truerank.analysis.lint.findings import Finding
from truerank.data.printing import counted

DEEPEST = 1000
"""Documents that TREC tracks and trec_eval's measures look at."""
UNEVEN = 10
"""Times that a list is shorter than most, to be called uneven."""


def list_lengths(case: Case) -> Iterator[Finding]:
    """Lists that end before the cutoff, or long before the others; and lists past rank 1000."""
    run = case.run
    length = np.diff(run.offsets)
    usual = int(np.median(length))
    short = np.flatnonzero((length < case.cutoff) | (length * UNEVEN <= usual))
    if len(short):
        yield Finding(
            severity="info",
            message=f"{counted(len(short), 'list')} of {len(length):,} with few documents, down to {length.min()}; "
            f"half have {usual:,} or more",
            count=len(short),
            places=case.topics_named(run.topics[topic] for topic in short),
            effect="ranks that a list does not reach count as not relevant, down to the cutoff of each measure",
            remedy="nothing if the system chose to stop; then score its endings too (ending='terminal')",
        )
    long = np.flatnonzero(length > DEEPEST)
    if len(long):
        whole, cut = case.score("AP"), case.score(f"AP@{DEEPEST}")
        effect = f": AP {whole.mean:.4f}, AP@{DEEPEST} {cut.mean:.4f}" if whole and cut else ""
        yield Finding(
            severity="info",
            message=f"{counted(len(long), 'list')} with more than {DEEPEST:,} documents, up to {length.max():,}",
            count=len(long),
            places=case.topics_named(run.topics[topic] for topic in long),
            effect=f"measures without a cutoff see what other runs do not have{effect}",
            remedy=f"cut all runs at {DEEPEST:,}, or give measures a cutoff",
        )
