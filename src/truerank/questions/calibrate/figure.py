"""Scores of one list against the length it is cut at, after Amigó, Mizzaro & Spina 2022, figure 1."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from truerank.data.printing import counted
from truerank.questions.calibrate.question import Lengths
from truerank.report.plots.chart import Plot
from truerank.report.plots.marks import Dot, Line, dots, lines, rule
from truerank.report.plots.panels import Layer, Panel, PlotAxis, extent, figure
from truerank.report.plots.theme import Key, chosen

if TYPE_CHECKING:
    from truerank.data.arrays import Floats, Rows

_POINTS = 2000
"""Lengths that a line goes through; of longer lists some are left out."""
_NAME = 60
"""Letters of a ranking that fit."""
_WIDE, _TALL = 460, 280
"""Size of the panel that has all measures."""


def plot_by_length(found: Lengths, labels: dict[str, str], *, raw: bool = False, theme: str = "light") -> Plot:
    """A line a measure, all on one scale with silence at 0; or ``raw``, a panel a measure with its own scores.

    A dot is the length that scores best. ``labels`` are what measures are called.
    """
    look = chosen(theme)
    longest = max(len(scores) for scores in found.values()) - 1
    x = PlotAxis("Length of the list", (0.0, float(max(longest, 1))), nice=False)
    columns = 2 if raw and len(found) > 1 else 1
    if raw:
        last = len(found) - columns
        panels = [
            Panel(_layers(found, {name: scores}, labels, replace(x, titled=place >= last), labels[name], Key(look)))
            for place, (name, scores) in enumerate(found.items())
        ]
    else:
        key = Key(look, "", tuple(dict.fromkeys(labels[name] for name in found)))
        scaled = {name: found.scaled(name) for name in found}
        layers = _layers(found, scaled, labels, x, "Score above silence, over its largest magnitude", key)
        panels = [Panel(layers, width=_WIDE, height=_TALL)]
    caption = f"{_said(found)}; {'dashed' if raw else '0'} is silence, a dot the best length"
    return figure(panels, look, columns=columns, title="Score by length of the list", caption=caption)


def _layers(
    found: Lengths, values: dict[str, Floats], labels: dict[str, str], x: PlotAxis, title: str, key: Key
) -> tuple[Layer, ...]:
    y = PlotAxis(title, extent(np.concatenate([*values.values()])))
    series = [_line(labels[name], scores, found.best[name]) for name, scores in values.items()]
    best = [
        Dot(labels[name], found.best[name], float(scores[found.best[name]]), labels[name])
        for name, scores in values.items()
        if found.best[name] >= 0
    ]
    silence = float(next(iter(values.values()))[0])
    level = rule(silence, y, key.theme.quiet, across=True) if np.isfinite(silence) else ()
    return (*level, *lines(series, x, y, key, noun="measure"), dots(best, x, y, key, noun="measure"))


def _line(label: str, values: Floats, best: int) -> Line:
    shown: Rows = np.arange(len(values))
    if len(shown) > _POINTS:
        some = np.linspace(0, len(values) - 1, _POINTS).astype(np.intp).tolist()
        shown = np.array(sorted({*some, max(best, 0)}), np.intp)
    return Line(label, shown, values[shown], label)


def _said(found: Lengths) -> str:
    name = found.name if len(found.name) <= _NAME else f"{found.name[: _NAME - 3]}..."
    return f"{name} ({counted(found.num_rel, 'relevant document')}) cut after so many documents"
