"""How the lists of a run are read: everything that rankings depend on beside the run, its judgments and its end."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truerank.conventions.axes import EXTREMES, Conventions
from truerank.conventions.ending import until_nil, with_nil, without_nil
from truerank.conventions.ties import broken_by_order, by_grade
from truerank.conventions.unjudged import assumed, condensed
from truerank.data.arrays import offsets, stretches
from truerank.data.classes import dataclass
from truerank.data.ids import Ids
from truerank.data.judge import JudgedRun, every_document, judge
from truerank.data.notes import CountNote
from truerank.data.printing import counted
from truerank.data.qrels import Qrels
from truerank.data.run import Run


@dataclass(frozen=True)
class Plan:
    """Documents in an order of ties, and unjudged ones read in one way."""

    ties: str
    """"expected" for none, "best" or "worst", or an order."""
    unjudged: str
    """"nonrelevant", "condensed", or "low" or "high": all of a ``grade``."""
    grade: float = 0.0
    """That unjudged documents are taken to have."""
    depth: int | None = None
    """How far unseen documents are taken to go on past the end of a list; None where the list ends."""
    within: int | None = None
    """How deep documents are listed that are taken to have a grade; None for all of them."""
    every: bool = False
    """Whether documents that are not judged are listed, too."""
    negative_judged: bool = True
    """Whether a negative grade is a judgment."""

    @property
    def extreme(self) -> bool:
        """Whether the order of ties is a measure's own."""
        return self.ties in EXTREMES

    @property
    def assumes(self) -> bool:
        """Whether unjudged documents are taken to have a grade."""
        return self.unjudged in ("low", "high")

    @property
    def hopes(self) -> bool:
        """Whether that grade is the best: then lists may go on with more of them."""
        return self.unjudged == "high"

    def lists(self, judged: JudgedRun, choice: Conventions) -> JudgedRun:
        """The judged run, read so; an order that is a measure's own is not put in yet."""
        if self.every or self.assumes:
            judged = every_document(judged, self.within if self.depth is None else self.depth)
        if self.assumes:
            judged = assumed(judged, self.grade, self.depth, negative_judged=self.negative_judged)
        if self.extreme or self.ties == "expected":
            judged = by_grade(judged)
        else:
            judged = broken_by_order(judged, self.ties.partition("(")[0], choice.seed)
        if self.unjudged == "condensed":
            return condensed(judged, negative_judged=self.negative_judged)
        return judged


def listed(run: Run, choice: Conventions) -> Run:
    """The documents of a run that count."""
    return without_identical(run) if choice.drops_identical else run


def without_identical(run: Run) -> Run:
    """The run without documents that have the id of their topic; it notes how many there were.

    >>> from truerank.data.run import arrange
    >>> run = arrange("x", [b"q"], [0, 2], Ids.pack("qd"), [2, 1])
    >>> without_identical(run).ranking("q")
    [('d', 1.0)]
    """
    topics = Ids.pack(run.topics)
    topic = stretches(run.offsets)
    alike = np.flatnonzero(run.key == topics.keys()[topic])
    alike = alike[run.docs.same(alike, topics, topic[alike])]
    if not len(alike):
        return run
    keep = np.ones(len(run), bool)
    keep[alike] = False
    some = run.take(np.flatnonzero(keep), offsets(keep)[run.offsets])
    return replace(some, notes=(*run.notes, CountNote(_dropped, {"documents": len(alike)})))


def _dropped(documents: int) -> str:
    return f"{counted(documents, 'document')} with the id of the topic dropped"


def answers(qrels: Qrels, choice: Conventions) -> Qrels:
    """The judgments, with NIL among them where it is an answer, and not where the end of a list is."""
    if not choice.nil_ends:
        return with_nil(qrels)
    return without_nil(qrels) if choice.ends else qrels


def ended_at_nil(judged: JudgedRun, choice: Conventions) -> JudgedRun:
    """The run with lists that end before their NIL, which is no document in the judgments either."""
    run, qrels = until_nil(judged.run, choice.precision), without_nil(judged.qrels)
    same = run is judged.run and qrels is judged.qrels
    return judged if same else judge(qrels, run, precision=choice.precision)
