"""Ranks of runs by judge as lines, whom each judge favours, and how far judges agree."""

from __future__ import annotations

from collections.abc import Sequence

from truerank.boards.rows import BoardRun
from truerank.data.printing import counted
from truerank.questions.judges.question import JudgesCompared
from truerank.report.figures import Figure, FigureAxis, FigurePanel, IntervalMarks, LineMarks
from truerank.report.plots.chart import Plot
from truerank.report.plots.kinds import drawn
from truerank.report.plots.panels import extent

MOVERS = 6
"""Runs that have a colour: those whose ranks differ most."""
_ROW = 14
_WIDTH = 420
SHORT = 10
"""Ranks up to which each has its number on the axis."""


def plot_ranks(found: JudgesCompared, *, theme: str = "light") -> Plot:
    """A panel a measure: a line a run, from judge to judge, the reference first; the best rank is at the top."""
    judges = [found.reference, *(name for name in found.variants if name != found.reference)]
    boards = {measure: [row for row in found.board if row.measure == measure] for measure in found.measures}
    # A run has one colour, whichever measure moves it.
    movers = tuple(dict.fromkeys(row.run for rows in boards.values() for row in _movers(rows)))
    places = [float(at) for at in range(len(judges))]
    panels = []
    for measure, rows in boards.items():
        last = len(rows)
        marked = sorted({1, last, *range(5, last, 5)}) if last > SHORT else [*range(1, last + 1)]
        panels.append(
            FigurePanel(
                rows=rows,
                x=FigureAxis(title="Judge", domain=(-0.15, len(judges) - 1 + 0.15), names=tuple(judges)),
                y=FigureAxis(
                    title="Rank",
                    domain=(-0.5, last - 0.5),
                    ticks=tuple(float(last - place) for place in reversed(marked)),
                    names=tuple(str(last - at) for at in range(last)),
                ),
                title=measure,
            )
        )
    last = max(map(len, boards.values()), default=0)
    kind = LineMarks(
        name="run",
        x=lambda row: places,
        y=lambda row: [float(last - (row.ranks[judge] or last)) for judge in judges],
        group=lambda row: row.run if row.run in movers else "",
        noun="run",
        beside=True,
        width=_WIDTH,
        height=lambda rows: max(120, _ROW * rows),
    )
    runs = counted(len({row.run for row in found.board}), "run")
    if movers:
        title, colours = "Ranks by who judged", f"; {counted(len(movers), 'run')} in colour, whose ranks differ most"
    else:
        title, colours = "Every judge gives every run the same rank", ""
    caption = f"{runs}, {counted(len(found.topics), 'topic')}{colours}"
    described = Figure(kind=kind, panels=panels, title=title, caption=caption, groups=movers, in_a_row=4)
    return drawn(described, theme=theme)


def _movers(rows: Sequence[BoardRun]) -> list[BoardRun]:
    moved = [(row.worst_rank - row.best_rank, row) for row in rows if row.best_rank and row.worst_rank]
    changed = [(by, row) for by, row in moved if by]
    return [row for _, row in sorted(changed, key=lambda pair: (-pair[0], pair[1].best_rank, pair[1].run))[:MOVERS]]


def plot_bias(found: JudgesCompared, *, theme: str = "light") -> Plot:
    """A panel for each measure and judge: by how much it favours each run more than the average one."""
    sure, open_ = "shown", "not shown"
    span = extent((end for row in found.bias for end in (row.low, row.high) if end is not None), room=0.03)
    panels = [
        FigurePanel(
            rows=[row for row in found.bias if (row.measure, row.judge) == (measure, judge)],
            x=FigureAxis(title=f"{measure} by {judge}, more than by {found.reference}", domain=span),
            title=judge,
        )
        for measure in found.measures
        for judge in found.tests.get(measure, {})
    ]
    kind = IntervalMarks(
        value="favour",
        low=lambda row: row.favour if row.low is None else row.low,
        high=lambda row: row.favour if row.high is None else row.high,
        group=lambda row: sure if row.p_corrected is not None and row.p_corrected < found.level else open_,
        noun="run",
        zero=True,
        row=_ROW,
    )
    caption = (
        f"Score by the judge minus that by {found.reference}, minus the mean over runs, with "
        f"{100 * found.confidence:g}% intervals over topics"
    )
    described = Figure(
        kind=kind,
        panels=panels,
        title="Whom a judge favours",
        caption=caption,
        groups=(sure, open_),
        aside=open_,
        columns=2,
    )
    return drawn(described, theme=theme)


def plot_agreement(found: JudgesCompared, *, theme: str = "light") -> Plot:
    """Kappa of each pair of judges, with its interval."""
    rows = [row for row in found.agreement if row.kappa is not None]
    least = min(0.0, *(row.low or row.kappa or 0.0 for row in rows), 0.0)
    kind = IntervalMarks(
        name=lambda row: f"{row.judge} and {row.other}",
        value="kappa",
        low=lambda row: row.low or row.kappa,
        high=lambda row: row.high or row.kappa,
        noun="judges",
        width=_WIDTH,
        row=20,
        least=40,
    )
    axis = FigureAxis(title="Cohen's kappa on what is relevant", domain=(least, 1.0))
    caption = f"{counted(len(found.variants), 'judge')}, {counted(len(found.topics), 'topic')}; intervals over topics"
    panel = FigurePanel(rows=rows, x=axis)
    return drawn(Figure(kind=kind, panels=[panel], title="How far judges agree", caption=caption), theme=theme)
