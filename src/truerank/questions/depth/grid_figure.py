"""A figure of pool depth by evaluation depth: three maps a measure."""

from __future__ import annotations

from typing import NamedTuple

from truerank.data.errors import InputError
from truerank.data.printing import counted
from truerank.questions.depth.question import Curves, GridCell
from truerank.report.figures import Figure, FigureAxis, FigurePanel, HeatMarks
from truerank.report.plots.chart import Plot
from truerank.report.plots.kinds import drawn

MAPS = {
    "tau_a": "Tau with all judgments at the last depth",
    "discrimination": "Share of pairs that differ",
    "reversed_share": "Differences that all judgments reverse",
}
_CELL = (30.0, 18.0)


def plot_grid(found: Curves, *, theme: str = "light") -> Plot:
    """A row a measure: tau-a, discrimination and what is reversed, evaluation depth across and pool depth downwards."""
    if not found.grid:
        raise InputError("there is no grid; call depth(..., grid=True)")
    groups: dict[tuple[str, str], list[GridCell]] = {}
    for cell in found.grid:
        groups.setdefault((cell.measure, cell.unjudged), []).append(cell)
    panels = [
        _map(name, f"{measure}, {unjudged}" if len(found.both) > 1 else measure, cells)
        for (measure, unjudged), cells in groups.items()
        for name in MAPS
    ]
    caption = (
        f"{counted(len(found), 'system')}, {counted(len(found.topics), 'topic')}: judgments of a pool so deep (down), "
        f"lists evaluated so deep (across); differences at p < {found.alpha:g}"
    )
    described = Figure(
        kind=HeatMarks(called="called", field="value", text="text", noun="depths", cell=_CELL),
        panels=panels,
        title="Pool depth by evaluation depth",
        caption=caption,
        columns=len(MAPS),
    )
    return drawn(described, theme=theme)


class _DepthCell(NamedTuple):
    """A cell of a map."""

    row: int
    column: int
    value: float
    text: str
    called: str


def _map(name: str, whose: str, cells: list[GridCell]) -> FigurePanel:
    pools = [*dict.fromkeys(cell.pool_depth for cell in cells)]
    depths = [*dict.fromkeys(cell.depth for cell in cells)]
    rows = []
    for cell in cells:
        pool = "all judgments" if cell.pool_depth is None else f"pool depth {cell.pool_depth}"
        value, called = getattr(cell, name), f"{pool}, evaluation depth {cell.depth}"
        rows.append(_DepthCell(pools.index(cell.pool_depth), depths.index(cell.depth), value, _written(value), called))
    return FigurePanel(
        rows=rows,
        x=FigureAxis(title="Evaluation depth k", names=tuple(map(str, depths))),
        y=FigureAxis(title="Pool depth d", names=tuple("all" if pool is None else str(pool) for pool in pools)),
        title=f"{whose}: {MAPS[name][:1].lower()}{MAPS[name][1:]}",
        least=None if name == "tau_a" else 0.0,
        second=name == "reversed_share",
    )


def _written(value: float) -> str:
    if value != value:
        return ""
    return {0.0: "0", 1.0: "1"}.get(value) or f"{value:.2f}".removeprefix("0")
