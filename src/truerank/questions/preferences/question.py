"""The question: what do preference judgments say together, do runs keep them, and do grades agree?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

from truerank.boards.rows import OrderAgreement
from truerank.conventions.axes import Conventions
from truerank.conventions.presets import AxisRules
from truerank.data.given_ids import ByTopic
from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.questions.signature import Engines, question
from truerank.report.answer import PLOT, Answer, ByName, File, Keyed, Sheet
from truerank.report.rows import Row, column, derived
from truerank.report.signature import Argument, Option, Theme, adjustable
from truerank.report.table import Table, caption, shown

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.data.qrels import Preferences, Qrels
    from truerank.questions.evaluate.question import Score
    from truerank.questions.preferences.grades import Grades
    from truerank.questions.preferences.graph import Graph
    from truerank.report.plots.chart import Plot
    from truerank.track.track import Progress

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


TopRows = Annotated[int | None, Option("List N rows, and draw N runs in the figure.", metavar="N", least=1)]


class TopicPreferences(Row):
    """The preferences of one topic, or of all."""

    topic: str = column('the topic; "all" for all together', summary="all")
    documents: int = column("documents that were compared")
    preferences: int = column("judgments that one document is better than another")
    ties: int = column("judgments that two are equally good")
    document_pairs: int = column("different pairs of documents that were compared")
    possible: int = column("all pairs of the documents")
    repeated: int = column("pairs that were judged more than once")
    contradictory: int = column("pairs of which each document was found better than the other")
    triples: int = column("triples of documents with all three pairs compared")
    cyclic: int = column(
        "those that are intransitive: a better than b better than c better than a", head="intransitive"
    )
    in_cycles: int = column("documents in cycles of any length", head="in cycles")
    least: int = column("judgments that every ranking violates, or a lower bound of their number")
    least_found: int = column("judgments that the best ranking found violates")
    least_loss: float = column("the least loss that a ranking can have, or a lower bound of it", head="least loss")
    least_loss_found: float = column("the loss of the best ranking found: the least cannot be more")
    graded_by: str | None = column("how its documents are graded", head="graded by", folds=True)

    @property
    def exact(self) -> bool:
        """Whether the least is known: no bound, but a number."""
        return self.least == self.least_found

    @derived()
    def compared(self) -> float:
        """Share of all pairs of documents that were compared."""
        return share(self.document_pairs, self.possible)

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
    loss: float = column("preference loss, the mean over topics", best="low")
    loss_low: float | None = column("the loss in the best order of ties, where bounds were asked for", optional=True)
    loss_high: float | None = column("the loss in the worst order of ties", optional=True)
    top_loss: float = column(
        "preference loss weighted to the top, WPrefLoss, the mean over topics", head="top loss", best="low"
    )
    least: float = column("the least mean loss that rankings of the same topics can have, or a lower bound of it")
    least_found: float = column("the mean loss of the best rankings found: the least cannot be more")
    auc: float = column(
        "mean share of the pairs of documents with different induced grades that stand in the right order",
        head="AUC",
        best="high",
    )

    score: Score
    """Preference loss with its value for each topic."""
    lists: tuple[ListPreferences, ...]
    """By topic."""

    @property
    def exact(self) -> bool:
        """Whether the least is known: no bound, but a number."""
        return self.least == self.least_found

    @property
    def excess(self) -> float:
        """The loss minus the least possible, or the most that this can be."""
        return self.loss - self.least

    @property
    def excess_low(self) -> float:
        """The loss minus that of the best rankings found, which is the least that the excess can be."""
        return self.loss - self.least_found

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
    cycle: tuple[str, ...] = column(
        "the shortest cycle through the first of them, each better than the next", folds=True
    )
    order: tuple[str, ...] = column("the best ranking found", folds=True)
    documents: Sequence[str] = column("the documents, bytewise by their ids", nested=True)

    @property
    def exact(self) -> bool:
        """Whether the least is known: no bound, but a number."""
        return self.least == self.least_found

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
    somers_d: float = column(
        "Somers' d: preferences that agree minus those that contradict, over all between graded documents"
    )
    gamma: float = column("Goodman and Kruskal's gamma: the same over those that grades decide")


class PairAgreement(Row):
    """How far two judges agree on the pairs that both compared."""

    topic: str = column('the topic; "all" for all together', summary="all")
    document_pairs: int = column("pairs of documents that both judges compared")
    same: int = column("pairs of which both prefer the same document")
    opposite: int = column("pairs of which each prefers another one")
    low: float | None = column("where the 95% interval of the share begins, over topics", form="share", default=None)
    high: float | None = column("where it ends", form="share", default=None)

    @derived(for_people=False, form="share")
    def share(self) -> float | None:
        """Share of the same, of those that both decide."""
        decided = self.same + self.opposite
        return self.same / decided if decided else None

    brief = ("topic", "document_pairs", "same", "opposite", "share", "low", "high")


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


class Ordering(OrderAgreement):
    """How far a measure of grades orders runs as preference loss does."""

    measure: str = column("the measure of grades")

    leading = ("measure",)


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
            "grade; ties with equal and with different grades; Somers' d, and gamma of what both decide",
        ),
        "orderings": Sheet(
            Ordering,
            "orders of runs by loss and by grades",
            needs="qrels",
            meaning="orders of runs by preference loss, the reference, and by a measure of grades; reversed: pairs "
            "of runs in opposite orders",
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
        return ByName({one.run: one for one in self.by_run})

    @property
    def by_name(self) -> Mapping[str, RunPreferences]:
        return self.runs

    @cached_property
    def topics(self) -> dict[str, TopicPreferences]:
        return ByTopic((one.topic, one) for one in self.by_topic)

    @property
    def orders(self) -> dict[str, str]:
        """How the documents of each topic that has some are graded: by "levels", or else by "copeland"."""
        return ByTopic((one.topic, one.graded_by) for one in self.by_topic if one.graded_by)

    @property
    def lists(self) -> list[ListPreferences]:
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

    def own_notes(self, show: str) -> Iterator[Note]:

        return notes_of(self, show)

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


COMPARED = Code(
    "TR521",
    "how many preferences there are, and how many pairs were compared",
    "{preferences:preference}[ and {ties:tie}] between {documents:document} of {topics:topic}[; {compared:%} of all "
    "pairs were compared]",
    uncompared="{preferences:preference}[ and {ties:tie}] between {documents:document} of {topics:topic}; none of all "
    "pairs was compared",
)
JUDGED_AGAIN = Code(
    "TR522",
    "pairs that were judged more than once",
    "{pairs:pair} judged more than once, {contradictory:,} of them both ways",
    consistent="{pairs:pair} judged more than once, none of them both ways",
)
TRIPLES = Code(
    "TR523",
    "intransitive triples of documents",
    "{cyclic:intransitive triple} in {topics:topic}, {share:%} of {triples:triple} with all pairs compared",
    none="no intransitive triple of {triples:triple} with all pairs compared",
    uncompared="no three documents were all compared with one another, so that no triple can be intransitive",
)
CYCLES = Code(
    "TR525",
    "topics with cycles of preferences",
    "{topics:topic} with cycles, the largest of {documents:document} (topic {topic}); "
    "their documents are graded by wins and losses",
)
LEAST = Code(
    "TR526",
    "how many preferences every ranking must violate",
    "no ranking can satisfy more than {satisfied:%} of the preferences: {least:judgment} must be violated",
    bounds="no ranking can satisfy more than {satisfied:%} of the preferences: at least {least:judgment} must be "
    "violated; the best ranking found violates {least_found:,} and satisfies {satisfied_found:%}",
    all="rankings can satisfy all preferences",
    nothing="there are no preferences, so that no ranking violates any",
)
RUN = Code(
    "TR527",
    "what a run does with the preferences",
    "{run} violates {violated_share:%} of the preferences[, ties {tied_share:%}][, retrieves neither document of "
    "{neither_share:%}]; loss {loss:.4f}",
    none="{run} violates none of the preferences[, ties {tied_share:%}][, retrieves neither document of "
    "{neither_share:%}]; loss {loss:.4f}",
)
MORE = Code("TR528", "runs that are not spoken of one by one", "{runs:more run} with higher loss")
ORDERS = Code(
    "TR529",
    "topics whose preferences an order satisfies, and what stands against others",
    "an order satisfies all preferences in {kept:,} of {topics:topic}",
    nothing="there are no preferences that an order could satisfy",
    contradictory="in {topics:topic} pairs were judged both ways, which no order satisfies",
    ties="in {topics:topic} ties contradict preferences, and do not count for the levels",
)
AGREEMENT = Code(
    "TR530",
    "how far grades agree with preferences",
    "grades agree with {agree_share:%} of the preferences, contradict {contradict_share:%}, and tie {finer_share:%}; "
    "Somers' d {somers_d:.3f}[; {unjudged:preference} with a document that has no grade]",
    nothing="no preference is between two documents with grades[; {unjudged:preference} with a document that has no "
    "grade]",
)
ORDERING = Code(
    "TR531",
    "how far a measure of grades orders runs as preference loss does",
    "{measure} and preference loss order runs with tau-b {tau_b:.3f}: {reversed} of {ordered_pairs:pair} of runs in "
    "opposite orders",
    few="{measure}: too few runs that differ to compare orderings",
)
BETWEEN = Code(
    "TR535",
    "how far two judges agree on pairs",
    "both judges compared {pairs:pair} and prefer the same document in {share:%}[ ({low:%} to {high:%})]",
)
FIRST = Code(
    "TR536",
    "a judge that prefers what is named first, or second",
    "{judge}: the document that is named first is preferred in {share:%} of the judgments ({low:%} to {high:%}), more "
    "than by chance",
    second="{judge}: the document that is named second is preferred in {share:%} of the judgments ({low:%} to "
    "{high:%}), more than by chance",
)
SPOKEN_OF = 10
"""Runs that are spoken of one by one."""


def notes_of(survey: PreferenceSurvey, show: str) -> Iterator[Note]:
    """What there is to know of what is shown."""
    about_judgments = show in ("topics", "triples", "cycles", "runs")
    if about_judgments:
        yield from _judgments(survey)
        yield from _contradictions(survey)
    if about_judgments or show == "lists":
        yield _least(survey)
    if show in ("runs", "lists"):
        yield from _runs(survey)
    if show == "grades":
        yield from _orders(survey)
    if show in ("agreement", "topics", "runs"):
        yield from _agreement(survey)
    if show in ("orderings", "runs"):
        yield from map(_ordering, survey.orderings)
    if show in ("judges", "topics"):
        yield from _between(survey)
    if show in ("shown", "judges", "topics"):
        yield from _shown(survey)


def _between(survey: PreferenceSurvey) -> Iterator[Note]:
    for row in survey.between[:1]:
        if row.share is not None:
            yield BETWEEN(pairs=row.same + row.opposite, share=row.share, low=row.low, high=row.high)


def _shown(survey: PreferenceSurvey) -> Iterator[Note]:
    for row in survey.shown:
        if row.low is None or row.high is None or row.low <= 0.5 <= row.high:
            continue
        if row.share > 0.5:
            yield FIRST(judge=row.judge, place="first", share=row.share, low=row.low, high=row.high)
        else:
            ends = {"low": 1 - row.high, "high": 1 - row.low}
            yield FIRST("second", judge=row.judge, place="second", share=1 - row.share, **ends)


def _judgments(survey: PreferenceSurvey) -> Iterator[Note]:
    total = survey.total
    yield COMPARED(
        "uncompared" if total.possible and not total.document_pairs else "",
        preferences=total.preferences,
        ties=total.ties or None,
        documents=total.documents,
        topics=len(survey.topics),
        compared=total.compared if total.possible else None,
    )
    if total.repeated:
        form = "" if total.contradictory else "consistent"
        yield JUDGED_AGAIN(form, pairs=total.repeated, contradictory=total.contradictory)


def _contradictions(survey: PreferenceSurvey) -> Iterator[Note]:
    total = survey.total
    yield TRIPLES(
        "" if total.cyclic else "none" if total.triples else "uncompared",
        cyclic=total.cyclic,
        triples=total.triples,
        topics=sum(topic.cyclic > 0 for topic in survey.by_topic),
        share=total.cyclic / total.triples if total.triples else None,
    )
    if survey.cycles:
        largest = max(survey.cycles, key=lambda cycle: cycle.size)
        topics = len({cycle.topic for cycle in survey.cycles})
        yield CYCLES(topics=topics, documents=largest.size, topic=largest.topic)


def _least(survey: PreferenceSurvey) -> Note:
    total = survey.total
    counts = {"least": total.least, "least_found": total.least_found, "preferences": total.preferences}
    if not total.preferences:
        return LEAST("nothing", **counts)
    if not total.least:
        return LEAST("all", **counts)
    return LEAST(
        "" if total.exact else "bounds",
        **counts,
        satisfied=1 - total.least_loss,
        satisfied_found=1 - total.least_loss_found,
    )


def _runs(survey: PreferenceSurvey) -> Iterator[Note]:
    if not survey.total.preferences:
        return
    for run in sorted(survey.by_run, key=lambda run: (run.loss, run.run))[:SPOKEN_OF]:
        yield RUN(
            "" if run.violated else "none",
            run=run.run,
            violated=run.violated,
            loss=run.loss,
            violated_share=run.violated_share,
            tied_share=run.tied_share if run.tied else None,
            neither_share=run.neither_share if run.neither else None,
        )
    if len(survey) > SPOKEN_OF:
        yield MORE(runs=len(survey) - SPOKEN_OF)


def _orders(survey: PreferenceSurvey) -> Iterator[Note]:
    topics = [one for one in survey.by_topic if one.preferences]
    if not topics:
        yield ORDERS("nothing", topics=0, kept=0)
        return
    yield ORDERS(topics=len(topics), kept=sum(not one.least_found for one in topics))
    contradictory = sum(one.contradictory > 0 for one in topics)
    if contradictory:
        yield ORDERS("contradictory", topics=contradictory)
    loose = [*survey.orders.values()].count("levels without ties")
    if loose:
        yield ORDERS("ties", topics=loose)


def _agreement(survey: PreferenceSurvey) -> Iterator[Note]:
    total = survey.agreement_total
    if total is None:
        return
    counts = {"agree": total.agree, "contradict": total.contradict, "finer": total.finer}
    every = sum(counts.values())
    yield AGREEMENT(
        "" if every else "nothing",
        **counts,
        **{f"{name}_share": share(count, every) for name, count in counts.items()},
        somers_d=total.somers_d,
        unjudged=total.unjudged or None,
    )


def _ordering(row: Ordering) -> Note:
    return ORDERING(
        "few" if row.runs < 2 or math.isnan(row.tau_b) else "",
        measure=row.measure,
        tau_b=row.tau_b,
        reversed=row.reversed,
        ordered_pairs=row.ordered_pairs,
    )


MEASURES = "nDCG@10 AP PrefLoss"
RULES = AxisRules(fixed={"ending": "none", "nil": "end", "limit": None}, usual={"no_relevant": "skip"})


@question(RULES)
def preferences(
    preferences: Annotated[Any, Argument("PREFS", holds="qrels")],
    runs: Annotated[Any, Argument("[RUN...]", many=True, required=False, holds="runs")] = None,
    qrels: Annotated[Any, Option("Graded judgments, to see whether they agree.", metavar="QRELS")] = None,
    measures: Annotated[
        Any,
        Option(
            f"With QRELS: measures that order the runs; repeatable. Default: {MEASURES}.",
            flags="-m/--measure",
            metavar="MEASURE",
            many=True,
        ),
    ] = None,
    *,
    other: Annotated[Any, Option("Preferences of another judge, to see how far both agree.", metavar="PREFS")] = None,
    repeated: Annotated[
        str,
        Option(
            "What several judgments of a pair count as: each of them, each different one once, or the majority.",
            choices=REPEATED,
        ),
    ] = "each",
    grades: Annotated[
        str | None,
        Option(
            "How preferences become grades. Default: levels where there is no cycle, else wins less losses.",
            choices=METHODS,
        ),
    ] = None,
    induced: Annotated[bool, Option("PREFS are qrels: take the preferences that their grades stand for.")] = False,
    clicks: Annotated[
        Sequence[str],
        Option(
            "PREFS is a click log: take the preferences that clicks stand for by this rule; repeatable.",
            choices=CLICKS,
            many=True,
        ),
    ] = (),
    preferences_columns: Annotated[
        Mapping[str, str] | None,
        Option(
            "Columns of PREFS: topic, better and worse, or topic, first, second and relation.",
            metavar="PART=NAME,...",
            columns=True,
        ),
    ] = None,
    qrels_columns: Annotated[
        Mapping[str, str] | None, Option("Columns of QRELS.", metavar="PART=NAME,...", columns=True)
    ] = None,
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> PreferenceSurvey:
    """Score runs against preference judgments, and check these.

    PREFS has lines of topic, better and worse document; or of topic, two documents and their relation: the better one,
    one of > < = (also between the two), or -1 if the first is better, 1 if the second is, and 0. Tables with named
    columns, JSON and trec_eval's preferences are read too. Topics without a preference are left out of means, unless
    --no-relevant says otherwise. JSON has everything that --show chooses from.

    With --clicks, PREFS has a ranking that was shown a line: topic, documents and clicked documents, between tabs, or
    JSON with the fields topic, ranking and clicked; or a table with one row per document: topic, doc, rank, clicked. A
    rule says what a click is taken for: better than all that was skipped above it (skip-above), the last click alone
    (last-click), better than earlier clicks, than the document skipped just above, or than the one just below.

    Example:
      truerank preferences prefs.txt
      truerank preferences prefs.txt bm25.run dense.run --qrels qrels.txt
      truerank preferences prefs.txt --show triples
      truerank preferences prefs.txt --to-qrels graded.qrels
      truerank preferences people.txt --other machine.txt --show judges
      truerank preferences log.jsonl dense.run --clicks skip-above

    In Python, ``preferences`` is what ``read_preferences`` takes, and ``repeated`` as there. Of the judgments: how many
    there are, which contradict one another, the intransitive triples and longer cycles, and the least loss that any
    ranking can have. Of ``runs``: the preferences that each keeps, violates and ties, and its preference loss. Of
    graded judgments, ``qrels``: how far grades agree with preferences; with runs too, how far orderings of runs by
    ``measures`` of the grades agree with that by preference loss.

    ``grades`` says how preferences are turned into grades: by "levels", which needs preferences without a cycle, by
    "copeland", or by levels where that is possible. Conventions are those of ``evaluate``, except that topics without
    a preference are left out unless ``no_relevant`` says otherwise. ``ties="best"`` has ties cost nothing.

    >>> circle = [("q", "a", "b"), ("q", "b", "c"), ("q", "c", "a"), ("q", "a", "d")]
    >>> found = preferences(circle, {"q": ["a", "b", "c"]})
    >>> found.total.cyclic, found.total.least_loss, found["run"].loss
    (1, 0.25, 0.25)
    """
    from truerank.io.load import as_preferences, as_qrels
    from truerank.questions.preferences import work
    from truerank.questions.preferences.grades import graded
    from truerank.questions.preferences.graph import Graph

    conventions = RULES.chosen(given)
    work.refuse(repeated, grades, measures, ordered=qrels is not None and runs is not None)
    more: list[Note] = []
    if clicks:
        from truerank.io.clicks import read_clicks
        from truerank.questions.preferences.clicks import clicked_pairs

        work.refuse_clicks(induced=induced, columns=preferences_columns)
        preferences, note = clicked_pairs(read_clicks(preferences), [clicks] if isinstance(clicks, str) else clicks)
        more.append(note)
    elif induced:
        preferences = induced_preferences(as_qrels(preferences, columns=preferences_columns))
    elif preferences_columns is not None:
        preferences = as_preferences(preferences, columns=preferences_columns)
    if qrels is not None and qrels_columns is not None:
        qrels = as_qrels(qrels, columns=qrels_columns)
    track = work.preference_track(preferences, runs, conventions, repeated=repeated, engine=engine)
    others, apart = (
        (None, []) if qrels is None else work.graded_track(qrels, MEASURES if measures is None else measures, track)
    )
    graph = Graph.of(work.preferences_of(track))
    by_preferences = graded(graph, grades)
    parts = track.each(
        work.score_run, progress=progress, induced=work.induced_track(graph, by_preferences, track), graded=others
    )
    survey = work.summarise(track, parts, graph, by_preferences, graded=others, apart=apart, more=more)
    return work.with_judges(survey, None if other is None else as_preferences(other))


def induced_qrels(preferences: object, grades: str | None = None, *, lowest: float = 0) -> Qrels:
    """Judgments with the grades that preferences stand for, to be used with any measure.

    ``grades`` is "levels", "copeland", or None for levels where there is no cycle and else Copeland's method. The
    least preferred documents of a topic have the grade ``lowest``: with 0 they are not relevant.

    >>> qrels = induced_qrels([("q", "a", "b"), ("q", "b", "c")])
    >>> dict(zip(qrels.docs.tolist(), qrels.grade.tolist()))
    {b'a': 2.0, b'b': 1.0, b'c': 0.0}
    """
    from truerank.io.load import as_preferences
    from truerank.questions.preferences.grades import as_judged, graded, refuse_method
    from truerank.questions.preferences.graph import Graph

    refuse_method(grades)
    given = as_preferences(preferences)
    graph = Graph.of(given)
    return as_judged(graph, graded(graph, grades), given, lowest)


def induced_preferences(qrels: object) -> Preferences:
    """The preferences that grades stand for: all pairs of documents with different grades, those below 0 taken for 0.

    >>> induced_preferences({"q": {"a": 2, "b": 1, "c": 0, "d": 0}})
    Preferences(1 topics, 5 preferences)
    """
    from truerank.data.preferences import grades_of, induced
    from truerank.io.load import as_qrels

    return induced(grades_of(as_qrels(qrels), "these judgments are preferences already"))


def click_preferences(log: object, rules: str | Sequence[str] = "skip-above") -> Preferences:
    """The preferences that clicks stand for: rows of (topic, ranking that was shown, clicked documents), or a file.

    ``rules`` are one or several of "skip-above", "last-click", "earlier-click", "skip-previous" and "skip-next", after
    Joachims et al. (2005). Those that compare a click with what was skipped above it speak only against the ranking
    that was shown, and skip-next only for it.

    >>> click_preferences([("q", ["a", "b", "c"], ["c"])])
    Preferences(1 topics, 2 preferences)
    """
    from truerank.io.clicks import read_clicks
    from truerank.questions.preferences.clicks import clicked_pairs

    return clicked_pairs(read_clicks(log), [rules] if isinstance(rules, str) else rules)[0]
