"""The answer: preference judgments, how far they can be satisfied, are by runs, and agree with grades."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

from truerank.conventions.axes import Conventions
from truerank.data.given_ids import ByTopic
from truerank.data.notes import Note
from truerank.data.printing import counted
from truerank.report.answer import PLOT, Answer, ByName, File, Keyed, Sheet
from truerank.report.rows import Row, column, derived
from truerank.report.signature import Option, Theme, adjustable
from truerank.report.table import Table, caption, shown

if TYPE_CHECKING:
    from truerank.data.qrels import Preferences
    from truerank.questions.evaluate.question import Score
    from truerank.questions.preferences.grades import Grades
    from truerank.questions.preferences.graph import Graph
    from truerank.report.plots.chart import Plot

SHOWN = 20
"""Intransitive triples and cycles that a person reads."""
REPEATED = ("each", "once", "majority")
"""What several judgments of a pair may count as."""
METHODS = ("levels", "copeland")
"""How preferences may become grades."""
CLICKS = ("skip-above", "last-click", "earlier-click", "skip-previous", "skip-next")
"""What a click may be taken to say."""
OUTCOMES = ("kept", "violated", "tied", "neither")
"""What a run may do with a preference."""
_RUNS = (
    "shares of all preferences: kept, violated, both documents tied, neither retrieved; loss: mean over topics, where "
    "the last two cost a half{ties}; top loss: weighted to the top; AUC: by induced grades"
)
_COSTS = {"best": " (ties nothing)", "worst": " (ties one)"}


TopRows = Annotated[int | None, Option("Rows that people see, and runs in the figure.", metavar="N", least=1)]


class TopicPreferences(Row):
    """The preferences of one topic, or of all."""

    topic: str = column('the topic; "all" for all together', summary="all")
    documents: int = column("documents that were compared")
    preferences: int = column("judgments that one document is better than another")
    ties: int = column("judgments that two are equally good")
    pairs: int = column("different pairs of documents that were compared")
    possible: int = column("all pairs of the documents")
    repeated: int = column("pairs that were judged more than once")
    contradictory: int = column("pairs of which each document was found better than the other")
    triples: int = column("triples of documents with all three pairs compared")
    cyclic: int = column(
        "those that are intransitive: a better than b better than c better than a", head="intransitive"
    )
    uneven: int = column("those that are intransitive only through ties")
    in_cycles: int = column("documents in cycles of any length", head="in cycles")
    least: int = column("judgments that every ranking violates, or a lower bound of their number")
    least_found: int = column("judgments that the best ranking found violates")
    least_loss: float = column("the least loss that a ranking can have, or a lower bound of it", head="least loss")
    least_loss_found: float = column("the loss of the best ranking found: the least cannot be more")
    exact: bool = column("whether the least loss is known", folds=True)
    graded_by: str | None = column("how its documents are graded", head="graded by", folds=True)

    @derived()
    def compared(self) -> float:
        """Share of all pairs of documents that were compared."""
        return share(self.pairs, self.possible)

    @derived(head="least loss")
    def least_between(self) -> str:
        """The least loss that a ranking can have, or what it lies between."""
        return between(self.least_loss, self.least_loss_found)

    brief = (
        *("topic", "documents", "preferences", "ties", "compared", "repeated", "contradictory", "triples"),
        *("cyclic", "in_cycles", "least_between", "graded_by"),
    )


class ListPreferences(Row):
    """A ranking of a run against the preferences of its topic."""

    run: str = column("the run")
    topic: str = column("the topic")
    preferences: int = column("preferences of the topic")
    kept: int = column("those whose better document stands above the worse, or is retrieved alone")
    violated: int = column("those whose worse document stands above the better, or is retrieved alone")
    tied: int = column("those whose documents have the same score")
    neither: int = column("those of which neither document was retrieved, so that the run does not tell")
    kept_alone: int = column("of those kept, the ones whose worse document was not retrieved")
    violated_alone: int = column("of those violated, the ones whose better document was not retrieved")
    loss: float | None = column("preference loss; nothing where the topic is not in the mean")
    top_loss: float | None = column("the same weighted to the top, WPrefLoss", head="top loss")
    least: float = column("the least loss that a ranking can have, or a lower bound of it")
    least_found: float = column("the loss of the best ranking found: the least cannot be more")

    @derived(head="least")
    def least_between(self) -> str:
        """The least loss that a ranking can have, or what it lies between."""
        return between(self.least, self.least_found)

    brief = ("run", "topic", "preferences", *OUTCOMES, "loss", "top_loss", "least_between")


class RunPreferences(Row, eq=False):
    """A run against preferences."""

    run: str = column("the run")
    preferences: int = column("preferences of the topics that count")
    kept: int = column("those whose better document stands above the worse, or is retrieved alone")
    violated: int = column("those whose worse document stands above the better, or is retrieved alone")
    tied: int = column("those whose documents have the same score")
    neither: int = column("those of which neither document was retrieved, so that the run does not tell")
    kept_alone: int = column("of those kept, the ones whose worse document was not retrieved")
    violated_alone: int = column("of those violated, the ones whose better document was not retrieved")
    loss: float = column("preference loss, the mean over topics", best="low")
    loss_low: float | None = column("the loss in the best order of ties, where bounds were asked for", optional=True)
    loss_high: float | None = column("the loss in the worst order of ties", optional=True)
    top_loss: float = column(
        "preference loss weighted to the top, WPrefLoss, the mean over topics", head="top loss", best="low"
    )
    least: float = column("the least mean loss that rankings of the same topics can have, or a lower bound of it")
    least_found: float = column("the mean loss of the best rankings found: the least cannot be more")
    exact: bool = column("whether the least mean loss is known")
    excess: float = column("what the loss is above the least possible, or the most that it may be above it")
    excess_low: float = column("what the loss is above that of the best rankings found: the excess cannot be less")
    auc: float = column(
        "mean share of the pairs of documents with different induced grades that stand in the right order",
        head="AUC",
        best="high",
    )

    score: Score
    """Preference loss with its value for each topic."""
    lists: tuple[ListPreferences, ...]
    """By topic."""

    @derived(head="kept", best="high")
    def kept_share(self) -> float:
        """Share of preferences that are kept."""
        return share(self.kept, self.preferences)

    @derived(head="violated", best="low")
    def violated_share(self) -> float:
        """Share of preferences that are violated."""
        return share(self.violated, self.preferences)

    @derived(head="tied")
    def tied_share(self) -> float:
        """Share of preferences whose documents are tied."""
        return share(self.tied, self.preferences)

    @derived(head="neither")
    def neither_share(self) -> float:
        """Share of preferences of which neither document was retrieved."""
        return share(self.neither, self.preferences)

    @derived(head="least")
    def least_between(self) -> str:
        """The least mean loss that rankings can have, or what it lies between."""
        return between(self.least, self.least_found)

    @derived(head="excess")
    def excess_between(self) -> str:
        """What the loss is above the least possible, or what that lies between."""
        return between(self.excess_low, self.excess)

    brief = (
        *("run", *(f"{outcome}_share" for outcome in OUTCOMES)),
        *("loss", "loss_low", "loss_high", "top_loss", "least_between", "excess_between", "auc"),
    )


class Triple(Row):
    """Three documents, each better than the next and the last better than the first."""

    topic: str = column("the topic")
    a: str = column("a document that is better than b", folds=True)
    b: str = column("a document that is better than c", folds=True)
    c: str = column("a document that is better than a", folds=True)

    @derived(head="cycle", folds=True)
    def around(self) -> str:
        """The way around."""
        return " > ".join((self.a, self.b, self.c, self.a))

    brief = ("topic", "around")


class Cycle(Row):
    """Documents of a topic that are better than one another by way of others."""

    topic: str = column("the topic")
    size: int = column("how many documents there are")
    least: int = column("judgments among them that every ranking violates, or a lower bound of their number")
    least_found: int = column("how many the order violates")
    exact: bool = column("whether the least is known")
    cycle: tuple[str, ...] = column(
        "the shortest cycle through the first of them, each better than the next", folds=True
    )
    order: tuple[str, ...] = column("the best ranking found", folds=True)
    documents: Sequence[str] = column("the documents, bytewise by their ids", nested=True)

    @derived(head="least")
    def bound(self) -> str:
        """Judgments among them that every ranking violates."""
        return str(self.least) if self.exact else f"{self.least} to {self.least_found}"

    @derived(head="cycle", folds=True)
    def around(self) -> str:
        """The way around."""
        return " > ".join((*self.cycle, self.cycle[0]))

    brief = ("topic", "size", "bound", "around")


class GradedDocument(Row):
    """What a document is worth by preferences alone."""

    topic: str = column("the topic")
    document: str = column("the document", folds=True)
    grade: int = column("its grade; the least of each topic is 0")
    wins: int = column("how many documents it is better than")
    losses: int = column("how many are better")
    by: str = column("how it is graded", folds=True)


class GradeAgreement(Row):
    """How many judgments of pairs agree with the grades of other judgments."""

    topic: str = column('the topic; "all" for all together', summary="all")
    agree: int = column("preferences whose better document has the higher grade")
    contradict: int = column("preferences whose worse document has the higher grade")
    finer: int = column("preferences between documents of the same grade: they say more")
    unjudged: int = column("preferences with a document that has no grade")
    equal: int = column("equally good documents with the same grade")
    coarser: int = column("equally good documents with different grades")
    equal_unjudged: int = column("equally good documents of which one or both have no grade", head="equal unjudged")
    tau: float = column("surplus of preferences that agree, over those between graded documents: Kendall's tau-a")
    gamma: float = column("the same over those that grades decide: Goodman and Kruskal's gamma")


class PairAgreement(Row):
    """How far two judges agree on the pairs that both compared."""

    topic: str = column('the topic; "all" for all together', summary="all")
    pairs: int = column("pairs of documents that both judges compared")
    same: int = column("pairs of which both prefer the same document")
    opposite: int = column("pairs of which each prefers another one")
    low: float | None = column("where the 95% interval of the share begins, over topics", form="share", default=None)
    high: float | None = column("where it ends", form="share", default=None)

    @derived(for_people=False, form="share")
    def share(self) -> float | None:
        """Share of the same, of those that both decide."""
        decided = self.same + self.opposite
        return self.same / decided if decided else None

    brief = ("topic", "pairs", "same", "opposite", "share", "low", "high")


class ShownPairs(Row):
    """Whether a judge prefers the document that is named first."""

    judge: str = column('"preferences" or "other"')
    judgments: int = column("judgments that prefer one of two documents")
    first: int = column("those that prefer the one that is named first")
    low: float | None = column("where the 95% interval of that share begins, over topics", form="share")
    high: float | None = column("where it ends", form="share")
    both_ways: int = column("pairs that were judged in both orders", head="both ways")
    same: int = column("those of which the same document was preferred in both")
    always_first: int = column("those of which the first was preferred each time", head="first")
    always_second: int = column("those of which the second was preferred each time", head="second")

    @derived(for_people=False, form="share", head="first named")
    def share(self) -> float:
        """Share of judgments that prefer the document that is named first."""
        return self.first / self.judgments

    brief = ("judge", "judgments", "share", "low", "high", "both_ways", "same", "always_first", "always_second")


class Ordering(Row):
    """How far a measure of grades orders runs as preference loss does."""

    measure: str = column("the measure of grades")
    runs: int = column("runs that have both a loss and a score")
    kendall_a: float = column("Kendall's tau-a between both orders of runs")
    kendall_b: float = column("Kendall's tau-b")
    tau_ap: float = column("AP correlation, the order by preference loss taken for the truth")
    pairs: int = column("pairs of runs that preference loss tells apart")
    swapped: int = column("those that the measure puts in the opposite order")


class PreferenceSurvey(Keyed[RunPreferences], Answer):
    """Preference judgments by topic, and what runs and grades make of them: ``found["bm25"]``."""

    question = "preferences"
    sheets = {
        "topics": Sheet(
            TopicPreferences,
            "judgments by topic",
            of="by_topic",
            meaning="compared: share of all pairs of documents; intransitive: of the triples with all pairs compared; "
            "least loss: what no ranking can do better than",
        ),
        "runs": Sheet(RunPreferences, "what runs do with preferences", of="by_run", needs="runs"),
        "lists": Sheet(
            ListPreferences,
            "the same by topic",
            needs="runs",
            meaning="preferences of each topic: kept, violated, tied, neither document retrieved",
        ),
        "triples": Sheet(Triple, "intransitive triples", top=SHOWN, meaning="a is preferred to b, b to c, and c to a"),
        "cycles": Sheet(
            Cycle,
            "cycles of any length",
            top=SHOWN,
            meaning="documents preferred to one another by way of others; least: judgments among them that every "
            "ranking violates",
        ),
        "grades": Sheet(
            GradedDocument,
            "grades that preferences stand for",
            meaning="levels: steps down to a document that is better than no other; copeland: wins less losses",
        ),
        "agreement": Sheet(
            GradeAgreement,
            "agreement with the grades of QRELS",
            needs="qrels",
            meaning="preferences that agree with grades, contradict them, tell apart what grades do not, or lack a "
            "grade; ties with equal and with different grades; tau, and gamma of what both decide",
        ),
        "orderings": Sheet(
            Ordering,
            "orders of runs by loss and by grades",
            needs="qrels",
            meaning="orderings of runs by preference loss and by a measure of grades; swapped: pairs in opposite "
            "orders",
        ),
        "judges": Sheet(PairAgreement, "agreement with the preferences of another judge", of="between", needs="other"),
        "shown": Sheet(
            ShownPairs,
            "whether what is named first is preferred",
            meaning="of pairs that were judged in both orders: the same document preferred, or the first, or the "
            "second each time",
        ),
    }
    files = {
        "to_qrels": File("Write the documents with their grades as TREC qrels."),
        "to_preferences": File("Write the preferences, a line each.", of="preference_lines"),
        "plot": PLOT,
    }

    by_topic: tuple[TopicPreferences, ...]
    by_run: tuple[RunPreferences, ...]
    triples: tuple[Triple, ...]
    """The first intransitive triples, by topic and documents."""
    cycles: tuple[Cycle, ...]
    agreement: tuple[GradeAgreement, ...]
    """With the grades of other judgments, where these were given."""
    orderings: tuple[Ordering, ...]
    """How measures of the grades order the runs, where both were given."""
    between: tuple[PairAgreement, ...] = ()
    """With another judge of pairs, where one was given; all topics together first."""
    shown: tuple[ShownPairs, ...] = ()
    """Of judges whose file keeps the order in which two documents were named."""
    total: TopicPreferences = column("the preferences of all topics together")
    agreement_total: GradeAgreement | None = column("agreement with grades over all topics; null without grades")
    conventions: Conventions = column("the conventions that lists were read under")
    judged: Preferences
    """The preferences that were looked at."""
    graph: Graph
    graded: Grades
    """Grades that the preferences stand for."""

    @cached_property
    def runs(self) -> Mapping[str, RunPreferences]:
        """What was found of each run."""
        return ByName({one.run: one for one in self.by_run})

    @property
    def by_name(self) -> Mapping[str, RunPreferences]:
        """What was found, by run."""
        return self.runs

    @cached_property
    def topics(self) -> dict[str, TopicPreferences]:
        """The preferences of each topic."""
        return ByTopic((one.topic, one) for one in self.by_topic)

    @property
    def orders(self) -> dict[str, str]:
        """How the documents of each topic that has some are graded: by "levels", or else by "copeland"."""
        return ByTopic((one.topic, one.graded_by) for one in self.by_topic if one.graded_by)

    @property
    def lists(self) -> list[ListPreferences]:
        """What each run does with the preferences of each topic."""
        return [one for run in self.by_run for one in run.lists]

    @cached_property
    def grades(self) -> Sequence[GradedDocument]:
        """Every document with its grade, the best of each topic first."""
        from truerank.questions.preferences.grades import graded_documents

        return graded_documents(self.graph, self.graded)

    def to_qrels(
        self, *, lowest: Annotated[float, Option("With --to-qrels: grade of the least preferred documents.")] = 0
    ) -> str:
        """Lines of TREC qrels with the grades that preferences stand for; the least of each topic is ``lowest``."""
        from truerank.io.trec import qrels_lines
        from truerank.questions.preferences.grades import as_judged

        return qrels_lines(as_judged(self.graph, self.graded, self.judged, lowest))

    def preference_lines(self) -> Iterator[str]:
        """The preferences, a line each, some lines at a time."""
        from truerank.io.trec import preference_lines

        return preference_lines(self.judged)

    @adjustable
    def plot(self, show: str | None = None, *, top: TopRows = None, theme: Theme = "light", **look: Any) -> Plot:
        """Draw what runs do with preferences; without runs, or with ``show="topics"``, the least loss of topics."""
        from truerank.questions.preferences.figure import plot_runs, plot_topics

        if show == "topics" or not self.by_run:
            return plot_topics(self, theme=theme)
        return plot_runs(self, top=top, theme=theme)

    def usual(self) -> str:
        """Runs, where there are some."""
        return "runs" if self.by_run else "topics"

    def says(self, show: str) -> Iterator[Note]:
        """What there is to know of what is shown."""
        from truerank.questions.preferences.words import said

        return said(self, show)

    def layout(
        self,
        show: str,
        *,
        top: TopRows = None,
    ) -> Table:
        """The table that people see: runs with the least loss first, and of triples and cycles the first few."""
        table = super().layout(show, top=top)
        return table.by("loss", lowest=True) if show == "runs" else table

    def caption(self, show: str) -> str:
        """How many topics and preferences, and the conventions."""
        # Topics without preferences are left out unless asked for, other than topics without relevant documents.
        apart = ["no_relevant"] if self.conventions.skips_undefined else []
        return caption(
            counted(len(self.topics), "topic"),
            counted(self.total.preferences, "preference"),
            conventions=self.conventions.unusual("no_relevant", apart=apart),
            meaning=_RUNS.format(ties=_COSTS.get(self.conventions.ties, "")) if show == "runs" else "",
        )

    def __repr__(self) -> str:
        counts = f"{len(self.topics)} topics, {self.total.preferences} preferences, {len(self.by_run)} runs"
        return f"PreferenceSurvey({counts})"


def share(part: float, every: float) -> float:
    """A share; NaN of nothing."""
    return part / every if every else math.nan


def between(low: float, high: float) -> str:
    """A number as people read it, or the two that it lies between.

    >>> between(0.25, 0.25), between(0.25641, 0.32179)
    ('0.2500', '0.2564 to 0.3218')
    """
    ends = shown(low), shown(high)
    return ends[0] if low == high or low != low else " to ".join(ends)
