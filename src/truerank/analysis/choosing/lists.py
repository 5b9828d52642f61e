"""Where the lists of runs contradict the answers that led to a measure, or leave it little to say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec

import numpy as np

from truerank.analysis.choosing.evidence import Evidence, SeenRun
from truerank.analysis.lint.findings import Finding
from truerank.analysis.lint.ties import SHARES
from truerank.analysis.notices import UNJUDGED
from truerank.data.printing import counted


def lengths(evidence: Evidence) -> Iterator[Finding]:
    """Lists of one length where systems were said to choose it, or of several where they were not."""
    runs, counts = evidence.runs, evidence.answers["length"]
    if counts:
        fixed = [run for run in runs if not run.varies and len(run.lengths) > 1]
        if fixed:
            yield Finding(
                severity="warning",
                message=f"{_of(fixed, runs)}: all lists have the same length, {_named(fixed, _longest)}",
                count=len(fixed),
                effect="such a system did not choose where to stop, and cannot gain by it",
                remedy="answer no to length; or see where to stop with: truerank truncate",
            )
        return
    cutoff = evidence.measure.cutoff
    if cutoff is not None:
        short = [run for run in runs if run.lengths.min(initial=cutoff) < cutoff]
        if short:
            lists = sum(int((run.lengths < cutoff).sum()) for run in short)
            yield Finding(
                severity="warning",
                message=f"{_of(short, runs)}: {counted(lists, 'list')} shorter than {cutoff}, "
                f"{_named(short, _shortest)}",
                count=lists,
                effect="the ranks that a list lacks count as not relevant",
                remedy="answer yes to length if systems chose to stop; otherwise give all runs longer lists",
            )
        return
    uneven = [run for run in runs if run.varies]
    if uneven:
        yield Finding(
            severity="warning",
            message=f"{_of(uneven, runs)}: lists differ in length, {_named(uneven, _between)}",
            count=len(uneven),
            effect="what a list leaves out counts as not retrieved, and stopping early is never an advantage",
            remedy="answer yes to length if systems chose to stop",
        )


def other_documents(evidence: Evidence) -> Iterator[Finding]:
    """Runs that do not order the same documents, where only their order was to count."""
    runs = evidence.runs
    if evidence.answers["top"] or evidence.answers["length"] or len(runs) < 2:
        return
    unlike = [run for run in runs if (run.sets != runs[0].sets).any()]
    if unlike:
        yield Finding(
            severity="warning",
            message=f"{runs[0].name} and {unlike[0].name} do not list the same documents",
            count=len(unlike),
            effect="which documents were found counts as much as their order",
            remedy="rank the same documents with all systems, or answer yes to top",
        )


def many_ties(evidence: Evidence) -> Iterator[Finding]:
    """Runs that leave much of their order open, where that can move the score."""
    tied = [run for run in evidence.runs if run.tied >= SHARES[0] and run.facts.ties]
    if tied:
        yield Finding(
            severity="warning",
            message=f"{_of(tied, evidence.runs)}: half of the documents or more are tied, {_named(tied, _tied)}",
            count=len(tied),
            effect=f"{evidence.measure} is of an order that the run does not have"
            + ("; all tied documents take the last rank of theirs" if evidence.measure.shares_last_rank else ""),
            remedy="write scores with all their digits; see what ties do with: truerank ties",
        )


def many_unjudged(evidence: Evidence) -> Iterator[Finding]:
    """Documents that readers see and nobody judged."""
    if evidence.measure.needs == "preferences":
        return
    where = "listed" if evidence.depth is None else f"among the first {evidence.depth:,}"
    unjudged = [run for run in evidence.runs if run.unjudged >= UNJUDGED]
    if unjudged:
        yield Finding(
            severity="warning",
            message=f"{_of(unjudged, evidence.runs)}: {UNJUDGED:.0%} or more of the documents {where} are unjudged, "
            f"{_named(unjudged, _unjudged)}",
            count=len(unjudged),
            effect="they count as not relevant" + ", and as costs" * bool(evidence.answers["length"]),
            remedy="see what they could change with: truerank unjudged; or evaluate with --unjudged bounds",
        )


def few_topics(evidence: Evidence) -> Iterator[Finding]:
    """Differences between runs that are smaller than so many topics can show."""
    runs = evidence.runs
    if len(runs) < 2 or find_spec("scipy") is None:
        return
    from truerank.analysis.significance.power import plan

    values = np.array([run.values for run in runs])
    if values.shape[1] < 2 or not np.isfinite(values).all():
        return
    pair = np.triu_indices(len(runs), 1)
    needed = plan(values).detectable[pair]
    mean = values.mean(axis=1)
    small = np.abs(mean[pair[0]] - mean[pair[1]]) < needed
    if small.mean() > SHARES[0]:
        yield Finding(
            severity="info",
            message=f"with {counted(values.shape[1], 'topic')}, {int(small.sum()):,} of {counted(len(needed), 'pair')} "
            "of runs differ by less than a t-test finds in four of five cases",
            count=int(small.sum()),
            effect=f"differences in {evidence.measure} below {np.median(needed):.4f} are hard to tell from chance",
            remedy="test them with: truerank compare; or judge more topics",
        )


def _of(concerned: list[SeenRun], runs: tuple[SeenRun, ...]) -> str:
    return concerned[0].name if len(concerned) == 1 else f"{len(concerned)} of {counted(len(runs), 'run')}"


def _named(runs: list[SeenRun], said: Callable[[SeenRun], tuple[float, str]]) -> str:
    """What is said of the run where it is most."""
    worst = max(runs, key=lambda run: said(run)[0])
    return said(worst)[1] + f" in {worst.name}" * (len(runs) > 1)


def _longest(run: SeenRun) -> tuple[float, str]:
    return 0, f"{int(run.lengths[0]):,}"


def _shortest(run: SeenRun) -> tuple[float, str]:
    return -float(run.lengths.min()), f"down to {int(run.lengths.min()):,}"


def _between(run: SeenRun) -> tuple[float, str]:
    low, high = int(run.lengths.min()), int(run.lengths.max())
    return high - low, f"from {low:,} to {high:,}"


def _tied(run: SeenRun) -> tuple[float, str]:
    return run.tied, f"{run.tied:.0%}"


def _unjudged(run: SeenRun) -> tuple[float, str]:
    return run.unjudged, f"{run.unjudged:.0%}"
