"""Regions of parameters in which a measure has a property, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from truerank.data.errors import InputError
from truerank.questions.properties.regions import SPANS
from truerank.report.plots.chart import Plot
from truerank.report.plots.marks import NamedSpan, stretches
from truerank.report.plots.panels import Panel, PlotAxis, figure
from truerank.report.plots.theme import Key, chosen

if TYPE_CHECKING:
    from truerank.questions.properties.question import Region, Verdicts

_ROW = 17
"""Pixels of a property."""
_WIDE = 420
_HAS, _NOT, _READING, _NONE = "has it", "has it not", "depends on the reading", "undefined"
_THIN = 0.006
"""Share of the axis that a single value is drawn with, to either side."""


def plot_regions(found: Verdicts, *, theme: str = "light") -> Plot:
    """A panel a measure and parameter, with a row a property."""
    if not found.by_value:
        raise InputError("there are no regions to draw; ask for them with regions=True")
    look = chosen(theme)
    there = {_group(each) for each in found.by_value}
    key = Key(
        look,
        "",
        tuple(name for name in (_HAS, _NOT, _READING, _NONE) if name in there),
        symbol="square",
        aside=_NOT if _NOT in there else "",
    )
    panels = []
    pairs = list(dict.fromkeys((each.measure, each.parameter) for each in found.by_value))
    for measure, parameter in pairs:
        rows = [each for each in found.by_value if (each.measure, each.parameter) == (measure, parameter)]
        whole = SPANS[parameter].whole
        low, high = min(each.low for each in rows), max(each.high for each in rows) + whole
        x = PlotAxis(parameter, (low, high), log=whole, nice=False)
        thin = _THIN * (high - low)
        bars = [
            NamedSpan(
                each.property,
                each.low - thin * (each.low == each.high and not whole),
                each.high + (1 if whole else thin * (each.low == each.high)),
                _group(each),
            )
            for each in sorted(rows, key=lambda each: each.low == each.high)
        ]
        # Names keep the order of the table, though what is drawn last covers what is below.
        height = _ROW * len(found.properties)
        layer = stretches(bars, x, key, noun="property", group="verdict")
        panels.append(Panel((layer,), measure if len(pairs) > 1 else "", width=_WIDE, height=height))
    title = f"For which {' and '.join(dict.fromkeys(one for _, one in pairs))} {pairs[0][0]} has each property"
    if len({measure for measure, _ in pairs}) > 1:
        title = "For which parameters measures have each property"
    return figure(panels, look, columns=1, title=title, caption="bounds are proved, or searched by bisection")


def _group(each: Region) -> str:
    if each.verdict == "undefined":
        return _NONE
    return _READING if each.holds is None else _HAS if each.holds else _NOT
