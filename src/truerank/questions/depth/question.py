"""The question: how much does the depth of evaluation matter?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated

from truerank.conventions.presets import AxisRules, one_number
from truerank.data.errors import InputError
from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.questions.signature import Also, ByGroup, Engines, Judgments, Measures, Runs, question
from truerank.report.answer import PLOT, ByMeasure, ByName, Sheet, TrackAnswer
from truerank.report.rows import Row, column, derived
from truerank.report.signature import Option, Theme, adjustable
from truerank.report.table import Column, Table, caption

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.data.arrays import Floats, Rows
    from truerank.measures.core.base import Measure
    from truerank.report.plots.chart import Plot
    from truerank.report.signature import Adjustments
    from truerank.track.track import Progress

Scale = Annotated[str, Option("Axis of depths in the figure.", choices=("log", "linear"))]
STABLE = Code(
    "TR221",
    "from which depth on no significant difference between runs is reversed, and how deep to evaluate",
    "{measure}[ ({reading})]: from depth {stable_from} on, no significant difference at depth {last} is reversed (tau "
    "{stable_tau_a:.2f} at depth {stable_from})[. Evaluate to depth {advised}: {share:.0%} as many pairs differ "
    "significantly as at depth {last}][ (past the pool depth {past_pool}, where much is unjudged)]",
    late="{measure}[ ({reading})]: at depth {before} a significant difference at depth {last} is reversed",
    none="{measure}[ ({reading})]: no two runs differ significantly at depth {last}",
    brief="[{measure}: evaluate to depth {advised}, where {share:%} as many pairs differ significantly as at depth "
    "{last}.]",
)
CONTRIBUTED = Code(
    "TR222",
    "how many of the runs made the pool, if only these are shown",
    "{contributors:,} of {runs:run} made the pool, and only these are shown[; for {possible:run} among them this "
    "cannot be determined: {unclear:names}]",
)
ALL_RUNS = Code(
    "TR223",
    "shallower pools are made of all runs, if these do not tell which of them made the pool",
    "these runs do not tell which of them made the pool; shallower pools are those of all {runs:run}",
)

SHOWN = (10, 100)
"""Depths whose numbers are shown."""
BRIEF = ("tau_a", "discrimination", "reversed_share")
FULL = ("tau_a", "tau_b", "tau_ap", "mean_change", "discrimination", "reversed_share", "gained_share")
EVERY_DEPTH = ("tau_a", "mean_change")
"""Numbers of a depth, for people and for programs; and those that are not at checkpoints only."""
NEARLY = 0.95
"""Share of the significant differences at the last depth that a depth worth evaluating to has, at least."""


class Curve(Row, eq=False):
    """A run by a measure, at every depth."""

    run: str = column("the run")
    measure: str = column("the measure")
    unjudged: str = column("what unjudged documents count as")
    value: Floats = column("the mean score at the depth", along="depth", over="mean")


class Stability(Row, eq=False):
    """How stable the ordering of runs by one measure is; arrays have one entry a depth, or a checkpoint."""

    measure: str = column("the measure")
    unjudged: str = column("what unjudged documents count as")
    tau_stable_from: int = column("depth from which on tau-a with the last order stays at 1 - within or more")
    significant_reversed: Rows = column(
        "at each depth, pairs of runs that differ significantly at the last depth and have the opposite order",
        nested=True,
    )
    tau_a: Floats = column("at each depth, Kendall's tau-a of the order with that at the last depth", nested=True)
    reversed_previous: Rows = column(
        "at each depth, pairs of runs in the opposite order to that one step before", nested=True
    )
    mean_change: Floats = column("at each depth, mean over runs of how far scores moved in one step", nested=True)
    checkpoints: Rows = column("a few depths", nested=True)
    tau_b: Floats = column("at checkpoints, Kendall's tau-b of the order with that at the last depth", nested=True)
    tau_ap: Floats = column(
        "at checkpoints, AP correlation; the reference is the truth, the order at the last depth", nested=True
    )
    discrimination: Floats = column("at checkpoints, the share of pairs of runs that differ significantly", nested=True)
    reversed_share: Floats = column(
        "at checkpoints, of the significant differences there, the share with another sign at the last depth",
        nested=True,
    )
    gained_share: Floats = column(
        "at checkpoints, of the significant differences there, the share that is not significant at the last depth",
        nested=True,
    )

    brief = ("measure", "unjudged", "stable_from", "stable_tau_a", "mean_tau_a", "few", "crossings")

    @derived(for_people=False, head="stable from")
    def stable_from(self) -> int | None:
        """The smallest depth from which on no significant difference at the last depth is reversed; none if no two runs
        differ significantly at the last depth."""
        if not self.discrimination[-1] > 0:
            return None
        depths = (self.significant_reversed > 0).nonzero()[0] + 1
        return max(depths.tolist(), default=0) + 1

    @derived(for_people=False, head="tau there", over="mean")
    def stable_tau_a(self) -> float | None:
        """Kendall's tau-a of the order at that depth with the order at the last depth."""
        return None if self.stable_from is None else float(self.tau_a[self.stable_from - 1])

    @derived(for_people=False, head="mean tau", over="mean")
    def mean_tau_a(self) -> float:
        """Mean of tau-a over the checkpoints, which weighs depths by their order of magnitude."""
        return float(self.tau_a[self.checkpoints - 1].mean())

    @derived(for_people=False, spread="{}", over="mean")
    def at_depths(self) -> dict[str, float]:
        """A number at a depth: {}."""
        return self._at(FULL)

    @derived(spread="{}", minor=1, over="mean")
    def few(self) -> dict[str, float]:
        """A number at a depth: {}."""
        return self._at(BRIEF)

    @derived(for_people=False)
    def crossings(self) -> int:
        """Pairs of runs that change their order from one depth to the next, summed over depths: lines that cross."""
        return int(self.reversed_previous.sum())

    @property
    def advised(self) -> int:
        """The depth to evaluate to: a checkpoint past which no difference is reversed that is significant either there
        or at the last depth, and at which nearly as many pairs differ significantly as at the last depth."""
        wrong = self.checkpoints[self.reversed_share > 0]
        first = max(self.stable_from or 1, int(wrong[-1]) + 1 if len(wrong) else 1)
        nearly = self.discrimination >= NEARLY * self.discrimination[-1]
        return int(self.checkpoints[(self.checkpoints >= first) & nearly][0])

    def at(self, depth: int) -> dict[str, float]:
        """The numbers of the last checkpoint that is not deeper."""
        index = int((self.checkpoints <= depth).sum()) - 1
        if index < 0:
            raise InputError(f"depth is {depth}; give 1 or more")
        exact = int(self.checkpoints[index])
        numbers = {name: float(getattr(self, name)[exact - 1 if name in EVERY_DEPTH else index]) for name in FULL}
        return {"depth": exact, "reversed_previous": int(self.reversed_previous[exact - 1]), **numbers}

    def _at(self, names: Sequence[str]) -> dict[str, float]:
        last = len(self.tau_a)
        numbers = {f"{name}@{depth}": self.at(depth)[name] for depth in SHOWN if depth < last for name in names}
        return {**numbers, f"discrimination@{last}": float(self.discrimination[-1])}


