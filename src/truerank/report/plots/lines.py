"""Lines, and their names beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from truerank.report.plots.chart import HOVER, needed
from truerank.report.plots.key import Key
from truerank.report.plots.panels import Layer, PlotAxis
from truerank.report.plots.values import numbers, readable

_LABEL = 10.5
"""Pixels from one name to the next where they stand below each other."""


@dataclass(frozen=True)
class Line:
    """A system, or a measure, along an axis; without a group it is one of many in the background."""

    name: str
    x: Iterable[float]
    y: Iterable[float]
    group: str = ""


def lines(series: Iterable[Line], x: PlotAxis, y: PlotAxis, key: Key, *, noun: str = "system") -> tuple[Layer, ...]:
    """Lines that name themselves when pointed at: those without a group thin and behind, the others in colour."""
    alt = needed("altair")
    rows = [_row(one, x=numbers(one.x), y=numbers(one.y)) for one in series]
    lonely = all(len(row["x"]) < 2 for row in rows)  # A line through one point is not seen.
    base = alt.Chart().encode(alt.X("x:Q", **x.encoding()), alt.Y("y:Q", **y.encoding()), detail=alt.Detail("name:N"))

    def point(size: int) -> Any:
        return alt.OverlayMarkDef(size=size) if lonely else False

    def line(which: Any, width: float, **style: Any) -> Any:
        # What Vega would read out of a line to those who do not see it is its first point, made for every point.
        chosen = base.transform_filter(which).transform_flatten(["x", "y"])
        return chosen.mark_line(strokeWidth=width, aria=False, **style)

    thin = line("datum.group == ''", 0.6, color=key.theme.faint, point=point(12))
    bold = line("datum.group != ''", 2, point=point(40)).encode(*key.channels())
    lit = line(alt.ParameterPredicate(param=HOVER, empty=False), 3, color=key.theme.ink)
    said = (alt.Tooltip("name:N", title=noun), x.tip("x"), y.tip("y"))
    near = x.named(base.transform_flatten(["x", "y"]), "x").mark_circle(size=60, opacity=0).encode(tooltip=said)
    drawn = [Layer(thin, rows)] * any(not row["group"] for row in rows)
    drawn += [Layer(bold, rows)] * any(row["group"] for row in rows)
    return (*drawn, Layer(lit, rows, hover="shows"), Layer(near, rows, hover="points"))


def ends(series: Sequence[Line], y: PlotAxis, key: Key, *, width: int, height: int) -> Layer:
    """The names of lines beside their ends, moved apart where they would cover each other."""
    alt = needed("altair")
    known = [(one, last) for one in series if (last := numbers(one.y)[-1]) is not None]
    low, high = y.domain or (0.0, 1.0)
    places = apart([last for _, last in known], _LABEL * (high - low) / height, low, high)
    rows = [_row(one, y=place) for (one, _), place in zip(known, places, strict=True)]
    chart = alt.Chart().mark_text(align="left", baseline="middle", fontSize=9.5, limit=90)
    place = {"x": alt.value(width + 5), "y": alt.Y("y:Q", **y.encoding())}
    return Layer(chart.encode(key.colour(), text=alt.Text("name:N"), **place), rows)


def apart(values: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Positions near the values and in their order, at least a gap apart and from ``low`` up.

    >>> apart([0.52, 0.5, 0.9], 0.1, 0.0, 1.0)
    [0.56, 0.46, 0.9]
    >>> apart([0.0, 0.0, 0.12], 0.1, 0.0, 1.0)
    [0.0, 0.1, 0.2]
    """
    blocks: list[tuple[float, list[int]]] = []
    for place in sorted(range(len(values)), key=lambda place: values[place]):
        block, bottom = [place], values[place]
        while blocks and bottom < blocks[-1][0] + gap * len(blocks[-1][1]):
            block = blocks.pop()[1] + block
            room = gap * (len(block) - 1)
            middle = sum(values[one] for one in block) / len(block)
            bottom = max(min(middle - room / 2, high - room), low)
        blocks.append((bottom, block))
    found = {place: bottom + gap * step for bottom, block in blocks for step, place in enumerate(block)}
    return [round(found[place], 9) for place in range(len(values))]


def _row(line: Line, **more: Any) -> dict[str, Any]:
    return {"name": readable(line.name), "group": readable(line.group), **more}
