"""What else stands in a panel: dots, bars, arrows, intervals and rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from truerank.report.plots.chart import needed
from truerank.report.plots.key import Key
from truerank.report.plots.panels import Layer, PlotAxis
from truerank.report.plots.values import numbers, readable


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


def dots(points: Iterable[Dot], x: PlotAxis, y: PlotAxis, key: Key, *, noun: str = "system") -> Layer:
    """A scatterplot, or marks on lines."""
    alt = needed("altair")
    said = (alt.Tooltip("name:N", title=noun), x.tip("x"), y.tip("y"))
    base = alt.Chart().mark_circle(size=42, opacity=0.9).encode(key.colour(), tooltip=said)
    return Layer(base.encode(alt.X("x:Q", **x.encoding()), alt.Y("y:Q", **y.encoding())), _rows(points))


def bars(bins: Iterable[Bar], x: PlotAxis, y: PlotAxis, key: Key) -> Layer:
    """A histogram; bins may be as wide as they like, so that those of a logarithmic axis look alike."""
    alt = needed("altair")
    where = (alt.Tooltip("name:N", title=x.title),) if x.names else (x.tip("low", "from"), x.tip("high", "to"))
    said = (*where, y.tip("y"))
    base = alt.Chart().mark_rect(opacity=0.85, stroke=key.theme.background).encode(key.colour(), tooltip=said)
    base = base.encode(alt.X("low:Q", **x.encoding()), alt.X2("high:Q"))
    return Layer(base.encode(alt.Y("y:Q", **y.encoding()), alt.Y2Datum(0)), _rows(bins))


def arrows(values: Iterable[Arrow], x: PlotAxis, y: PlotAxis, key: Key, *, noun: str = "system") -> tuple[Layer, ...]:
    """Lines up or down from what a value was, with a head where it is; a dot where nothing changed."""
    alt = needed("altair")
    rows = [{**row, "head": _head(row["y"], row["to"])} for row in _rows(values)]
    said = (alt.Tooltip("name:N", title=noun), x.tip("x"), y.tip("y", "from"), y.tip("to", "to"))
    base = alt.Chart().encode(key.colour(), alt.X("x:Q", **x.encoding()), tooltip=said)
    line = base.mark_rule(strokeWidth=1.2, opacity=0.7).encode(alt.Y("y:Q", **y.encoding()), alt.Y2("to:Q"))
    head = base.mark_point(size=34, opacity=1, filled=True).encode(alt.Y("to:Q", **y.encoding()))
    return Layer(line, rows), Layer(head.encode(alt.Shape("head:N", scale=None)), rows)


def diagonal(x: PlotAxis, y: PlotAxis, colour: str) -> Layer:
    """A dashed line where both axes have the same value."""
    alt = needed("altair")
    low, high = x.domain or (0.0, 1.0)
    dashed = alt.Chart().mark_line(strokeDash=[5, 3], strokeWidth=1, color=colour, aria=False)
    place = (alt.X("at:Q", **x.encoding()), alt.Y("at:Q", **y.encoding()))
    return Layer(dashed.encode(*place), [{"at": low}, {"at": high}])


def intervals(values: Iterable[Interval], x: PlotAxis, key: Key, *, noun: str = "system") -> tuple[Layer, ...]:
    """A row a name, with a dot at its value and a line from the lower to the upper bound."""
    alt = needed("altair")
    rows = _rows(values)
    said = (alt.Tooltip("name:N", title=noun), x.tip("x"), x.tip("low", "low"), x.tip("high", "high"))
    base = alt.Chart().encode(key.colour(), alt.Y("name:N", sort=None, title=None), tooltip=said)
    reach = base.mark_rule(strokeWidth=2).encode(alt.X("low:Q", **x.encoding()), alt.X2("high:Q"))
    value = base.mark_circle(size=60, opacity=1).encode(alt.X("x:Q", **x.encoding()))
    return Layer(reach, rows), Layer(value, rows)


def rule(at: float, axis: PlotAxis, colour: str, *, text: str = "", across: bool = False) -> tuple[Layer, ...]:
    """A dashed line from edge to edge, upright with its meaning above it, or ``across``."""
    alt = needed("altair")
    rows: list[dict[str, Any]] = [{"at": at, "text": text}]
    place = {"y": alt.Y("at:Q", **axis.encoding())} if across else {"x": alt.X("at:Q", **axis.encoding())}
    dashed = alt.Chart().mark_rule(strokeDash=[5, 3], strokeWidth=1.3, color=colour).encode(**place)
    said = alt.Chart().mark_text(fontSize=9.5, color=colour, baseline="bottom", dy=-6)
    words = [Layer(said.encode(text=alt.Text("text:N"), y=alt.value(0), **place), rows)] if text else []
    return Layer(dashed, rows), *words


def _head(was: float | None, now: float | None) -> str:
    if was is None or now is None or was == now:
        return "circle"
    return "triangle-up" if now > was else "triangle-down"


def _rows(values: Iterable[Any]) -> list[dict[str, Any]]:
    def plain(value: Any) -> Any:
        return readable(value) if isinstance(value, str) else numbers([value])[0]

    return [{field: plain(value) for field, value in asdict(one).items()} for one in values]
