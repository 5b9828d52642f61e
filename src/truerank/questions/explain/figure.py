"""How a score grows down a list."""

from __future__ import annotations

import math

from truerank.data.printing import readable
from truerank.questions.explain.question import Explanation, ScoreExplanation
from truerank.report.plots.chart import Plot
from truerank.report.plots.marks import Dot, Line, dots, lines, rule
from truerank.report.plots.panels import Layer, Panel, PlotAxis, figure
from truerank.report.plots.theme import Key, Theme, chosen

_WIDTH, _HEIGHT = 460, 200
_LONG = 50
"""Ranks past which the axis is logarithmic."""
_POINTS = 1000
"""Ranks that are drawn; deeper ones are far from the top."""


def plot_explanation(found: Explanation, *, theme: str = "light") -> Plot:
    """A panel a measure: the score so far by rank, a dot for each relevant document, dashed the best order."""
    look = chosen(theme)
    panels = [
        Panel(_layers(one, look), _head(one, found.labelled(one.measure)), _WIDTH, _HEIGHT) for one in found.explained
    ]
    caption = (
        "The score so far, down to each rank; a dot is a relevant document, "
        "the dashed line what the best order would give"
    )
    title = f"How {', '.join(map(found.labelled, found.measures))} of topic {found.topic} comes about in {found.run}"
    return figure(panels, look, title=readable(title), caption=caption)


def _head(one: ScoreExplanation, label: str) -> str:
    return f"{label} {one.score:.4f}" if one.score == one.score else f"{label} is undefined"


def _layers(one: ScoreExplanation, look: Theme) -> tuple[Layer, ...]:
    ranks, so_far = _so_far(one)
    last = max(ranks[-1], 2) if ranks else 2
    x = PlotAxis("Rank", (1.0, float(last)), log=last > _LONG, nice=False)
    best = one.reordered if one.reordered is not None and math.isfinite(one.reordered) else None
    known = [0.0, *so_far, *([] if best is None else [best])]
    low, high = min(known), max(known)
    y = PlotAxis("Score so far", (low, high) if high > low else (0.0, 1.0))
    key = Key(look)
    at = dict(zip(ranks, so_far, strict=True))
    marks = [
        Dot(readable(step.doc or ""), step.last, at[step.last]) for step in one.found if step.last and step.last in at
    ]
    dashed = () if best is None else rule(best, y, look.quiet, across=True)
    return (*dashed, *lines([Line("score", ranks, so_far, " ")], x, y, key), dots(marks, x, y, key, noun="document"))


def _so_far(one: ScoreExplanation) -> tuple[list[int], list[float]]:
    """Ranks and the score down to each; tied documents add in equal parts to each of their ranks."""
    total = sum(step.contribution for step in one.steps if step.kind == "start")
    added: dict[int, float] = {}
    for step in one.steps:
        if step.first is None or step.last is None:
            continue
        for rank in range(step.first, min(step.last, _POINTS) + 1):
            added[rank] = added.get(rank, 0.0) + step.contribution / (step.last - step.first + 1)
    ranks, values = sorted(added), []
    for rank in ranks:
        total += added[rank]
        values.append(total)
    return ranks, values
