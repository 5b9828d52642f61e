"""The answer: scores of runs at every depth, and how stable the ordering of runs is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated

from truerank.data.errors import InputError
from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.report.answer import PLOT, ByMeasure, ByName, File, Sheet, TrackAnswer
from truerank.report.rows import Row, column, derived
from truerank.report.signature import Option, Theme, adjustable
from truerank.report.table import Column, Table, caption

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.data.arrays import Floats, Rows
    from truerank.measures.core.base import Measure
    from truerank.report.plots.chart import Plot
    from truerank.report.signature import Adjustments

Scale = Annotated[str, Option("Axis of depths in the figure.", choices=("log", "linear"))]
STABLE = Code(
    "TR221", "from which depth on no significant difference between runs is reversed, and how deep to evaluate"
)

CONTRIBUTED = Code("TR222", "how many of the runs made the pool, where only these are shown")
ALL_RUNS = Code(
    "TR223",
    "shallower pools are made of all runs, where these do not tell which of them made the pool",
    "these runs do not tell which of them made the pool; shallower pools are those of all {runs:run}",
)

SHOWN = (10, 100)
"""Depths whose numbers are shown."""
BRIEF = ("tau", "discrimination", "overturned")
FULL = ("tau", "tau_b", "tau_ap", "tau_previous", "change", "discrimination", "overturned", "lost")
"""Numbers of a depth, for people and for programs."""
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
    settled: int = column("depth from which on Kendall's tau with the last ordering stays at 1 - within or more")
    reversals: Rows = column(
        "at each depth, how many pairs of runs that differ significantly at the last depth have the opposite order",
        nested=True,
    )
    tau: Floats = column("at each depth, Kendall's tau of the ordering with that at the last one", nested=True)
    tau_previous: Floats = column(
        "at each depth, Kendall's tau with the ordering one step before; 1 at the first", nested=True
    )
    crossed: Rows = column("at each depth, pairs of runs whose order differs from that one step before", nested=True)
    change: Floats = column("at each depth, mean over runs of how far scores moved in one step", nested=True)
    checkpoints: Rows = column("a few depths", nested=True)
    tau_b: Floats = column("at checkpoints, tau-b with the last ordering", nested=True)
    tau_ap: Floats = column("at checkpoints, tau_AP, the ordering at the last depth being the truth", nested=True)
    discrimination: Floats = column("at checkpoints, the share of pairs of runs that differ significantly", nested=True)
    overturned: Floats = column(
        "at checkpoints, of the significant differences there, the share with another sign at the last depth",
        nested=True,
    )
    lost: Floats = column(
        "at checkpoints, of the significant differences there, the share that is not significant at the last depth",
        nested=True,
    )

    brief = ("measure", "unjudged", "stable_from", "stable_tau", "mean_tau", "few", "crossings")

    @derived(for_people=False, head="stable from")
    def stable_from(self) -> int | None:
        """The smallest depth from which on no significant difference at the last depth is reversed; none if no two runs
        differ significantly at the last depth."""
        if not self.discrimination[-1] > 0:
            return None
        depths = (self.reversals > 0).nonzero()[0] + 1
        return max(depths.tolist(), default=0) + 1

    @derived(for_people=False, head="tau there", over="mean")
    def stable_tau(self) -> float | None:
        """Kendall's tau of the ordering at that depth with the ordering at the last depth."""
        return None if self.stable_from is None else float(self.tau[self.stable_from - 1])

    @derived(for_people=False, over="mean")
    def mean_tau(self) -> float:
        """Mean of tau over the checkpoints, which weighs depths by their order of magnitude."""
        return float(self.tau[self.checkpoints - 1].mean())

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
        """Pairs of runs that change places from one depth to the next, over all depths."""
        return int(self.crossed.sum())

    @property
    def advised(self) -> int:
        """The depth to evaluate to: a checkpoint past which no difference is reversed that is significant either there
        or at the last depth, and at which nearly as many pairs differ significantly as at the last depth."""
        wrong = self.checkpoints[self.overturned > 0]
        first = max(self.stable_from or 1, int(wrong[-1]) + 1 if len(wrong) else 1)
        nearly = self.discrimination >= NEARLY * self.discrimination[-1]
        return int(self.checkpoints[(self.checkpoints >= first) & nearly][0])

    def at(self, depth: int) -> dict[str, float]:
        """The numbers of the last checkpoint that is not deeper."""
        place = int((self.checkpoints <= depth).sum()) - 1
        if place < 0:
            raise InputError(f"depth is {depth}; give 1 or more")
        exact = int(self.checkpoints[place])
        return {
            "depth": exact,
            "crossings": int(self.crossed[exact - 1]),
            **{name: float(getattr(self, name)[exact - 1]) for name in ("tau", "tau_previous", "change")},
            **{
                name: float(getattr(self, name)[place])
                for name in FULL
                if name not in ("tau", "tau_previous", "change")
            },
        }

    def _at(self, names: Sequence[str]) -> dict[str, float]:
        last = len(self.tau)
        found = {f"{name}@{depth}": self.at(depth)[name] for depth in SHOWN if depth < last for name in names}
        return {**found, f"discrimination@{last}": float(self.discrimination[-1])}


