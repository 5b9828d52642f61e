"""How a score grows down a list."""

from __future__ import annotations

import math

from truerank.questions.explain.question import Explanation, ScoreExplanation
from truerank.report.figures import Figure, FigureAxis, FigurePanel, LineMarks, PlacedDot, Series
from truerank.report.plots.chart import Plot
from truerank.report.plots.kinds import drawn

_WIDTH, _HEIGHT = 460, 200
_LONG = 50
"""Ranks past which the axis is logarithmic."""
_POINTS = 1000
"""Ranks that are drawn; deeper ones are far from the top."""


def plot_explanation(found: Explanation, *, theme: str = "light") -> Plot:
    """A panel a measure: the score so far by rank, a dot for each relevant document, dashed the best order."""
    panels = [_panel(one, _head(one, found.labelled(one.measure))) for one in found.explained]
    caption = (
        "The score so far, down to each rank; a dot is a relevant document, "
        "the dashed line what the best order would give"
    )
    title = f"How {', '.join(map(found.labelled, found.measures))} of topic {found.topic} comes about in {found.run}"
    # The one line has a group, so that it is none of many in the background.
    kind = LineMarks(group=lambda row: " ", dot="document", width=_WIDTH, height=_HEIGHT)
    return drawn(Figure(kind=kind, panels=panels, title=title, caption=caption), theme=theme)


def _head(one: ScoreExplanation, label: str) -> str:
    return f"{label} {one.score:.4f}" if one.score == one.score else f"{label} is undefined"


def _panel(one: ScoreExplanation, title: str) -> FigurePanel:
    ranks, so_far = _so_far(one)
    last = max(ranks[-1], 2) if ranks else 2
    best = one.reordered if one.reordered is not None and math.isfinite(one.reordered) else None
    known = [0.0, *so_far, *([] if best is None else [best])]
    low, high = min(known), max(known)
    at = dict(zip(ranks, so_far, strict=True))
    return FigurePanel(
        rows=[Series("score", ranks, so_far)],
        x=FigureAxis(title="Rank", domain=(1.0, float(last)), log=last > _LONG),
        y=FigureAxis(title="Score so far", domain=(low, high) if high > low else (0.0, 1.0), nice=True),
        title=title,
        across=best,
        dots=[
            PlacedDot(step.doc or "", step.last, at[step.last]) for step in one.found if step.last and step.last in at
        ],
    )


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
