"""Regions of parameters in which a measure has a property, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from truerank.data.errors import InputError
from truerank.questions.properties.regions import SPANS
from truerank.report.figures import BarMarks, Figure, FigureAxis, FigurePanel
from truerank.report.plots.chart import Plot
from truerank.report.plots.kinds import drawn

if TYPE_CHECKING:
    from truerank.questions.properties.question import Region, Verdicts

_HAS, _NOT, _READING, _NONE = "has it", "has it not", "depends on the reading", "undefined"
_THIN = 0.006
"""Share of the axis that a single value is drawn with, to either side."""


def plot_regions(found: Verdicts, *, theme: str = "light") -> Plot:
    """A panel a measure and parameter, with a row a property."""
    if not found.by_value:
        raise InputError("there are no regions to draw; ask for them with regions=True")
    there = {_group(each) for each in found.by_value}
    panels = []
    pairs = list(dict.fromkeys((each.measure, each.parameter) for each in found.by_value))
    for measure, parameter in pairs:
        rows = [each for each in found.by_value if (each.measure, each.parameter) == (measure, parameter)]
        whole = SPANS[parameter].whole
        low, high = min(each.low for each in rows), max(each.high for each in rows) + whole
        thin = _THIN * (high - low)
        bars = [
            _Span(
                each.property,
                each.low - thin * (each.low == each.high and not whole),
                each.high + (1 if whole else thin * (each.low == each.high)),
                _group(each),
            )
            # What is drawn last covers what is below.
            for each in sorted(rows, key=lambda each: each.low == each.high)
        ]
        axis = FigureAxis(title=parameter, domain=(low, high), log=whole)
        panels.append(FigurePanel(rows=bars, x=axis, title=measure if len(pairs) > 1 else ""))
    title = f"For which {' and '.join(dict.fromkeys(one for _, one in pairs))} {pairs[0][0]} has each property"
    if len({measure for measure, _ in pairs}) > 1:
        title = "For which parameters measures have each property"
    described = Figure(
        kind=BarMarks(noun="property", kind="verdict"),
        panels=panels,
        title=title,
        caption="bounds are proved, or searched by bisection",
        groups=tuple(name for name in (_HAS, _NOT, _READING, _NONE) if name in there),
        aside=_NOT if _NOT in there else "",
    )
    return drawn(described, theme=theme)


class _Span(NamedTuple):
    """A part of the axis, and what is so there."""

    name: str
    low: float
    high: float
    group: str


def _group(each: Region) -> str:
    if each.verdict == "undefined":
        return _NONE
    return _READING if each.holds is None else _HAS if each.holds else _NOT
