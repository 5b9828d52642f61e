"""The kinds of figures that are described by columns, drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from truerank.data.extras import needed
from truerank.data.printing import readable
from truerank.report.figures import (
    BarMarks,
    DotMarks,
    Figure,
    FigureAxis,
    FigurePanel,
    HeatMarks,
    IntervalMarks,
    Kind,
    LineMarks,
    RangeMarks,
    read,
)
from truerank.report.plots.chart import Plot
from truerank.report.plots.heat import heat, places
from truerank.report.plots.marks import Dot, Interval, Line, NamedSpan, dots, ends, intervals, lines, rule, stretches
from truerank.report.plots.panels import Layer, Panel, PlotAxis, extent, figure, numbers
from truerank.report.plots.theme import Key, chosen


def drawn(described: Figure, *, theme: str = "light") -> Plot:
    """The figure that is described."""
    look = chosen(theme)
    kind, palette = described.kind, look.palette
    if described.opposite:
        palette = (palette[0], palette[3], look.quiet)
    symbol = "stroke" if isinstance(kind, LineMarks) else "square" if isinstance(kind, BarMarks) else "circle"
    key = Key(
        replace(look, palette=palette),
        described.legend,
        described.groups,
        symbol=symbol,
        columns=described.in_a_row,
        aside=described.aside,
        among=described.among,
        direct=(isinstance(kind, LineMarks) and kind.beside) or (isinstance(kind, IntervalMarks) and bool(kind.word)),
    )
    panels = [_panel(panel, described.kind, key) for panel in described.panels]
    return figure(
        panels,
        look,
        columns=described.columns,
        title=readable(described.title),
        caption=readable(described.caption),
        ranking=described.ranking,
    )


def _panel(panel: FigurePanel, kind: Kind, key: Key) -> Panel:
    if isinstance(kind, IntervalMarks):
        return _intervals(panel, kind, key)
    if isinstance(kind, RangeMarks):
        return _ranges(panel, kind, key)
    if isinstance(kind, BarMarks):
        return _bars(panel, kind, key)
    if isinstance(kind, HeatMarks):
        return _heat(panel, kind, key)
    return _lines(panel, kind, key) if isinstance(kind, LineMarks) else _dots(panel, kind, key)


def _intervals(panel: FigurePanel, kind: IntervalMarks, key: Key) -> Panel:
    marks = [
        Interval(
            read(row, kind.name),
            read(row, kind.value),
            read(row, kind.low),
            read(row, kind.high),
            "" if kind.group is None else read(row, kind.group),
            "" if kind.word is None else read(row, kind.word),
        )
        for row in panel.rows
    ]
    reached = [end for one in marks for end in (one.low, one.x, one.high)]
    axis = _axis(panel.x, [*reached, 0.0] if kind.zero else reached)
    zero = rule(0.0, axis, key.theme.quiet) if kind.zero else ()
    height = max(kind.least, kind.row * len(marks))
    return Panel(
        (*zero, *intervals(marks, axis, key, noun=kind.noun, width=kind.width)), panel.title, kind.width, height
    )


def _ranges(panel: FigurePanel, kind: RangeMarks, key: Key) -> Panel:
    alt = needed("altair", "a figure")
    places = ("worst", "low", "mean", "high", "best")
    ranges, points, reached = [], [], []
    for row in panel.rows:
        name, others = readable(read(row, kind.name)), read(row, kind.points)
        values = [read(row, getattr(kind, place)) for place in places]
        ranges.append({"name": name, **dict(zip(places, numbers(values), strict=True))})
        points += [
            {"name": name, "group": called, "x": numbers([value])[0]}
            for called, value in (*others.items(), (kind.called, read(row, kind.mean)))
        ]
        reached += [values[0], values[-1], *others.values()]
    x = _axis(panel.x, reached)
    place = alt.Y("name:N", sort=None, title=None)
    said = [alt.Tooltip("name:N", title=kind.noun), *(x.tip(name, name) for name in places)]
    line = alt.Chart().encode(place, tooltip=said)
    thin = line.mark_rule(strokeWidth=1.4, color=key.theme.quiet)
    thick = line.mark_rule(strokeWidth=9, color=key.theme.faint)
    dot = alt.Chart().encode(
        *key.shapes(), place, tooltip=[said[0], alt.Tooltip("group:N", title=kind.point), x.tip("x", x.title)]
    )
    of_orders = dot.transform_filter(f"datum.group != '{kind.called}'").mark_point(size=34, opacity=1, filled=True)
    of_mean = dot.transform_filter(f"datum.group == '{kind.called}'").mark_circle(size=30, opacity=1)
    at = alt.X("x:Q", **x.encoding())
    layers = (
        Layer(thick.encode(alt.X("low:Q", **x.encoding()), alt.X2("high:Q")), ranges),
        Layer(thin.encode(alt.X("worst:Q", **x.encoding()), alt.X2("best:Q")), ranges),
        Layer(of_orders.encode(at), points),
        Layer(of_mean.encode(at), points),
    )
    return Panel(layers, panel.title, kind.width, kind.row * max(len(panel.rows), 1))


def _bars(panel: FigurePanel, kind: BarMarks, key: Key) -> Panel:
    marks = [
        NamedSpan(*(read(row, what) for what in (kind.name, kind.low, kind.high, kind.group))) for row in panel.rows
    ]
    x = _axis(panel.x, [end for one in marks for end in (one.low, one.high)])
    layer = stretches(marks, x, key, noun=kind.noun, group=kind.kind, high=kind.row - 4)
    return Panel((layer,), panel.title, kind.width, kind.row * len({one.name for one in marks}))


def _heat(panel: FigurePanel, kind: HeatMarks, key: Key) -> Panel:
    look, y = key.theme, panel.y or FigureAxis(title="")
    cells = {(read(row, kind.row), read(row, kind.column)): row for row in panel.rows}
    shape = (len(y.names), len(panel.x.names))
    values = np.full(shape, np.nan)
    for at, row in cells.items():
        values[at] = read(row, kind.value)
    most = float(np.nanmax(np.abs(values) if kind.opposite else values, initial=-np.inf))
    least = panel.least if panel.least is not None else float(np.nanmin(values, initial=np.inf))
    full = look.palette[3 if panel.second else 0]
    stops, colours = [least, max(most, least + 1e-9)], [look.background, full]
    if kind.opposite:
        stops, colours = [-(most or 1.0), 0.0, most or 1.0], [look.palette[3], *colours]
    low, high = stops[-2:]
    text = kind.text
    return heat(
        kind.field,
        values,
        places(list(map(readable, panel.x.names)), panel.x.title),
        places(list(map(readable, y.names)), y.title, down=True),
        (stops, colours),
        look,
        called=lambda i, j: read(cells[i, j], kind.called),
        noun=kind.noun,
        dark=low + 0.6 * (high - low),
        cell=kind.cell,
        written=None if text is None else lambda i, j: read(cells[i, j], text),
        title=panel.title,
    )


def _lines(panel: FigurePanel, kind: LineMarks, key: Key) -> Panel:
    series = [
        Line(read(row, kind.name), read(row, kind.x), read(row, kind.y), read(row, kind.group)) for row in panel.rows
    ]
    x = _axis(panel.x, (value for one in series for value in one.x))
    y = _axis(panel.y or FigureAxis(title=""), (value for one in series for value in one.y))
    height = kind.height(len(series)) if callable(kind.height) else kind.height
    dashed = () if panel.across is None else rule(panel.across, y, key.theme.quiet, across=True)
    names = (ends(series, y, key, width=kind.width, height=height),) if kind.beside else ()
    marks = None if panel.dots is None else [Dot(*one) for one in panel.dots]
    on_lines = () if marks is None else (dots(marks, x, y, key, noun=kind.dot),)
    layers = (*dashed, *lines(series, x, y, key, noun=kind.noun), *names, *on_lines)
    return Panel(layers, panel.title, kind.width, height)


def _dots(panel: FigurePanel, kind: DotMarks, key: Key) -> Panel:
    marks = [
        Dot(
            read(row, kind.name),
            read(row, kind.x),
            read(row, kind.y),
            "" if kind.group is None else read(row, kind.group),
        )
        for row in panel.rows
    ]
    x = _axis(panel.x, (one.x for one in marks))
    y = _axis(panel.y or FigureAxis(title=""), (one.y for one in marks))
    return Panel((dots(marks, x, y, key, noun=kind.noun, shaped=True),), panel.title, kind.width, kind.height)


def _axis(axis: FigureAxis, values: Iterable[float]) -> PlotAxis:
    return PlotAxis(
        axis.title,
        axis.domain or extent(values, room=axis.room),
        ticks=tuple(map(float, range(len(axis.names)))) if axis.names and axis.ticks is None else axis.ticks,
        titled=axis.titled,
        log=axis.log,
        nice=axis.nice,
        names=tuple(map(readable, axis.names)),
    )
