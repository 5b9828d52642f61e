"""The question: which measures are sure of what they find, how alike are they, and what do they cover?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby
from math import inf
from typing import TYPE_CHECKING, Annotated, Any

from truerank.boards.rows import OrderAgreement
from truerank.conventions.axes import Conventions
from truerank.conventions.presets import AxisRules, one_number
from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.questions.signature import Also, ByGroup, Engines, Judgments, Measures, Runs, question
from truerank.report.answer import PLOT, Answer, ByMeasure, Keyed, Sheet
from truerank.report.rows import ColumnarRows, Row, column, derived
from truerank.report.signature import Option, Theme, adjustable
from truerank.report.table import Column, Table, caption

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.data.arrays import Floats
    from truerank.measures.core.base import Measure
    from truerank.questions.meta.consistency import OrderStability, Swaps
    from truerank.questions.meta.scores import Correlations, SystemScores
    from truerank.questions.meta.unanimity import Unanimity
    from truerank.report.plots.chart import Plot
    from truerank.report.signature import Adjustments
    from truerank.track.track import Progress

CRITERIA = {
    "discrimination": "high",
    "sensitivity": "high",
    "tau_halves": "high",
    "minority": "low",
    "coverage": "high",
}
"""What measures are ranked by, and which end is the better one."""


class MetaSettings(Row):
    """How measures were compared."""

    depth: int | None = column("where lists were cut; null for lists as they are")
    test: str = column("the test of every pair of runs")
    alpha: float = column("its level")
    permutations: int = column("draws of the test, if it draws")
    splits: int = column("splits of the topics in two, and sets of topics drawn")
    fuzziness: float = column("share of the larger score up to which a difference is taken for a tie")
    pairs: int = column("pairs of topics drawn for the sampled coverage")
    seed: int = column("of everything drawn")


class MeasureCriteria(Row, eq=False):
    """A measure by every criterion, with its rank among the others."""

    measure: str = column("the measure")
    discrimination: float = column("share of pairs of runs that differ", best="high", over="mean")
    sensitivity: float = column(
        "share of differences on half of the topics that are to be relied on", best="high", over="mean"
    )
    tau_halves: float = column(
        "Kendall's tau between the orders of runs by halves of the topics", best="high", over="mean"
    )
    minority: float = column(
        "share of comparisons against the majority of their pair, topics drawn anew", best="low", over="mean", minor=1
    )
    coverage: float = column("Spearman's rho of differences with unanimous improvements", best="high", over="mean")
    mean_tau_a: float = column(
        "the mean of Kendall's tau-a with the other measures; undefined without any", over="mean", minor=2
    )
    ranks: dict[str, float] = column("its rank by {}, 1 for the best", spread="rank.{}", over="mean")
    mean_rank: float = column("the mean of its ranks", best="low", form="short", over="mean")

    brief = ("measure", *CRITERIA, "mean_tau_a", "mean_rank")

    tests: Discrimination
    swaps: Swaps
    stability: OrderStability
    sampled_coverage: float
    """Coverage from pairs of topics drawn at random."""

    def criteria(self) -> dict[str, float]:
        return {name: getattr(self, name) for name in CRITERIA}


class Discrimination(Row, eq=False):
    """The p-values of all pairs of runs by a measure, and what difference makes them small."""

    measure: str = column("the measure")
    discrimination: float = column(
        "discriminative power: the share of pairs that are significant", best="high", over="mean"
    )
    significant: int = column("pairs of runs that are significant")
    pairs: int = column("pairs of runs")
    needed: float = column("the difference of means with which every pair would be significant", over="mean")
    typical: float = column("the difference with which half of the pairs would be", over="mean")
    smallest: float = column("the smallest difference that is significant", over="mean")
    missed: float = column("the largest difference that is not", over="mean")

    p: Floats
    """Of every pair, also called the achieved significance level: the largest first, which makes the ASL curve."""
    notes: tuple[str, ...] = ()


class Resampling(Row):
    """What topics drawn at random tell of a measure."""

    measure: str = column("the measure")
    needed: float = column(
        "the difference on half of the topics that at most one in twenty reverses on the other half", over="mean"
    )
    sensitivity: float = column("share of comparisons with such a difference", best="high", over="mean")
    swap_rate: float = column("share of comparisons that are reversed on the other half", over="mean")
    tau_halves: float = column("Kendall's tau-a between the orders of runs by both halves", best="high", over="mean")
    tau_deviation: float = column("its standard deviation over splits", over="mean")
    tau_full: float = column("the same extrapolated to as many topics as there are", best="high", over="mean")
    minority: float = column(
        "on topics drawn anew, the share of comparisons against the majority", best="low", over="mean"
    )
    fuzzy_minority: float = column("the same with small differences as ties, as a share of all", over="mean")
    fuzzy_ties: float = column("share of comparisons with a difference so small", over="mean")

    brief = ("measure", "needed", "sensitivity", "tau_halves", "tau_full", "minority", "fuzzy_minority", "fuzzy_ties")


class MeasurePair(OrderAgreement):
    """How far two measures agree on the order of runs."""

    measure: str = column("a measure, the reference")
    other: str = column("another one")

    leading = ("measure", "other")


class AchievedLevel(Row):
    """A point of the ASL curve of a measure."""

    measure: str = column("the measure")
    percent: int = column("percentage of the pairs of runs that have a larger p", over="key")
    p: float = column("the p-value of the next pair", over="mean")


class SwapBin(Row):
    """Differences of about one size on half of the topics."""

    measure: str = column("the measure")
    low: float = column("the difference that the bin begins with")
    comparisons: int = column("comparisons with a difference in the bin")
    reversed_comparisons: int = column("comparisons with the opposite sign on the other half", head="reversed")
    swap_rate: float = column("their share")


class Coverage(Row):
    """How far improvements by a measure are improvements by all of the reference."""

    measure: str = column("the measure")
    coverage: float = column("Spearman's rho of differences with unanimous improvements", best="high", over="mean")
    sampled: float = column("the same from pairs of topics drawn at random", over="mean")


class Improvement(Row):
    """How far a run is an unanimous improvement over another."""

    run: str = column("the run")
    other: str = column("the run that it is compared with")
    uir: float = column("Unanimous Improvement Ratio, from -1 to 1", over="mean")


class RunMeans(Row):
    """The mean scores of a run on the topics that measures are compared on."""

    run: str = column("the run")
    scores: dict[str, float] = column("its mean by {}", spread="score.{}", head="{}", over="mean")


class Meta(Keyed[MeasureCriteria], Answer):
    """Measures by how alike they are, how sure their findings are, and what they cover: ``found["AP"]``."""

    question = "meta"
    by_collection = True
    sheets = {
        "summary": Sheet(
            MeasureCriteria,
            "all criteria with ranks",
            of="by_rank",
            meaning="each criterion, and the mean rank by all of them",
        ),
        "tau": Sheet(
            MeasurePair,
            "how far measures agree on the order of runs",
            of="orders",
            meaning="Kendall's tau-a between the orders of runs by two measures; measures that agree are near each "
            "other",
        ),
        "discrimination": Sheet(
            Discrimination,
            "how many pairs of runs differ",
            of="tests",
            meaning="share of pairs of runs that differ; the difference with which all would (needed), half would "
            "(typical), the smallest that does and the largest that does not (missed)",
        ),
        "asl": Sheet(
            AchievedLevel,
            "p-values of pairs of runs",
            of="levels",
            meaning="p-values of pairs of runs, largest first, by the percentage of pairs before them",
        ),
        "swap": Sheet(
            Resampling,
            "how sure findings are on other topics",
            of="resampled",
            meaning="the difference on half of the topics that at most one in twenty reverses on the other half "
            "(needed), the share of such (sensitivity), tau between halves and extrapolated to all topics; on topics "
            "drawn anew, the share of comparisons against the majority (minority), also with small differences as ties "
            "(fuzzy)",
        ),
        "bins": Sheet(
            SwapBin,
            "differences by size, and how many are reversed",
            meaning="differences on half of the topics, and how many are reversed on the other half",
        ),
        "coverage": Sheet(
            Coverage,
            "how far improvements are unanimous",
            of="coverages",
            meaning="Spearman's rho of differences with unanimous improvements, over all pairs of topics and sampled",
        ),
        "uir": Sheet(
            Improvement,
            "unanimous improvements of runs",
            of="improvements",
            meaning="Unanimous Improvement Ratio of one run over another",
        ),
        "runs": Sheet(RunMeans, "mean scores of runs", of="run_scores"),
    }
    files = {"plot": PLOT._replace(not_of=("runs",))}

    compared: tuple[MeasureCriteria, ...]
    """By measure, in the order in which they were given."""
    systems: dict[str, tuple[float, ...]]
    """The mean scores of each run, in the order of ``measures``."""
    topics: tuple[str, ...]
    """The topics on which all runs have a value by all measures."""
    orders: tuple[MeasurePair, ...]
    """Every two measures, in the order in which they were given."""
    correlations: Correlations
    unanimity: Unanimity
    conventions: Conventions = column("the conventions that scores were read under")
    settings: MetaSettings = column("how measures were compared")
    reference: tuple[Measure, ...] = column("the measures whose unanimous improvements are to be covered")

    @derived(for_people=False)
    def num_topics(self) -> int:
        """How many topics measures are compared on."""
        return len(self.topics)

    @derived(for_people=False)
    def half(self) -> int:
        """How many topics each half of them has."""
        return len(self.topics) // 2

    @cached_property
    def scores(self) -> ByMeasure[MeasureCriteria]:
        return ByMeasure({one.measure: one for one in self.compared})

    @property
    def by_name(self) -> ByMeasure[MeasureCriteria]:
        return self.scores

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(self.scores)

    @property
    def by_rank(self) -> list[MeasureCriteria]:
        """The measures, best mean rank first; the order in which they were given decides between equals."""
        return sorted(self.compared, key=lambda one: one.mean_rank)

    @property
    def ranked(self) -> tuple[str, ...]:
        return tuple(one.measure for one in self.by_rank)

    def tau_a(self, one: str | Measure, other: str | Measure) -> float:
        """Kendall's tau-a between the orders of runs by two measures."""
        return float(self.correlations.tau_a[self.compared.index(self[one]), self.compared.index(self[other])])

    def uir(self, one: str, other: str) -> float:
        names = [*self.systems]
        for name in (one, other):
            if name not in self.systems:
                raise KeyError(f"there is no run {name!r}; there are {', '.join(names)}")
        return float(self.unanimity.uir[names.index(one), names.index(other)])

    @property
    def tests(self) -> list[Discrimination]:
        return [one.tests for one in self.compared]

    @property
    def levels(self) -> ColumnarRows[AchievedLevel]:
        from truerank.questions.meta.consistency import percentiles

        curves = {one.measure: percentiles(one.tests.p).tolist() for one in self.compared}
        return ColumnarRows(
            AchievedLevel,
            measure=[name for name, curve in curves.items() for _ in curve],
            percent=[percent for curve in curves.values() for percent in range(len(curve))],
            p=[p for curve in curves.values() for p in curve],
        )

    @property
    def resampled(self) -> list[Resampling]:
        return [
            Resampling(
                measure=one.measure,
                needed=one.swaps.needed,
                sensitivity=one.swaps.sensitivity,
                swap_rate=one.swaps.swap_rate,
                tau_halves=one.swaps.tau_halves,
                tau_deviation=one.swaps.tau_deviation,
                tau_full=one.swaps.tau_full,
                minority=one.stability.minority,
                fuzzy_minority=one.stability.fuzzy_minority,
                fuzzy_ties=one.stability.fuzzy_ties,
            )
            for one in self.compared
        ]

    @property
    def bins(self) -> list[SwapBin]:
        return [one for measure in self.compared for one in measure.swaps.bins(measure.measure)]

    @property
    def coverages(self) -> list[Coverage]:
        return [
            Coverage(
                measure=one.measure,
                coverage=one.coverage,
                sampled=one.sampled_coverage,
            )
            for one in self.compared
        ]

    @property
    def improvements(self) -> ColumnarRows[Improvement]:
        names = [*self.systems]
        every = [(one, other) for one in range(len(names)) for other in range(len(names)) if one != other]
        one, other = zip(*every, strict=True)
        return ColumnarRows(
            Improvement,
            run=[names[place] for place in one],
            other=[names[place] for place in other],
            uir=self.unanimity.uir[one, other],
        )

    @property
    def run_scores(self) -> list[RunMeans]:
        return [
            RunMeans(run=run, scores=dict(zip(self.measures, means, strict=True)))
            for run, means in self.systems.items()
        ]

    def own_notes(self, show: str) -> Iterator[Note]:

        return notes_of(self, show)

    def layout(self, show: str, *, top: int | None = None) -> Table:
        """Correlations as half of a matrix; columns have the numbers of rows, for names would not fit."""
        if show != "tau":
            return super().layout(show)
        order, names, tau = self.correlations.order.tolist(), self.measures, self.correlations.tau_a
        numbers = [Column(str(n), number=True, whole=True) for n in range(1, len(order))]
        rows = [
            (
                f"{n + 1} {names[place]}",
                *(_short(tau[place, other]) for other in order[:n]),
                *[None] * (len(order) - 1 - n),
            )
            for n, place in enumerate(order)
        ]
        return Table((Column("measure", whole=True), *numbers), tuple(rows))

    @adjustable
    def plot(self, show: str | None = None, *, theme: Theme = "light", **look: Unpack[Adjustments]) -> Plot:
        """Draw the sheet: ASL curves, swap rates or both, coverage, and heat maps of "tau" and "uir"."""
        from truerank.questions.meta.figure import plot_meta

        return plot_meta(self, self.kind(show), theme=theme)

    def caption(self, show: str) -> str:
        """How many runs and topics, and how they were compared."""
        settings = self.settings
        parts = [counted(len(self.systems), "run"), counted(len(self.topics), "topic")]
        if settings.depth:
            parts.append(f"lists cut at {settings.depth}")
        if show in ("summary", "coverage", "uir"):
            parts.append(f"reference {' '.join(map(str, self.reference))}")
        if show in ("summary", "swap", "bins"):
            parts.append(f"{settings.splits:,} splits, seed {settings.seed}")
        return caption(*parts, conventions=self.conventions.unusual())

    def __repr__(self) -> str:
        return f"Meta({len(self)} measures, {len(self.systems)} runs, {len(self.topics)} topics)"


