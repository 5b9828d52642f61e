"""The answer: measures judged by what they do with the systems of a collection."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from truerank.conventions.axes import Conventions
from truerank.data.notes import Note
from truerank.data.printing import counted
from truerank.report.answer import PLOT, Answer, ByMeasure, Keyed, Sheet
from truerank.report.rows import ColumnarRows, Row, column, derived
from truerank.report.signature import Theme, adjustable
from truerank.report.table import Column, Table, caption

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.data.arrays import Floats
    from truerank.measures.core.base import Measure
    from truerank.questions.meta.consistency import OrderStability, Swaps
    from truerank.questions.meta.scores import Correlations
    from truerank.questions.meta.unanimity import Unanimity
    from truerank.report.plots.chart import Plot
    from truerank.report.signature import Adjustments

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


class Merit(Row, eq=False):
    """One measure by every criterion, with its place among the others."""

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
    tau: float = column(
        "the mean of Kendall's tau-a with the other measures; undefined without any", over="mean", minor=2
    )
    ranks: dict[str, float] = column("its place by {}, 1 for the best", spread="rank_{}", over="mean")
    mean_rank: float = column("the mean of its places", best="low", form="short", over="mean")

    brief = ("measure", *CRITERIA, "tau", "mean_rank")

    tests: Discrimination
    swaps: Swaps
    stability: OrderStability
    sampled_coverage: float
    """Coverage from pairs of topics drawn at random."""

    def criteria(self) -> dict[str, float]:
        """The numbers that measures are ranked by."""
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


class MeasurePair(Row):
    """How alike two measures order runs."""

    measure: str = column("a measure")
    other: str = column("another one")
    tau: float = column("Kendall's tau-a between their orders of runs", over="mean")
    tau_b: float = column("Kendall's tau-b", over="mean")
    tau_ap: float = column("AP correlation; the first measure is the reference", over="mean")


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
    swapped: int = column("those with the opposite sign on the other half")
    rate: float = column("their share")


class Coverage(Row):
    """How far improvements by a measure are improvements by all of the reference."""

    measure: str = column("the measure")
    coverage: float = column("Spearman's rho of differences with unanimous improvements", best="high", over="mean")
    sampled: float = column("the same from pairs of topics drawn at random", over="mean")


class Improvement(Row):
    """How far a run is an unanimous improvement over another."""

    run: str = column("the run")
    other: str = column("the run that it is held against")
    uir: float = column("Unanimous Improvement Ratio, from -1 to 1", over="mean")


class RunMeans(Row):
    """The mean scores of a run on the topics that measures are compared on."""

    run: str = column("the run")
    means: dict[str, float] = column("its mean by {}", spread="{}", over="mean")


class Meta(Keyed[Merit], Answer):
    """Measures by how alike they are, how sure their findings are, and what they cover: ``found["AP"]``."""

    question = "meta"
    by_collection = True
    sheets = {
        "summary": Sheet(
            Merit,
            "all criteria with ranks",
            of="by_rank",
            meaning="each criterion and the mean rank by all of them; tau is the mean of tau-a with the other measures",
        ),
        "tau": Sheet(
            MeasurePair,
            "how alike measures order runs",
            of="alike",
            meaning="Kendall's tau-a between the orders of runs by two measures; those that agree stand near each "
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
            of="covered",
            meaning="Spearman's rho of differences with unanimous improvements, over all pairs of topics and sampled",
        ),
        "uir": Sheet(
            Improvement,
            "unanimous improvements of runs",
            of="improvements",
            meaning="Unanimous Improvement Ratio of one run over another",
        ),
        "runs": Sheet(RunMeans, "mean scores of runs", of="means"),
    }
    files = {"plot": PLOT._replace(not_of=("runs",))}

    merits: tuple[Merit, ...]
    """By measure, in the order in which they were given."""
    systems: dict[str, tuple[float, ...]]
    """The mean scores of each run, in the order of ``measures``."""
    topics: tuple[str, ...]
    """The topics on which all runs have a value by all measures."""
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
    def scores(self) -> ByMeasure[Merit]:
        """What was found, by measure."""
        return ByMeasure({merit.measure: merit for merit in self.merits})

    @property
    def by_name(self) -> ByMeasure[Merit]:
        """The same."""
        return self.scores

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures compared."""
        return tuple(self.scores)

    @property
    def by_rank(self) -> list[Merit]:
        """The measures, best mean rank first; the order in which they were given decides between equals."""
        return sorted(self.merits, key=lambda merit: merit.mean_rank)

    @property
    def ranked(self) -> tuple[str, ...]:
        """The names of the measures, best mean rank first."""
        return tuple(merit.measure for merit in self.by_rank)

    def tau(self, one: str | Measure, other: str | Measure) -> float:
        """Kendall's tau-a between the orderings of the runs by two measures."""
        return float(self.correlations.tau[self.merits.index(self[one]), self.merits.index(self[other])])

    def uir(self, one: str, other: str) -> float:
        """Unanimous Improvement Ratio of one run over another."""
        names = [*self.systems]
        for name in (one, other):
            if name not in self.systems:
                raise KeyError(f"there is no run {name!r}; there are {', '.join(names)}")
        return float(self.unanimity.uir[names.index(one), names.index(other)])

    @property
    def alike(self) -> ColumnarRows[MeasurePair]:
        """Every two measures."""
        one, other = _pairs(len(self.merits))
        names = self.measures
        return ColumnarRows(
            MeasurePair,
            measure=[names[place] for place in one],
            other=[names[place] for place in other],
            tau=self.correlations.tau[one, other],
            tau_b=self.correlations.tau_b[one, other],
            tau_ap=self.correlations.tau_ap[one, other],
        )

    @property
    def tests(self) -> list[Discrimination]:
        """The tests of all pairs of runs, by measure."""
        return [merit.tests for merit in self.merits]

    @property
    def levels(self) -> ColumnarRows[AchievedLevel]:
        """The ASL curve of each measure."""
        from truerank.questions.meta.consistency import percentiles

        curves = {merit.measure: percentiles(merit.tests.p).tolist() for merit in self.merits}
        return ColumnarRows(
            AchievedLevel,
            measure=[name for name, curve in curves.items() for _ in curve],
            percent=[percent for curve in curves.values() for percent in range(len(curve))],
            p=[p for curve in curves.values() for p in curve],
        )

    @property
    def resampled(self) -> list[Resampling]:
        """What topics drawn at random tell, by measure."""
        return [
            Resampling(
                measure=merit.measure,
                needed=merit.swaps.needed,
                sensitivity=merit.swaps.sensitivity,
                swap_rate=merit.swaps.swap_rate,
                tau_halves=merit.swaps.tau,
                tau_deviation=merit.swaps.tau_deviation,
                tau_full=merit.swaps.tau_full,
                minority=merit.stability.minority,
                fuzzy_minority=merit.stability.fuzzy_minority,
                fuzzy_ties=merit.stability.fuzzy_ties,
            )
            for merit in self.merits
        ]

    @property
    def bins(self) -> list[SwapBin]:
        """Differences by size, by measure."""
        return [one for merit in self.merits for one in merit.swaps.bins(merit.measure)]

    @property
    def covered(self) -> list[Coverage]:
        """What measures cover."""
        return [
            Coverage(
                measure=merit.measure,
                coverage=merit.coverage,
                sampled=merit.sampled_coverage,
            )
            for merit in self.merits
        ]

    @property
    def improvements(self) -> ColumnarRows[Improvement]:
        """Every two runs."""
        one, other = _pairs(len(self.systems))
        names = [*self.systems]
        return ColumnarRows(
            Improvement,
            run=[names[place] for place in one],
            other=[names[place] for place in other],
            uir=self.unanimity.uir[one, other],
        )

    @property
    def means(self) -> list[RunMeans]:
        """The mean scores of runs."""
        return [
            RunMeans(run=run, means=dict(zip(self.measures, means, strict=True))) for run, means in self.systems.items()
        ]

    def says(self, show: str) -> Iterator[Note]:
        """The best and the worst measures, and what that does not tell."""
        from truerank.questions.meta.words import said

        yield from said(self, show)

    def layout(self, show: str, *, top: int | None = None) -> Table:
        """Correlations as half of a matrix; columns have the numbers of rows, for names would not fit."""
        if show != "tau":
            return super().layout(show)
        order, names, tau = self.correlations.order.tolist(), self.measures, self.correlations.tau
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


def _pairs(count: int) -> tuple[list[int], list[int]]:
    """Every two of so many, in both orders."""
    every = [(one, other) for one in range(count) for other in range(count) if one != other]
    return [one for one, _ in every], [other for _, other in every]


def _short(tau: float) -> str:
    """Two decimals without a zero before them: there are many."""
    return f"{tau:.2f}".replace("0.", ".", 1)
