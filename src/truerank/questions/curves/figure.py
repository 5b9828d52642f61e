"""Precision against recall, and true positives against false positives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from truerank.data.errors import InputError
from truerank.data.extras import needed
from truerank.data.printing import counted, readable
from truerank.questions.curves.question import PrecisionRecall, Roc, RocCurve
from truerank.report.plots.chart import Plot
from truerank.report.plots.marks import Dot, Line, diagonal, dots, lines
from truerank.report.plots.panels import Layer, Panel, PlotAxis, figure, numbers
from truerank.report.plots.theme import Key, Theme, chosen

_SIDE = 420
CONTOURS = (0.2, 0.4, 0.6, 0.8)
"""Values of F1 that have a line."""
COLOURED = 7
"""Runs that have a colour of their own; of more, the best do, and the others are thin lines."""
_EDGE = 1.0
_NAMED = 3
"""Runs whose discordant pairs stand above the figure."""


def plot_precision_recall(found: PrecisionRecall, *, theme: str = "light") -> Plot:
    """A line a run: interpolated precision at recall levels; dots are break-even points, thin curves have equal F1."""
    look = chosen(theme)
    groups = _groups({name: one.average for name, one in found.items()})
    key = Key(look, "", tuple(groups.values()), columns=4)
    x, y = (PlotAxis(title, (0.0, _EDGE), nice=False) for title in ("Recall", "Precision"))
    series = []
    for name, one in found.items():
        if one.every:
            recall, precision = np.array(one.every).T
            # It holds from past the level before: a step down after each level.
            edges = np.concatenate([[0.0], np.repeat(recall, 2)[:-1]])
            series.append(Line(name, edges, np.repeat(precision, 2), groups.get(name, "")))
        else:
            series.append(Line(name, one.recall, one.precision, groups.get(name, "")))
    zigzag = [
        Line(f"{name} at each depth", [at.recall for at in one.depths], [at.precision for at in one.depths])
        for name, one in found.items()
        if one.depths and len(found) == 1
    ]
    even = [
        Dot(name, one.break_even, one.break_even, groups[name])
        for name, one in found.items()
        if name in groups and one.break_even == one.break_even
    ]
    layers = (*_contours(x, y, look), diagonal(x, y, look.faint), *lines([*zigzag, *series], x, y, key, noun="run"))
    thin = "; the thin line is precision at each depth" if zigzag else ""
    dot = "a dot is the break-even point" if found.alone else "a dot is the mean of topics' break-even points"
    caption = f"{_said(found)}; {dot}{thin}; grey curves have equal F1"
    panel = Panel((*layers, dots(even, x, y, key, noun="run")), "", _SIDE, _SIDE)
    ranking = _best({name: one.average for name, one in found.items()})
    return figure([panel], look, title="Interpolated precision against recall", caption=caption, ranking=ranking)


def plot_roc(found: Roc, *, theme: str = "light") -> Plot:
    """A line a run: shares of relevant documents against shares of the others, read from the top down."""
    look = chosen(theme)
    groups = _groups({name: one.auc for name, one in found.items()}, "AUC")
    key = Key(look, "", tuple(groups.values()), columns=3)
    x = PlotAxis("Share of documents without relevance read", (0.0, _EDGE), nice=False)
    y = PlotAxis("Share of relevant documents read", (0.0, _EDGE), nice=False)
    series = [Line(name, one.fpr, one.tpr, groups.get(name, "")) for name, one in found.items()]
    layers = (diagonal(x, y, look.quiet), *lines(series, x, y, key, noun="run"))
    caption = f"{_said(found)}; the dashed line is chance; documents that were not retrieved are tied at the end"
    roc, ranking = Panel(layers, "", _SIDE, _SIDE), _best({name: one.auc for name, one in found.items()})
    known = [one for one in found.values() if len(one.fpr)]
    if not found.alone or not known:
        return figure([roc], look, title="Hits against false alarms (ROC)", caption=caption, ranking=ranking)
    title = "Hits against false alarms (ROC), and over ranks"
    caption += "; on the right the area below the ideal is the number of discordant pairs"
    panels = [roc, _over_ranks(known, groups, key, look)]
    return figure(panels, look, columns=2, title=title, caption=caption, ranking=ranking)


def _over_ranks(known: Sequence[RocCurve], groups: dict[str, str], key: Key, look: Theme) -> Panel:
    """Relevant documents read after so many documents: the ideal, and below it each run of one topic.

    Hits against the others, sheared by the hits: so areas stay what they are, and the one between the ideal and a run
    is the number of pairs in the wrong order.
    """
    alt = needed("altair", "a figure")
    relevant, deepest = known[0].mean_relevant, max(one.mean_relevant + one.mean_others for one in known)
    x = PlotAxis("Documents read", (0.0, deepest), nice=False)
    y = PlotAxis("Relevant documents read", (0.0, relevant), nice=False)
    series = [
        Line(one.run, one.fpr * one.mean_others + one.tpr * relevant, one.tpr * relevant, groups.get(one.run, ""))
        for one in known
    ]
    ideal = [{"name": "ideal", "x": at, "y": min(at, relevant)} for at in (0.0, relevant, deepest)]
    place = (alt.X("x:Q", **x.encoding()), alt.Y("y:Q", **y.encoding()))
    dashed = alt.Chart().mark_line(strokeDash=[5, 3], strokeWidth=1.3, color=look.ink, aria=False).encode(*place)
    layers = [Layer(dashed, ideal), *lines(series, x, y, key, noun="run")]
    said = ", ".join(f"{readable(one.run)} {one.discordant:,g}" for one in known[:_NAMED])
    said += ", ..." if len(known) > _NAMED else ""
    if len(known) == 1:
        [line] = series
        both = np.union1d(np.asarray(line.x), [relevant])
        low = np.interp(both, np.asarray(line.x), np.asarray(line.y))
        rows = [
            {"x": at, "y": below, "top": above}
            for at, below, above in zip(numbers(both), numbers(low), numbers(np.minimum(both, relevant)), strict=True)
        ]
        area = alt.Chart().mark_area(opacity=0.18, color=look.palette[0], aria=False).encode(*place, alt.Y2("top:Q"))
        layers.insert(0, Layer(area, rows))
    return Panel(tuple(layers), f"Discordant pairs: {said}", _SIDE, _SIDE)


def _groups(value: dict[str, float], area: str = "AP") -> dict[str, str]:
    """The runs that have a colour, with what the legend says of them."""
    if not value:
        raise InputError("there is nothing to draw; give at least one run")
    told = {name: "undefined" if one != one else f"{one:.3f}" for name, one in value.items()}
    return {name: f"{name} ({area} {told[name]})" for name in _best(value)[:COLOURED]}


def _best(value: dict[str, float]) -> list[str]:
    """The runs, the best first."""
    return sorted(value, key=lambda name: (value[name] != value[name], -value[name]))


def _contours(x: PlotAxis, y: PlotAxis, look: Theme) -> tuple[Layer, ...]:
    """Where F1 is the same, with its value beside the right edge."""
    alt = needed("altair", "a figure")
    rows: list[dict[str, Any]] = []
    for f1 in CONTOURS:
        # Closer to each other where the curve is steep.
        recall = f1 / (2 - f1) + (1 - f1 / (2 - f1)) * np.linspace(0.0, 1.0, 60) ** 2
        precision = f1 * recall / (2 * recall - f1)
        rows += [
            {"name": f"F1 = {f1:g}", "x": a, "y": b} for a, b in zip(numbers(recall), numbers(precision), strict=True)
        ]
    base = alt.Chart().encode(alt.X("x:Q", **x.encoding()), alt.Y("y:Q", **y.encoding()))
    line = base.mark_line(strokeWidth=1, color=look.grid, aria=False).encode(detail=alt.Detail("name:N"))
    ends = [row for row in rows if row["x"] == 1.0]
    text = base.mark_text(align="left", dx=5, fontSize=9, color=look.quiet).encode(text=alt.Text("name:N"))
    return Layer(line, rows), Layer(text, ends)


def _said(found: PrecisionRecall | Roc) -> str:
    runs = counted(len(found), "run")
    if len(found.topics) == 1:
        return readable(f"{runs}, topic {found.topics[0]}")
    return f"{runs}, mean over {counted(len(found.topics), 'topic')}"
