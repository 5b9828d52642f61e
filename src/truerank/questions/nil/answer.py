"""The answer: topics left unanswered, scores by two methodologies, lengths of lists, and how both order runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

from truerank.boards.rows import ORDERS, PAIRS, RUNS, BoardPair, BoardsAnswer
from truerank.conventions.axes import Conventions
from truerank.data.notes import Note
from truerank.report.answer import PLOT, Sheet, Top
from truerank.report.rows import Row, column, derived
from truerank.report.signature import Option, Theme, adjustable

if TYPE_CHECKING:
    from truerank.data.arrays import Mask, Rows
    from truerank.report.plots.chart import Plot
    from truerank.report.table import Table


KINDS = (
    "correctly unanswered",
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
    """The topics of a run in four cases; a topic is unanswered if the run leaves it out, lists nothing or NIL first."""

    run: str = column("the run")
    topics: int = column("all topics")
    answered: int = column("topics that have an answer and were answered, well or badly")
    false_answers: int = column("topics that have no answer and were answered", head="false answers")
    wrongly_unanswered: int = column("topics that have an answer and were left unanswered", head="wrongly unanswered")
    correctly_unanswered: int = column(
        "topics that have no answer and were left unanswered", head="correctly unanswered"
    )
    precision: float = column(
        "share of unanswered topics that have no answer; undefined for a run that answers every topic",
        best="high",
        minor=1,
        over="mean",
    )
    recall: float = column(
        "share of topics without an answer that were left unanswered; undefined if every topic has one",
        best="high",
        minor=1,
        over="mean",
    )
    f: float = column(
        "harmonic mean of precision and recall; undefined if every topic has an answer and is answered",
        best="high",
        over="mean",
    )
    accuracy: float = column(
        "share of topics that were correctly answered or left unanswered, however good the answers",
        best="high",
        over="mean",
    )
    c: float = column(
        "accuracy at rank 1; an unanswered topic earns the accuracy of the answered ones",
        called="c@1",
        best="high",
        over="mean",
    )
    nil: int = column("lists with a NIL")
    ended: float = column(
        "share of lists that the system ended: by a NIL, or before the limit; without a limit, all", over="mean"
    )
    wrongly_unanswered_topics: tuple[str, ...] = column("topics that have an answer and were left unanswered")
    correctly_unanswered_topics: Sequence[str] = column(
        "topics that have no answer and were left unanswered", nested=True
    )
    false_answer_topics: Sequence[str] = column("topics that were answered and have no answer", nested=True)
    before: Rows = column("documents of each list as submitted, NIL included; 0 if the topic is left out", nested=True)
    after: Rows = column("documents of each list above its NIL", nested=True)

    answered_topics: tuple[str, ...]
    has_nil: Mask
    """Which lists have a NIL."""
    was_ended: Mask
    """Which lists the system ended."""

    brief = (
        *("run", "answered", "false_answers", "wrongly_unanswered", "correctly_unanswered"),
        *("precision", "recall", "f", "accuracy", "c"),
    )

    @property
    def unanswered(self) -> int:
        """Topics left unanswered."""
        return self.wrongly_unanswered + self.correctly_unanswered


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


class ListEnding(Row):
    """A list, what its end was, and what counting that did to the score."""

    measure: str = column("the measure")
    run: str = column("the run")
    topic: str = column("the topic")
    kind: str = column(
        "no answer exists: correctly unanswered, or false answer; one exists: the list ended with relevant documents "
        "in it, which is a stop that paid, or one that did not pay; premature NIL, above relevant documents; giving "
        "up, with none listed; full list, which the system did not end; hedging, of a run that has a NIL in every list"
    )
    original: float = column("the score of the topic by the original methodology; undefined where it is in no mean")
    modified: float = column("the score by the modified one")
    adds: float = column("what it adds to the difference between the means of the run; undefined where that is no mean")
    length: int = column("documents above the NIL", minor=1)
    nil_rank: int | None = column("rank of the NIL; none without one", head="NIL at", minor=1)
    found: int = column("relevant documents above the NIL", minor=1)
    below: int = column("relevant documents below the NIL")

    @derived(for_people=False)
    def difference(self) -> float:
        """What counting the end does to the score of the topic."""
        return self.modified - self.original

    brief = ("measure", "run", "topic", "kind", "original", "modified", "adds", "nil_rank", "found", "below")


class EndingGain(Row):
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


class NilAnswer(BoardsAnswer):
    """Which topics runs leave unanswered, and what that is worth: NIL as a document, or the end of a list as an answer.

    The methodologies are "original", with NIL as a document, and "modified", with the end of a list as an answer.
    """

    question = "nil"
    noun = "methodology"
    by_collection = True
    sheets = {
        "cases": Sheet(
            Cases,
            "topics answered or left unanswered, correctly or not",
            of="by_case",
            meaning="topics with an answer that were answered, topics without one that were, topics wrongly and "
            "correctly left unanswered; precision, recall and F of leaving topics unanswered, accuracy of the decision",
        ),
        "runs": RUNS._replace(
            help="scores and ranks of runs by both methodologies",
            meaning="original: NIL as a document; modified: lists end at NIL, with a terminal document",
        ),
        "orders": ORDERS._replace(help="how far the orders of runs by both methodologies agree"),
        "pairs": PAIRS._replace(help="pairs of runs in opposite orders by the two methodologies"),
        "endings": Sheet(
            EndingGain,
            "what each kind of ending adds to the score of each run",
            meaning="adds: what these lists add to the mean, from the original to the modified methodology; the kinds "
            "of a run sum up to its difference",
            top=20,
        ),
        "topics": Sheet(
            ListEnding,
            "what the ending of each list adds to the score, topic by topic",
            of="lists",
            meaning="scores of the topic by both methodologies; adds: to the mean of the run; NIL at: its rank; "
            "found, below: relevant documents above the NIL, and below it",
            json=False,
            top=20,
        ),
        "lengths": Sheet(LengthBin, "lengths of lists", meaning="lists by length as submitted, and ended at their NIL"),
    }
    files = {"plot": PLOT}

    original: Conventions = column("the conventions of the original methodology (TREC 2001)")
    nil_topics: tuple[str, ...] = column("topics that have no answer")
    by_case: tuple[Cases, ...]
    lengths: tuple[LengthBin, ...]
    """Lists of all runs by their length, before and after they are ended at their NIL."""
    lists: Sequence[ListEnding]
    """Every list by every measure, those first that count for most."""
    endings: tuple[EndingGain, ...]
    """By measure and run."""
    hedgers: tuple[Hedger, ...] = column("runs that have a NIL in all their lists with documents", nested=True)

    @property
    def modified(self) -> Conventions:
        """The conventions of the modified methodology (Liu et al. 2016)."""
        return self.conventions

    @cached_property
    def cases(self) -> dict[str, Cases]:
        """Whether a run answered, and whether there was an answer, by run."""
        return {row.run: row for row in self.by_case}

    @property
    def longest(self) -> int:
        """The most documents that a list has."""
        return max(int(row.before.max(initial=0)) for row in self.by_case)

    def reversed_pairs(self, measure: str) -> tuple[BoardPair, ...]:
        """Pairs of runs in opposite orders, the farthest apart first."""
        rows = (row for row in self.dependent if row.measure == measure)
        return tuple(sorted(rows, key=lambda row: -sum(map(abs, row.differences.values()))))

    def layout(self, show: str, *, top: Top = None) -> Table:
        table = super().layout(show, top=top)
        # The runs that answer best come first.
        return table.by("c@1") if show == "cases" else table

    def says(self, show: str) -> Iterator[Note]:
        from truerank.questions.nil import words

        if show == "cases":
            yield words.topics(self)
            yield from words.unanswered(self)
        elif show in ("runs", "orders", "pairs"):
            for measure in self.measures:
                yield from self.board_notes(measure)
        yield from words.hedged(self)
        yield from words.longer(self)
        if show != "cases":
            yield from words.lists(self)
        if show in ("endings", "topics"):
            yield from (words.gains(self, measure) for measure in self.wanted)

    @adjustable
    def plot(self, show: str | None = None, *, top: TopRuns = None, theme: Theme = "light", **look: Any) -> Plot:
        """Draw both scores of each run, and what truncation has to do with them; or ``show="lengths"``."""
        from truerank.questions.nil.figure import plot_lengths, plot_scores

        def draw(one: NilAnswer) -> Plot:
            return plot_lengths(one, theme=theme) if show == "lengths" else plot_scores(one, top=top, theme=theme)

        return self.side_by_side(draw)

    def __repr__(self) -> str:
        return f"NilAnswer({len(self)} runs, {len(self.wanted)} measures, {len(self.nil_topics)} nil topics)"
