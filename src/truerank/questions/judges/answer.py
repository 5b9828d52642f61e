"""The answer: how far judges agree, leaderboards by judge, and what depends on who judged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from truerank.data.notes import Code, Note
from truerank.data.printing import counted, percent
from truerank.report.answer import PLOT, File, ScoresAnswer, Sheet
from truerank.report.digits import ranks
from truerank.report.rows import Row, column, derived
from truerank.report.signature import Theme, adjustable
from truerank.report.table import caption

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.report.plots.chart import Plot
    from truerank.report.signature import Adjustments

AGREE = Code(
    "TR291",
    "how far all judges agree",
    "all {judges} judges agree by an alpha of {alpha:.3f} on what is relevant; least {one} and {other}, kappa "
    "{kappa:.3f}",
)
TWO_AGREE = Code(
    "TR292",
    "how far two judges agree",
    "{one} and {other} agree on {same} of {documents:document}, kappa {kappa:.3f} on what is relevant",
)
KINDER = Code(
    "TR293",
    "a judge that calls more documents relevant, or fewer",
    "{judge} calls {share} of the documents relevant, {reference} {reference_share}",
)
LEADERS = Code("TR294", "judges that put another run at the top")
SAME_LEADER = Code("TR295", "a run that leads by every judge", "{measure}: {run} leads by every judge")
REVERSED = Code(
    "TR296",
    "pairs of runs that judges put in different orders",
    "{measure}: {reversed} of {pairs:pair} of runs {reversed:has|have} another order by another judge, "
    "{contradicted} of them significantly both ways",
)
FAVOURS = Code(
    "TR297",
    "a judge that favours some runs more than the reference does",
    "{measure}: {judge} does not shift all runs alike (p {p}): it favours {most}, by {by:+.4f} more than the average "
    "run, and {least} least, {least_by:+.4f}",
)
ALIKE = Code(
    "TR298",
    "a judge that shifts all runs alike",
    "{measure}: {judge} is not shown to favour some runs more than {reference} does (p {p})",
)
UNSHARED = Code(
    "TR299",
    "documents that not all judges judged",
    "{shared:,} of {documents:document} {shared:is|are} judged by all judges: leaderboards rest on what each judged",
)


class JudgePair(Row):
    """Two judges of the same documents."""

    judge: str = column("a judge")
    other: str = column("another one", head="and")
    documents: int = column("documents that both judged")
    topics: int = column("topics that these belong to", minor=2)
    same: float = column("share that has the same grade by both", form="share")
    kappa: float | None = column("Cohen's kappa on what is relevant, a grade above 0; nothing where all are alike")
    low: float | None = column("where its interval over topics begins")
    high: float | None = column("where it ends")
    weighted: float | None = column(
        "kappa of grades, weighted by the square of their difference; nothing where both have different grades",
        head="weighted",
    )
    weighted_low: float | None = column("where its interval over topics begins")
    weighted_high: float | None = column("where it ends")
    alpha: float | None = column("Krippendorff's alpha of grades as an order", minor=1)
    alpha_low: float | None = column("where its interval over topics begins")
    alpha_high: float | None = column("where it ends")
    order: float | None = column("of two documents of a topic that both order, the share that they order alike")
    kinder: float = column(
        "share that the second calls relevant, less the share that the first does", form="signed", minor=3
    )

    brief = (
        *("judge", "other", "documents", "topics", "same", "kappa", "low", "high", "weighted", "alpha", "order"),
        "kinder",
    )


class GradeMeeting(Row):
    """How often one judge's grade meets another's."""

    judge: str = column("the reference")
    other: str = column("another judge", head="and")
    grade: float = column("grade by the reference")
    other_grade: float = column("grade by the other")
    documents: int = column("documents with these")
    share: float = column("share of the documents that have the reference's grade", form="share")


class TopicJudged(Row):
    """A topic by one judge, against the reference."""

    topic: str = column("the topic")
    judge: str = column("the judge")
    documents: int = column("documents that both judged")
    same: float = column("share with the same grade", form="share")
    relevant: int = column("documents that the judge calls relevant")
    reference_relevant: int = column("documents that the reference calls relevant", head="reference")
    moved: dict[str, float] = column(
        "{}: how far the differences between runs are other than by the reference, as a root of mean squares",
        spread="moved_{}",
        head="{} moved",
    )


class RankJudged(Row):
    """Documents by how high the runs list them, and what a judge says of them."""

    judge: str = column("the judge")
    ranks: str = column("the highest rank in any run; '-' where no run lists them")
    documents: int = column("documents that the judge and the reference judged")
    relevant: float = column("share that the judge calls relevant", form="share")
    reference: float = column("share that the reference does", form="share")


class LengthJudged(Row):
    """Lists by how many documents they have, and whether a judge favours them."""

    measure: str = column("the measure")
    judge: str = column("the judge")
    lengths: str = column("documents in the list of a run for a topic; '-' for none")
    lists: int = column("such lists")
    shift: float = column("score by the judge, less that by the reference", form="signed")
    favour: float | None = column(
        "the same, less the mean over runs for the topic; nothing where no topic has lists of another length",
        form="signed",
    )
    low: float | None = column("where the interval of that begins, over topics", form="signed")
    high: float | None = column("where it ends", form="signed")


class JudgedRunRow(Row):
    """A run by a measure, by each judge."""

    measure: str = column("the measure")
    run: str = column("the run")
    scores: dict[str, float] = column("score by {}", spread="{}")
    places: dict[str, int] = column("place by {}", spread="place_{}", head="place {}")
    highest: int = column("its highest place by any judge")
    lowest: int = column("its lowest")

    @derived(head="places")
    def range(self) -> str:
        """The places that judges give it."""
        return ranks((self.highest, self.lowest))

    brief = ("measure", "run", "scores", "range")


class OrderPair(Row):
    """The leaderboards of two judges."""

    measure: str = column("the measure")
    judge: str = column("a judge")
    other: str = column("another one", head="and")
    tau: float | None = column("Kendall's tau-b of both orders of runs")
    tau_ap: float | None = column("AP correlation, the first judge the reference")
    rbo: float | None = column("rank-biased overlap, p .9")
    pairs: int = column("pairs of runs")
    reversed: int = column("pairs with another order")
    lost: int = column("pairs that are significant by the first alone")
    gained: int = column("pairs that are significant by the second alone")
    contradicted: int = column("pairs that are significant by both, in different orders")


class BiasRow(Row):
    """Whether a judge favours a run."""

    measure: str = column("the measure")
    judge: str = column("the judge")
    run: str = column("the run")
    shift: float = column("score by the judge, less that by the reference", form="signed")
    favour: float = column("the same, less the mean over runs", form="signed")
    low: float | None = column("where the interval of that begins, over topics", form="signed")
    high: float | None = column("where it ends", form="signed")
    p: float | None = column("how likely so much would be, did the judge favour nobody", form="p", minor=1)
    p_corrected: float | None = column("the same, corrected for all runs (Holm)", head="p (Holm)", form="p")


class DependentPair(Row):
    """Two runs whose order, or its significance, depends on the judge."""

    measure: str = column("the measure")
    run: str = column("the run that is better by the reference; of equal ones the first")
    compared_with: str = column("the other one", head="with")
    differences: dict[str, float] = column("by how much it is better, by {}", spread="{}", form="signed")
    p: dict[str, float] = column("p by {}, corrected for all pairs (Holm)", spread="p_{}", head="p {}", form="p")
    depends: str = column(
        '"contradicted" where both orders are significant, "order" where it turns, "significance" where that does'
    )

    brief = ("measure", "run", "compared_with", "differences", "depends")


class JudgesCompared(ScoresAnswer):
    """How much it matters who judged."""

    question = "judges"
    sheets = {
        "agreement": Sheet(JudgePair, "how far judges agree"),
        "runs": Sheet(JudgedRunRow, "scores and places of runs by each judge", of="board", needs="runs", top=50),
        "orders": Sheet(OrderPair, "how far leaderboards agree", needs="runs"),
        "pairs": Sheet(DependentPair, "pairs of runs that depend on the judge", of="dependent", needs="runs", top=20),
        "bias": Sheet(BiasRow, "which runs a judge favours", needs="runs", top=50),
        "grades": Sheet(GradeMeeting, "how often grades of two judges meet", of="meetings"),
        "topics": Sheet(
            TopicJudged, "topics, those first on which judges move most", of="by_topic", top=20, by="judge"
        ),
        "ranks": Sheet(RankJudged, "what judges say by how high runs list documents", of="by_rank", needs="runs"),
        "lengths": Sheet(LengthJudged, "whether judges favour short or long lists", of="by_length", needs="runs"),
    }
    files = {"plot": PLOT, "plot_bias": File("A figure of which runs each judge favours.", figure=True, needs="runs")}

    names: tuple[str, ...] = column("the judges")
    reference: str = column("the judge that others are held against")
    documents: int = column("documents that some judge judged")
    shared: int = column("those that all judged")
    relevant: dict[str, float] = column("by judge, the share of its documents that it calls relevant", nested=True)
    alpha: float | None = column(
        "Krippendorff's alpha of all judges on what is relevant; nothing where it is undefined", default=None
    )
    alpha_low: float | None = column("where its interval over topics begins", default=None)
    alpha_high: float | None = column("where it ends", default=None)
    agreement: tuple[JudgePair, ...]
    meetings: tuple[GradeMeeting, ...]
    by_topic: tuple[TopicJudged, ...]
    by_rank: tuple[RankJudged, ...] = ()
    by_length: tuple[LengthJudged, ...] = ()
    board: tuple[JudgedRunRow, ...] = ()
    """By measure, the best by the reference first."""
    orders: tuple[OrderPair, ...] = ()
    dependent: tuple[DependentPair, ...] = ()
    """By measure, those of the best runs first."""
    bias: tuple[BiasRow, ...] = ()
    tests: dict[str, dict[str, float]] = column(
        "by measure and judge, the p of an analysis of variance (Greenhouse and Geisser) that it shifts all runs alike",
        nested=True,
    )
    confidence: float = column("how often intervals are to hold")
    level: float = column("the p below which a difference is significant")

    @property
    def has_runs(self) -> bool:
        """Whether runs were given."""
        return bool(self.board)

    @property
    def leaders(self) -> dict[str, dict[str, str]]:
        """By measure and judge, the run at the top."""
        found: dict[str, dict[str, str]] = {}
        for row in self.board:
            for judge, place in row.places.items():
                if place == 1:
                    found.setdefault(row.measure, {}).setdefault(judge, row.run)
        return {
            measure: {judge: tops[judge] for judge in self.names if judge in tops} for measure, tops in found.items()
        }

    def caption(self, show: str) -> str:
        """How many judges and documents there are."""
        counts = [counted(len(self.names), "judge"), counted(len(self.topics), "topic")]
        if self.has_runs:
            counts.append(counted(len({row.run for row in self.board}), "run"))
        if show in ("bias", "grades", "topics", "ranks", "lengths", "runs", "pairs"):
            counts.append(f"reference {self.reference}")
        return caption(*counts, conventions=self.conventions.unusual())

    def says(self, show: str) -> Iterator[Note]:
        """How far judges agree, which are kinder, and what of the leaderboard depends on them."""
        yield from self._agree()
        if self.shared < self.documents:
            yield UNSHARED(shared=self.shared, documents=self.documents)
        for judge in self.names:
            if judge != self.reference:
                share, other = (percent(self.relevant[one]) for one in (judge, self.reference))
                yield KINDER(judge=judge, share=share, reference=self.reference, reference_share=other)
        for measure in self.measures if self.has_runs else ():
            yield from self._leads(measure)
            yield from self._favours(measure)

    def _agree(self) -> Iterator[Note]:
        known = [row for row in self.agreement if row.kappa is not None]
        if not known:
            return
        least = min(known, key=lambda row: row.kappa or 0.0)
        if len(self.names) == 2:
            yield TWO_AGREE(
                one=least.judge,
                other=least.other,
                same=percent(least.same),
                documents=least.documents,
                kappa=least.kappa,
            )
        elif self.alpha is not None:
            yield AGREE(judges=len(self.names), alpha=self.alpha, one=least.judge, other=least.other, kappa=least.kappa)

    def _leads(self, measure: str) -> Iterator[Note]:
        tops = self.leaders[measure]
        runs = dict.fromkeys(tops.values())
        if len(runs) == 1:
            yield SAME_LEADER(measure=measure, run=next(iter(runs)))
        else:
            by = "; ".join(f"{run} by {', '.join(j for j, top in tops.items() if top == run)}" for run in runs)
            yield LEADERS(f"{measure}: the run at the top depends on the judge: {by}", measure=measure)
        rows = [row for row in self.dependent if row.measure == measure]
        turned = [row for row in rows if row.depends != "significance"]
        pairs = next(row.pairs for row in self.orders if row.measure == measure)
        if pairs:
            yield REVERSED(
                measure=measure,
                reversed=len(turned),
                pairs=pairs,
                contradicted=sum(row.depends == "contradicted" for row in turned),
            )

    def _favours(self, measure: str) -> Iterator[Note]:
        from truerank.report.digits import p_number

        for judge, p in self.tests.get(measure, {}).items():
            rows = [row for row in self.bias if row.measure == measure and row.judge == judge]
            if not p < self.level:
                yield ALIKE(measure=measure, judge=judge, reference=self.reference, p=p_number(p, self.level))
                continue
            most, least = max(rows, key=lambda row: row.favour), min(rows, key=lambda row: row.favour)
            yield FAVOURS(
                measure=measure,
                judge=judge,
                p=p_number(p, self.level),
                most=most.run,
                by=most.favour,
                least=least.run,
                least_by=least.favour,
            )

    @adjustable
    def plot(self, *, theme: Theme = "light", **look: Unpack[Adjustments]) -> Plot:
        """Places of runs by judge as lines; without runs, how far judges agree."""
        from truerank.questions.judges.figure import plot_agreement, plot_places

        return plot_places(self, theme=theme) if self.has_runs else plot_agreement(self, theme=theme)

    @adjustable
    def plot_bias(self, *, theme: Theme = "light", **look: Unpack[Adjustments]) -> Plot:
        """Which runs each judge favours, with intervals."""
        from truerank.questions.judges.figure import plot_bias

        return plot_bias(self, theme=theme)
