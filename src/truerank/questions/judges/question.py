"""The question: how much does it matter who judged?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, cast

from truerank.boards.rows import ORDERS, PAIRS, RUNS, BoardRun, BoardsAnswer
from truerank.conventions.presets import AxisRules, one_number
from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.questions.signature import Engines, Measures, question
from truerank.report.answer import PLOT, File, Sheet
from truerank.report.rows import Row, column
from truerank.report.signature import Argument, Option, Theme, adjustable
from truerank.report.table import caption

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given, Judging
    from truerank.report.plots.chart import Plot
    from truerank.report.signature import Adjustments
    from truerank.track.track import Progress

AGREE = Code(
    "TR291",
    "how far all judges agree",
    "all {judges} judges agree by an alpha of {alpha:.3f} on what is relevant; least {one} and {other}, kappa "
    "{kappa:.3f}",
)
TWO_AGREE = Code(
    "TR292",
    "how far two judges agree",
    "{one} and {other} agree on {same:%} of {documents:document}, kappa {kappa:.3f} on what is relevant",
)
CHANGED = Code(
    "TR224",
    "how the judgments of two judges differ",
    "compared with {reference}, {judge} has {added:judgment} more and lacks {removed:,}; of {common:,} that both have, "
    "{raised:,} {raised:is|are} higher and {lowered:,} lower, and {turned:,} {turned:changes|change} between relevant "
    "and not relevant",
)
LENIENT = Code(
    "TR293",
    "how many documents each judge calls relevant",
    "share of documents called relevant: {shares}",
    each={"shares": "{judge} {share:%}"},
)
FAVOURS = Code(
    "TR297",
    "judges that favour some runs more than the reference does",
    "{measure}: compared with {reference}, {judges}",
    brief="{measure}: {count:judge} {count:favours|favour} some runs more than {reference} does; see --show bias",
    each={
        "judges": "{judge} favours {most} most ({by:+.4f} more than the average run) and {least} least "
        "({least_by:+.4f}), {p:p}"
    },
)
EQUAL_SHIFT = Code(
    "TR298",
    "judges that are not shown to favour some runs",
    "{measure}: not shown to favour some runs more than {reference} does: {judges}",
    each={"judges": "{judge}[ ({p:p})]"},
)
UNSHARED = Code(
    "TR299",
    "documents that not all judges judged",
    "{shared:,} of {documents:document} {shared:is|are} judged by all judges: scores by a judge use what it judged",
)


class JudgePair(Row):
    """Two judges of the same documents."""

    judge: str = column("a judge")
    other: str = column("another one", head="and")
    documents: int = column("documents that both judged")
    topics: int = column("topics that these belong to", minor=2)
    same: float = column("share that has the same grade by both", form="share")
    kappa: float | None = column("Cohen's kappa on what is relevant, a grade above 0; none if all grades are equal")
    low: float | None = column("where its interval over topics begins")
    high: float | None = column("where it ends")
    weighted: float | None = column(
        "kappa of grades, weighted by the square of their difference; none if both use different grades",
        head="weighted",
    )
    weighted_low: float | None = column("where its interval over topics begins")
    weighted_high: float | None = column("where it ends")
    alpha: float | None = column("Krippendorff's alpha of grades as an order", minor=1)
    alpha_low: float | None = column("where its interval over topics begins")
    alpha_high: float | None = column("where it ends")
    order: float | None = column("of two documents of a topic that both order, the share that they order the same way")
    more_lenient: float = column(
        "share that the second calls relevant, minus the share that the first does", form="signed", minor=3
    )

    brief = (
        *("judge", "other", "documents", "topics", "same", "kappa", "low", "high", "weighted", "alpha", "order"),
        "more_lenient",
    )


class GradeCount(Row):
    """How many documents have one grade by the reference and another by a judge: a cell of the confusion matrix."""

    judge: str = column("the reference")
    other: str = column("another judge", head="and")
    grade: float | None = column("grade by the reference; none if only the other judged them", form="short")
    other_grade: float | None = column("grade by the other; none if only the reference judged them", form="short")
    documents: int = column("documents with these")
    share: float | None = column(
        "share of the documents with the reference's grade that both judged; none if one did not", form="share"
    )


class TopicJudged(Row):
    """A topic by one judge, compared with the reference."""

    topic: str = column("the topic")
    judge: str = column("the judge")
    documents: int = column("documents that both judged")
    same: float | None = column("share with the same grade", form="share")
    added: int = column("documents that only the judge judged", minor=1)
    removed: int = column("documents that only the reference judged", minor=1)
    raised: int = column("documents with a higher grade by the judge", minor=2)
    lowered: int = column("documents with a lower grade by the judge", minor=2)
    turned: int = column("documents that only one of both calls relevant", minor=2)
    relevant: int = column("documents that the judge calls relevant")
    reference_relevant: int = column("documents that the reference calls relevant", head="reference")
    moved: dict[str, float] = column(
        "{}: how far differences between runs change from the reference's, as a root of mean squares",
        spread="moved.{}",
        head="{} moved",
    )


class RankJudged(Row):
    """Documents by how high the runs list them, and what a judge says of them."""

    judge: str = column("the judge")
    ranks: str = column("the best rank in any run; '-' if no run lists them")
    documents: int = column("documents that the judge and the reference judged")
    relevant: float = column("share that the judge calls relevant", form="share")
    reference: float = column("share that the reference does", form="share")


class RunByJudge(BoardRun):
    """A run by a measure, by each judge."""

    changed_topics: dict[str, int] = column(
        "common topics with another score by {} than by the reference",
        spread="changed_topics.{}",
        head="{} topics changed",
    )
    better_topics: dict[str, int] = column(
        "common topics with a better score by {}", spread="better_topics.{}", head="{} better"
    )


class BiasRow(Row):
    """Whether a judge favours a run."""

    measure: str = column("the measure")
    judge: str = column("the judge")
    run: str = column("the run")
    shift: float = column("score by the judge minus the score by the reference", form="signed")
    favour: float = column("the same minus the mean over runs", form="signed")
    low: float | None = column("where the interval of that begins, over topics", form="signed")
    high: float | None = column("where it ends", form="signed")
    p: float | None = column("p of the hypothesis that the judge does not favour the run", form="p", minor=1)
    p_corrected: float | None = column("the same, corrected for all runs (Holm)", head="p (Holm)", form="p")


class JudgesCompared(BoardsAnswer[RunByJudge]):
    """How much it matters who judged."""

    question = "judges"
    noun = "judge"
    sheets = {
        "agreement": Sheet(JudgePair, "how far judges agree"),
        "runs": RUNS._replace(row=RunByJudge, needs="runs"),
        "orders": ORDERS._replace(needs="runs"),
        "pairs": PAIRS._replace(needs="runs"),
        "bias": Sheet(BiasRow, "which runs a judge favours", needs="runs", top=50),
        "grades": Sheet(GradeCount, "how many documents have which grade by two judges"),
        "topics": Sheet(TopicJudged, "topics, those with the largest changes first", of="by_topic", top=20, by="judge"),
        "ranks": Sheet(RankJudged, "what judges say by how high runs list documents", of="by_rank", needs="runs"),
    }
    files = {
        "plot": PLOT,
        "plot_bias": File("A figure of which runs each judge favours; repeatable.", figure=True, needs="runs"),
    }

    reference: str = column("the judge that others are compared with")
    documents: int = column("documents that some judge judged")
    shared: int = column("those that all judged")
    relevant: dict[str, float] = column("by judge, the share of its documents that it calls relevant", nested=True)
    alpha: float | None = column(
        "Krippendorff's alpha of all judges on what is relevant; none if it is undefined", default=None
    )
    alpha_low: float | None = column("where its interval over topics begins", default=None)
    alpha_high: float | None = column("where it ends", default=None)
    agreement: tuple[JudgePair, ...]
    grades: tuple[GradeCount, ...]
    by_topic: tuple[TopicJudged, ...]
    by_rank: tuple[RankJudged, ...] = ()
    bias: tuple[BiasRow, ...] = ()
    tests: dict[str, dict[str, float]] = column(
        "by measure and judge, p of an analysis of variance (Greenhouse and Geisser) that it shifts all runs equally",
        nested=True,
    )
    confidence: float = column("how often intervals are to hold")
    level: float = column("the p below which a difference is significant")

    @property
    def has_runs(self) -> bool:
        return bool(self.board)

    def caption(self, show: str) -> str:
        """How many judges and documents there are."""
        counts = [counted(len(self.variants), "judge"), counted(len(self.topics), "topic")]
        if self.has_runs:
            counts.append(counted(len({row.run for row in self.board}), "run"))
        if show in ("bias", "grades", "topics", "ranks", "runs", "pairs"):
            counts.append(f"reference {self.reference}")
        return caption(*counts, conventions=self.conventions.unusual())

    def own_notes(self, show: str) -> Iterator[Note]:
        """How far judges agree, what of the order of runs depends on them, and whom each favours."""
        yield from self._agreement_notes()
        for measure in self.measures if self.has_runs else ():
            yield from self.board_notes(measure)
            yield from self._bias_notes(measure)
        shares = [(name, self.relevant[name]) for name in (self.reference, *self._others)]
        yield LENIENT(shares=[{"judge": judge, "share": share} for judge, share in shares])
        if self.shared < self.documents:
            yield UNSHARED(shared=self.shared, documents=self.documents)

    @property
    def _others(self) -> tuple[str, ...]:
        return tuple(judge for judge in self.variants if judge != self.reference)

    def _agreement_notes(self) -> Iterator[Note]:
        known = [(row.kappa, row) for row in self.agreement if row.kappa is not None]
        if known:
            kappa, least = min(known, key=lambda pair: pair[0])
            if len(self.variants) == 2:
                yield TWO_AGREE(
                    one=least.judge, other=least.other, same=least.same, documents=least.documents, kappa=kappa
                )
            elif self.alpha is not None:
                yield AGREE(
                    judges=len(self.variants), alpha=self.alpha, one=least.judge, other=least.other, kappa=kappa
                )
        if len(self._others) == 1:
            names = ("added", "removed", "raised", "lowered", "turned")
            counts = {name: sum(getattr(row, name) for row in self.by_topic) for name in names}
            common = sum(row.documents for row in self.by_topic)
            yield CHANGED(reference=self.reference, judge=self._others[0], common=common, **counts)

    def _bias_notes(self, measure: str) -> Iterator[Note]:
        tests = self.tests.get(measure, {})
        shown, not_shown = [], []
        for judge, p in tests.items():
            rows = [row for row in self.bias if row.measure == measure and row.judge == judge]
            if not p < self.level:
                not_shown.append({"judge": judge, "p": p if p == p else None})
                continue
            most, least = max(rows, key=lambda row: row.favour), min(rows, key=lambda row: row.favour)
            ends = {"most": most.run, "by": most.favour, "least": least.run, "least_by": least.favour}
            shown.append({"judge": judge, "p": p, **ends})
        if shown:
            yield FAVOURS(measure=measure, reference=self.reference, judges=shown, count=len(shown))
        if not_shown:
            yield EQUAL_SHIFT(measure=measure, reference=self.reference, judges=not_shown)

    @adjustable
    def plot(self, *, theme: Theme = "light", **look: Unpack[Adjustments]) -> Plot:
        """Ranks of runs by judge as lines; without runs, how far judges agree."""
        from truerank.questions.judges.figure import plot_agreement, plot_ranks

        return plot_ranks(self, theme=theme) if self.has_runs else plot_agreement(self, theme=theme)

    @adjustable
    def plot_bias(self, *, theme: Theme = "light", **look: Unpack[Adjustments]) -> Plot:
        """Which runs each judge favours, with intervals."""
        from truerank.questions.judges.figure import plot_bias

        return plot_bias(self, theme=theme)


RULES = AxisRules(fixed={"judges": "given"}, refused=one_number("judges are compared by single ones"))


@question(RULES)
def judges(
    judges: Annotated[Any, Argument("JUDGE...", many=True, holds="judges")],
    measures: Measures = "nDCG@10",
    *,
    runs: Annotated[
        Any,
        Option(
            "Runs to score by each judge: a file, a folder or a pattern in quotes; repeatable.",
            metavar="RUN",
            many=True,
            holds="runs",
        ),
    ] = None,
    reference: Annotated[
        str | None, Option("The judge that the others are held against. Default: the first.", metavar="NAME")
    ] = None,
    alpha: Annotated[float, Option("Significant is a p below.")] = 0.05,
    confidence: Annotated[float, Option("How often intervals are to hold.", metavar="SHARE")] = 0.95,
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Judging],
) -> JudgesCompared:
    """Compare judges, human or LLM, and the leaderboards they produce.

    A judge is a file of judgments, called after it or given as NAME=FILE; a folder has one in each file, and a table
    may have several. Agreement is over the documents that two judges have in common, its intervals are over topics.
    With runs, each judge has a leaderboard: where these differ is told by pairs of runs, and whether a judge favours
    some runs more than the reference does is tested.

    Example:
      truerank judges people.qrels machine.qrels
      truerank judges people=nist.qrels gpt=umbrela.qrels --runs "runs/*.run" -m nDCG@10 --show runs
      truerank judges judges/ --runs runs/ --plot ranks.svg

    In Python, ``judges`` is a dict from names to judgments, or whatever ``read_judges`` takes.

    >>> said = {"ann": {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}, "bot": {"q1": {"a": 0, "b": 1}, "q2": {"c": 1}}}
    >>> answer = judges(said, "RR", runs={"x": {"q1": ["a", "b"], "q2": ["c"]}, "y": {"q1": ["b", "a"], "q2": ["c"]}})
    >>> answer.agreement[0].same, answer.orders[0].reversed, answer.leaders["RR"]
    (0.3333333333333333, 1, {'ann': 'x', 'bot': 'y'})
    """
    from truerank.io.judges import as_judges
    from truerank.questions.judges.work import JudgesAsked, score_runs, summarise

    asked = JudgesAsked.of(as_judges(judges), reference, alpha=alpha, confidence=confidence)
    conventions = cast("Given", given)
    scored = score_runs(asked, runs, measures, conventions, RULES, engine=engine, progress=progress)
    return summarise(asked, scored, RULES.chosen(conventions))
