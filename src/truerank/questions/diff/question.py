"""The question: how do two runs differ, topic by topic?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from truerank.conventions.presets import AxisRules, one_number
from truerank.data.notes import Note
from truerank.questions.common_topics import CommonPair, MissingTopics
from truerank.questions.signature import Engines, Judgments, Measures, question
from truerank.report.answer import PLOT, MeasureAnswer, Sheet
from truerank.report.reversal import reversal_class
from truerank.report.rows import ColumnarRows, Row, column, derived
from truerank.report.signature import Argument, Option, Theme, adjustable
from truerank.report.table import Table

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.data.arrays import Floats, Rows
    from truerank.measures.core.base import Measure
    from truerank.questions.diff.bounds import Bounds
    from truerank.questions.diff.documents import RunPair, TopDocuments
    from truerank.report.plots.chart import Plot
    from truerank.report.signature import Adjustments


class TopicDifference(NamedTuple):
    """A topic, its two scores, and the second minus the first."""

    topic: str
    a: float
    b: float
    difference: float


class Concentration(Row):
    """How much of a difference of means rests on few topics; gains are those of the run that is ahead."""

    half: int = column("the fewest topics that make up half of its gains")
    topic: str = column("the topic where it gains most")
    without: float = column("the difference of the means without that topic; undefined where there is no other one")
    turning: int = column("the fewest topics without which it is no longer ahead")


class TopicDifferences(Row, eq=False):
    """Scores of two runs, a and b, on the same topics; what there is to compare, and nothing of documents."""

    measure: str = column("the measure")
    mean_a: float = column("the mean of the first run over these topics, in the measure's own way", head="mean of A")
    mean_b: float = column("that of the second", head="mean of B")
    difference: float = column("the second minus the first; 0 where they differ by rounding only", form="signed")

    by: Measure
    topics: tuple[str, ...]
    a: Floats
    """A score a topic; NaN where undefined and kept so."""
    b: Floats
    differences: Floats
    """b minus a, per topic; 0 where they differ by rounding only."""
    by_impact: Rows
    """Numbers of the topics, the largest differences first, undefined ones last."""

    @derived(for_people=False)
    def wins(self) -> int:
        """Topics where b is better."""
        return int((self.gains > 0).sum())

    @derived(for_people=False)
    def losses(self) -> int:
        """Topics where a is better."""
        return int((self.gains < 0).sum())

    @derived(for_people=False)
    def level(self) -> int:
        """Topics where neither is."""
        return int((self.gains == 0).sum())

    @derived(for_people=False)
    def undefined(self) -> int:
        """Topics where a run has no value."""
        return int((self.gains != self.gains).sum())

    @derived(for_people=False, nested=True)
    def concentration(self) -> Concentration | None:
        """How much rests on few topics; nothing where no run is ahead, or where means are not taken."""
        from truerank.questions.diff.work import concentration

        return concentration(self)

    @cached_property
    def gains(self) -> Floats:
        """By how much b is better, a topic: the differences, turned around for a measure whose low values are good."""
        return self.by.sign * self.differences

    @property
    def contributions(self) -> Floats | None:
        """What each topic adds to the difference of the means; None for a measure that takes no means."""
        return self.differences / len(self.topics) if self.by.averages else None

    def better(self, limit: int | None = None) -> list[TopicDifference]:
        """The topics that got better from a to b, the most changed first."""
        return [self._topic(at) for at in self.by_impact[self.gains[self.by_impact] > 0][:limit].tolist()]

    def worse(self, limit: int | None = None) -> list[TopicDifference]:
        """The topics that got worse from a to b, the most changed first."""
        return [self._topic(at) for at in self.by_impact[self.gains[self.by_impact] < 0][:limit].tolist()]

    def _topic(self, at: int) -> TopicDifference:
        return TopicDifference(self.topics[at], float(self.a[at]), float(self.b[at]), float(self.differences[at]))


class Difference(TopicDifferences, eq=False):
    """Two runs by a measure. What takes long, documents and what they leave open, is worked out when asked for."""

    depth: int = column("ranks that documents are looked at in")
    low: float = column(
        "where the 95% interval of the difference begins, by Student's t; undefined from one topic, for topics that "
        "were named, and for measures that are no mean over topics"
    )
    high: float = column("where it ends")
    p: float = column("p of the paired t-test", form="p")
    verdict: str | None = column(
        'what the second run is: "better" or "worse" if that is significant, "not significant" or "the same"; none '
        "without a test"
    )

    index: Rows
    """Index of each topic in the judgments."""
    lists: RunPair
    by_ties: Bounds
    """What orders of ties can make of each difference."""
    most: int | None
    """Topics that sheets have; None for all."""
    drawn: float | None = None
    """The chance that the order of the means is reversed, by a model of relevance, whatever bounds say."""

    brief = ("measure", "mean_a", "mean_b", "difference", "low", "high", "p", "verdict", "wins", "losses", "level")

    @property
    def shown(self) -> Rows:
        """Places here of the topics that sheets have, the largest differences first."""
        return self.by_impact[: self.most]

    @derived(for_people=False)
    def chance(self) -> float | None:
        """The chance that the other run is ahead if all documents that the two runs list were judged, by a model of
        relevance; 0 if no judgments can do that, nothing without --draws or without a model."""
        if self.drawn is None or self.by_unjudged is None:
            return self.drawn
        # Where no topic lets go of so much, the mean does not turn either.
        ends = float(self.by_unjudged.low.sum()), float(self.by_unjudged.high.sum())
        certain = self.by.averages and (ends[0] >= 0 or ends[1] <= 0)
        return 0.0 if certain else self.drawn

    @derived(for_people=False)
    def reversal(self) -> str | None:
        """The class of that chance, as in truerank unjudged."""
        if self.chance is None:
            return None
        return reversal_class(self.chance) if self.chance else "never"

    @derived(for_people=False)
    def ties_bounds(self) -> str:
        """Whether what orders of ties can make of differences is "exact", or "inner": not all orders were tried."""
        return "exact" if self.by_ties.exact else "inner"

    @derived(for_people=False)
    def unjudged_bounds(self) -> str | None:
        """The same of unjudged documents: "exact", or "outer" where bounds may be wider than what is possible."""
        if self.by_unjudged is None:
            return None
        return "exact" if self.by_unjudged.exact else "outer"

    @cached_property
    def by_unjudged(self) -> Bounds | None:
        """What grades of unjudged documents can make of each difference; None for a measure without bounds."""
        from truerank.questions.diff.bounds import by_unjudged

        found = by_unjudged(self.by, self.lists)
        return None if found is None else found.take(self.index)

    def documents(self, topics: str | int | Iterable[str | int] | None = None) -> list[DiffDocument]:
        """Documents in the first ranks of either run, of a topic or of all, those with the largest impact first."""
        return [one for some in self.by_topic(self.places(topics)).values() for one in some]

    def rest(self, topic: str | int) -> float:
        """What is left of a topic's difference beside the impacts of its documents: deeper ones, or none of them."""
        [(place, documents)] = self.by_topic(self.places(topic), unjudged=False).items()
        return float(self.differences[place]) - sum(one.impact for one in documents)

    def by_topic(self, places: Rows, *, unjudged: bool = True) -> dict[int, list[DiffDocument]]:
        """For some topics, by their places here, the documents in the first ranks of either run.

        Without ``unjudged`` nothing is said about what unjudged ones would do, which takes longest.
        """
        from truerank.questions.diff.documents import by_topic

        return by_topic(self, places, unjudged=unjudged)

    @cached_property
    def listed(self) -> dict[int, list[DiffDocument]]:
        """The documents of the topics that sheets have, by their places here."""
        return self.by_topic(self.shown)

    def top(self, places: Rows) -> TopDocuments:
        """The documents in the first ranks of either run, for topics by their places here."""
        return self.lists.documents(self.by, self.depth, self.index[places])

    def ahead(self, place: int) -> str | None:
        """The run that is better in a topic, "a" or "b"; None for neither."""
        gain = self.gains[place]
        return "b" if gain > 0 else "a" if gain < 0 else None

    def depends_on(self, place: int) -> tuple[str, ...]:
        """What can turn around who is ahead in a topic: the order of "ties", grades of "unjudged" documents."""
        both = {"ties": self.by_ties, "unjudged": self.by_unjudged}
        return tuple(name for name, bounds in both.items() if bounds is not None and bounds.open[place])

    def listless(self, place: int) -> tuple[str, ...]:
        """The runs that have no documents for a topic, "a" or "b"."""
        both = {"a": self.lists.a, "b": self.lists.b}
        return tuple(side for side, lens in both.items() if not lens.judged.length[self.index[place]])

    def places(self, topics: str | int | Iterable[str | int] | None = None) -> Rows:
        """Places here of a topic, of several, or of all, the largest differences first."""
        from truerank.questions.diff.documents import places

        if topics is None:
            return self.by_impact
        return places(self, [*topics] if isinstance(topics, Iterable) and not isinstance(topics, str) else [topics])


