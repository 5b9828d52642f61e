"""A judged run as conventions have it read."""

from __future__ import annotations

from truerank.conventions.choices import Conventions
from truerank.conventions.ending import until_nil, with_nil, without_nil
from truerank.conventions.identical import without_identical
from truerank.conventions.ties import broken_by_order, by_grade
from truerank.conventions.unjudged import assumed, condensed
from truerank.data.judge import Judged, every_document, judge
from truerank.data.qrels import Qrels
from truerank.data.run import Run


def listed(run: Run, choice: Conventions) -> Run:
    """The documents of a run that count."""
    return run if choice.identical == "keep" else without_identical(run)


def answers(qrels: Qrels, choice: Conventions) -> Qrels:
    """The judgments, with NIL among them where it is an answer, and not where the end of a list is."""
    if choice.nil == "answer":
        return with_nil(qrels)
    return qrels if choice.ending == "none" else without_nil(qrels)


def ended_at_nil(judged: Judged, choice: Conventions) -> Judged:
    """The run with lists that end before their NIL, which is no document in the judgments either."""
    run, qrels = until_nil(judged.run, choice.precision), without_nil(judged.qrels)
    same = run is judged.run and qrels is judged.qrels
    return judged if same else judge(qrels, run, precision=choice.precision)


def reading(
    judged: Judged, choice: Conventions, order: str, unjudged: str, grade: float, depth: int | None, every: bool
) -> Judged:
    """Documents in an order of ties, "expected" for none, and unjudged ones read in one way.

    ``unjudged`` is "nonrelevant", "condensed", or "low" or "high", which have them be of a ``grade``, with those that
    were not seen down to ``depth``. ``every`` keeps documents that are not judged, too.
    """
    negative_judged = choice.negative == "judged"
    if every or unjudged in ("low", "high"):
        judged = every_document(judged, depth)
    if unjudged in ("low", "high"):
        judged = assumed(judged, grade, depth, negative_judged=negative_judged)
    judged = by_grade(judged) if order == "expected" else broken_by_order(judged, order.partition("(")[0], choice.seed)
    return condensed(judged, negative_judged=negative_judged) if unjudged == "condensed" else judged