class GridCell(Row):
    """Runs by the judgments of a pool so deep, evaluated so deep: what it shows, and what all judgments make of it."""

    measure: str = column("the measure")
    unjudged: str = column("what unjudged documents count as")
    pool_depth: int | None = column("how deep the pool is; none for all judgments", over="key")
    depth: int = column("how deep lists are evaluated", over="key")
    judgments: int = column("judgments of that pool")
    tau: float = column(
        "Kendall's tau of the ordering with that by all judgments at the last evaluation depth", over="mean"
    )
    discrimination: float = column("share of pairs of runs that differ significantly", over="mean")
    overturned: float = column(
        "share of these differences that have another sign by all judgments at the same evaluation depth", over="mean"
    )
    lost: float = column("share of these differences that are not significant by all judgments there", over="mean")


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
            meaning="tau with the ordering by all judgments at the last depth; share of pairs of runs that differ "
            "significantly, and the share of these differences that all judgments reverse (overturned)",
        ),
    }
    files = {
        "plot": PLOT,
        "plot_stability": File("A figure of how stable the orderings of runs are by depth.", figure=True),
        "plot_grid": File("A figure of pool depth by evaluation depth.", figure=True, needs="grid"),
    }

    lines: tuple[Curve, ...]
    max_depth: int = column("the last depth")
    pool_depth: int | None = column("how deep the pool of the judgments goes, as far as these runs tell")
    pool_deepest: int | None = column(
        "how deep it is in the topic, or for the run, where it is deepest; none where nobody asked for its runs",
        default=None,
    )
    within: float = column("how far tau may stay below 1 in the column `settled`")
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
        found: dict[str, dict[str, Floats]] = {}
        for line in self.lines:
            found.setdefault(line.run, {})[line.measure] = line.value
        return ByName({run: ByMeasure(curves) for run, curves in found.items()})

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

        return np.stack([found[measure] for found in self.values()])

    def picked(self, measure: str | Measure) -> dict[str, str]:
        """The runs that tell the story, by their place at the last depth: best, quartiles and worst."""
        last = {run: float(found[measure][-1]) for run, found in self.items()}
        order = sorted(last, key=lambda run: (-last[run], run))
        if not self.wanted[self.measures.index(str(measure))].higher_is_better:
            order.reverse()
        # Of few runs, the last is the worst before it is a quartile.
        shares = {"best": 0, "worst": 1, "median": 0.5, "upper quartile": 0.25, "lower quartile": 0.75}
        found: dict[int, str] = {}
        for name, share in shares.items():
            found.setdefault(round(share * (len(order) - 1)), name)
        return {order[place]: found[place] for place in sorted(found)}

    def stability(self, *, within: float | None = None, alpha: float | None = None) -> tuple[Stability, ...]:
        """How stable each measure's ordering of the runs is, the most stable first."""
        from truerank.questions.depth.stability import stability

        within, alpha = self.within if within is None else within, self.alpha if alpha is None else alpha
        return stability(self, within=within, alpha=alpha)

    def says(self, show: str) -> Iterator[Note]:
        """How deep to evaluate, by measure."""
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
        self, other: Curves | None = None, *, scale: Scale = "log", theme: Theme = "light", **look: Unpack[Adjustments]
    ) -> Plot:
        """Draw a panel a measure and a line a run; beside them ``other`` curves, by default the condensed ones."""
        from truerank.questions.depth.figure import plot_depth

        return plot_depth(self, other or self.condensed, scale=scale, theme=theme)

    @property
    def deep_pool(self) -> str:
        """How deep the pool is: "7+" where it is deeper in some topics, or for some runs."""
        from truerank.pooling.certainty import deep

        least = self.pool_depth or 0
        return deep((least, self.pool_deepest or least))

    @adjustable
    def plot_grid(self, *, theme: Theme = "light", **look: Unpack[Adjustments]) -> Plot:
        """Draw three maps a measure, pool depth down, evaluation depth across: tau, discrimination, overturned."""
        from truerank.questions.depth.grid_figure import plot_grid

        return plot_grid(self, theme=theme)

    @adjustable
    def plot_stability(self, *, scale: Scale = "log", theme: Theme = "light", **look: Unpack[Adjustments]) -> Plot:
        """Draw agreement with the last ordering, and the share of pairs that differ, a line a measure."""
        from truerank.questions.depth.figure import plot_stability

        return plot_stability(self.stability(), alpha=self.alpha, pool_depth=self.pool_depth, scale=scale, theme=theme)

    def caption(self, show: str) -> str:
        """How many runs, topics and depths, and how deep the pool goes."""
        pool = "no pool to be seen" if self.pool_depth is None else f"pool depth {self.deep_pool}"
        counts = (counted(len(self), "run"), counted(len(self.topics), "topic"), f"depths 1 to {self.max_depth}", pool)
        return caption(*counts, conventions=self.conventions.unusual("ties", apart=["unjudged"]))

    def __repr__(self) -> str:
        return f"Curves({len(self)} runs, {len(self.wanted)} measures, depths 1 to {self.max_depth})"