class GridCell(Row):
    """Runs evaluated to a depth by the judgments of a pool of some depth, compared with all judgments."""

    measure: str = column("the measure")
    unjudged: str = column("what unjudged documents count as")
    pool_depth: int | None = column("depth of the pool; none for all judgments", over="key")
    depth: int = column("depth of evaluation", over="key")
    judgments: int = column("judgments of that pool")
    tau_a: float = column(
        "Kendall's tau-a of the order with that by all judgments at the last evaluation depth", over="mean"
    )
    discrimination: float = column("share of pairs of runs that differ significantly", over="mean")
    reversed_share: float = column(
        "share of these differences that have another sign by all judgments at the same evaluation depth", over="mean"
    )
    gained_share: float = column(
        "share of these differences that are not significant by all judgments at the same evaluation depth",
        over="mean",
    )


class Curves(TrackAnswer["Floats"]):
    """The scores of runs at every depth from 1 to ``max_depth``: ``curves["bm25"]["AP"]`` is an array of them."""

    question = "depth"
    by_collection = True
    told_apart = ("unjudged",)
    sheets = {
        "stability": Sheet(Stability, "how stable the ordering of runs by each measure is", of="every_stability"),
        "curves": Sheet(Curve, "scores at every depth; for people, at a few", of="every_line"),
        "grid": Sheet(
            GridCell,
            "pool depth by evaluation depth (default with --grid)",
            needs="grid",
            meaning="tau-a with the order by all judgments at the last depth; share of pairs of runs that differ "
            "significantly, and the share of these differences that all judgments reverse",
        ),
    }
    files = {"plot": PLOT}

    lines: tuple[Curve, ...]
    max_depth: int = column("the last depth")
    pool_depth: int | None = column("how deep the pool of the judgments goes, as far as these runs tell")
    pool_deepest: int | None = column(
        "how deep it is in the topic, or for the run, where it is deepest; none if contributors were not asked for",
        default=None,
    )
    within: float = column("how far tau-a may stay below 1 in the column `tau_stable_from`")
    alpha: float = column("the significance level of the tests")
    checkpoints: Rows
    """Depths at which the value of every topic is kept."""
    per_topic: dict[str, Floats]
    """By measure, the values of runs x topics x checkpoints; NaN for topics that are left out."""
    condensed: Curves | None = None
    """The same without unjudged documents, where that was asked for."""
    grid: tuple[GridCell, ...] = ()
    """Pool depth by evaluation depth, where that was asked for."""

    def usual(self) -> str:
        """Stability is about the order of several runs."""
        if self.grid:
            return "grid"
        return "stability" if len(self) > 1 else "curves"

    @cached_property
    def runs(self) -> Mapping[str, ByMeasure[Floats]]:
        """Mean scores at the depths 1, 2, ..., by run and measure."""
        by_run: dict[str, dict[str, Floats]] = {}
        for line in self.lines:
            by_run.setdefault(line.run, {})[line.measure] = line.value
        return ByName({run: ByMeasure(curves) for run, curves in by_run.items()})

    @property
    def both(self) -> tuple[Curves, ...]:
        """These curves and, where there are, those without unjudged documents."""
        return (self,) if self.condensed is None else (self, self.condensed)

    @property
    def every_line(self) -> list[Curve]:
        """All curves, those without unjudged documents last."""
        return [line for one in self.both for line in one.lines]

    @cached_property
    def every_stability(self) -> list[Stability]:
        """How stable measures are, the most stable first; none of a single run."""
        return [each for one in self.both for each in one.stability()] if len(self) > 1 else []

    def means(self, measure: str | Measure) -> Floats:
        """Mean scores by a measure, shape (runs, depths)."""
        import numpy as np

        return np.stack([curves[measure] for curves in self.values()])

    def picked(self, measure: str | Measure) -> dict[str, str]:
        """The best run at the last depth, the worst, and those at the quartiles."""
        last = {run: float(curves[measure][-1]) for run, curves in self.items()}
        order = sorted(last, key=lambda run: (-last[run], run))
        if not self.wanted[self.measures.index(str(measure))].higher_is_better:
            order.reverse()
        # Of few runs, the last is the worst before it is a quartile.
        shares = {"best": 0, "worst": 1, "median": 0.5, "upper quartile": 0.25, "lower quartile": 0.75}
        names: dict[int, str] = {}
        for name, share in shares.items():
            names.setdefault(round(share * (len(order) - 1)), name)
        return {order[rank]: names[rank] for rank in sorted(names)}

    def stability(self, *, within: float | None = None, alpha: float | None = None) -> tuple[Stability, ...]:
        """How stable each measure's ordering of the runs is, the most stable first."""
        from truerank.questions.depth.stability import stability

        within, alpha = self.within if within is None else within, self.alpha if alpha is None else alpha
        return stability(self, within=within, alpha=alpha)

    def verdict(self, show: str) -> str:
        """From which depth on the ranking is stable."""
        from truerank.questions.depth.words import verdict

        return verdict(self, show)

    def own_notes(self, show: str) -> Iterator[Note]:
        if show == "stability":
            for one in self.both:
                for each in self.every_stability:
                    if each.unjudged == one.conventions.unjudged:
                        yield _advice(one, each)

    def layout(self, show: str, *, top: int | None = None) -> Table:
        """Curves at a few depths only."""
        if show == "grid":
            return _few(self.grid, self.max_depth)
        if show == "stability":
            return super().layout(show)
        table = self.whole_layout(show)
        depth = next(place for place, one in enumerate(table.columns) if one.name == "depth")
        few = set(self.checkpoints.tolist())
        return Table(table.columns, tuple(row for row in table.rows if row[depth] in few))

    @adjustable
    def plot(
        self,
        show: str | None = None,
        *,
        other: Curves | None = None,
        scale: Scale = "log",
        theme: Theme = "light",
        **look: Unpack[Adjustments],
    ) -> Plot:
        """Draw scores by depth, a panel a measure and a line a run; or what ``show`` names: "stability" or "grid".

        Beside the curves stand ``other`` ones, by default those without unjudged documents.
        """
        show = show or ("grid" if self.grid else "curves")
        if show == "grid":
            from truerank.questions.depth.grid_figure import plot_grid

            return plot_grid(self, theme=theme)
        from truerank.questions.depth.figure import plot_depth, plot_stability

        if show == "curves":
            return plot_depth(self, other or self.condensed, scale=scale, theme=theme)
        return plot_stability(self.stability(), alpha=self.alpha, pool_depth=self.pool_depth, scale=scale, theme=theme)

    @property
    def deep_pool(self) -> str:
        """How deep the pool is: "7+" if it is deeper in some topics, or for some runs."""
        from truerank.pooling.certainty import deep

        least = self.pool_depth or 0
        return deep((least, self.pool_deepest or least))

    def caption(self, show: str) -> str:
        """How many runs, topics and depths, and how deep the pool goes."""
        pool = "no pool to be seen" if self.pool_depth is None else f"pool depth {self.deep_pool}"
        counts = (counted(len(self), "run"), counted(len(self.topics), "topic"), f"depths 1 to {self.max_depth}", pool)
        meaning = "stable: no significant difference is reversed deeper" if show == "stability" else ""
        return caption(*counts, conventions=self.conventions.unusual(apart=["unjudged"]), meaning=meaning)

    def __repr__(self) -> str:
        return f"Curves({len(self)} runs, {len(self.wanted)} measures, depths 1 to {self.max_depth})"


