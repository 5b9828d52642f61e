"""Heat maps: a cell for each row and column, its colour a number, which is written in it where there is room."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from truerank.data.extras import needed
from truerank.report.plots.panels import Layer, Panel, PlotAxis, numbers, tip_title
from truerank.report.plots.theme import Theme

if TYPE_CHECKING:
    from truerank.data.arrays import Floats


def heat(
    field: str,
    values: Floats,
    x: PlotAxis,
    y: PlotAxis,
    scale: tuple[Sequence[float], Sequence[str]],
    look: Theme,
    *,
    called: Callable[[int, int], str],
    noun: str,
    dark: float,
    cell: tuple[float, float],
    written: Callable[[int, int], str] | None = None,
    title: str = "",
) -> Panel:
    """A panel of ``values`` (rows x columns), the first row on top; axes have the places 0, 1, ... of both.

    ``scale`` are some values, the lowest first, and their colours, between which others lie.
    A cell is ``called`` so when it is pointed at, has so many pixels, and has in it what is ``written``, from ``dark``
    on in the colour of the background; nothing where that is None.
    """
    alt = needed("altair", "a figure")
    rows: list[dict[str, Any]] = [
        {
            "left": j - 0.5,
            "right": j + 0.5,
            "top": i - 0.5,
            "bottom": i + 0.5,
            "x": j,
            "y": i,
            field: numbers([values[i, j]])[0],
            "text": f"{values[i, j]:.2f}" if written is None else written(i, j),
            "pair": called(i, j),
            "colour": shade(float(values[i, j]), *scale, empty=look.background),
        }
        for i in range(values.shape[0])
        for j in range(values.shape[1])
    ]
    # Panels share the meaning of colours, and maps beside each other have scales of their own.
    colour = alt.Color("colour:N", scale=None, legend=None)
    said = [alt.Tooltip("pair:N", title=noun), alt.Tooltip("text:N", title=tip_title(field))]
    cells = alt.Chart().mark_rect().encode(alt.X("left:Q", **x.encoding()), alt.X2("right:Q"), colour, tooltip=said)
    cells = cells.encode(alt.Y("top:Q", **y.encoding()), alt.Y2("bottom:Q"))
    layers = [Layer(cells, rows)]
    if written is not None:
        ink = f"datum.{field} > {dark} ? '{look.background}' : '{look.ink}'"
        words = alt.Chart().mark_text(fontSize=9.5, color=alt.expr(ink)).encode(alt.X("x:Q", **x.encoding()))
        layers.append(Layer(words.encode(alt.Y("y:Q", **y.encoding()), text=alt.Text("text:N")), rows))
    width, height = (round(side * count) for side, count in zip(cell, values.shape[::-1], strict=True))
    return Panel(tuple(layers), title, width=width, height=height)


def shade(value: float, stops: Sequence[float], colours: Sequence[str], empty: str = "#ffffff") -> str:
    """The colour of a value, between those of the stops around it; ``empty`` where it is undefined.

    >>> shade(0.5, [0, 1], ["#000000", "#ffffff"]), shade(2, [0, 1], ["#000000", "#ffff00"])
    ('#808080', '#ffff00')
    """
    if value != value:
        return empty
    for low, high, one, other in zip(stops, stops[1:], colours, colours[1:], strict=False):
        if value <= high:
            share = 1.0 if high <= low else min(max((value - low) / (high - low), 0.0), 1.0)
            ends = [[int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in (one, other)]
            mixed = (round(a + share * (b - a)) for a, b in zip(*ends, strict=True))
            return "#" + "".join(f"{part:02x}" for part in mixed)
    return colours[-1]


def places(names: Sequence[str], title: str = "", *, down: bool = False) -> PlotAxis:
    """The axis of so many cells: from left to right, or from the top ``down``."""
    edge = (-0.5, len(names) - 0.5)
    ticks = tuple(map(float, range(len(names))))
    ends = edge[::-1] if down else edge
    return PlotAxis(title, ends, ticks=ticks, nice=False, titled=bool(title), names=tuple(names))
