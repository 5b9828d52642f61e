"""Scores of runs over the orders of ties: all of them, most of them, their mean, and those that tools take."""

from __future__ import annotations

from truerank.data.errors import InputError
from truerank.data.printing import counted, readable
from truerank.questions.ties.question import EXPECTED, TiedRun, Ties
from truerank.report.figures import Figure, FigureAxis, FigurePanel, RangeMarks
from truerank.report.plots.chart import Plot
from truerank.report.plots.kinds import drawn
from truerank.report.table import DIGITS

_COLUMNS = 2
_ROOM = 0.04
"""Share of the axis that is left free at its ends."""
RUNS = 40
"""Rows that can be read; of more runs, those are drawn that ties can move most."""
MEAN = "mean over all orders"


def plot_ties(found: Ties, *, theme: str = "light") -> Plot:
    """A panel a measure, a row a run: thin from worst to best, thick two standard deviations, a dot the mean."""
    if not found.board:
        raise InputError("there is nothing to draw; give at least one run and one measure")
    orders = tuple(dict.fromkeys(order for row in found.board for order in row.scores if order != EXPECTED))
    panels = []
    drawn_runs: set[str] = set()
    for measure in found.measures:
        every = [row for row in found.board if row.measure == measure and row.expected == row.expected]
        moved = [row for row in every if abs(row.best - row.worst) >= 0.5 * 10**-DIGITS] or every
        widest = sorted(moved, key=lambda row: -abs(row.best - row.worst))[:RUNS]
        rows = [row for row in every if row in widest]
        drawn_runs |= {row.run for row in rows}
        panels.append(FigurePanel(rows=rows, x=FigureAxis(title=measure, room=_ROOM)))
    runs = len({row.run for row in found.board})
    caption = (
        f"{len(drawn_runs)} of {counted(runs, 'run')}, those that ties move most, "
        f"{counted(len(found.topics), 'topic')}; "
        "thin lines go from the worst order of ties to the best, thick ones two standard deviations around the mean"
    )
    described = Figure(
        kind=RangeMarks(worst="worst", low=_low, mean="expected", high=_high, best="best", points=_orders, called=MEAN),
        panels=panels,
        title=_title(found),
        caption=caption,
        groups=(MEAN, *orders),
        legend="Order of ties:",
        columns=min(_COLUMNS, len(panels)),
    )
    return drawn(described, theme=theme)


def _title(found: Ties) -> str:
    """What is seen: the run that ties move most by the first measure that they move at all."""
    for measure in found.measures:
        rows = [row for row in found.board if row.measure == measure and row.expected == row.expected]
        most = max(rows, key=lambda row: abs(row.best - row.worst), default=None)
        if most is not None and abs(most.best - most.worst) >= 0.5 * 10**-DIGITS:
            low, high = sorted((most.worst, most.best))
            return f"Ties move {readable(most.run)} most: {measure} {low:.{DIGITS}f} to {high:.{DIGITS}f}"
    return "No order of ties moves a score"


def _orders(row: TiedRun) -> dict[str, float]:
    """The score under each order that tools take."""
    return {order: score for order, score in row.scores.items() if order != EXPECTED}


def _low(row: TiedRun) -> float:
    """Two standard deviations below the mean, which may be more than there is."""
    return max(row.expected - 2 * row.deviation, min(row.worst, row.best))


def _high(row: TiedRun) -> float:
    return min(row.expected + 2 * row.deviation, max(row.worst, row.best))