def _short(tau: float) -> str:
    """Two decimals without a zero before them: there are many."""
    return f"{tau:.2f}".replace("0.", ".", 1)


_HAS_BEST = "{measures:names} has the best mean rank, {mean_rank:.1f} of {compared}, and is first by "
_NEXT = "[; {next:names} {next_measures:comes|come} next with {next_rank:.1f}]"
FIRST = Code(
    "TR581",
    "which measure has the best mean rank, and which comes next",
    _HAS_BEST + "{first_by:names}" + _NEXT,
    every=_HAS_BEST + "every criterion" + _NEXT,
    nothing=_HAS_BEST + "none of the criteria" + _NEXT,
    several="{measures:names} have the best mean rank, {mean_rank:.1f} of {compared}" + _NEXT,
)
_WORST = "[; {worst} {worst_value:%}]"
ENDS = Code(
    "TR582",
    "the best and the worst measure by a criterion",
    discrimination="discrimination: {best} finds {value:%} of {pairs:pair} of runs to differ ({test}, p < {alpha:g})"
    + _WORST,
    sensitivity="sensitivity: by {best}, {value:%} of the differences on half of the topics are so large that at most "
    "one in twenty is reversed on the other half" + _WORST,
    tau_halves="tau_halves: by {best}, halves of the topics agree on the order of runs by tau {value:.2f}, "
    "extrapolated to all topics {full:.2f}[; {worst} {worst_value:.2f}, extrapolated to all topics {worst_full:.2f}]"
    "[; {without} undefined]",
    minority="minority: by {best}, {value:%} of comparisons on topics drawn anew go the way rarer for their pair"
    + _WORST,
    coverage="coverage: differences by {best} go with improvements by all of {reference} by rho {value:.3f}"
    "[; {worst} {worst_value:.3f}][; {without} undefined]",
)
ALIKE = Code(
    "TR583",
    "which measures agree most and least on the order of runs",
    "most alike are {measure} and {other}, tau {tau_a:.2f}",
    least="least alike are {measure} and {other}, tau {tau_a:.2f}",
)
CAVEAT = Code(
    "TR584",
    "what no criterion asks",
    "all criteria but coverage ask how consistent a measure is, and none whether it is what users want; with other "
    "runs or topics the order of measures may be another",
)
LEFT_OUT = Code(
    "TR586",
    "topics that are left out of all comparisons",
    "{topics:topic} without a value for some run or measure {topics:is|are} left out of all comparisons",
)
TESTED = Code(
    "TR587",
    "what there is to know about the tests of runs",
    "{measure}: {tested}[; similar for {others:other measure}]",
)
ONE_MEASURE = Code(
    "TR588",
    "a single measure, which agrees with no other",
    "there is one measure: how far it agrees with others is undefined",
)
ONE_TOPIC = Code(
    "TR589",
    "a single topic, which cannot be split",
    "there is one topic: it cannot be split, and what other topics would show is undefined",
)
NO_ORDER = Code(
    "TR590",
    "measures that order no runs",
    "{names:names} {measures:has|have} the same mean for all runs: there is no order, and coverage is undefined",
)
NONE_LARGE = Code(
    "TR591",
    "measures without a difference that is to be relied on",
    "{names:names}: no difference seen on half of the topics is large enough to be relied on",
)
NONE_UNANIMOUS = Code(
    "TR592",
    "runs of which none improves on another by all of the reference",
    "no run improves on another by all of {reference} more often than the other way: coverage is undefined",
)
BOTH_SIGNS = Code(
    "TR593",
    "measures with scores on both sides of 0",
    "{names:names}: scores lie on both sides of 0, where shares mean nothing; fuzzy ones are undefined",
)
_SHOWN = {
    "summary": tuple(CRITERIA),
    "discrimination": ("discrimination",),
    "swap": ("sensitivity", "tau_halves", "minority"),
    "coverage": ("coverage",),
}
"""Criteria that a sheet has the best and the worst measure of."""