class DiffTopic(Row):
    """A topic: the scores of both runs, what could turn their difference around, and how many documents moved."""

    measure: str = column("the measure")
    topic: str = column("the topic")
    better: str | None = column('the run that is better, "a" or "b"')
    depends_on: tuple[str, ...] = column(
        'what could put the other run ahead: the order of "ties", "unjudged" documents'
    )
    a: float | None = column("the score of the first run")
    b: float | None = column("the score of the second")
    difference: float | None = column("the second minus the first")
    contribution: float | None = column("what the topic adds to the difference of the means")
    ties_low: float | None = column("the least that orders of ties can make of the difference")
    ties_high: float | None = column("the most")
    unjudged_low: float | None = column("the least that grades of unjudged documents can make of it")
    unjudged_high: float | None = column("the most")
    entered: int = column("documents in the first ranks of the second run only; of tied ones, all that could be there")
    left: int = column("documents in the first ranks of the first run only; of tied ones, all that could be there")
    moved: int = column("documents in the first ranks of both, at other ranks")
    unjudged_entered: int = column("those that entered without a judgment")
    unjudged_left: int = column("those that left without one")

    place: int
    of: Difference

    @derived(for_people=False, json_only=True)
    def rest(self) -> float:
        """What is left of the difference beside the impacts of the documents."""
        return float(self.of.differences[self.place]) - sum(one.impact for one in self.of.listed[self.place])


