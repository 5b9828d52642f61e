"""Scores of runs over the orders of ties: all of them, most of them, their mean, and those that tools take."""

from __future__ import annotations

from typing import Any

from truerank.data.errors import InputError
from truerank.data.extras import needed
from truerank.data.printing import counted, readable
from truerank.questions.ties.question import EXPECTED, TiedRun, Ties
from truerank.report.plots.chart import Plot
from truerank.report.plots.panels import Layer, Panel, PlotAxis, extent, figure, numbers
from truerank.report.plots.theme import Key, chosen
from truerank.report.table import DIGITS

_ROW, _WIDTH, _COLUMNS = 20, 380, 2
_ROOM = 0.04
"""Share of the axis that is left free at its ends."""
RUNS = 40
"""Rows that can be read; of more runs, those are drawn that ties can move most."""
MEAN = "mean over all orders"


def plot_ties(found: Ties, *, theme: str = "light") -> Plot:
    """A panel a measure, a row a run: thin from worst to best, thick two standard deviations, a dot the mean."""
    if not found.board:
        raise InputError("there is nothing to draw; give at least one run and one measure")
    look = chosen(theme)
    orders = tuple(dict.fromkeys(order for row in found.board for order in row.scores if order != EXPECTED))
    key = Key(look, "Order of ties:", (MEAN, *orders), symbol="circle")
    panels = []
    drawn: set[str] = set()
    for measure in found.measures:
        every = [row for row in found.board if row.measure == measure and row.expected == row.expected]
        moved = [row for row in every if abs(row.best - row.worst) >= 0.5 * 10**-DIGITS] or every
        widest = sorted(moved, key=lambda row: -abs(row.best - row.worst))[:RUNS]
        rows = [row for row in every if row in widest]
        drawn |= {row.run for row in rows}
        panels.append(Panel(_layers(rows, measure, key), width=_WIDTH, height=_ROW * max(len(rows), 1)))
    runs = len({row.run for row in found.board})
    caption = (
        f"{len(drawn)} of {counted(runs, 'run')}, those that ties move most, {counted(len(found.topics), 'topic')}; "
        "thin lines go from the worst order of ties to the best, thick ones two standard deviations around the mean"
    )
    columns = min(_COLUMNS, len(panels))
    return figure(panels, look, columns=columns, title=_title(found), caption=caption)


def _title(found: Ties) -> str:
    """What is seen: the run that ties move most by the first measure that they move at all."""
    for measure in found.measures:
        rows = [row for row in found.board if row.measure == measure and row.expected == row.expected]
        most = max(rows, key=lambda row: abs(row.best - row.worst), default=None)
        if most is not None and abs(most.best - most.worst) >= 0.5 * 10**-DIGITS:
            low, high = sorted((most.worst, most.best))
            return f"Ties move {readable(most.run)} most: {measure} {low:.{DIGITS}f} to {high:.{DIGITS}f}"
    return "No order of ties moves a score"


def _layers(rows: list[TiedRun], measure: str, key: Key) -> tuple[Layer, ...]:
    alt = needed("altair", "a figure")
    reached = [end for row in rows for end in (row.worst, row.best, *row.scores.values())]
    x = PlotAxis(measure, extent(reached, room=_ROOM), nice=False)
    ranges = [_range(row) for row in rows]
    points = [
        {"name": readable(row.run), "group": order, "x": numbers([value])[0]}
        for row in rows
        for order, value in ((MEAN if order == EXPECTED else order, value) for order, value in row.scores.items())
    ]
    place = alt.Y("name:N", sort=None, title=None)
    said = [
        alt.Tooltip("name:N", title="system"),
        *(x.tip(name, name) for name in ("worst", "low", "mean", "high", "best")),
    ]
    line = alt.Chart().encode(place, tooltip=said)
    thin = line.mark_rule(strokeWidth=1.4, color=key.theme.quiet).encode(
        alt.X("worst:Q", **x.encoding()), alt.X2("best:Q")
    )
    thick = line.mark_rule(strokeWidth=9, color=key.theme.faint).encode(
        alt.X("low:Q", **x.encoding()), alt.X2("high:Q")
    )
    dot = alt.Chart().encode(
        key.colour(), place, tooltip=[said[0], alt.Tooltip("group:N", title="order"), x.tip("x", measure)]
    )
    of_orders = dot.transform_filter(f"datum.group != '{MEAN}'").mark_tick(thickness=2.4, size=13, opacity=1)
    of_mean = dot.transform_filter(f"datum.group == '{MEAN}'").mark_circle(size=30, opacity=1)
    at = alt.X("x:Q", **x.encoding())
    return (
        Layer(thick, ranges),
        Layer(thin, ranges),
        Layer(of_orders.encode(at), points),
        Layer(of_mean.encode(at), points),
    )


def _range(row: TiedRun) -> dict[str, Any]:
    """The ends of both lines; two standard deviations may be more than there is."""
    least, most = sorted((row.worst, row.best))
    low, high = max(row.expected - 2 * row.deviation, least), min(row.expected + 2 * row.deviation, most)
    ends = numbers([row.worst, low, row.expected, high, row.best])
    return {"name": readable(row.run), **dict(zip(("worst", "low", "mean", "high", "best"), ends, strict=True))}