def notes_of(answer: Meta, show: str) -> Iterator[Note]:
    """What there is to know of what is shown."""
    if show == "summary":
        yield from _first(answer)
    for name in _SHOWN.get(show, ()):
        if not all(math.isnan(each.criteria()[name]) for each in answer.values()):
            yield _ends(answer, name)
    if show == "tau":
        yield from _alike(answer)
    if show == "summary" and len(answer) > 1:
        yield CAVEAT()


def _first(answer: Meta) -> Iterator[Note]:
    """The measures with the best mean rank, the criteria that they are first by, and the measures that come next."""
    if len(answer) < 2:
        return
    by_rank = groupby(answer.by_rank, key=lambda one: round(one.mean_rank, 9))
    # Of measures for which nothing is known there is no first.
    ranked = [(rank, [one.measure for one in some]) for rank, some in by_rank if not math.isnan(rank)]
    if not ranked:
        return
    rank, best = ranked[0]
    ranks = answer[best[0]].ranks
    known = [name for name in CRITERIA if not math.isnan(ranks[name])]
    first_by = [name for name in known if ranks[name] == 1]
    form = "several" if len(best) > 1 else {0: "nothing", len(known): "every"}.get(len(first_by), "")
    next_rank, following = ranked[1] if len(ranked) > 1 else (None, None)
    yield FIRST(
        form,
        measures=best,
        mean_rank=rank,
        compared=len(answer),
        first_by=None if len(best) > 1 else first_by,
        next=following,
        next_measures=following and len(following),
        next_rank=next_rank,
    )


