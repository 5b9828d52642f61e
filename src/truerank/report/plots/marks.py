"""What stands in a panel: lines with their names beside them, dots, bars, arrows, intervals and rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from truerank.data.extras import needed
from truerank.data.printing import readable
from truerank.report.plots.chart import HOVER
from truerank.report.plots.panels import Layer, PlotAxis, numbers, tip_title
from truerank.report.plots.theme import Key, Theme

BESIDE = 5
"""Pixels from a panel to what stands beside it."""
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
    alt = needed("altair", "a figure")
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
    alt = needed("altair", "a figure")
    known = [(one, last) for one in series if (last := numbers(one.y)[-1]) is not None]
    low, high = y.domain or (0.0, 1.0)
    places = apart([last for _, last in known], _LABEL * (high - low) / height, low, high)
    rows = [_row(one, y=place) for (one, _), place in zip(known, places, strict=True)]
    chart = alt.Chart().mark_text(align="left", baseline="middle", fontSize=9.5, limit=140)
    place = {"x": alt.value(width + BESIDE), "y": alt.Y("y:Q", **y.encoding())}
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


@dataclass(frozen=True)
class Dot:
    """A pair of values."""

    name: str
    x: float
    y: float
    group: str = ""


@dataclass(frozen=True)
class Bar:
    """What lies from one position to another, as in a histogram."""

    low: float
    high: float
    y: float
    group: str = ""
    name: str = ""
    """What it stands for, on an axis of names."""


@dataclass(frozen=True)
class Arrow:
    """A value that was another one."""

    name: str
    x: float
    y: float
    to: float
    group: str = ""


@dataclass(frozen=True)
class Interval:
    """A value and how far it may be off."""

    name: str
    x: float
    low: float
    high: float
    group: str = ""
    word: str = ""
    """What is said of it at the end of its row."""


@dataclass(frozen=True)
class NamedSpan:
    """A part of an axis that is one thing."""

    name: str
    low: float
    high: float
    group: str


@dataclass(frozen=True)
class Segment:
    """A straight line from one place to another."""

    x: float
    y: float
    to_x: float
    to_y: float


@dataclass(frozen=True)
class PlacedText:
    """Text that begins at a place; it may have several lines."""

    x: float
    y: float
    text: str


def dots(
    points: Iterable[Dot], x: PlotAxis, y: PlotAxis, key: Key, *, noun: str = "system", shaped: bool = False
) -> Layer:
    """A scatterplot, perhaps with a shape for each group, or marks on lines."""
    alt = needed("altair", "a figure")
    said = (alt.Tooltip("name:N", title=noun), x.tip("x"), y.tip("y"))
    channels = key.shapes() if shaped else (key.colour(),)
    mark = {"type": "point", "filled": True} if len(channels) > 1 else {"type": "circle"}
    base = alt.Chart(mark=alt.MarkDef(**mark, size=42, opacity=0.9)).encode(*channels, tooltip=said)
    return Layer(base.encode(alt.X("x:Q", **x.encoding()), alt.Y("y:Q", **y.encoding())), _rows(points))


def bars(bins: Iterable[Bar], x: PlotAxis, y: PlotAxis, key: Key) -> Layer:
    """A histogram; bins may be as wide as they like, so that those of a logarithmic axis look alike."""
    alt = needed("altair", "a figure")
    where = (
        (alt.Tooltip("name:N", title=tip_title(x.title)),) if x.names else (x.tip("low", "from"), x.tip("high", "to"))
    )
    said = (*where, y.tip("y"))
    base = alt.Chart().mark_rect(opacity=0.85, stroke=key.theme.background).encode(key.colour(), tooltip=said)
    base = base.encode(alt.X("low:Q", **x.encoding()), alt.X2("high:Q"))
    return Layer(base.encode(alt.Y("y:Q", **y.encoding()), alt.Y2Datum(0)), _rows(bins))


def arrows(values: Iterable[Arrow], x: PlotAxis, y: PlotAxis, key: Key, *, noun: str = "system") -> tuple[Layer, ...]:
    """Lines up or down from a ring where a value was, with a head where it is; a dot where nothing changed."""
    alt = needed("altair", "a figure")
    rows = [{**row, "head": _head(row["y"], row["to"])} for row in _rows(values)]
    said = (alt.Tooltip("name:N", title=noun), x.tip("x"), y.tip("y", "from"), y.tip("to", "to"))
    base = alt.Chart().encode(key.colour(), alt.X("x:Q", **x.encoding()), tooltip=said)
    line = base.mark_rule(strokeWidth=1.2, opacity=0.7).encode(alt.Y("y:Q", **y.encoding()), alt.Y2("to:Q"))
    head = base.mark_point(size=34, opacity=1, filled=True).encode(alt.Y("to:Q", **y.encoding()))
    # Where both are close the line is hidden, and the ring is what tells the two apart.
    ring = base.transform_filter("datum.head != 'circle'").mark_point(size=22, opacity=0.9, strokeWidth=1.1)
    origin = ring.encode(alt.Y("y:Q", **y.encoding()))
    return Layer(line, rows), Layer(origin, rows), Layer(head.encode(alt.Shape("head:N", scale=None)), rows)


def diagonal(x: PlotAxis, y: PlotAxis, colour: str) -> Layer:
    """A dashed line where both axes have the same value."""
    alt = needed("altair", "a figure")
    low, high = x.domain or (0.0, 1.0)
    dashed = alt.Chart().mark_line(strokeDash=[5, 3], strokeWidth=1, color=colour, aria=False)
    place = (alt.X("at:Q", **x.encoding()), alt.Y("at:Q", **y.encoding()))
    return Layer(dashed.encode(*place), [{"at": low}, {"at": high}])


def intervals(
    values: Iterable[Interval], x: PlotAxis, key: Key, *, noun: str = "system", width: int = 0
) -> tuple[Layer, ...]:
    """A row a name, with a dot at its value and a line from the lower to the upper bound.

    Words stand beside a panel of so many pixels.
    """
    alt = needed("altair", "a figure")
    rows = _rows(values)
    said = (alt.Tooltip("name:N", title=noun), x.tip("x"), x.tip("low", "low"), x.tip("high", "high"))
    base = alt.Chart().encode(key.colour(), alt.Y("name:N", sort=None, title=None), tooltip=said)
    reach = base.mark_rule(strokeWidth=2).encode(alt.X("low:Q", **x.encoding()), alt.X2("high:Q"))
    value = base.mark_circle(size=60, opacity=1).encode(alt.X("x:Q", **x.encoding()))
    if not any(row["word"] for row in rows):
        return Layer(reach, rows), Layer(value, rows)
    said = alt.Chart().mark_text(align="left", baseline="middle", fontSize=10)
    place = (alt.Y("name:N", sort=None, title=None), alt.value(width + BESIDE))
    words = said.transform_filter("datum.word != ''").encode(
        key.colour(), text=alt.Text("word:N"), y=place[0], x=place[1]
    )
    return Layer(reach, rows), Layer(value, rows), Layer(words, rows)


def stretches(
    values: Iterable[NamedSpan], x: PlotAxis, key: Key, *, noun: str, group: str, high: int | None = None
) -> Layer:
    """A row a name, filled from one position to another in the colour of the group."""
    alt = needed("altair", "a figure")
    said = (
        alt.Tooltip("name:N", title=noun),
        alt.Tooltip("group:N", title=group),
        x.tip("low", "from"),
        x.tip("high", "to"),
    )
    tall = {} if high is None else {"height": high}
    base = alt.Chart().mark_bar(opacity=0.9, stroke=key.theme.background, **tall).encode(key.colour(), tooltip=said)
    place = alt.Y("name:N", sort=None, title=None, axis=alt.Axis(labelLimit=200))
    return Layer(base.encode(place, alt.X("low:Q", **x.encoding()), alt.X2("high:Q")), _rows(values))


def segments(values: Iterable[Segment], x: PlotAxis, y: PlotAxis, colour: str, *, width: float = 1.0) -> Layer:
    """Straight lines."""
    alt = needed("altair", "a figure")
    base = alt.Chart().mark_rule(color=colour, strokeWidth=width, strokeCap="square", aria=False)
    start = (alt.X("x:Q", **x.encoding()), alt.Y("y:Q", **y.encoding()))
    return Layer(base.encode(*start, alt.X2("to_x:Q"), alt.Y2("to_y:Q")), _rows(values))


def words(
    values: Iterable[PlacedText],
    x: PlotAxis,
    y: PlotAxis,
    colour: str,
    *,
    size: float = 10.0,
    bold: bool = False,
    up: int = 0,
) -> Layer:
    """Texts that begin at their places, or so many pixels above."""
    alt = needed("altair", "a figure")
    base = alt.Chart().mark_text(
        align="left",
        baseline="middle",
        dy=-up,
        fontSize=size,
        color=colour,
        fontWeight="bold" if bold else "normal",
        lineBreak="\n",
    )
    # Lines are kept, which what makes text readable would take out.
    rows = [{"x": one.x, "y": one.y, "text": "\n".join(map(readable, one.text.split("\n")))} for one in values]
    return Layer(base.encode(alt.X("x:Q", **x.encoding()), alt.Y("y:Q", **y.encoding()), text=alt.Text("text:N")), rows)


def rule(at: float, axis: PlotAxis, colour: str, *, text: str = "", across: bool = False) -> tuple[Layer, ...]:
    """A dashed line from edge to edge, upright with its meaning above it, or ``across``."""
    alt = needed("altair", "a figure")
    rows: list[dict[str, Any]] = [{"at": at, "text": text}]
    place = {"y": alt.Y("at:Q", **axis.encoding())} if across else {"x": alt.X("at:Q", **axis.encoding())}
    dashed = alt.Chart().mark_rule(strokeDash=[5, 3], strokeWidth=1.3, color=colour).encode(**place)
    said = alt.Chart().mark_text(fontSize=9.5, color=colour, baseline="bottom", dy=-6)
    words = [Layer(said.encode(text=alt.Text("text:N"), y=alt.value(0), **place), rows)] if text else []
    return Layer(dashed, rows), *words


def over_bars(at: float, y: PlotAxis, look: Theme, *, text: str, width: int) -> tuple[Layer, ...]:
    """A dashed line across bars that is seen on them, with its meaning beside a panel of so many pixels."""
    alt = needed("altair", "a figure")
    rows: list[dict[str, Any]] = [{"at": at, "text": text}]
    place = alt.Y("at:Q", **y.encoding())
    light = alt.Chart().mark_rule(strokeWidth=3, color=look.background, aria=False).encode(place)
    said = alt.Chart().mark_text(align="left", baseline="middle", fontSize=10, color=look.ink, lineBreak="\n")
    words = said.encode(place, text=alt.Text("text:N"), x=alt.value(width + BESIDE))
    return Layer(light, rows), *rule(at, y, look.ink, across=True), Layer(words, rows)


def _head(was: float | None, now: float | None) -> str:
    if was is None or now is None or was == now:
        return "circle"
    return "triangle-up" if now > was else "triangle-down"


def _rows(values: Iterable[Any]) -> list[dict[str, Any]]:
    def plain(value: Any) -> Any:
        return readable(value) if isinstance(value, str) else numbers([value])[0]

    return [{field: plain(value) for field, value in asdict(one).items()} for one in values]
