"""Systems with their intervals, or their differences from a baseline."""

from __future__ import annotations

from dataclasses import replace

from truerank.data.errors import InputError
from truerank.data.printing import counted, readable
from truerank.questions.compare.answer import BETTER, WORSE, Comparison, MeasureComparison
from truerank.questions.compare.words import intervals_by
from truerank.report.plots.chart import Plot
from truerank.report.plots.marks import Interval, intervals, rule
from truerank.report.plots.panels import Layer, Panel, PlotAxis, extent, figure
from truerank.report.plots.theme import Key, Theme, chosen

_ROW, _WIDTH, _COLUMNS = 18, 360, 2
_ROOM = 0.05
"""Of the range of values, left free at both ends."""
_GROUPS = {BETTER: "significantly better", WORSE: "significantly worse", "": "not significant"}


def plot_comparison(answer: Comparison, show: str | None = None, *, theme: str = "light") -> Plot:
    """A panel a measure: "differences" from a single baseline with their intervals, or means of "systems"."""
    if show not in (None, "differences", *answer.sheets):
        raise InputError(f"show={show!r} is not one of systems, differences")
    baseline = _baseline(answer)
    if show == "differences" and baseline is None:
        raise InputError("differences are drawn from one baseline; name one")
    apart = baseline is not None and show != "systems"
    look = chosen(theme)
    # Neighbours in the palette are shades; better and worse are opposites.
    opposite = replace(look, palette=(look.palette[0], look.palette[3], look.quiet))
    key = Key(opposite, groups=tuple(_GROUPS.values()), symbol="circle") if apart else Key(look)
    panels = [
        Panel(
            _differences(each, key, look) if apart else _means(each, key),
            width=_WIDTH,
            height=_ROW * (len(each.asked) if apart else len(each.runs)),
        )
        for each in answer.values()
    ]
    level = f"{100 * answer.settings.confidence:g}% intervals"
    by = intervals_by(answer) if apart else "t"
    topics = " or ".join(dict.fromkeys(str(len(each.topics)) for each in answer.values()))
    title = _title(answer) if baseline is None or not apart else _apart(answer, baseline)
    of = "differences of means" if apart else "means"
    significant = f"; {answer.settings.title}, {answer.settings.correction_title}" if apart else ""
    caption = f"{topics} topics, {of} with {level} by {by}{significant}"
    columns = min(_COLUMNS, len(panels))
    ranking = [first.runs[at] for at in first.order] if (first := next(iter(answer.values()), None)) else []
    return figure(panels, look, columns=columns, title=readable(title), caption=readable(caption), ranking=ranking)


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


def _means(each: MeasureComparison, key: Key) -> tuple[Layer, ...]:
    drawn = [Interval(one.run, one.mean, one.low, one.high) for one in each.systems.values()]
    return intervals(drawn, PlotAxis(each.by.label, _span(drawn), nice=False), key)


def _differences(each: MeasureComparison, key: Key, look: Theme) -> tuple[Layer, ...]:
    order = {each.runs[at]: place for place, at in enumerate(each.order)}
    pairs = sorted(each.pairs, key=lambda pair: order[pair.b])
    drawn = [
        Interval(pair.b, pair.difference, pair.low, pair.high, _GROUPS.get(pair.verdict, _GROUPS[""])) for pair in pairs
    ]
    axis = PlotAxis(f"Difference in {each.by.label}", _span([*drawn, Interval("", 0.0, 0.0, 0.0)]), nice=False)
    return *rule(0.0, axis, look.quiet), *intervals(drawn, axis, key)


def _span(drawn: list[Interval]) -> tuple[float, float]:
    return extent([end for one in drawn for end in (one.low, one.x, one.high)], room=_ROOM)
