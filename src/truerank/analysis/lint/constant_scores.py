"""Topics where all documents have one score."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.analysis.lint.case import Case
from truerank.analysis.lint.findings import Finding
from truerank.data.arrays import Rows
from truerank.data.printing import counted
from truerank.data.run import Run


def constant_scores(case: Case) -> Iterator[Finding]:
    """Topics with several documents and a single score."""
    run = case.run
    topics = constant(run)
    if not len(topics):
        return
    names = [run.topics[topic] for topic in topics]
    values = np.sort(run.score[run.offsets[topics]])
    score = f" ({values[0]:g})" if values[0] == values[-1] else ""
    whole = "every topic" if len(topics) == len(run.topics) else counted(len(topics), "topic")
    ranked = case.steps.by_rank
    moves = tie_moves(case)
    effect = "the whole list is one tie, whose order is left to the tool" + (
        "; ranks are not looked at" if ranked else ""
    )
    yield Finding(
        severity="warning",
        message=f"all documents of {whole} have the same score{score}{', though their ranks differ' if ranked else ''}",
        count=len(topics),
        places=case.topics_named(names),
        effect=f"{effect}: {moves[1]}" if moves else effect,
        remedy="write the scores that the system sorted by; or, from ranks, n down to 1",
    )


def constant(run: Run) -> Rows:
    """Topics of a run where two or more documents have the same score and none has another."""
    first, last = run.offsets[:-1], run.offsets[1:] - 1
    return np.flatnonzero((last > first) & (run.score[first] == run.score[last]))


def tie_moves(case: Case) -> tuple[float, str] | None:
    """How far the order of ties can move scores, and those of the measure it moves most; None without judgments."""
    known = []
    for name in case.measures:
        score = case.score(name, ties="bounds")
        if score is not None and score.low is not None and score.high is not None:
            known.append((score.high - score.low, f"{name} from {score.low:.4f} to {score.high:.4f}"))
    return max(known, key=lambda item: item[0], default=None)
