"""Runs with their differences from a baseline or the best one, the ranks that they can have, or their means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from truerank.data.errors import InputError
from truerank.data.printing import counted
from truerank.questions.compare.answer import BETTER, FEW, WORSE, Comparison, MeasureComparison
from truerank.questions.compare.verdicts import verdict
from truerank.questions.compare.words import intervals_by, percent_of
from truerank.report.figures import Figure, FigureAxis, FigurePanel, IntervalMarks
from truerank.report.plots.chart import Plot
from truerank.report.plots.kinds import drawn

_ROW, _WIDTH, _COLUMNS = 18, 360, 2
_OPEN = "not significant"
_GROUPS = (BETTER, WORSE, _OPEN)
_WORDS = {BETTER: BETTER, WORSE: WORSE}
"""What stands at the end of a row; of runs that are not told apart, nothing."""


def plot_comparison(answer: Comparison, show: str | None = None, *, theme: str = "light") -> Plot:
    """A panel a measure: "differences" from the baseline or the best run, possible ranks of many, or "systems"."""
    if show not in (None, "differences", *answer.sheets):
        raise InputError(f"show={show!r} is not one of systems, differences")
    what = "means" if show == "systems" else _usual(answer, show)
    panels = {"means": _means, "differences": _differences, "ranks": _ranks}[what](answer)
    ranking = [first.runs[at] for at in first.order] if (first := next(iter(answer.values()), None)) else []
    described = Figure(
        kind=IntervalMarks(
            value="value",
            low="low",
            high="high",
            group="group",
            word="word",
            zero=what == "differences",
            width=_WIDTH,
            row=_ROW,
        ),
        panels=panels,
        title=verdict(answer).removesuffix("."),
        caption=_caption(answer, what),
        groups=_GROUPS,
        opposite=True,
        columns=min(_COLUMNS, len(answer)),
        ranking=tuple(ranking),
    )
    return drawn(described, theme=theme)


class _DrawnRun(NamedTuple):
    """A row of the figure."""

    run: str
    value: float
    low: float
    high: float
    group: str
    word: str


def _usual(answer: Comparison, show: str | None) -> str:
    """Differences, unless runs are many or have several baselines."""
    if len(answer.baselines) > 1:
        if show == "differences":
            raise InputError("differences are drawn from one baseline; name one")
        return "means"
    ranked = answer.settings.ranks or len(answer.runs) > FEW
    if show is None and not answer.baselines and ranked and all(each.ranks is not None for each in answer.values()):
        return "ranks"
    return "differences"


def _caption(answer: Comparison, what: str) -> str:
    """What is drawn."""
    topics = counted(max((len(each.topics) for each in answer.values()), default=0), "topic")
    level = f"{100 * answer.settings.confidence:g}% intervals"
    if what == "means":
        return f"{topics}, means with {level} by t; these do not tell whether two runs differ"
    if what == "ranks":
        return (
            f"{topics}, a dot at the rank by the mean, a line over the ranks that are possible ({percent_of(answer)})"
        )
    whom = _reference(answer)
    significant = (
        f"significant at {answer.settings.alpha:g} by {answer.settings.title}, {answer.settings.correction_title}"
    )
    return (
        f"{topics}, mean minus that of {whom or 'the best run'}, with {level} by {intervals_by(answer)}; "
        f"a word where that is {significant}"
    )


def _reference(answer: Comparison) -> str:
    """The run that all others are compared with; "" for the best one by each measure."""
    if answer.baselines:
        return answer.baselines[0]
    return answer.runs[0] if len(answer.runs) == 2 else ""


def _means(answer: Comparison) -> list[FigurePanel]:
    return [
        FigurePanel(
            rows=[_DrawnRun(one.run, one.mean, one.low, one.high, _OPEN, "") for one in each.systems.values()],
            x=FigureAxis(title=each.measure),
        )
        for each in answer.values()
    ]


def _ranks(answer: Comparison) -> list[FigurePanel]:
    return [
        FigurePanel(
            rows=[
                _DrawnRun(one.run, one.rank, one.rank_low, one.rank_high, *_could_be(one.rank_low))
                for one in each.systems.values()
                if one.rank_low is not None and one.rank_high is not None
            ],
            x=FigureAxis(title=f"Possible ranks by {each.measure}", domain=(0.5, len(each.runs) + 0.5)),
        )
        for each in answer.values()
    ]


def _could_be(best_rank: int) -> tuple[str, str]:
    return (BETTER, "could be best") if best_rank == 1 else (_OPEN, "")


def _differences(answer: Comparison) -> list[FigurePanel]:
    reference = _reference(answer)
    panels = []
    for each in answer.values():
        whom = each.runs.index(reference) if reference else each.order[0]
        title = f"Difference in {each.measure} from {each.runs[whom]}"
        panels.append(FigurePanel(rows=[*_from(each, whom, named=not reference)], x=FigureAxis(title=title)))
    return panels


def _from(each: MeasureComparison, whom: int, *, named: bool) -> Iterator[_DrawnRun]:
    """The runs, the best first; that which the others are compared with is at 0, if it is among them."""
    for at in each.order:
        if at != whom:
            pair = each.of(at, whom)
            group = _WORDS.get(pair.verdict, "")
            yield _DrawnRun(each.runs[at], pair.difference, pair.low, pair.high, group or _OPEN, group)
        elif named:
            yield _DrawnRun(each.runs[at], 0.0, 0.0, 0.0, _OPEN, "leads")