def _ends(answer: Meta, name: str) -> Note:
    rank = {one.measure: one.ranks[name] for one in answer.compared}
    best, worst = (answer[end(rank, key=lambda measure: rank[measure])] for end in (min, max))
    value, worst_value = (one.criteria()[name] for one in (best, worst))
    differ = rank[best.measure] != rank[worst.measure]
    facts: dict[str, Any] = {}
    if name == "discrimination":
        facts = {"pairs": best.tests.pairs, "test": answer.settings.test, "alpha": answer.settings.alpha}
    elif name == "tau_halves":
        facts = {"full": best.swaps.tau_full, "worst_full": worst.swaps.tau_full}
    elif name == "coverage":
        facts = {"reference": " ".join(map(str, answer.reference))}
    without = worst.measure if differ and math.isnan(worst_value) else None
    return ENDS(
        name,
        criterion=name,
        best=best.measure,
        value=value,
        worst=worst.measure,
        worst_value=worst_value if differ and (not without or name not in ("tau_halves", "coverage")) else None,
        without=without,
        **facts,
    )


def _alike(answer: Meta) -> Iterator[Note]:
    ends = {"": max, "least": min} if len(answer.orders) > 1 else {"": max}
    for form, end in ends.items():
        pair = end(answer.orders, key=lambda row: row.tau_a, default=None)
        if pair is not None:
            yield ALIKE(form, measure=pair.measure, other=pair.other, tau_a=pair.tau_a)


