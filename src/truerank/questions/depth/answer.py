"""The answer: scores of runs at every depth, and how stable the ordering of runs is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated

from truerank.data.errors import InputError
from truerank.data.notes import Code, Note
from truerank.data.printing import counted, percent
from truerank.report.answer import PLOT, ByMeasure, ByName, File, Sheet, TrackAnswer
from truerank.report.rows import Row, column, derived
from truerank.report.signature import Option, Theme, adjustable
from truerank.report.table import Table, caption

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.data.arrays import Floats, Rows
    from truerank.measures.core.base import Measure
    from truerank.report.plots.chart import Plot
    from truerank.report.signature import Adjustments

Scale = Annotated[str, Option("Axis of depths in the figure.", choices=("log", "linear"))]
SETTLES = Code("TR221", "from which depth on the ordering of runs by a measure is settled, and how deep to evaluate")

SHOWN = (10, 100)
"""Depths whose numbers are shown."""
BRIEF = ("tau", "discrimination", "overturned")
FULL = ("tau", "tau_b", "tau_ap", "tau_previous", "change", "discrimination", "overturned", "lost")
"""Numbers of a depth, for people and for programs."""
NEARLY = 0.95
"""Share of the findings at the last depth that make a depth deep enough."""


class Curve(Row, eq=False):
    """A run by a measure, at every depth."""

    run: str = column("the run")
    measure: str = column("the measure")
    unjudged: str = column("what unjudged documents count as")
    value: Floats = column("the mean score at the depth", along="depth")


class Stability(Row, eq=False):
    """How stable the ordering of runs by one measure is; arrays have one entry a depth, or a checkpoint."""

    measure: str = column("the measure")
    unjudged: str = column("what unjudged documents count as")
    settled: int = column("depth from which on Kendall's tau with the last ordering stays at 1 - within or more")
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
        "at checkpoints, the share of findings whose sign is another at the last depth", nested=True
    )
    lost: Floats = column(
        "at checkpoints, the share of findings that are not significant at the last depth", nested=True
    )

    brief = ("measure", "unjudged", "settled", "mean_tau", "few", "crossings")

    @derived(for_people=False)
    def mean_tau(self) -> float:
        """Mean of tau over the checkpoints, which weighs depths by their order of magnitude."""
        return float(self.tau[self.checkpoints - 1].mean())

    @derived(for_people=False, spread="{}")
    def at_depths(self) -> dict[str, float]:
        """A number at a depth: {}."""
        return self._at(FULL)

    @derived(spread="{}", minor=1)
    def few(self) -> dict[str, float]:
        """A number at a depth: {}."""
        return self._at(BRIEF)

    @derived(for_people=False)
    def crossings(self) -> int:
        """Pairs of runs that change places from one depth to the next, over all depths."""
        return int(self.crossed.sum())

    @property
    def enough(self) -> int:
        """The first checkpoint from which on the ordering is settled and nearly all findings are made."""
        findings = self.discrimination >= NEARLY * self.discrimination[-1]
        return int(self.checkpoints[(self.checkpoints >= self.settled) & findings][0])

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


class Curves(TrackAnswer["Floats"]):
    """The scores of runs at every depth from 1 to ``max_depth``: ``curves["bm25"]["AP"]`` is an array of them."""

    question = "depth"
    told_apart = ("unjudged",)
    sheets = {
        "stability": Sheet(Stability, "how stable the ordering of runs by each measure is", of="every_stability"),
        "curves": Sheet(Curve, "scores at every depth; for people, at a few", of="every_line"),
    }
    files = {"plot": PLOT, "plot_stability": File("A figure of how soon the orderings of runs settle.", figure=True)}

    lines: tuple[Curve, ...]
    max_depth: int = column("the last depth")
    pool_depth: int | None = column("how deep the pool of the judgments goes, as far as these runs tell")
    within: float = column("how far tau may stay below 1 for an ordering to count as settled")
    alpha: float = column("the level of the tests behind findings")
    checkpoints: Rows
    """Depths at which the value of every topic is kept."""
    per_topic: dict[str, Floats]
    """By measure, the values of runs x topics x checkpoints; NaN for topics that are left out."""
    condensed: Curves | None = None
    """The same without unjudged documents, where that was asked for."""

    def usual(self) -> str:
        """Stability is about the order of several runs."""
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

    @adjustable
    def plot_stability(self, *, scale: Scale = "log", theme: Theme = "light", **look: Unpack[Adjustments]) -> Plot:
        """Draw agreement with the last ordering, and the share of pairs that differ, a line a measure."""
        from truerank.questions.depth.figure import plot_stability

        return plot_stability(
            self.stability(),
            within=self.within,
            alpha=self.alpha,
            pool_depth=self.pool_depth,
            scale=scale,
            theme=theme,
        )

    def caption(self, show: str) -> str:
        """How many runs, topics and depths, and how deep the pool goes."""
        pool = "no pool to be seen" if self.pool_depth is None else f"pool depth {self.pool_depth}"
        counts = (counted(len(self), "run"), counted(len(self.topics), "topic"), f"depths 1 to {self.max_depth}", pool)
        return caption(*counts, conventions=self.conventions.unusual("ties", apart=["unjudged"]))

    def __repr__(self) -> str:
        return f"Curves({len(self)} runs, {len(self.wanted)} measures, depths 1 to {self.max_depth})"


def _advice(curves: Curves, one: Stability) -> Note:
    last, pool, enough = curves.max_depth, curves.pool_depth, one.enough
    condensed = " (condensed)" if curves.conventions.condenses else ""
    text = f"{one.measure}{condensed}: from depth {one.settled} on the ordering agrees with that at {last} by tau "
    text += f"{1 - curves.within:g} or more; "
    if enough < last:
        reversed_ = one.at(enough)["overturned"]
        text += f"evaluate to depth {enough}"
        text += f", where {percent(reversed_)} of significant findings are reversed at {last}" if reversed_ > 0 else ""
    else:
        text += "no shallower depth will do"
    if pool is not None and enough > pool:
        text += f" (past the pool depth {pool}, where much is unjudged)"
    facts = {"measure": one.measure, "unjudged": one.unjudged, "settled": one.settled, "enough": enough}
    return SETTLES(text, **facts)