def _few(cells: Sequence[GridCell], last: int) -> Table:
    """A row a pool depth, with the numbers at a few evaluation depths."""
    shown = [*(depth for depth in SHOWN if depth < last), last]
    by_pool: dict[tuple[str, str, int | None], dict[int, GridCell]] = {}
    for cell in cells:
        by_pool.setdefault((cell.measure, cell.unjudged, cell.pool_depth), {})[cell.depth] = cell
    numbers = [
        Column(f"{name}@{depth}", number=True, type="float", over="mean", minor=minor)
        for minor, name in enumerate(BRIEF)
        for depth in shown
    ]
    judged = Column("judgments", number=True, type="int", minor=len(BRIEF))
    columns = (Column("measure"), Column("unjudged"), Column("pool depth"), judged, *numbers)
    rows = tuple(
        (
            measure,
            unjudged,
            "all" if depth is None else str(depth),
            next(iter(here.values())).judgments,
            *(getattr(here[at], name) if at in here else None for name in BRIEF for at in shown),
        )
        for (measure, unjudged, depth), here in by_pool.items()
    )
    return Table(columns, rows)


def _advice(curves: Curves, row: Stability) -> Note:
    last, pool, stable = curves.max_depth, curves.pool_depth, row.stable_from
    advised = row.advised if stable is not None and row.advised < last else None
    note = STABLE(
        "none" if stable is None else "late" if stable == last > 1 else "",
        measure=row.measure,
        unjudged=row.unjudged,
        reading="condensed" if curves.conventions.condenses else None,
        stable_from=stable,
        stable_tau_a=row.stable_tau_a,
        last=last,
        before=last - 1,
        advised=advised,
        share=None if advised is None else row.at(advised)["discrimination"] / row.discrimination[-1],
        past_pool=pool if pool is not None and advised is not None and advised > pool else None,
        undecided=last if stable is None else None,
    )
    # Whether it is stable is in the verdict.
    return note if advised else note.weighed(consequence=0.0)


