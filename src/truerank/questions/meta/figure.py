"""How sure measures are, as curves; how alike, as a heat map."""

from __future__ import annotations

from typing import Any

import numpy as np

from truerank.data.printing import counted, readable
from truerank.questions.meta.answer import Meta
from truerank.questions.meta.consistency import RATE, falling
from truerank.report.plots.chart import Plot, needed
from truerank.report.plots.marks import Line, lines, rule
from truerank.report.plots.panels import Layer, Panel, PlotAxis, figure, numbers
from truerank.report.plots.theme import Key, Theme, chosen

PANELS = {"discrimination": ("asl",), "swap": ("swaps",)}
"""What is drawn of a sheet; both of all others."""
_SIZE = {"width": 380, "height": 280}
_POINTS = 200
"""Pairs of runs that a line goes through."""
_TOP = 0.15
"""The largest p-value that is drawn: what matters is how soon a line gets small."""
_LITTLE = 0.001
"""The p-value from which on lines cannot be told apart."""
_CELL = 34
"""Pixels of a cell of the heat map."""


def plot_meta(found: Meta, show: str, *, theme: str = "light") -> Plot:
    """ASL curves after Sakai 2006 and swap rates after Voorhees & Buckley 2002, a line a measure, or tau in cells."""
    look = chosen(theme)
    systems, topics = counted(len(found.systems), "system"), counted(len(found.topics), "topic")
    if show == "tau":
        caption = f"{systems}, {topics}: Kendall's tau-a; columns have the numbers of rows"
        return figure([_heat(found, look)], look, title="How alike measures order systems", caption=caption)
    widest = max(map(len, found.measures))
    panels = PANELS.get(show, ("asl", "swaps"))
    key = Key(look, "", found.ranked, columns=max(3, len(panels) * _SIZE["width"] // (34 + 7 * widest)))
    drawn = []
    if "asl" in panels:
        drawn.append(Panel(_asl(found, key, look), "Discriminative power", **_SIZE))
    if "swaps" in panels:
        drawn.append(Panel(_swaps(found, key, look), "Swaps between halves of the topics", **_SIZE))
    caption = f"{systems}, {topics}, a line a measure, best mean rank first; the lower a line, the surer the measure"
    return figure(drawn, look, columns=len(panels), title="How sure measures are of differences", caption=caption)


def _asl(found: Meta, key: Key, look: Theme) -> tuple[Layer, ...]:
    alpha = found.settings.alpha
    top = max(_TOP, 1.5 * alpha)
    series, start, end = [], 1.0, 0.0
    for name in found.ranked:
        p = found[name].tests.p
        share = np.arange(len(p)) / len(p)
        low = np.flatnonzero(p <= top)
        if len(low):
            some = low[np.rint(np.linspace(0, len(low) - 1, min(_POINTS, len(low)))).astype(np.int64)]
            series.append(Line(name, share[some], p[some], name))
            start, end = min(start, float(share[low[0]])), max(end, float(share[p >= _LITTLE].max(initial=0.0)))
    x = PlotAxis("Share of pairs of systems with a larger p", (start, end) if end > start else (0.0, 1.0))
    y = PlotAxis("p-value of a pair", (0.0, top), ticks=tuple(round(n * alpha, 9) for n in range(4)), nice=False)
    return *rule(alpha, y, look.quiet, across=True), *lines(_within(series, x), x, y, key, noun="measure")


def _swaps(found: Meta, key: Key, look: Theme) -> tuple[Layer, ...]:
    series = []
    for name in found.ranked:
        swaps = found[name].swaps
        some = np.flatnonzero(swaps.count)
        series.append(Line(name, 100 * swaps.below[some], 100 * falling(swaps.count, swaps.swapped)[some], name))
    x = PlotAxis("Comparisons with a smaller difference, %", (0.0, 100.0))
    y = PlotAxis("Comparisons reversed on the other half, %", (0.0, 50.0))
    return *rule(100 * RATE, y, look.quiet, across=True), *lines(series, x, y, key, noun="measure")


def _within(series: list[Line], x: PlotAxis) -> list[Line]:
    """Lines as far as the axis goes: past it, all are at the bottom."""
    _, end = x.domain or (0.0, 1.0)
    cut = [[(a, b) for a, b in zip(one.x, one.y, strict=True) if a <= end] for one in series]
    return [
        Line(one.name, [a for a, _ in points], [b for _, b in points], one.group)
        for one, points in zip(series, cut, strict=True)
    ]


def _heat(found: Meta, look: Theme) -> Panel:
    """A cell a pair of measures, those that agree near each other."""
    alt = needed("altair")
    order, tau = found.correlations.order.tolist(), found.correlations.tau
    names = tuple(f"{n + 1} {readable(found.measures[place])}" for n, place in enumerate(order))
    rows: list[dict[str, Any]] = [
        {
            "left": j - 0.5,
            "right": j + 0.5,
            "top": i - 0.5,
            "bottom": i + 0.5,
            "x": j,
            "y": i,
            "tau": numbers([tau[one, other]])[0] if i != j else 1.0,
            "text": f"{tau[one, other]:.2f}" if i != j else "",
            "pair": f"{names[i]} and {names[j]}",
        }
        for i, one in enumerate(order)
        for j, other in enumerate(order)
    ]
    span, ticks = (-0.5, len(order) - 0.5), tuple(map(float, range(len(order))))
    x = PlotAxis("", span, ticks=ticks, nice=False, titled=False, names=tuple(str(n + 1) for n in range(len(order))))
    y = PlotAxis("", span[::-1], ticks=ticks, nice=False, titled=False, names=names)
    least = min((row["tau"] for row in rows), default=0.0)
    colour = alt.Color(
        "tau:Q", scale=alt.Scale(domain=[least, 1.0], range=[look.background, look.palette[0]]), legend=None
    )
    said = [alt.Tooltip("pair:N", title="measures"), alt.Tooltip("text:N", title="tau")]
    cells = alt.Chart().mark_rect().encode(alt.X("left:Q", **x.encoding()), alt.X2("right:Q"), colour, tooltip=said)
    cells = cells.encode(alt.Y("top:Q", **y.encoding()), alt.Y2("bottom:Q"))
    ink = f"datum.tau > {least + 0.6 * (1 - least)} ? '{look.background}' : '{look.ink}'"
    words = alt.Chart().mark_text(fontSize=9.5, color=alt.expr(ink)).encode(alt.X("x:Q", **x.encoding()))
    words = words.encode(alt.Y("y:Q", **y.encoding()), text=alt.Text("text:N"))
    side = _CELL * len(order)
    return Panel((Layer(cells, rows), Layer(words, rows)), width=side, height=round(side * 0.7))
