"""How far each stopping rule comes from lists as they are to lists cut where they score best."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from truerank.data.errors import InputError
from truerank.data.printing import counted
from truerank.questions.stop.question import RuleComparison, Stopping
from truerank.report.figures import Figure, FigureAxis, FigurePanel, IntervalMarks
from truerank.report.plots.chart import Plot
from truerank.report.plots.kinds import drawn

MOST = 24
"""Panels that fit on a page."""
COLUMNS = 3
REFERENCE = "whole lists and best cuts"
EFFECTS = {0: "no more than chance", 1: "better than whole lists", -1: "worse"}
_WORDS = {EFFECTS[1]: "better", EFFECTS[-1]: "worse"}
"""What stands at the end of a row; nothing where a rule changes no more than chance would."""
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
    named = len(found) > 1
    run = f"{next(iter(found))}, " if len(found) == 1 else ""
    described = Figure(
        kind=IntervalMarks(
            name="name", value="mean", low="low", high="high", group="group", word="word", noun="rule", row=_ROW
        ),
        panels=[
            FigurePanel(
                rows=[*_rows(one)],
                x=FigureAxis(title=found.labelled(measure)),
                title=run if named else "",
            )
            for measure, run, one in found.comparisons()
        ],
        title="Where to stop: rules that see scores only",
        caption=(
            f"{run}{counted(len(found.topics), 'topic')}: from the score of whole lists to that of lists cut by a rule "
            "fitted to other topics, and a word where that is significant; beside its name, the mean length"
        ),
        # All of them in every figure, so that a colour means the same in each.
        groups=(REFERENCE, *EFFECTS.values()),
        columns=min(len(found) if named else count, COLUMNS),
    )
    return drawn(described, theme=theme)


class _RuleRow(NamedTuple):
    """A rule, from the score of whole lists to that of lists it cuts."""

    name: str
    mean: float
    low: float
    high: float
    group: str

    @property
    def word(self) -> str:
        """Whether that is significant."""
        return _WORDS.get(self.group, "")


def _rows(one: RuleComparison) -> Iterator[_RuleRow]:
    start = one.mean_whole
    for outcome in one.outcomes:
        yield _RuleRow(
            f"{outcome.name}: {outcome.mean_length:.1f}",
            outcome.mean,
            min(start, outcome.mean),
            max(start, outcome.mean),
            EFFECTS[one.effect(outcome.name)] if outcome.name in one else REFERENCE,
        )
