"""How soon orderings of systems settle, and how many differences are significant, against depth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from truerank.analysis.depths.stability import Stability
from truerank.data.errors import InputError
from truerank.report.plots.chart import Plot
from truerank.report.plots.depth import depth_axis, depths_shown, pool
from truerank.report.plots.key import Key
from truerank.report.plots.lines import Line, lines
from truerank.report.plots.marks import Dot, dots, rule
from truerank.report.plots.panels import Axis, Panel, figure
from truerank.report.plots.theme import chosen
from truerank.report.plots.values import extent

_SIZE = {"width": 360, "height": 240}


def plot_stability(
    found: Sequence[Stability], *, pool_depth: int | None = None, scale: str = "log", theme: str = "light"
) -> Plot:
    """Two panels, a line a measure: Kendall's tau with the last ordering, and the share of pairs that differ.

    A dot is where an ordering has settled.
    """
    if not found:
        raise InputError("there is no measure to draw; give at least one")
    look = chosen(theme)
    x = depth_axis(max(len(one.tau) for one in found), scale)
    key = Key(look, "", tuple(one.measure for one in found))
    level = 1 - found[0].within
    # Lines are read by their slope, and need no 0.
    taus, kept = np.concatenate([*(one.tau for one in found), [level, 1.0]]), [one.discrimination for one in found]
    tau = Axis("Kendall's tau with the last ordering", extent(taus))
    share = Axis(f"Share of pairs that differ, p < {found[0].alpha:g}", extent(np.concatenate(kept)))
    layers = (
        *rule(level, tau, look.quiet, across=True),
        *pool(pool_depth, x, look),
        *lines([_tau(one, scale, pool_depth) for one in found], x, tau, key, noun="measure"),
        dots(
            [Dot(one.measure, one.settled, one.tau[one.settled - 1], one.measure) for one in found],
            x,
            tau,
            key,
            noun="measure",
        ),
    )
    shares = [Line(one.measure, one.checkpoints, one.discrimination, one.measure) for one in found]
    panels = [
        Panel(layers, "Agreement with the last depth", **_SIZE),
        Panel((*pool(pool_depth, x, look), *lines(shares, x, share, key, noun="measure")), "Discrimination", **_SIZE),
    ]
    caption = f"A line a measure; a dot is where its ordering of systems has settled: tau stays at {level:g} or more"
    return figure(panels, look, columns=2, title="Stability of orderings by depth of evaluation", caption=caption)


def _tau(one: Stability, scale: str, pool_depth: int | None) -> Line:
    shown = depths_shown(len(one.tau), scale, pool_depth)
    return Line(one.measure, shown, one.tau[shown - 1], one.measure)
