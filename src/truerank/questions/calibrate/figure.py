"""Scores of one list against the length it is cut at, after Amigó, Mizzaro & Spina 2022, figure 1."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from truerank.data.printing import counted
from truerank.questions.calibrate.question import Lengths
from truerank.report.figures import Figure, FigureAxis, FigurePanel, LineMarks, PlacedDot, Series
from truerank.report.plots.chart import Plot
from truerank.report.plots.kinds import drawn
from truerank.report.plots.panels import HEIGHT, WIDTH, extent

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
    longest = max(len(scores) for scores in found.values()) - 1
    x = FigureAxis(title="Length of the list", domain=(0.0, float(max(longest, 1))))
    columns = 2 if raw and len(found) > 1 else 1
    if raw:
        last = len(found) - columns
        panels = [
            _panel(found, {name: scores}, labels, replace(x, titled=place >= last), labels[name])
            for place, (name, scores) in enumerate(found.items())
        ]
    else:
        scaled = {name: found.scaled(name) for name in found}
        panels = [_panel(found, scaled, labels, x, "Score above silence, over its largest magnitude")]
    described = Figure(
        kind=LineMarks(noun="measure", dot="measure", width=WIDTH if raw else _WIDE, height=HEIGHT if raw else _TALL),
        panels=panels,
        title="Score by length of the list",
        caption=f"{_said(found)}; {'dashed' if raw else '0'} is silence, a dot the best length",
        groups=() if raw else tuple(dict.fromkeys(labels[name] for name in found)),
        columns=columns,
    )
    return drawn(described, theme=theme)


def _panel(found: Lengths, values: dict[str, Floats], labels: dict[str, str], x: FigureAxis, y: str) -> FigurePanel:
    silence = float(next(iter(values.values()))[0])
    return FigurePanel(
        rows=[_line(labels[name], scores, found.best[name]) for name, scores in values.items()],
        x=x,
        y=FigureAxis(title=y, domain=extent(np.concatenate([*values.values()])), nice=True),
        across=silence if np.isfinite(silence) else None,
        dots=[
            PlacedDot(labels[name], found.best[name], float(scores[found.best[name]]), labels[name])
            for name, scores in values.items()
            if found.best[name] >= 0
        ],
    )


def _line(label: str, values: Floats, best: int) -> Series:
    shown: Rows = np.arange(len(values))
    if len(shown) > _POINTS:
        some = np.linspace(0, len(values) - 1, _POINTS).astype(np.intp).tolist()
        shown = np.array(sorted({*some, max(best, 0)}), np.intp)
    return Series(label, shown.tolist(), values[shown].tolist())


def _said(found: Lengths) -> str:
    name = found.name if len(found.name) <= _NAME else f"{found.name[: _NAME - 3]}..."
    return f"{name} ({counted(found.num_rel, 'relevant document')}) cut after so many documents"