def undefined(
    measures: Sequence[MeasureCriteria], scores: Sequence[SystemScores], ratios: Unanimity, covered: Sequence[Measure]
) -> Iterator[Note]:
    """Why something is undefined."""
    noted = [(one.measure, note) for one in measures for note in one.tests.notes]
    if noted:
        measure, note = noted[0]
        yield TESTED(measure=measure, tested=note, others=len({name for name, _ in noted}) - 1 or None)
    if len(measures) == 1:
        yield ONE_MEASURE()
    if scores[0].topics < 2:
        yield ONE_TOPIC()
    flat = [one.measure for one in scores if not one.spread]
    if flat:
        yield NO_ORDER(names=flat, measures=len(flat))
    lost = [one.measure for one in measures if math.isnan(one.swaps.needed) and not math.isnan(one.swaps.tau_halves)]
    if lost:
        yield NONE_LARGE(names=lost, measures=len(lost))
    if not ratios.surplus.any():
        yield NONE_UNANIMOUS(reference=" ".join(map(str, covered)))
    below = [one.measure for one in scores if not one.one_sided]
    if below:
        yield BOTH_SIGNS(names=below, measures=len(below))


MEASURES = " ".join(
    (
        *("OIE(size=20000)", "nDCG", "DCG", "RBP(p=0.98)", "AP", "F", "R@100", "FlatU"),
        *("RBP(p=0.9)", "P@10", "RBP", "iRBU(p=0.98)", "iRBU(p=0.9)", "iRBU", "ERR", "RR"),
    )
)
REFERENCE = "P@10 R@100 RR"
RULES = AxisRules(
    # A list that is cut was ended by its cut, however many documents there could have been.
    fixed={"limit": None, "relevant": "judgments"},
    refused=one_number("systems are ordered by one"),
)


