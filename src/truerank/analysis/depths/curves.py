"""Results: the scores of runs at every depth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from truerank.analysis.keyed import ByMeasure, ByRun
from truerank.analysis.tabular import Tabular
from truerank.conventions.choices import Conventions
from truerank.data.arrays import Floats, Rows
from truerank.measures.core.base import Measure

if TYPE_CHECKING:
    from truerank.analysis.depths.stability import Stability
    from truerank.report.plots.chart import Plot
    from truerank.report.table import Table


@dataclass(frozen=True, eq=False)
class RunCurves(ByMeasure[Floats]):
    """The mean scores of one run at the depths 1, 2, ..., by measure."""

    scores: dict[str, Floats]


@dataclass(frozen=True, eq=False)
class Curves(Tabular, ByRun[RunCurves]):
    """The scores of runs at every depth from 1 to ``max_depth``, by run and measure."""

    kinds = ("all", "checkpoints")

    runs: dict[str, RunCurves]
    wanted: tuple[Measure, ...]
    max_depth: int
    topics: tuple[str, ...]
    """The judged topics."""
    checkpoints: Rows
    """Depths at which the value of every topic is kept."""
    per_topic: dict[str, Floats]
    """By measure, the values of runs x topics x checkpoints; NaN for topics that are left out."""
    conventions: Conventions
    pool_depth: int | None
    """How deep the pool of the judgments goes, as far as these runs tell; None where it is empty."""
    notices: tuple[str, ...] = ()

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures evaluated."""
        return tuple(map(str, self.wanted))

    @property
    def depths(self) -> Rows:
        """1 to ``max_depth``."""
        return np.arange(1, self.max_depth + 1)

    def means(self, measure: str | Measure) -> Floats:
        """Mean scores by a measure, shape (runs, depths)."""
        return np.stack([run[measure] for run in self.runs.values()])

    def picked(self, measure: str | Measure) -> dict[str, str]:
        """The runs that tell the story, by their place at the last depth: best, quartiles and worst."""
        last = self.means(measure)[:, -1]
        order = sorted(range(len(last)), key=lambda place: (-last[place], list(self.runs)[place]))
        if not self.wanted[self.measures.index(str(measure))].higher_is_better:
            order.reverse()
        # Of few runs, the last is the worst before it is a quartile.
        shares = {"best": 0, "worst": 1, "median": 0.5, "upper quartile": 0.25, "lower quartile": 0.75}
        found: dict[int, str] = {}
        for name, share in shares.items():
            found.setdefault(round(share * (len(order) - 1)), name)
        return {list(self.runs)[order[place]]: found[place] for place in sorted(found)}

    def stability(self, *, within: float = 0.05, alpha: float = 0.05) -> tuple[Stability, ...]:
        """How stable each measure's ordering of the runs is, the most stable first; see ``truerank depth``."""
        from truerank.analysis.depths.stability import stability

        return stability(self, within=within, alpha=alpha)

    def plot(self, other: Curves | None = None, *, scale: str = "log", theme: str = "light") -> Plot:
        """Draw a panel a measure and a line a run, or those of ``other`` beside them; ``scale`` is that of depths."""
        from truerank.report.plots.depth import plot_depth

        return plot_depth(self, other, scale=scale, theme=theme)

    def to_records(self, show: str | None = None) -> list[dict[str, Any]]:
        """One record a run, measure and depth; ``show="checkpoints"`` has a few of the depths only."""
        chosen = self.checkpoints if self.kind(show) == "checkpoints" else self.depths
        return [
            {"run": run, "measure": measure, "depth": int(depth), "value": float(value)}
            for run, curves in self.runs.items()
            for measure, curve in curves.items()
            for depth, value in zip(chosen, curve[chosen - 1], strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""
        return {
            "conventions": self.conventions.as_dict(),
            "max_depth": self.max_depth,
            "pool_depth": self.pool_depth,
            "num_topics": len(self.topics),
            "runs": {run: {measure: curve.tolist() for measure, curve in its.items()} for run, its in self.items()},
            "notices": list(self.notices),
        }

    def _table(self, show: str | None) -> Table:
        from truerank.report.depth import curves_table

        return curves_table([self], every=show == "all")

    def __repr__(self) -> str:
        return f"Curves({len(self.runs)} runs, {len(self.wanted)} measures, depths 1 to {self.max_depth})"


def checkpoints(max_depth: int) -> Rows:
    """A few depths, about as far apart as they are deep.

    >>> checkpoints(60).tolist()
    [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 60]
    """
    steps = [step * 10**power for power in range(10) for step in (1, 1.5, 2, 3, 5, 7) if step * 10**power >= 1]
    some = sorted({int(step) for step in steps if float(step).is_integer() and step <= max_depth} | {max_depth})
    return np.array(some, np.int64)
