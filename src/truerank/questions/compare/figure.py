"""Systems with their intervals, or their differences from a baseline."""

from __future__ import annotations

from truerank.data.errors import InputError
from truerank.data.printing import counted
from truerank.questions.compare.answer import BETTER, WORSE, Comparison, MeasureComparison
from truerank.questions.compare.words import intervals_by
from truerank.report.figures import Figure, FigureAxis, FigurePanel, IntervalMarks
from truerank.report.plots.chart import Plot
from truerank.report.plots.kinds import drawn

_ROW, _WIDTH, _COLUMNS = 18, 360, 2
_GROUPS = {BETTER: "significantly better", WORSE: "significantly worse", "": "not significant"}


def plot_comparison(answer: Comparison, show: str | None = None, *, theme: str = "light") -> Plot:
    """A panel a measure: "differences" from a single baseline with their intervals, or means of "systems"."""
    if show not in (None, "differences", *answer.sheets):
        raise InputError(f"show={show!r} is not one of systems, differences")
    baseline = _baseline(answer)
    if show == "differences" and baseline is None:
        raise InputError("differences are drawn from one baseline; name one")
    apart = baseline is not None and show != "systems"
    level = f"{100 * answer.settings.confidence:g}% intervals"
    by = intervals_by(answer) if apart else "t"
    topics = " or ".join(dict.fromkeys(str(len(each.topics)) for each in answer.values()))
    title = _title(answer) if baseline is None or not apart else _apart(answer, baseline)
    of = "differences of means" if apart else "means"
    significant = f"; {answer.settings.title}, {answer.settings.correction_title}" if apart else ""
    caption = f"{topics} topics, {of} with {level} by {by}{significant}"
    ranking = [first.runs[at] for at in first.order] if (first := next(iter(answer.values()), None)) else []
    kind = IntervalMarks(
        name="b" if apart else "run",
        value="difference" if apart else "mean",
        low="low",
        high="high",
        group=(lambda pair: _GROUPS.get(pair.verdict, _GROUPS[""])) if apart else None,
        zero=apart,
        width=_WIDTH,
        row=_ROW,
    )
    described = Figure(
        kind=kind,
        panels=[_differences(each) if apart else _means(each) for each in answer.values()],
        title=title,
        caption=caption,
        groups=tuple(_GROUPS.values()) if apart else (),
        opposite=apart,
        columns=min(_COLUMNS, len(answer)),
        ranking=tuple(ranking),
    )
    return drawn(described, theme=theme)


def _title(answer: Comparison) -> str:
    """Who leads, if it is one run by all measures."""
    tops = {each.runs[each.order[0]] for each in answer.values() if len(each.order) > 1}
    if len(tops) != 1:
        return "Systems compared"
    [top] = tops
    if len(answer) > 1:
        return f"{top} leads by all {len(answer)} measures"
    [each] = answer.values()
    others, better = len(each.order) - 1, int(each.better[each.order[0]].sum())
    than = f"all {others}" if better == others else f"{better} of {others}"
    return f"{top} leads by {each.by.label}, significantly better than {than} others"


def _apart(answer: Comparison, baseline: str) -> str:
    """How many runs differ from the baseline, where there is one measure."""
    if len(answer) > 1:
        return f"Differences from {baseline}"
    [each] = answer.values()
    if len(each.pairs) == 1:
        [pair] = each.pairs
        is_ = {BETTER: "is significantly better than", WORSE: "is significantly worse than"}
        return f"{pair.b} {is_.get(pair.verdict, 'cannot be told apart from')} {baseline} by {each.by.label}"
    verdicts = [pair.verdict for pair in each.pairs]
    counts = f"{verdicts.count(BETTER)} significantly better than {baseline}, {verdicts.count(WORSE)} worse"
    return f"Of {counted(len(verdicts), 'run')} {counts}"


def _baseline(answer: Comparison) -> str | None:
    """The one run that all others are compared with, if there is one."""
    if len(answer.baselines) == 1:
        return answer.baselines[0]
    return answer.runs[0] if len(answer.runs) == 2 else None


def _means(each: MeasureComparison) -> FigurePanel:
    return FigurePanel(rows=[*each.systems.values()], x=FigureAxis(title=each.by.label))


def _differences(each: MeasureComparison) -> FigurePanel:
    order = {each.runs[at]: place for place, at in enumerate(each.order)}
    pairs = sorted(each.pairs, key=lambda pair: order[pair.b])
    return FigurePanel(rows=pairs, x=FigureAxis(title=f"Difference in {each.by.label}"))
