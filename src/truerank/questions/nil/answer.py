"""The answer: topics left unanswered, scores by two methodologies, lengths of lists, and how both order runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

from truerank.conventions.axes import Conventions
from truerank.data.notes import Note
from truerank.report.answer import PLOT, ByMeasure, Sheet, Top, TrackAnswer
from truerank.report.rows import Row, column, derived
from truerank.report.signature import Option, Theme, adjustable

if TYPE_CHECKING:
    from truerank.data.arrays import Mask, Rows
    from truerank.report.plots.chart import Plot
    from truerank.report.table import Table


KINDS = (
    "right silence",
    "false answer",
    "stop that paid",
    "stop that did not pay",
    "premature NIL",
    "giving up",
    "hedging",
    "full list",
)
"""What the end of a list may be; those of topics without an answer first."""


TopRuns = Annotated[
    int | None,
    Option("Rows that people see of each measure, and runs in the right half of the figure.", metavar="N", least=1),
]


class Cases(Row, eq=False):
    """The topics of a run in four cases; silent on a topic is a run that lists nothing, or NIL first."""

    run: str = column("the run")
    topics: int = column("all topics")
    answered: int = column("topics that have an answer and were answered, well or badly")
    false_answers: int = column("topics that have no answer and were answered", head="false answers")
    false_silences: int = column("topics that have an answer and were left unanswered", head="false silences")
    right_silences: int = column("topics that have no answer and were left unanswered", head="right silences")
    precision: float = column(
        "share of silences that are right; undefined for a run that is never silent",
        best="high",
        minor=1,
        over="mean",
    )
    recall: float = column(
        "share of topics without an answer that were left unanswered; undefined where every topic has one",
        best="high",
        minor=1,
        over="mean",
    )
    f: float = column(
        "harmonic mean of precision and recall; undefined where there is neither silence nor a reason for it",
        best="high",
        over="mean",
    )
    accuracy: float = column("share of topics where it was right to answer, or not to", best="high", over="mean")
    c: float = column(
        "accuracy at rank 1, where silence earns the accuracy of what was answered",
        called="c@1",
        best="high",
        over="mean",
    )
    nil: int = column("lists with a NIL")
    ended: float = column(
        "share of lists that the system ended: by a NIL, or before the limit; without a limit, all", over="mean"
    )
    false_silence_topics: tuple[str, ...] = column("topics that were left unanswered wrongly")
    right_silence_topics: Sequence[str] = column("topics that were left unanswered rightly", nested=True)
    false_answer_topics: Sequence[str] = column("topics that were answered and have no answer", nested=True)
    before: Rows = column(
        "documents of each list as it was handed in, NIL included; 0 where the topic is left out", nested=True
    )
    after: Rows = column("documents of each list down to its NIL", nested=True)

    answered_topics: tuple[str, ...]
    has_nil: Mask
    """Which lists have a NIL."""
    was_ended: Mask
    """Which lists the system ended."""

    brief = (
        "run",
        "answered",
        "false_answers",
        "false_silences",
        "right_silences",
        "precision",
        "recall",
        "f",
        "accuracy",
        "c",
    )

    @property
    def silences(self) -> int:
        """Topics left unanswered."""
        return self.false_silences + self.right_silences


class Shift(Row):
    """A measure of a run, by the original and by the modified methodology."""

    measure: str = column("the measure")
    run: str = column("the run")
    original: float = column(
        "with NIL as a document of the list, and no terminal document", best="measure", over="mean"
    )
    modified: float = column(
        "with lists ended at their NIL, and a terminal document after those that the system ended",
        best="measure",
        over="mean",
    )
    difference: float = column("what taking truncation into account adds", over="mean")
    original_rank: int | None = column("place of the run by the original methodology; nothing without a score")
    modified_rank: int | None = column("place of the run by the modified methodology")
    rank_change: int | None = column("places that it gains by the modified methodology")
    ended: float = column("share of lists that the system ended", over="mean")

    brief = ("measure", "run", "original", "modified", "difference", "rank", "ended")

    @derived(over="none")
    def rank(self) -> str | None:
        """Both places of the run, or the one that it keeps."""
        was, now = self.original_rank, self.modified_rank
        if was is None or now is None:
            return None
        return str(now) if was == now else f"{was} to {now}"


class LengthBin(Row):
    """How many lists of all runs have a length."""

    low: int = column("the least length")
    high: int = column("the largest length")
    before: int = column("lists of such a length as they were handed in")
    after: int = column("lists of such a length down to their NIL")

    brief = ("length", "before", "after")

    @derived()
    def length(self) -> str:
        """The length, or the lengths from one to another."""
        from truerank.questions.truncate.lengths import Bin

        return str(Bin(self.low, self.high))


class Inversion(Row):
    """Two runs that the methodologies put in opposite orders."""

    measure: str = column("the measure")
    better: str = column("the better run by the original methodology")
    worse: str = column("the other one")
    original: float = column("by how much the first is better")
    modified: float = column("by how much the other one is, by the modified methodology")


class Orderings(Row):
    """The orders in which two methodologies put runs, by one measure."""

    measure: str = column("the measure")
    runs: int = column("runs that have a score")
    kendall_a: float = column("Kendall's tau-a between the two orders", over="mean")
    kendall_b: float = column("Kendall's tau-b", over="mean")
    tau_ap: float = column("AP correlation, the original order taken for the truth", over="mean")
    pairs: int = column("pairs of runs that are not level by the original methodology")
    inverted: int = column("those that the other one turns around")
    original: Sequence[str] = column("runs by the original methodology, best first", nested=True)
    modified: Sequence[str] = column("runs by the modified methodology, best first", nested=True)

    inversions: tuple[Inversion, ...]
    """The farthest apart first."""


class ListEnding(Row):
    """A list, what its end was, and what counting that did to the score."""

    measure: str = column("the measure")
    run: str = column("the run")
    topic: str = column("the topic")
    kind: str = column(
        "no answer exists: right silence, or false answer; one exists: the list ended with relevant documents in it, "
        "which is a stop that paid, or one that did not pay; premature NIL, above relevant documents; giving up, with "
        "none listed; full list, which the system did not end; hedging, of a run that has a NIL in every list"
    )
    original: float = column("the score of the topic by the original methodology; undefined where it is in no mean")
    modified: float = column("the score by the modified one")
    adds: float = column("what it adds to the difference between the means of the run; undefined where that is no mean")
    length: int = column("documents down to the NIL", minor=1)
    nil_rank: int | None = column("rank of the NIL; nothing without one", head="NIL at", minor=1)
    found: int = column("relevant documents down to the NIL", minor=1)
    below: int = column("relevant documents below the NIL")

    @derived(for_people=False)
    def difference(self) -> float:
        """What counting the end does to the score of the topic."""
        return self.modified - self.original

    brief = ("measure", "run", "topic", "kind", "original", "modified", "adds", "nil_rank", "found", "below")


class Earned(Row):
    """What ends of one kind did to a run: over all kinds, ``adds`` sums up to the difference of its means."""

    measure: str = column("the measure")
    run: str = column("the run")
    kind: str = column("what the end of the list was, as topic by topic")
    lists: int = column("lists that ended so")
    adds: float = column("what they add to the difference between the two means")
    gains: float = column("what those of them add that gain")
    losses: float = column("what those of them add that lose")


class Hedger(Row):
    """A run that has a NIL beside documents in all its lists with documents, so that it tells nothing by it."""

    run: str = column("the run")
    lists: int = column("its lists with documents, which all have a NIL")
    first: int = column("the highest rank of a NIL in them")
    last: int = column("the lowest rank of a NIL")


class Silence(TrackAnswer[Shift]):
    """Where runs are silent, and what that is worth: NIL as a document against the end of a list as an answer."""

    question = "nil"
    by_collection = True
    sheets = {
        "cases": Sheet(
            Cases,
            "silent or not, rightly or not",
            of="silences",
            meaning="topics answered, answered without there being an answer, left unanswered wrongly and rightly; "
            "precision, recall and F of silence, accuracy of the decision to answer",
        ),
        "scores": Sheet(
            Shift,
            "scores by both methodologies",
            of="shifts",
            meaning="original: NIL as a document; modified: lists ended at NIL, with a terminal document; ended: share "
            "of lists that the system ended",
        ),
        "endings": Sheet(
            Earned,
            "what each kind of ending earned or cost each run",
            of="earned",
            meaning="adds: what these lists add to the mean, from the original to the modified methodology; the kinds "
            "of a run sum up to its difference",
            top=20,
        ),
        "topics": Sheet(
            ListEnding,
            "what each list earned by its ending, topic by topic",
            of="lists",
            meaning="scores of the topic by both methodologies; adds: to the mean of the run; NIL at: its rank; "
            "found, below: relevant documents down to the NIL, and below it",
            json=False,
            top=20,
        ),
        "lengths": Sheet(LengthBin, "lengths of lists", meaning="lists by length as handed in, and ended at their NIL"),
        "agreement": Sheet(
            Orderings,
            "how far the two orderings of runs agree",
            of="both_orders",
            meaning="orderings of runs by the original and the modified methodology; inverted: pairs in opposite "
            "orders",
        ),
        "pairs": Sheet(
            Inversion,
            "pairs of runs that they put in opposite orders",
            of="inversions",
            meaning="pairs of runs in opposite orders; original: by how much the better one is ahead, modified: the "
            "other",
            top=20,
        ),
    }
    files = {"plot": PLOT}

    original: Conventions = column("the conventions of the original methodology (TREC 2001)")
    nil_topics: tuple[str, ...] = column("topics that have no answer")
    silences: tuple[Cases, ...]
    shifts: tuple[Shift, ...]
    """By measure, the best by the modified methodology first."""
    lengths: tuple[LengthBin, ...]
    """Lists of all runs by their length, before and after they are ended at their NIL."""
    both_orders: tuple[Orderings, ...]
    lists: Sequence[ListEnding]
    """Every list by every measure, those first that count for most."""
    earned: tuple[Earned, ...]
    """By measure and run."""
    hedgers: tuple[Hedger, ...] = column("runs that have a NIL in all their lists with documents", nested=True)

    @property
    def modified(self) -> Conventions:
        """The conventions of the modified methodology (Liu et al. 2016)."""
        return self.conventions

    @cached_property
    def cases(self) -> dict[str, Cases]:
        """Whether a run answered, and whether there was an answer, by run."""
        return {row.run: row for row in self.silences}

    def scored(self) -> Sequence[Shift]:
        """The scores by both methodologies."""
        return self.shifts

    @property
    def orderings(self) -> ByMeasure[Orderings]:
        """How the two methodologies order the runs, by measure."""
        return ByMeasure({one.measure: one for one in self.both_orders})

    @property
    def inversions(self) -> list[Inversion]:
        """Pairs of runs in opposite orders, by measure the farthest apart first."""
        return [pair for one in self.both_orders for pair in one.inversions]

    @property
    def longest(self) -> int:
        """The most documents that a list has."""
        return max(int(row.before.max(initial=0)) for row in self.silences)

    def layout(self, show: str, *, top: Top = None) -> Table:
        """The table that people see; runs that answer best come first."""
        table = super().layout(show, top=top)
        return table.by("c@1") if show == "cases" else table

    def says(self, show: str) -> Iterator[Note]:
        """What there is to know of what is shown."""
        from truerank.questions.nil import words

        if show == "cases":
            yield words.topics(self)
            yield from words.silences(self)
        yield from words.longer(self)
        if show != "cases":
            yield from words.lists(self)
        yield from words.hedged(self)
        if show in ("endings", "topics"):
            yield from (words.earned(self, measure) for measure in self.wanted)
        elif show not in ("cases", "lengths"):
            yield from (words.order(self, measure) for measure in self.measures)

    @adjustable
    def plot(self, show: str | None = None, *, top: TopRuns = None, theme: Theme = "light", **look: Any) -> Plot:
        """Draw both scores of each run, and what truncation has to do with them; or ``show="lengths"``."""
        from truerank.questions.nil.figure import plot_lengths, plot_scores

        return plot_lengths(self, theme=theme) if show == "lengths" else plot_scores(self, top=top, theme=theme)

    def __repr__(self) -> str:
        return f"Silence({len(self)} runs, {len(self.wanted)} measures, {len(self.nil_topics)} nil topics)"
