"""Checks of the scores of a run: ranks that contradict them, distances, ties, precision."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.data.arrays import Rows
from truerank.data.printing import counted
from truerank.data.run import Run
from truerank.data.ties import PRECISIONS, all_tie_groups
from truerank.io.direction import low_is_best
from truerank.questions.lint.case import Effect, LintCase, as_columns
from truerank.questions.lint.question import VISIBLE, Finding

LAST = 1e300
"""Rank of documents without one."""
MATTERS = 0.01
"""Difference between the best and the worst order that could be taken for one between systems."""
SHARES = (0.5, 0.1)
"""Tied shares that are a warning, and worth knowing, where there are no judgments to see what they do."""


def ranks(case: LintCase) -> Iterator[Finding]:
    """Documents with a higher score than the one ranked above them, and ranks that are not numbers."""
    draft, steps = case.draft, case.steps
    if draft.rank is None:
        return
    unreadable = np.flatnonzero(np.isnan(draft.rank))
    if len(unreadable):
        yield Finding(
            severity="info",
            message=f"{counted(len(unreadable), 'rank')}: not a number",
            count=len(unreadable),
            places=case.at(unreadable),
            effect="none, unless ties are broken by rank (--ties rank), which is then refused",
            remedy="number the documents of each topic from 1",
        )
    rises = steps.rises[~np.isin(draft.topic_of(steps.rises), case.in_doubt)]
    if not steps.by_rank or not len(rises):
        return
    topics = len(set(draft.topic_of(rises).tolist()))
    by_rank = draft.ranked(-np.where(np.isnan(draft.rank), LAST, draft.rank))
    effect = case.apart({}, {"run": by_rank})
    yield Finding(
        severity="info" if effect and effect.size < VISIBLE else "warning",
        message=f"{counted(len(rises), 'document')} in {counted(topics, 'topic')} below one with a lower score",
        count=len(rises),
        places=case.at(rises),
        effect="tools sort by score, and ignore ranks"
        + (f": {effect.joined()} by score and by rank" if effect else ""),
        **as_columns(effect),
        remedy="write ranks and scores that agree; if ranks are right, give scores that fall with them",
        fixable=True,
    )


def direction(case: LintCase) -> Iterator[Finding]:
    """Scores that rise down the list, as distances do."""
    steps, draft = case.steps, case.draft
    if not steps.reversed:
        yield from _in_doubt(case)
        return
    turned = draft.ranked(-draft.number)
    effect = case.apart({}, {"run": turned})
    order = "with the rank" if steps.by_rank else "from each line to the next"
    yield Finding(
        severity="warning",
        message=f"scores rise {order} in {counted(len(steps.rises), 'place')}, and fall in {len(steps.falls):,}: "
        "distances?",
        count=len(steps.rises),
        places=case.at(steps.rises),
        effect="every list is read from its end" + (f": {effect.joined()} as it is and reversed" if effect else ""),
        **as_columns(effect),
        remedy="write scores of which the highest is the best: the negative distance will do",
    )


def _in_doubt(case: LintCase) -> Iterator[Finding]:
    """Topics with too few documents, or too few of them, to tell distances from ranks that are the wrong way round."""
    draft, steps, topics = case.draft, case.steps, case.in_doubt
    if draft.rank is None:
        return
    rises, falls = (rows[np.isin(draft.topic_of(rows), topics)] for rows in (steps.rises, steps.falls))
    if not len(rises):
        return
    by_rank = draft.ranked(-np.where(np.isnan(draft.rank), LAST, draft.rank))
    effect = case.apart({}, {"run": by_rank})
    where = counted(len(topics), "topic")
    yield Finding(
        severity="info" if effect and effect.size < VISIBLE else "warning",
        message=f"scores of {where} rise with the rank in {counted(len(rises), 'place')}, and fall in {len(falls):,}: "
        "distances, or ranks the wrong way round?",
        count=len(rises),
        places=case.at(rises),
        effect="lists are read by score, the highest first"
        + (f": {effect.joined()} by score and by rank" if effect else ""),
        **as_columns(effect),
        remedy="if low scores are best, write the negative distance; if high ones are, number the ranks anew",
    )


def constant_scores(case: LintCase) -> Iterator[Finding]:
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
        effect=f"{effect}: {moves.joined('to')}" if moves else effect,
        **as_columns(moves),
        remedy="write the scores that the system sorted by; or, from ranks, n down to 1",
    )


def constant(run: Run) -> Rows:
    """Topics of a run where two or more documents have the same score and none has another."""
    several = np.flatnonzero(np.diff(run.offsets) > 1)
    found: Rows = several[run.score[run.offsets[several]] == run.score[run.offsets[several + 1] - 1]]
    return found


def tie_moves(case: LintCase) -> Effect | None:
    """How far the order of ties can move the score; None without judgments."""
    known = []
    for name in case.measures:
        score = case.score(name, ties="bounds")
        if score is not None and score.low is not None and score.high is not None:
            known.append(Effect(name, score.low, score.high))
    return max(known, key=lambda effect: effect.size, default=None)


def ties(case: LintCase) -> Iterator[Finding]:
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
        effect = f"their order can change the score: {moves.joined('to')}"
        severity = "warning" if moves.size >= MATTERS else "info" if moves.size >= VISIBLE else ""
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
            **as_columns(moves),
            remedy="write scores with all their digits; or report the expected score, which no order changes",
        )


def float32(case: LintCase) -> Iterator[Finding]:
    """Scores that differ, and are equal when rounded to single precision."""
    run = case.run
    sizes = [all_tie_groups(run.score, run.offsets, precision)[1] for precision in PRECISIONS]
    rows = np.flatnonzero(sizes[0] != sizes[1])
    if not len(rows):
        return
    # With both tools over the same topics, only the precision differs.
    old, new = ({"like": tool, "missing": "skip"} for tool in ("trec_eval-9", "trec_eval-10"))
    effect = case.apart(old, new)
    yield Finding(
        severity="warning" if effect and effect.size >= VISIBLE else "info",
        message=f"{counted(len(rows), 'document')} tied in single precision, and not in double",
        count=len(rows),
        places=case.rows_of_run(rows),
        effect="trec_eval 9 and tools made of it see ties where trec_eval 10 and truerank see none"
        + (f": {effect.joined()}" if effect else ""),
        **as_columns(effect),
        remedy="subtract what all scores have in common, or write fewer digits",
    )


def negative_scores(case: LintCase) -> Iterator[Finding]:
    """Scores that are all below zero."""
    run = case.run
    if float(run.score.max()) < 0 and not case.steps.reversed and not low_is_best(run):
        yield Finding(
            severity="info",
            message=f"all {counted(len(run), 'score')} are negative, {run.score.min():g} to {run.score.max():g}",
            count=len(run),
            places=case.at([0]),
            effect="none here: the highest is the best; torchmetrics takes scores up to 0 as not retrieved",
            remedy="nothing if these are log probabilities; check that they are no distances with the wrong sign",
        )