@question(RULES)
def meta(
    qrels: Judgments,
    runs: Runs,
    measures: Measures = MEASURES,
    *,
    reference: Annotated[
        Any, Option("The measures whose unanimous improvements are to be covered.", metavar="MEASURES")
    ] = REFERENCE,
    depth: Annotated[int | None, Option("Cut lists here first.", metavar="N", least=1)] = None,
    test: Annotated[str, Option("The test of each pair of runs.")] = "student",
    alpha: Annotated[float, Option("Its level.", least=0, most=1)] = 0.05,
    permutations: Annotated[int, Option("Draws of a test that draws.", metavar="N", least=1)] = 10_000,
    splits: Annotated[
        int, Option("Splits of the topics in halves, and sets of topics drawn anew.", metavar="N", least=1, most=10**6)
    ] = 1000,
    fuzziness: Annotated[float, Option("Share of a score up to which a difference is a tie.", least=0, most=1)] = 0.05,
    pairs: Annotated[
        int, Option("Pairs of topics drawn for the sampled coverage.", metavar="N", least=1, most=10**7)
    ] = 1000,
    seed: Annotated[int, Option("Of everything drawn.", least=0, most=inf)] = 0,
    group: ByGroup = None,
    also: Also = (),
    name: str = "",
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> Meta:
    """Compare measures: how they rank and distinguish the same runs.

    How alike they order runs, how many pairs of runs they tell apart, how sure that is with other topics, and whether
    their improvements are improvements by all of some reference measures. Those that are taken without -m are the
    measures of Amigó, Mizzaro & Spina (2022), table 3.

    Example:
      truerank meta qrels.txt *.run -m "AP nDCG@10 P@10 RR"
      truerank meta qrels.txt *.run --show tau --plot tau.svg
      truerank meta trec8.qrels trec8/*.run --also med.qrels "med/*.run" --show coverage

    In Python, it takes what ``evaluate`` takes, and several runs. With ``depth``, lists are cut there first. Measures
    are compared on the topics for which every run has a value by every measure. They are ranked by

    - discrimination: the share of pairs of runs that differ by ``test`` at ``alpha``; a test that draws at random does
      so ``permutations`` times
    - sensitivity: the share of differences seen on half of the topics that are large enough to be relied on: from there
      on at most one in twenty has the opposite sign on the other half; the topics are split ``splits`` times
    - tau_halves: Kendall's tau between the orders of runs by both halves
    - minority: how often two runs stand in the order that they have less often, over ``splits`` sets of topics drawn
      with replacement, ties left out; also with differences up to ``fuzziness``, a share of the score, taken for ties
    - coverage: Spearman's rho of differences with the Unanimous Improvement Ratio by the measures of ``reference``;
      also estimated from ``pairs`` of topics

    >>> qrels = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}, "q3": {"d": 1, "e": 1}, "q4": {"f": 1}}
    >>> good = {"q1": ["a", "b"], "q2": ["c"], "q3": ["d", "x"], "q4": ["x", "f"]}
    >>> fair = {"q1": ["a", "x"], "q2": ["x", "c"], "q3": ["x", "y"], "q4": ["x", "y", "f"]}
    >>> poor = {"q1": ["x", "a"], "q2": ["x", "y"], "q3": ["y", "x"], "q4": ["x", "y"]}
    >>> found = meta(qrels, {"good": good, "fair": fair, "poor": poor}, "AP RR", reference="P@2 RR")
    >>> found["AP"].coverage, found.tau_a("AP", "RR"), found.uir("good", "poor")
    (1.0, 1.0, 0.9375)
    """
    from truerank.measures.grammar import parse_all
    from truerank.questions.meta.work import refuse, refuse_few, score_run, summarise
    from truerank.track.track import Track

    settings = MetaSettings(
        depth=depth,
        test=test,
        alpha=alpha,
        permutations=permutations,
        splits=splits,
        fuzziness=fuzziness,
        pairs=pairs,
        seed=seed,
    )
    wanted, covered = parse_all(measures), parse_all(reference)
    every = parse_all([*wanted, *covered])
    refuse(settings, every)
    track = Track.of(qrels, runs, every, given, RULES, engine=engine)
    refuse_few(track)
    parts = track.each(score_run, progress=progress, depth=settings.depth)
    return summarise(track, parts, wanted, covered, settings)