def _few(cells: Sequence[GridCell], last: int) -> Table:
    """A row a pool depth, with the numbers at a few evaluation depths."""
    shown = [*(depth for depth in SHOWN if depth < last), last]
    found: dict[tuple[str, str, int | None], dict[int, GridCell]] = {}
    for cell in cells:
        found.setdefault((cell.measure, cell.unjudged, cell.pool_depth), {})[cell.depth] = cell
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
        for (measure, unjudged, depth), here in found.items()
    )
    return Table(columns, rows)


def _advice(curves: Curves, one: Stability) -> Note:
    last, pool, stable = curves.max_depth, curves.pool_depth, one.stable_from
    name = f"{one.measure} (condensed)" if curves.conventions.condenses else one.measure
    facts = {"measure": one.measure, "unjudged": one.unjudged, "stable_from": stable, "stable_tau": one.stable_tau}
    if stable is None:
        return STABLE(f"{name}: no two runs differ significantly at depth {last}", **facts)
    if stable == last > 1:
        return STABLE(f"{name}: at depth {last - 1} a significant difference at depth {last} is reversed", **facts)
    text = f"{name}: from depth {stable} on, no significant difference at depth {last} is reversed "
    text += f"(tau {one.stable_tau:.2f} at depth {stable})"
    brief, advised = f"{name}: stable from depth {stable} (tau {one.stable_tau:.2f})", one.advised
    if advised < last:
        share = one.at(advised)["discrimination"] / one.discrimination[-1]
        text += f". Evaluate to depth {advised}: {share:.0%} as many pairs differ significantly as at depth {last}"
        brief += f"; evaluate to depth {advised}"
        facts["advised"] = advised
        if pool is not None and advised > pool:
            text += f" (past the pool depth {pool}, where much is unjudged)"
    return STABLE(text, **facts).in_brief(brief)
