"""Checks of how much of a run is scored: topics, judged documents, lengths of lists."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.data.printing import counted
from truerank.questions.lint.case import Effect, LintCase, as_columns, some
from truerank.questions.lint.question import Finding
from truerank.track.facts import UNJUDGED

LOW = 0.5
"""Judged share below which judgments that could cover the cutoff leave more open than they settle."""
DEEPEST = 1000
"""Documents that TREC tracks and trec_eval's measures look at."""
UNEVEN = 10
"""Times that a list is shorter than most, to be called uneven."""


def missing_topics(case: LintCase) -> Iterator[Finding]:
    """Judged topics without a list."""
    absent = [topic for topic in case.missing if topic not in case.renamed]
    if case.judgments is None or case.strangers or not absent:
        return
    effect = case.apart({"missing": "empty"}, {"missing": "skip"})
    yield Finding(
        severity="warning",
        message=f"{counted(len(absent), 'topic')} of {len(case.judgments.topics):,} missing: {some(absent)}",
        count=len(absent),
        effect="some tools count them as empty lists, others leave them out of the mean"
        + (f": {effect.joined('or')}" if effect else ""),
        **as_columns(effect),
        remedy="retrieve something for every topic; or say which mean you report (--missing empty or skip)",
    )


def extra_topics(case: LintCase) -> Iterator[Finding]:
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


def judged_share(case: LintCase) -> Iterator[Finding]:
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
    moved = None
    if bounds is not None and bounds.high is not None:
        moved = Effect(bounds.measure, bounds.mean, bounds.high)
        effect += f": {bounds.measure} is {bounds.mean:.4f}, and could be up to {bounds.high:.4f}"
    lowest = np.argsort(share.values)[:1]
    yield Finding(
        severity="warning" if share.mean < LOW and not sparse else "info",
        message=f"{share.mean:.0%} of the top {cutoff} documents are judged; least in topic "
        f"{share.names[int(lowest[0])]!r}: {share.values[lowest[0]]:.0%}",
        effect=effect,
        **as_columns(moved),
        remedy="report bounds or condensed lists beside the score, or judge the top documents",
    )


def list_lengths(case: LintCase) -> Iterator[Finding]:
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
            remedy="nothing if the system chose to stop; then score its endings too (--ending terminal)",
        )
    long = np.flatnonzero(length > DEEPEST)
    if len(long):
        whole, cut = case.score("AP"), case.score(f"AP@{DEEPEST}")
        effect = f": AP {whole.mean:.4f}, AP@{DEEPEST} {cut.mean:.4f}" if whole and cut else ""
        moved = Effect("AP", cut.mean, whole.mean) if whole and cut else None
        yield Finding(
            severity="info",
            message=f"{counted(len(long), 'list')} with more than {DEEPEST:,} documents, up to {length.max():,}",
            count=len(long),
            places=case.topics_named(run.topics[topic] for topic in long),
            effect=f"measures without a cutoff see what other runs do not have{effect}",
            **as_columns(moved),
            remedy=f"cut all runs at {DEEPEST:,}, or give measures a cutoff",
        )
