"""The question: which topics do runs leave unanswered, and what is that worth?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

from truerank.boards.rows import ORDERS, PAIRS, RUNS, BoardPair, BoardsAnswer
from truerank.conventions.axes import Conventions
from truerank.conventions.presets import AxisRules, one_number
from truerank.data.notes import Code, Note
from truerank.questions.signature import Also, ByGroup, Engines, Judgments, Measures, Runs, question
from truerank.report.answer import PLOT, Sheet, Top
from truerank.report.rows import Row, column, derived
from truerank.report.signature import Option, Theme, adjustable
from truerank.report.table import DIGITS

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.data.arrays import Mask, Rows
    from truerank.measures.core.base import Measure
    from truerank.report.plots.chart import Plot
    from truerank.report.table import Table
    from truerank.track.track import Progress

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
    Option("List N rows of each measure, and draw N runs in the right half of the figure.", metavar="N", least=1),
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
        if show != "cases":
            return table
        nothing = not self.nil_topics and not any(row.unanswered for row in self.by_case)
        # The runs that answer best come first.
        return replace(table.by("c@1"), spoken=nothing)

    def verdict(self, show: str) -> str:
        """How many of the topics without an answer runs leave empty."""
        from truerank.questions.nil.words import verdict

        return verdict(self, show)

    def own_notes(self, show: str) -> Iterator[Note]:

        if show == "cases":
            yield _topics_note(self)
            yield from _unanswered_notes(self)
        elif show in ("runs", "orders", "pairs"):
            for measure in self.measures:
                yield from self.board_notes(measure)
        yield from _hedging_notes(self)
        yield from _longer_notes(self)
        if show != "cases":
            yield from _list_notes(self)
        if show in ("endings", "topics"):
            yield from (_gains_note(self, measure) for measure in self.wanted)

    @adjustable
    def plot(self, show: str | None = None, *, top: TopRuns = None, theme: Theme = "light", **look: Any) -> Plot:
        """Draw both scores of each run, and what truncation has to do with them; or ``show="lengths"``."""
        from truerank.questions.nil.figure import plot_lengths, plot_scores

        return plot_lengths(self, theme=theme) if show == "lengths" else plot_scores(self, top=top, theme=theme)

    def __repr__(self) -> str:
        return f"NilAnswer({len(self)} runs, {len(self.wanted)} measures, {len(self.nil_topics)} nil topics)"


SHOWN = 10
"""Runs that have a note of their own."""

NIL_TOPICS = Code(
    "TR421",
    "how many topics have no answer",
    "{nil} of {topics:topic} {nil:has|have} no answer: an empty list is correct there",
    every="every topic has an answer, so that an empty list is never correct",
    consequence=0.0,
)
UNANSWERED = Code(
    "TR423",
    "how many topics a run leaves unanswered, and how many of them correctly",
    "{run} leaves {topics:topic} unanswered, {correctly} of them correctly",
    all="{run} leaves {topics:topic} unanswered, all of them correctly",
    none="{run} leaves {topics:topic} unanswered, none of them correctly",
    one="{run} leaves {topics:topic} unanswered, correctly",
    wrong="{run} leaves {topics:topic} unanswered, wrongly",
    others="{runs:other run} {runs:leaves|leave} some topics unanswered",
    never="{runs:run} {runs:answers|answer} every topic",
    no_run="no run leaves a topic unanswered",
    consequence=0.0,
)
LONGER = Code(
    "TR427",
    "lists with more documents than a list could have",
    "{lists:list} {lists:has|have} more documents than the limit of {limit:,}, which cuts no list; if lists could be "
    "longer, give a higher limit",
)
LISTED = Code(
    "TR428",
    "how many lists have a NIL",
    "{runs:run} {runs:lists|list} NIL, in {nil} of {lists} lists",
    none="no run lists a NIL, so that lists end where they do",
)
ENDED = Code(
    "TR433",
    "how many lists were ended by their systems",
    "{ended} of {lists} lists ({share:%}) were ended by their systems, before {limit:document}",
    nil="{ended} of {lists} lists ({share:%}) were ended by their systems, by a NIL, or before {limit:document}",
    none="no list is shorter than {limit:,}, so that none has a terminal document",
)
NO_LIMIT = Code(
    "TR430",
    "no limit was given, so that every list counts as ended by its system",
    "without a limit every list counts as ended by its system; the longest has {longest:,}: if no list could have "
    "more, give that as the limit",
)
FAR_LIMIT = Code(
    "TR431",
    "no list is as long as the limit",
    "no list reaches the limit of {limit:,}; the longest has {longest:,}",
)
NO_CUTOFF = Code(
    "TR435",
    "a measure without a cutoff, with a limit",
    "{measure} has no cutoff: its ideal list goes on past the limit of {limit:,}, where no list can follow; Liu et al. "
    "take {instead}",
)
GAINS = Code(
    "TR436",
    "what each kind of ending adds to scores, over all runs",
    "{measure}: {kinds}",
    mean="{measure}, mean over runs: {kinds}",
    none="{measure}: no kind of ending changes the score",
    none_mean="{measure}, mean over runs: no kind of ending changes the score",
    no_mean="{measure} is no mean over topics, so that topics do not add up to it",
    each={"kinds": "{kind} {adds:+.4f} ({lists:list})"},
)
HEDGED = Code(
    "TR437",
    "runs that have a NIL beside documents in all their lists, whatever the topic",
    "{run} hedges: NIL beside documents at rank {first} of every list ({lists:,})",
    ranks="{run} hedges: NIL beside documents at ranks {first} to {last} of every list ({lists:,})",
    others="{count:other run} {count:hedges|hedge}",
)


def _topics_note(answer: NilAnswer) -> Note:
    """How many topics have no answer."""
    nil, every = len(answer.nil_topics), len(answer.topics)
    return NIL_TOPICS("" if nil else "every", nil=nil, topics=every)


def _unanswered_notes(answer: NilAnswer) -> Iterator[Note]:
    """Which runs leave topics unanswered, those with most first, and how many of these correctly."""
    some = sorted((row for row in answer.by_case if row.unanswered), key=lambda row: -row.unanswered)
    for row in some[:SHOWN]:
        correctly, every = row.correctly_unanswered, row.unanswered
        if every == 1:
            form = "one" if correctly else "wrong"
        else:
            form = "none" if not correctly else "all" if correctly == every else ""
        yield UNANSWERED(form, run=row.run, topics=every, correctly=correctly)
    if len(some) > SHOWN:
        yield UNANSWERED("others", runs=len(some) - SHOWN)
    if len(some) < len(answer):
        yield UNANSWERED("never" if some else "no_run", runs=len(answer) - len(some))


def _longer_notes(answer: NilAnswer) -> Iterator[Note]:
    """Lists with more documents than a list could have."""
    limit = answer.modified.limit
    lists = 0 if limit is None else sum(int((row.before - row.has_nil > limit).sum()) for row in answer.by_case)
    if lists:
        yield LONGER(lists=lists, limit=limit)


def _list_notes(answer: NilAnswer) -> Iterator[Note]:
    """Which lists have a NIL, and which were ended by their systems."""
    every = sum(len(row.before) for row in answer.by_case)
    nil = sum(row.nil for row in answer.by_case)
    yield LISTED("" if nil else "none", runs=sum(row.nil > 0 for row in answer.by_case), nil=nil, lists=every)
    limit, longest = answer.modified.limit, answer.longest
    if limit is None:
        yield NO_LIMIT(longest=longest)
        return
    if limit > longest:
        yield FAR_LIMIT(limit=limit, longest=longest)
    ended = sum(int(row.was_ended.sum()) for row in answer.by_case)
    form = "none" if not ended else "nil" if nil else ""
    yield ENDED(form, ended=ended, lists=every, limit=limit, share=ended / every if every else 0.0)


def _hedging_notes(answer: NilAnswer) -> Iterator[Note]:
    """Which runs hedge."""
    for one in answer.hedgers[:SHOWN]:
        form = "" if one.first == one.last else "ranks"
        yield HEDGED(form, run=one.run, lists=one.lists, first=one.first, last=one.last)
    if more := answer.hedgers[SHOWN:]:
        yield HEDGED("others", runs=[one.run for one in more], count=len(more))


def _gains_note(answer: NilAnswer, measure: Measure) -> Note:
    """What each kind of ending adds on average over runs, what moves scores most first."""
    name, runs = str(measure), len(answer)
    if not measure.averages:
        return GAINS("no_mean", measure=name)
    total: dict[str, tuple[float, int]] = {}
    for row in answer.endings:
        if row.measure == name:
            adds, lists = total.get(row.kind, (0.0, 0))
            total[row.kind] = (adds + row.adds, lists + row.lists)
    largest_first = sorted(total, key=lambda kind: (-abs(total[kind][0]), kind))
    kinds = [
        {"kind": kind, "adds": total[kind][0] / runs, "lists": total[kind][1]}
        for kind in largest_first
        if abs(total[kind][0] / runs) >= 0.5 * 10**-DIGITS
    ]
    form = {(True, True): "mean", (True, False): "", (False, True): "none_mean", (False, False): "none"}
    return GAINS(
        form[bool(kinds), runs > 1], measure=name, kinds=kinds, adds={k: v[0] / runs for k, v in total.items()}
    )


RULES = AxisRules(
    fixed={"nil": "end", "missing": "empty"},
    usual={"ending": "terminal"},
    refused={
        **one_number("a rank is that of one"),
        "ending": {"none": "does not count the end of a list as an answer"},
        "no_relevant": {"skip": "leaves out the topics on which an empty list is correct"},
    },
)


@question(RULES)
def nil(
    qrels: Judgments,
    runs: Runs,
    measures: Measures = None,
    *,
    group: ByGroup = None,
    also: Also = (),
    name: str = "",
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> NilAnswer:
    """Score empty lists and unanswerable questions.

    A run leaves a topic unanswered if it leaves it out, lists nothing, or lists NIL first. Each score is given twice,
    after Liu et al. (2016), whose measures are taken without -m: RR, nDCG, RBP(p=0.5) and AP. With --limit 5, nDCG is
    nDCG@5, since its ideal list has no more documents than a list could have. The original methodology is that of TREC
    2001: NIL is a document that is relevant if nothing else is. By the modified one a list ends at its NIL, and a
    terminal document follows if the system ended the list: at a NIL, or before it had --limit documents, the most that
    a list could have. Without a limit every list was ended by its system.

    --show topics has what the ending of each list adds to the score, and --show endings sums that up by run and kind:
    correctly unanswered, stops that paid, premature NIL, giving up, hedging. The figure has both scores of each run and
    the share of its lists that were ended early; with --show lengths, it has the lengths.

    Example:
      truerank nil qrels.txt *.run --limit 5
      truerank nil qrels.txt *.run --limit 5 -m RR --show endings
      truerank nil qrels.txt *.run --limit 5 -m RR --show runs --plot nil.svg

    >>> qrels = {"q1": {"a": 1}, "q2": {"b": 0}}
    >>> runs = {"sure": {"q1": ["a", "x"], "q2": ["b", "x"]}, "wary": {"q1": ["x", "a"], "q2": ["NIL", "b"]}}
    >>> answer = nil(qrels, runs, "RR", limit=2)
    >>> answer.cases["wary"].correctly_unanswered_topics, answer.cases["wary"].precision
    (('q2',), 1.0)
    >>> answer["wary"]["RR"].scores, answer.orders[0].tau_a
    ({'original': 0.75, 'modified': 0.75}, 1.0)
    """
    from truerank.measures.grammar import parse_all
    from truerank.questions.nil.work import refuse, score_run, summarise, usual
    from truerank.track.track import Track

    wanted = parse_all(usual(given.get("limit")) if measures is None else measures)
    refuse(wanted)
    track = Track.of(qrels, runs, wanted, given, RULES, engine=engine)
    return summarise(track, track.each(score_run, progress=progress))
