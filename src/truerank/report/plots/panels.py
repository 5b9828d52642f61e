"""Panels beside and below each other, and what they share."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from truerank.data.extras import needed
from truerank.data.printing import visible
from truerank.report.plots.chart import HOVER, Plot
from truerank.report.plots.theme import Theme

WIDTH, HEIGHT = 300, 140
_PLAIN = ".6~r"
"""Numbers without exponent and without zeros at the end; without a 6, an axis would take as few digits as it thinks."""
_AROUND = 110
"""About what axes, labels and gaps take beside and below a panel."""
_PAGE = {
    "mode": "vega-lite",
    "renderer": "canvas",
    "actions": {"export": True, "source": True, "compiled": False, "editor": False},
}
"""What a page does with a figure; the editor that it would offer is a page elsewhere."""
_DIGITS = 6
"""Significant digits of a number, far more than can be seen."""
_ROOM = 0.05
"""What is left free around a single value."""


def tip_title(title: str) -> str:
    r"""A title in what a pointer shows, escaped once more: Vega-Lite writes it into a program as it is.

    >>> tip_title("a\x1b[31m")
    'a\\\\x1b[31m'
    """
    return visible(title).replace("\\", "\\\\")


@dataclass(frozen=True)
class PlotAxis:
    """What a position means."""

    title: str
    domain: tuple[float, float] | None = None
    log: bool = False
    ticks: tuple[float, ...] | None = None
    titled: bool = True
    """Whether the title is drawn: panels in a row, or a column, have it once."""
    labels: bool = True
    nice: bool = True
    """Whether the domain may grow to a round number."""
    names: tuple[str, ...] = ()
    """What the positions 0, 1, ... are called, where they are no numbers."""
    bare: bool = False
    """Whether positions mean nothing, so that no axis is drawn."""

    def encoding(self) -> dict[str, Any]:
        """What a channel needs to know of it."""
        alt = needed("altair", "a figure")
        scale = alt.Scale(type="log" if self.log else "linear", nice=self.nice and not self.log)
        if self.domain is not None:
            scale.domain = list(self.domain)
        if self.bare:
            return {"scale": scale, "axis": None}
        axis = alt.Axis(title=self.title if self.titled else None, labels=self.labels, format=_PLAIN)
        if self.names:
            axis.labelExpr = f"{json.dumps(self.names)}[datum.value]"
        if self.ticks is not None:
            axis.values, axis.labelOverlap, axis.labelFlush = list(self.ticks), False, False
        else:
            axis.tickCount = 4
        return {"scale": scale, "axis": axis}

    def tip(self, field: str, title: str = "") -> Any:
        """What is said of a position when it is pointed at."""
        title = tip_title(title or self.title)
        if self.names:
            return needed("altair", "a figure").Tooltip(f"{field}_name:N", title=title)
        return needed("altair", "a figure").Tooltip(f"{field}:Q", title=title, format=_PLAIN)

    def named(self, chart: Any, field: str) -> Any:
        """A chart whose positions have the names that are said of them."""
        said = {f"{field}_name": f"{json.dumps(self.names)}[datum.{field}]"} if self.names else {}
        return chart.transform_calculate(**said) if said else chart


@dataclass(frozen=True)
class Layer:
    """Marks of one kind, and the rows that they show."""

    chart: Any
    """Of Altair, without data: Altair checks data against its schema, which takes longer than drawing them."""
    rows: list[dict[str, Any]]
    hover: str = ""
    """"points" where pointing selects, "shows" where the selected is shown; neither is drawn on paper."""


@dataclass(frozen=True)
class Panel:
    """Layers on the same axes."""

    layers: tuple[Layer, ...]
    title: str = ""
    width: int = WIDTH
    height: int = HEIGHT


def figure(
    panels: Sequence[Panel],
    theme: Theme,
    *,
    columns: int = 1,
    title: str = "",
    caption: str = "",
    ranking: Sequence[str] = (),
) -> Plot:
    """Panels in rows; they share the meaning of colours, and what is pointed at in one is shown in all.

    ``ranking`` are the runs that have marks of their own, the best first.
    """
    rows = {id(layer.rows): layer.rows for panel in panels for layer in panel.layers}
    names = {each: f"rows_{place}" for place, each in enumerate(rows)}
    pointed: list[str] = []
    drawn = []
    for place, panel in enumerate(panels):
        layers = []
        for level, layer in enumerate(panel.layers):
            # Altair would copy every chart several times to put them together.
            spec = layer.chart.to_dict(validate=False)
            spec = {key: spec[key] for key in ("transform", "mark", "encoding") if key in spec}
            layers.append({"data": {"name": names[id(layer.rows)]}, **spec})
            if layer.hover:
                layers[-1]["name"] = f"{HOVER}_{place}_{level}"
            if layer.hover == "points":
                pointed.append(layers[-1]["name"])
        head = {"title": {"text": panel.title, "fontSize": 12, "anchor": "middle", "offset": 6}} if panel.title else {}
        drawn.append({**head, "width": panel.width, "height": panel.height, "layer": layers})
    selects = {"type": "point", "fields": ["name"], "on": "pointerover", "clear": "pointerout"}
    spec = {
        "$schema": needed("altair", "a figure").SCHEMA_URL,
        "description": f"{title}. {caption}" if caption else title,
        "config": theme.config,
        "usermeta": {"embedOptions": {**_PAGE, "tooltip": {"theme": theme.name}}},
        "title": {"text": title, "subtitle": caption},
        "params": [{"name": HOVER, "select": selects, "views": pointed}] if pointed else [],
        "columns": columns,
        "spacing": {"row": 14, "column": 18},
        "resolve": {"scale": {"color": "shared", "strokeDash": "shared", "shape": "shared"}},
        "concat": drawn,
        "datasets": {names[each]: values for each, values in rows.items()},
    }
    down = -(-len(panels) // columns) * (max(panel.height for panel in panels) + 30) + _AROUND + 60
    across = columns * (max(panel.width for panel in panels) + _AROUND) + _AROUND
    return Plot(spec, across, down, tuple(ranking))


def beside(plots: Sequence[tuple[str, Plot]]) -> Plot:
    """Figures of one kind as one, side by side, each below its name: what is pointed at in one is shown in all.

    Those that are a single row of several panels stand below each other. Titles and captions are those of the first;
    where one has fewer rows of panels, the place below stays free.
    """
    (_, first), *others = plots
    if not others:
        return first
    deep = max(-(-len(plot.spec["concat"]) // plot.spec["columns"]) for _, plot in plots)
    stacked = deep == 1 and len({plot.spec["columns"] for _, plot in plots}) == 1 and first.spec["columns"] > 1
    grid: list[list[dict[str, Any]]] = [[] for _ in range(deep)]
    datasets: dict[str, Any] = {}
    pointed: list[str] = []
    for place, (name, plot) in enumerate(plots):
        across = plot.spec["columns"]
        datasets |= {f"{place}_{key}": rows for key, rows in plot.spec["datasets"].items()}
        drawn = [_renamed(panel, place) for panel in plot.spec["concat"]]
        pointed += [f"{view}_{place}" for param in plot.spec["params"] for view in param["views"]]
        for at in range(deep * across):
            empty = {"width": drawn[0]["width"], "height": 1, "layer": [_NOTHING]}
            panel = drawn[at] if at < len(drawn) else empty
            if at < across:
                own = panel.get("title", {}).get("text", "")
                title = {"fontSize": 12, "anchor": "middle", "offset": 6}
                panel = {**panel, "title": {**title, "text": f"{name}: {own}" if own else name}}
            grid[at // across].append(panel)
    columns = first.spec["columns"] if stacked else len(grid[0])
    spec = {
        **first.spec,
        "description": f"{first.spec['title']['text']}. {', '.join(name for name, _ in plots)}",
        "title": {"text": first.spec["title"]["text"], "subtitle": ""},
        "params": [{**first.spec["params"][0], "views": pointed}] if pointed else [],
        "columns": columns,
        "concat": [panel for row in grid for panel in row],
        "datasets": datasets,
    }
    wide, tall = ([getattr(plot, side) for _, plot in plots] for side in ("width", "height"))
    return Plot(spec, max(wide), sum(tall)) if stacked else Plot(spec, sum(wide), max(tall))


_NOTHING = {"data": {"values": []}, "mark": "point"}


def _renamed(panel: dict[str, Any], place: int) -> dict[str, Any]:
    """A panel whose rows and views have names of their own."""
    layers = [
        {
            **layer,
            "data": {"name": f"{place}_{layer['data']['name']}"},
            **({"name": f"{layer['name']}_{place}"} if "name" in layer else {}),
        }
        for layer in panel["layer"]
    ]
    return {**panel, "layer": layers}


def numbers(values: Iterable[float]) -> list[float | None]:
    """Numbers as JSON has them, without digits that nobody sees; None for what is undefined.

    >>> numbers([1, 0.123456789, float("nan")])
    [1.0, 0.123457, None]
    """
    return [float(f"{value:.{_DIGITS}g}") if math.isfinite(value) else None for value in values]


def extent(values: Iterable[float], room: float = 0.0) -> tuple[float, float]:
    """From the smallest to the largest of values, with a share of that as ``room`` at either end.

    Where all are the same there is a little room, and 0 to 1 where none is defined.

    >>> extent([1, 3, float("nan")], room=0.25), extent([0.5]), extent([])
    ((0.5, 3.5), (0.45, 0.55), (0.0, 1.0))
    """
    known = [float(value) for value in values if math.isfinite(value)] or [0.0, 1.0]
    low, high = min(known), max(known)
    free = room * (high - low) if high > low else _ROOM
    return low - free, high + free
