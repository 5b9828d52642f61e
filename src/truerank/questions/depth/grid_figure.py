"""A figure of pool depth by evaluation depth: three maps a measure."""

from __future__ import annotations

import numpy as np

from truerank.data.errors import InputError
from truerank.data.printing import counted
from truerank.questions.depth.question import Curves, GridCell
from truerank.report.plots.chart import Plot
from truerank.report.plots.heat import heat, places
from truerank.report.plots.panels import Panel, figure
from truerank.report.plots.theme import Theme, chosen

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
    look = chosen(theme)
    groups: dict[tuple[str, str], list[GridCell]] = {}
    for cell in found.grid:
        groups.setdefault((cell.measure, cell.unjudged), []).append(cell)
    panels = [
        _map(name, measure, unjudged, cells, look, several=len(found.both) > 1)
        for (measure, unjudged), cells in groups.items()
        for name in MAPS
    ]
    caption = (
        f"{counted(len(found), 'system')}, {counted(len(found.topics), 'topic')}: judgments of a pool so deep (down), "
        f"lists evaluated so deep (across); differences at p < {found.alpha:g}"
    )
    return figure(panels, look, columns=len(MAPS), title="Pool depth by evaluation depth", caption=caption)


def _map(name: str, measure: str, unjudged: str, cells: list[GridCell], look: Theme, *, several: bool) -> Panel:
    pools = [*dict.fromkeys(cell.pool_depth for cell in cells)]
    depths = [*dict.fromkeys(cell.depth for cell in cells)]
    found = {(cell.pool_depth, cell.depth): getattr(cell, name) for cell in cells}
    values = np.array([[found[pool, depth] for depth in depths] for pool in pools])
    low, high = float(np.nanmin(values, initial=1.0)), float(np.nanmax(values, initial=0.0))
    if name != "tau_a":
        low = 0.0
    high = max(high, low + 1e-9)
    colours = [look.background, look.palette[3] if name == "reversed_share" else look.palette[0]]
    whose = f"{measure}, {unjudged}" if several else measure

    def called(i: int, j: int) -> str:
        pool = "all judgments" if pools[i] is None else f"pool depth {pools[i]}"
        return f"{pool}, evaluation depth {depths[j]}"

    def written(i: int, j: int) -> str:
        if np.isnan(values[i, j]):
            return ""
        return {0.0: "0", 1.0: "1"}.get(values[i, j].item()) or f"{values[i, j]:.2f}".removeprefix("0")

    return heat(
        name,
        values,
        places([str(depth) for depth in depths], "Evaluation depth k"),
        places(["all" if pool is None else str(pool) for pool in pools], "Pool depth d", down=True),
        ((low, high), colours),
        look,
        called=called,
        noun="depths",
        dark=low + 0.6 * (high - low),
        cell=_CELL,
        written=written,
        title=f"{whose}: {MAPS[name][:1].lower()}{MAPS[name][1:]}",
    )
