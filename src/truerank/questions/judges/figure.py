"""Ranks of runs by judge as lines, whom each judge favours, and how far judges agree."""

from __future__ import annotations

from collections.abc import Sequence

from truerank.boards.rows import BoardRun
from truerank.data.printing import counted
from truerank.questions.judges.question import JudgesCompared
from truerank.report.plots.chart import Plot
from truerank.report.plots.marks import Interval, Line, ends, intervals, lines, rule
from truerank.report.plots.panels import Panel, PlotAxis, extent, figure
from truerank.report.plots.theme import Key, chosen

MOVERS = 6
"""Runs that have a colour: those whose ranks differ most."""
_ROW = 14
_WIDTH = 420
SHORT = 10
"""Ranks up to which each has its number on the axis."""


def plot_ranks(found: JudgesCompared, *, theme: str = "light") -> Plot:
    """A panel a measure: a line a run, from judge to judge, the reference first; the best rank is at the top."""
    look = chosen(theme)
    judges = [found.reference, *(name for name in found.variants if name != found.reference)]
    boards = {measure: [row for row in found.board if row.measure == measure] for measure in found.measures}
    # A run has one colour, whichever measure moves it.
    movers = tuple(dict.fromkeys(row.run for rows in boards.values() for row in _movers(rows)))
    key = Key(look, "", movers, columns=4)
    panels = []
    for measure, rows in boards.items():
        height = max(120, _ROW * len(rows))
        x = PlotAxis(
            "Judge",
            (-0.15, len(judges) - 1 + 0.15),
            ticks=tuple(map(float, range(len(judges)))),
            nice=False,
            names=tuple(judges),
        )
        last = len(rows)
        marked = sorted({1, last, *range(5, last, 5)}) if last > SHORT else [*range(1, last + 1)]
        y = PlotAxis(
            "Rank",
            (-0.5, last - 0.5),
            ticks=tuple(float(last - place) for place in reversed(marked)),
            nice=False,
            names=tuple(str(last - at) for at in range(last)),
        )
        drawn = [
            Line(
                row.run,
                [float(at) for at in range(len(judges))],
                [float(last - (row.ranks[judge] or last)) for judge in judges],
                row.run if row.run in movers else "",
            )
            for row in rows
        ]
        layers = (*lines(drawn, x, y, key, noun="run"), ends(drawn, y, key, width=_WIDTH, height=height))
        panels.append(Panel(layers, measure, width=_WIDTH, height=height))
    runs = counted(len({row.run for row in found.board}), "run")
    if movers:
        title, colours = "Ranks by who judged", f"; {counted(len(movers), 'run')} in colour, whose ranks differ most"
    else:
        title, colours = "Every judge gives every run the same rank", ""
    caption = f"{runs}, {counted(len(found.topics), 'topic')}{colours}"
    return figure(panels, look, title=title, caption=caption)


def _movers(rows: Sequence[BoardRun]) -> list[BoardRun]:
    moved = [(row.worst_rank - row.best_rank, row) for row in rows if row.best_rank and row.worst_rank]
    changed = [(by, row) for by, row in moved if by]
    return [row for _, row in sorted(changed, key=lambda pair: (-pair[0], pair[1].best_rank, pair[1].run))[:MOVERS]]


def plot_bias(found: JudgesCompared, *, theme: str = "light") -> Plot:
    """A panel for each measure and judge: by how much it favours each run more than the average one."""
    look = chosen(theme)
    sure, open_ = "shown", "not shown"
    key = Key(look, "", (sure, open_), symbol="circle", aside=open_)
    span = extent((end for row in found.bias for end in (row.low, row.high) if end is not None), room=0.03)
    panels = []
    for measure in found.measures:
        for judge in found.tests.get(measure, {}):
            rows = [row for row in found.bias if (row.measure, row.judge) == (measure, judge)]
            axis = PlotAxis(f"{measure} by {judge}, more than by {found.reference}", span, nice=False)
            drawn = [
                Interval(
                    row.run,
                    row.favour,
                    row.favour if row.low is None else row.low,
                    row.favour if row.high is None else row.high,
                    sure if row.p_corrected is not None and row.p_corrected < found.level else open_,
                )
                for row in rows
            ]
            layers = (*rule(0.0, axis, look.quiet), *intervals(drawn, axis, key, noun="run"))
            panels.append(Panel(layers, judge, width=300, height=_ROW * len(rows)))
    caption = (
        f"Score by the judge minus that by {found.reference}, minus the mean over runs, with "
        f"{100 * found.confidence:g}% intervals over topics"
    )
    return figure(panels, look, columns=2, title="Whom a judge favours", caption=caption)


def plot_agreement(found: JudgesCompared, *, theme: str = "light") -> Plot:
    """Kappa of each pair of judges, with its interval."""
    look = chosen(theme)
    drawn = [
        Interval(f"{row.judge} and {row.other}", row.kappa, row.low or row.kappa, row.high or row.kappa)
        for row in found.agreement
        if row.kappa is not None
    ]
    axis = PlotAxis("Cohen's kappa on what is relevant", (min(0.0, *(one.low for one in drawn), 0.0), 1.0), nice=False)
    panel = Panel(intervals(drawn, axis, Key(look), noun="judges"), width=_WIDTH, height=max(40, 20 * len(drawn)))
    caption = f"{counted(len(found.variants), 'judge')}, {counted(len(found.topics), 'topic')}; intervals over topics"
    return figure([panel], look, title="How far judges agree", caption=caption)
