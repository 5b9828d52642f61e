"""Which topics runs leave unanswered, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from truerank.data.printing import sentence

if TYPE_CHECKING:
    from truerank.questions.nil.question import Cases, NilAnswer

NOTHING = "Every topic has an answer and no run leaves one empty: there is nothing to compare."
NONE_EMPTY = "{nil} of {topics:topic} {nil:has|have} no answer, and no run leaves {nil:it|any of them} empty."
ONE = "{run:quoted} leaves {correct} of {nil:topic} without an answer empty[, and {wrong} of {answered} with one]."
BEST = (
    "{run:quoted} knows best when there is no answer: it leaves {correct} of {nil:topic} without an answer empty"
    "[, and wrongly {wrong} of {answered} with one]."
)
LEVEL = "{runs} leave {correct} of {nil:topic} without an answer empty[, and wrongly {wrong} of {answered} with one]."
ALL_WRONG = (
    "Every topic has an answer, so each empty list is wrong: {run:quoted} leaves {wrong} of {topics:topic} empty"
    "[, {others} fewer]."
)


def verdict(answer: NilAnswer, show: str) -> str:
    """How many of the topics without an answer runs leave empty, and how many of the others."""
    rows = answer.by_case
    if show != "cases" or not rows:
        return ""
    nil, topics = len(answer.nil_topics), len(answer.topics)
    if not any(row.unanswered for row in rows):
        return sentence(NONE_EMPTY, nil=nil, topics=topics) if nil else NOTHING
    if not nil:
        return _all_wrong(rows, topics)
    ranked = sorted(rows, key=lambda row: -row.accuracy)
    first = ranked[0]
    facts = {"nil": nil, "answered": topics - nil, **_counts(first)}
    if len(rows) == 1:
        return sentence(ONE, run=first.run, **facts)
    if all(row.accuracy == first.accuracy and _counts(row) == _counts(first) for row in rows):
        return sentence(LEVEL, runs=f"These {len(rows)} runs", **facts)
    level = [row for row in ranked if row.accuracy == first.accuracy]
    if len(level) > 1:
        return " ".join(sentence(ONE, run=row.run, **{**facts, **_counts(row)}) for row in level[:2])
    return sentence(BEST, run=first.run, **facts)


def _counts(row: Cases) -> dict[str, int | None]:
    return {"correct": row.correctly_unanswered, "wrong": row.wrongly_unanswered or None}


def _all_wrong(rows: Sequence[Cases], topics: int) -> str:
    worst = max(rows, key=lambda row: row.wrongly_unanswered)
    most = worst.wrongly_unanswered
    fewer = sum(row.wrongly_unanswered < most for row in rows)
    others = None
    if len(rows) > 1 and fewer:
        others = "the other run" if len(rows) == 2 else f"{fewer} other runs" if fewer > 1 else "1 other run"
    return sentence(ALL_WRONG, run=worst.run, wrong=most, topics=topics, others=others)
