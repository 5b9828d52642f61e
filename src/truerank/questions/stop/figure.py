"""How far each stopping rule comes from lists as they are to lists cut where they score best."""

from __future__ import annotations

from truerank.data.errors import InputError
from truerank.data.printing import counted
from truerank.questions.stop.question import RuleComparison, Stopping
from truerank.report.plots.chart import Plot
from truerank.report.plots.marks import Interval, intervals
from truerank.report.plots.panels import Panel, PlotAxis, extent, figure
from truerank.report.plots.theme import Key, chosen

MOST = 24
"""Panels that fit on a page."""
COLUMNS = 3
REFERENCE = "whole lists and best cuts"
EFFECTS = {0: "no more than chance", 1: "better than whole lists", -1: "worse"}
_ROW = 19
"""Pixels that a rule takes."""


def plot_stop(found: Stopping, *, theme: str = "light") -> Plot:
    """A panel a measure and run, a row a rule: a line from the score of whole lists to that of lists it cuts."""
    count = len(found.measures) * len(found)
    if count > MOST:
        raise InputError(
            f"{len(found.measures)} measures of {len(found)} runs are {count} panels, too many for a figure; "
            f"give at most {MOST}"
        )
    look = chosen(theme)
    # All of them in every figure, so that a colour means the same in each.
    key = Key(look, "", (REFERENCE, *EFFECTS.values()), symbol="circle")
    named = len(found) > 1
    panels = [
        _panel(found.labelled(measure), run if named else "", _rows(one), key)
        for measure, run, one in found.comparisons()
    ]
    run = f"{next(iter(found))}, " if len(found) == 1 else ""
    return figure(
        panels,
        look,
        columns=min(len(found) if len(found) > 1 else len(panels), COLUMNS),
        title="Where to stop: rules that see scores only",
        caption=(
            f"{run}{counted(len(found.topics), 'topic')}: from the score of whole lists to that of lists cut by a rule "
            "fitted to other topics; beside its name, the mean length"
        ),
    )


def _rows(one: RuleComparison) -> list[Interval]:
    start = one.mean_whole
    return [
        Interval(
            f"{outcome.name}: {outcome.mean_length:.1f}",
            outcome.mean,
            min(start, outcome.mean),
            max(start, outcome.mean),
            EFFECTS[one.effect(outcome.name)] if outcome.name in one else REFERENCE,
        )
        for outcome in one.outcomes
    ]


def _panel(measure: str, title: str, rows: list[Interval], key: Key) -> Panel:
    axis = PlotAxis(measure, extent((end for row in rows for end in (row.low, row.high)), room=0.05), nice=False)
    return Panel(intervals(rows, axis, key, noun="rule"), title, height=_ROW * len(rows))
