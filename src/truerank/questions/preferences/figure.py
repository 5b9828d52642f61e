"""What runs do with preferences, and how far these can be satisfied."""

from __future__ import annotations

from truerank.data.errors import InputError
from truerank.data.printing import counted, readable
from truerank.questions.preferences.question import PreferenceSurvey, RunPreferences, share
from truerank.report.figures import DotMarks, Figure, FigureAxis, FigurePanel
from truerank.report.plots.chart import Plot
from truerank.report.plots.kinds import drawn
from truerank.report.plots.marks import Interval, NamedSpan, intervals, stretches
from truerank.report.plots.panels import Layer, Panel, PlotAxis, extent, figure
from truerank.report.plots.theme import Key, chosen
from truerank.report.table import DIGITS

MOST = 40
"""Runs that are drawn without being asked for."""
LOSS, TOP_LOSS = "loss", "loss weighted to the top"
SATISFIED, UNSATISFIED = "all can be satisfied", "some must be violated"
_SIDE_BY_SIDE = ("kept", "tied", "neither", "violated")
"""Outcomes as they stand in a bar: what is undecided lies between what is not."""
_WIDTH, _ROW = 330, 18


def plot_runs(found: PreferenceSurvey, *, top: int | None = None, theme: str = "light") -> Plot:
    """A row a run, the best first: shares of preferences on the left, losses and the least possible on the right."""
    runs = sorted(found.by_run, key=lambda run: (run.loss != run.loss, run.loss, run.run))[: top or MOST]
    if not runs or not found.total.preferences:
        raise InputError("there is nothing to draw; give preferences and at least one run")
    look = chosen(theme)
    key = Key(look, "", (*_SIDE_BY_SIDE, LOSS, TOP_LOSS), symbol="square", columns=6)
    height = _ROW * len(runs)
    losses = [Interval(run.run, run.loss, run.least, run.loss, LOSS) for run in runs]
    weighted = [Interval(run.run, run.top_loss, run.top_loss, run.top_loss, TOP_LOSS) for run in runs]
    x = PlotAxis("Loss", (0.0, extent([one.x for one in (*losses, *weighted)])[1]), nice=True)
    panels = [
        Panel((_shares(runs, key),), "What becomes of preferences", _WIDTH, height),
        Panel(intervals([*losses, *weighted], x, key, noun="run"), "Loss, and how far above the least", _WIDTH, height),
    ]
    of = counted(len(found), "run") if len(runs) == len(found) else f"the best {len(runs)} of {len(found)} runs"
    caption = f"{of}, {counted(len(found.topics), 'topic')}, {counted(found.total.preferences, 'preference')}; "
    caption += "lines reach down to the least loss that a ranking can have"
    title = "Runs against preferences"
    if len(runs) > 1 and runs[0].loss == runs[0].loss:
        title = f"{readable(runs[0].run)} has the least loss, {runs[0].loss:.{DIGITS}f}"
    return figure(panels, look, columns=2, title=title, caption=caption)


def _shares(runs: list[RunPreferences], key: Key) -> Layer:
    spans = []
    for run in runs:
        low = 0.0
        for outcome in _SIDE_BY_SIDE:
            high = low + 100 * share(getattr(run, outcome), run.preferences)
            spans.append(NamedSpan(run.run, low, high, outcome))
            low = high
    axis = PlotAxis("Preferences, %", (0.0, 100.0), nice=False)
    return stretches(spans, axis, key, noun="run", group="outcome", high=_ROW - 6)


def plot_topics(found: PreferenceSurvey, *, theme: str = "light") -> Plot:
    """A dot a topic: how many preferences it has, and the share of them that every ranking must violate."""
    topics = [one for one in found.by_topic if one.preferences]
    if not topics:
        raise InputError("there is nothing to draw; give at least one preference")
    highest = max(0.05, *(1.05 * one.least_loss for one in topics))
    free = sum(not one.least_found for one in topics)
    caption = f"{counted(len(topics), 'topic')}; a ranking can satisfy all preferences of {free}"
    if not found.total.exact:
        caption += "; where the least is not known, a lower bound of it"
    kind = DotMarks(
        name="topic",
        x="preferences",
        y="least_loss",
        group=lambda one: UNSATISFIED if one.least_found else SATISFIED,
        noun="topic",
        width=520,
        height=260,
    )
    panel = FigurePanel(
        rows=topics,
        x=FigureAxis(title="Preferences of the topic"),
        y=FigureAxis(title="Least loss", domain=(0.0, highest)),
    )
    described = Figure(
        kind=kind,
        panels=[panel],
        title="What no ranking can do better than",
        caption=caption,
        groups=(SATISFIED, UNSATISFIED),
        legend="Preferences:",
    )
    return drawn(described, theme=theme)
