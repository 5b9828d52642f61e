"""Lengths of lists, and scores by two methodologies, after Liu, Moffat, Baldwin & Zhang 2016, figures 1 to 3."""

from __future__ import annotations

from truerank.data.printing import counted
from truerank.questions.nil.answer import Silence
from truerank.report.plots.chart import Plot
from truerank.report.plots.marks import Arrow, Bar, Dot, arrows, bars, diagonal, dots
from truerank.report.plots.panels import Panel, PlotAxis, extent, figure
from truerank.report.plots.theme import Key, chosen

BEFORE, AFTER = "as handed in", "ended at NIL"
INVERTED, KEPT = "in an inverted pair", "order kept"
_BAR = 0.4
"""Width of a bar; two stand side by side."""
_SIZE = {"width": 290, "height": 210}
_ROOM = 0.04
"""Share of an axis that is left free at its ends."""


def plot_lengths(found: Silence, *, theme: str = "light") -> Plot:
    """Two bars a length, or a bin of them: lists as handed in, and ended at their NIL."""
    look = chosen(theme)
    key = Key(look, "", (BEFORE, AFTER), symbol="square")
    names = tuple(one.length for one in found.lengths)
    x = PlotAxis(
        "Length", (-0.5, len(names) - 0.5), ticks=tuple(map(float, range(len(names)))), nice=False, names=names
    )
    y = PlotAxis("Lists", (0.0, float(max(max(one.before, one.after) for one in found.lengths)) or 1.0))
    drawn = [
        bar
        for place, (name, one) in enumerate(zip(names, found.lengths, strict=True))
        for bar in (
            Bar(place - _BAR, place, one.before, BEFORE, name),
            Bar(place, place + _BAR, one.after, AFTER, name),
        )
    ]
    lists = sum(one.before for one in found.lengths)
    of = f"{counted(lists, 'list')} of {counted(len(found), 'run')}"
    caption = f"{of}, as handed in with NIL as a document, and ended at their NIL"
    panel = Panel((bars(drawn, x, y, key),), width=560, height=230)
    return figure([panel], look, title="Lengths of lists", caption=caption)


def plot_scores(found: Silence, *, theme: str = "light") -> Plot:
    """A row a measure: modified against original scores, and both against the share of lists ended by the system."""
    look = chosen(theme)
    several = len(found) > 1
    key = Key(look, "Run:", (KEPT, INVERTED), symbol="circle") if several else Key(look)
    panels = []
    for measure in found.measures:
        label = found.labelled(measure)
        shifts = {name: run[measure] for name, run in found.items()}
        turned = {name for pair in found.orderings[measure].inversions for name in (pair.better, pair.worse)}
        group = {name: (INVERTED if name in turned else KEPT) if several else "" for name in found}
        share = {name: 100 * cases.ended for name, cases in found.cases.items()}
        span = extent((value for one in shifts.values() for value in (one.original, one.modified)), room=_ROOM)
        original, modified = (PlotAxis(f"{label}, {how}", span, nice=False) for how in ("original", "modified"))
        ended, both = (
            PlotAxis("Lists ended by the system, %", (-3.0, 103.0), nice=False),
            PlotAxis(label, span, nice=False),
        )
        points = [Dot(name, one.original, one.modified, group[name]) for name, one in shifts.items()]
        moves = [Arrow(name, share[name], one.original, one.modified, group[name]) for name, one in shifts.items()]
        tau = found.orderings[measure].kendall_a
        title = f"{label}: tau {tau:.3f}" if tau == tau else label
        scatter = (diagonal(original, modified, look.quiet), dots(points, original, modified, key))
        panels.append(Panel(scatter, title, **_SIZE))
        panels.append(Panel(arrows(moves, ended, both, key), "From original to modified", **_SIZE))
    caption = (
        f"{counted(len(found), 'run')}, {counted(len(found.topics), 'topic')}; original: NIL as a document; "
        "modified: lists ended at NIL, with a terminal document"
    )
    first = found.measures[0] if found.measures else ""
    ranking = sorted(found, key=lambda name: -found[name][first].original) if first else []
    title = "What taking truncation into account does to scores"
    return figure(panels, look, columns=2, title=title, caption=caption, ranking=ranking)