RULES = AxisRules(
    fixed={"ending": "none", "limit": None, "relevant": "judgments"},
    refused=one_number("a curve has one at each depth"),
)


@question(RULES)
def depth(
    qrels: Judgments,
    runs: Runs,
    measures: Measures = "AP(norm='min') nDCG Q(norm='min') RBP ERR",
    *,
    max_depth: Annotated[int, Option("The last depth.", least=1, most=100_000)] = 1000,
    condensed: Annotated[bool, Option("Beside the lists as they are, also without unjudged documents.")] = False,
    within: Annotated[
        float, Option("How far tau may stay below 1 in the column tau_stable_from.", least=0, most=2)
    ] = 0.05,
    alpha: Annotated[float, Option("Significance level of the tests.", least=0, most=1)] = 0.05,
    contributors: Annotated[bool, Option("Only the runs that made the pool, as truerank pool finds them.")] = False,
    grid: Annotated[bool, Option("Pool depth by evaluation depth: shallower pools are made and evaluated.")] = False,
    group: ByGroup = None,
    also: Also = (),
    name: str = "",
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> Curves:
    """Show how scores and the ranking change with depth.

    Stable from is the smallest depth from which on no difference that is significant at the last depth is reversed.
    A measure is given without its cutoff; depths end where the longest list does. The measures that are taken without
    -m are those of Lu, Moffat & Culpepper (2016). The figure has one line per run, plain and condensed side by side;
    with --show stability or grid it is about that.

    With --contributors, runs that made no part of the pool are left out, and AP(norm='pool') is about the pool of the
    others. With --grid, judgments are those of shallower and shallower pools: for each depth of a pool and each one of
    evaluation, how far the order of runs agrees with that by all judgments at the last depth (tau_a), how many pairs
    of runs differ by a t-test (discrimination), and how many of these differences all judgments reverse.

    Example:
      truerank depth qrels.txt *.run --condensed --plot depth.svg
      truerank depth qrels.txt *.run --contributors -m "AP AP(norm='pool')" --plot pool.svg
      truerank depth qrels.txt *.run -m AP --grid --plot grid.svg
      truerank depth trec8.qrels trec8/*.run --also med.qrels "med/*.run" --plot both.svg

    >>> qrels, run = {"q1": {"a": 1, "b": 0, "c": 1}}, {"q1": ["a", "b", "c"]}
    >>> depth(qrels, {"mine": run}, "AP P", max_depth=3)["mine"]["P"].round(2).tolist()
    [1.0, 0.5, 0.67]
    """
    from truerank.measures.grammar import parse_all
    from truerank.questions.depth.work import refuse, score_runs, summarise
    from truerank.track.track import Track

    wanted = parse_all(measures)
    refuse(wanted, max_depth, within=within, alpha=alpha)
    track = Track.of(qrels, runs, wanted, given, RULES, engine=engine)
    pools = None
    if contributors or grid:
        from truerank.questions.depth.grid import cells_of, contributing, survey_pool, with_pool

        pools = survey_pool(track, progress)
        track = contributing(track, pools) if contributors else track
    parts = score_runs(track, max_depth, condensed=condensed, progress=progress)
    curves = summarise(track, parts, within=within, alpha=alpha)
    if pools is None:
        return curves
    curves = with_pool(pools, curves, chosen=contributors)
    return cells_of(track, pools, curves, condensed=condensed, progress=progress) if grid else curves