class DiffDocument(Row):
    """A document of two lists: where it stands in each, and what that does to the difference of their scores."""

    measure: str = column("the measure")
    topic: str = column("the topic")
    doc: str = column("the document")
    judged: bool = column("whether it has a judgment that counts as one")
    grade: float | None = column("its grade; none where it is unjudged, and where judgments are preferences")
    status: str = column('"entered" or "left" the first ranks, "moved" or "stayed" in them')
    first_rank_a: int | None = column("the first rank that it can have in the first run; none where it is not listed")
    last_rank_a: int | None = column("the last one, which is the same where it is not tied")
    first_rank_b: int | None = column("the first rank that it can have in the second run")
    last_rank_b: int | None = column("the last one")
    score_a: float | None = column("its score in the first run")
    score_b: float | None = column("its score in the second")
    adds_a: float = column("what it adds to the score of the topic in the first run")
    adds_b: float = column("what it adds in the second")
    impact: float = column("what it adds to the difference")
    if_relevant: float | None = column(
        "by how much the difference would grow if it had the grade that is worth most; only where it is unjudged"
    )

    @property
    def ranks_a(self) -> tuple[int, int] | None:
        """First and last rank that it can have in the first run, equal where it is not tied; None if not listed."""
        return None if self.first_rank_a is None or self.last_rank_a is None else (self.first_rank_a, self.last_rank_a)

    @property
    def ranks_b(self) -> tuple[int, int] | None:
        """The same in the second run."""
        return None if self.first_rank_b is None or self.last_rank_b is None else (self.first_rank_b, self.last_rank_b)


class Diff(MeasureAnswer[Difference]):
    """How run b differs from run a, by measure."""

    question = "diff"
    sheets = {
        "topics": Sheet(DiffTopic, "one row per topic, the largest difference first", of="topic_rows"),
        "documents": Sheet(
            DiffDocument, "one row per document, the largest impact first (default with --topic)", of="document_rows"
        ),
        "measures": Sheet(Difference, "one row per measure", of="differences"),
        "common": Sheet(
            CommonPair, "both runs on the topics that both have results for, if one of them lacks some", of="on_common"
        ),
    }
    files = {"plot": PLOT}

    a: str = column("the first run, which the other one is compared with")
    b: str = column("the second run")
    differences: tuple[Difference, ...]
    named: bool
    """Whether topics were named, which people want to see the documents of."""
    limited: bool
    """Whether the topics to list were limited to so many."""
    lacking: MissingTopics | None = None
    """The topics that runs have no results for, if there are any."""
    on_common: tuple[CommonPair, ...] = ()
    """Both runs on the topics that both have results for, one row per measure, where one lacks some."""

    def verdict(self, show: str) -> str:
        """On how many topics the second run wins, by how much, and whether that is significant."""
        from truerank.questions.diff.verdicts import verdict

        return verdict(self)

    def usual(self) -> str:
        """The documents of topics that were named."""
        return "documents" if self.named else "topics"

    @cached_property
    def topic_rows(self) -> Sequence[DiffTopic]:
        """One row per measure and topic."""
        from truerank.questions.diff.documents import topic_rows

        return ColumnarRows.joined(DiffTopic, [topic_rows(each, each.shown) for each in self.differences])

    @cached_property
    def document_rows(self) -> list[DiffDocument]:
        """One row per measure, topic and document."""
        return [one for each in self.differences for some in each.listed.values() for one in some]

    def own_notes(self, show: str) -> Iterator[Note]:
        """Who wins where, what it rests on, and what could turn it around."""
        yield from self._said

    @cached_property
    def _said(self) -> tuple[Note, ...]:
        from truerank.questions.diff.words import said

        return tuple(said(self))

    def layout(self, show: str, *, top: int | None = None) -> Table:
        """A few topics, with the documents that made the difference; or the documents of a few topics."""
        from truerank.questions.diff.layout import documents_table, topics_table

        if show == "topics":
            return topics_table(self)
        return documents_table(self) if show == "documents" else super().layout(show)

    def caption(self, show: str) -> str:
        """How many topics there are, the test, and which run is which."""
        from truerank.questions.diff.layout import caption_of

        return caption_of(self)

    @adjustable
    def plot(self, *, theme: Theme = "light", **look: Unpack[Adjustments]) -> Plot:
        """Draw one panel per measure, with a bar a topic: by how much b is better or worse, the best first."""
        from truerank.questions.diff.figure import plot_diff

        return plot_diff(self, theme=theme)

    def __repr__(self) -> str:
        return f"Diff({self.a} and {self.b}, {len(self.topics)} topics, {len(self.by_name)} measures)"


RULES = AxisRules(refused=one_number("differences are between single ones, with bounds of their own"))


@question(RULES)
def diff(
    qrels: Judgments,
    run_a: Annotated[Any, Argument("A", holds="runs")],
    run_b: Annotated[Any, Argument("B", holds="runs")],
    measures: Measures = "nDCG@10",
    *,
    top: Annotated[
        int | None,
        Option(
            "List the N topics with the largest differences. Default: a few in tables, all in tsv, csv and json.",
            metavar="N",
            least=1,
        ),
    ] = None,
    depth: Annotated[
        int | None,
        Option("Show documents down to this rank. Default: the cutoff of the measure, or else 100.", least=1),
    ] = None,
    draws: Annotated[
        int,
        Option(
            "Estimate, from N draws of a model of relevance, the chance that the runs change ranks once all documents "
            "that they list are judged. 200 draws are enough.",
            metavar="N",
            least=0,
        ),
    ] = 0,
    engine: Engines = None,
    **given: Unpack[Given],
) -> Diff:
    """Compare two runs topic by topic, down to the documents.

    Differences are scores of B minus scores of A, the largest first. A document's impact is what it adds to the score
    of B minus what it adds to that of A, so that impacts add up to the difference. JSON has topics and documents.

    Example:
      truerank diff qrels.txt bm25.run dense.run -m nDCG@10
      truerank diff qrels.txt bm25.run dense.run --topic 418
      truerank diff qrels.txt bm25.run dense.run -m AP --draws 200
      truerank diff qrels.txt bm25.run dense.run -m "AP P@10" --plot diff.svg

    In Python, judgments and runs are given as to ``evaluate``; the few topics that ``topics`` may name are shown by
    document.

    >>> qrels = {"q1": {"x": 1, "y": 0}, "q2": {"z": 1}}
    >>> found = diff(qrels, {"q1": ["x", "y"], "q2": ["z"]}, {"q1": ["y", "new", "x"], "q2": ["z"]}, "RR@10")
    >>> rr = found["RR@10"]
    >>> (rr.wins, rr.level, rr.losses), round(rr.difference, 4)
    ((0, 1, 1), -0.3333)
    >>> x, *others = rr.documents("q1")
    >>> x.doc, x.status, x.ranks_a, x.ranks_b, round(x.impact, 4)
    ('x', 'moved', (1, 1), (3, 3), -0.6667)
    >>> [(one.doc, one.status, one.impact) for one in others]
    [('new', 'entered', 0.0), ('y', 'moved', 0.0)]
    """
    from truerank.questions.diff.work import common, refuse, score_run, summarise, two
    from truerank.questions.unjudged.outlook import outlook
    from truerank.questions.unjudged.relevance import lacking
    from truerank.track.track import Track

    refuse(top=top, depth=depth)
    track = Track.of(qrels, two(run_a, run_b), measures, given, RULES, engine=engine)
    track = track.only(common(track))
    [part] = track.pairs(score_run, [(0, 1)])
    ahead = outlook(track, track.measures, draws, None) if draws else None
    no_model = lacking(track.judgments) if draws and ahead is None else None
    return summarise(track, part, top=top, depth=depth, ahead=ahead, no_model=no_model)
