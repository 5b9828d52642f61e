"""Differences of two runs, a bar a topic, the largest first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truerank.data.errors import InputError
from truerank.data.extras import needed
from truerank.data.printing import counted, readable
from truerank.questions.diff.question import Diff, Difference
from truerank.report.digits import figures, rounded
from truerank.report.plots.chart import Plot
from truerank.report.plots.marks import Bar, bars, over_bars
from truerank.report.plots.panels import Layer, Panel, PlotAxis, figure, numbers
from truerank.report.plots.theme import Key, Theme, chosen

_WIDTH, _HEIGHT = 640, 220
NAMED = 80
"""Bars up to which each has its name beside it; of more, the two ends have."""
BARS = 320
"""Bars that can be told apart; of more topics, each bar is the mean of some that follow one another."""


def plot_diff(answer: Diff, *, theme: str = "light") -> Plot:
    """A panel per measure, a bar per topic: the score of b minus that of a, from the largest to the smallest."""
    if not len(answer):
        raise InputError("there is nothing to draw; give at least one measure")
    look = chosen(theme)
    # Neighbours in the palette are shades; here they are opposites.
    key = Key(
        replace(look, palette=(look.palette[0], look.palette[3])),
        groups=(f"{answer.b} is better", f"{answer.a} is better"),
        symbol="square",
    )
    several = len(answer) > 1
    panels = [
        Panel(_layers(each, key, look), _head(each) if several else "", _WIDTH, _HEIGHT) for each in answer.values()
    ]
    caption = (
        f"{_bars(len(answer.topics))}: the score of {answer.b} minus that of {answer.a}; "
        "the dashed line is the difference of means"
    )
    if not several:
        [each] = answer.values()
        low, high = figures((each.mean_a, each.mean_b))
        caption += f", from {low} to {high}"
    return figure(panels, look, title=readable(_title(answer)), caption=readable(caption))


def _title(answer: Diff) -> str:
    """What is seen, where there is one measure."""
    if len(answer) > 1:
        return f'"{answer.b}" against "{answer.a}", topic by topic'
    [each] = answer.values()
    level = f", with {each.level} equal" if each.level else ""
    return f'"{answer.b}" is better on {counted(each.wins, "topic")}, "{answer.a}" on {each.losses}{level}'


def _bars(topics: int) -> str:
    each = _each(topics)
    said = counted(topics, "topic")
    return f"{said}, one bar each" if each == 1 else f"{said}, each bar the mean of {each}"


def _each(topics: int) -> int:
    """How many topics a bar stands for."""
    return max(-(-topics // BARS), 1)


def _layers(each: Difference, key: Key, look: Theme) -> tuple[Layer, ...]:
    values, names = _sorted(each)
    span = (min(0.0, float(values.min(initial=0.0))), max(0.0, float(values.max(initial=0.0))))
    x = PlotAxis(
        # Names beside the first and the last bar do not reach the edges.
        "Topics, by difference",
        (-1.2, max(len(names), 1) + 0.2),
        ticks=(),
        labels=False,
        nice=False,
        names=names,
    )
    y = PlotAxis(f"Difference in {each.by.label}", span if span[1] > span[0] else (-1.0, 1.0))
    good = each.by.sign
    drawn = [
        Bar(place - 0.5, place + 0.5, value, key.groups[0 if good * value > 0 else 1], names[place])
        for place, value in enumerate(values.tolist())
        if value
    ]
    mean: tuple[Layer, ...] = ()
    if each.by.averages:
        mean = over_bars(each.difference, y, look, text=f"mean {rounded(each.difference, 3, sign=True)}", width=_WIDTH)
    upright = len(names) <= NAMED
    named = drawn if upright else [*drawn[:1], *drawn[-1:]]
    return bars(drawn, x, y, key), *mean, *_names(named, x, y, look, upright=upright)


def _sorted(each: Difference) -> tuple[np.ndarray, tuple[str, ...]]:
    """Heights of the bars, and what they stand for."""
    known = np.flatnonzero(~np.isnan(each.differences))
    order = known[np.argsort(-each.differences[known], kind="stable")]
    names = [readable(each.topics[at]) for at in order.tolist()]
    step = _each(len(each.topics))
    first = range(0, len(order), step)
    heights = [float(each.differences[order[at : at + step]].mean()) for at in first]
    some = (names[at : at + step] for at in first)
    return np.array(heights), tuple(part[0] if len(part) == 1 else f"{part[0]} ... {part[-1]}" for part in some)


def _names(named: list[Bar], x: PlotAxis, y: PlotAxis, look: Theme, *, upright: bool) -> tuple[Layer, ...]:
    """Names of topics, on the side of the axis where their bars are not."""
    alt = needed("altair", "a figure")
    rows = [
        {"x": numbers([(one.low + one.high) / 2])[0], "y": 0.0, "name": one.name, "below": one.y < 0} for one in named
    ]
    base = alt.Chart().encode(alt.X("x:Q", **x.encoding()), alt.Y("y:Q", **y.encoding()), text=alt.Text("name:N"))
    style = {"fontSize": 8.5, "baseline": "middle"}
    if upright:
        style |= {"angle": 270, "align": _if_below("left", "right"), "dx": _if_below(4, -4)}
    else:
        style |= {"align": _if_below("right", "left"), "dy": _if_below(-8, 8)}
    # What lies below a name, as the line of the difference of means, is not to strike it out.
    below = base.mark_text(**style, color=look.background, stroke=look.background, strokeWidth=4, aria=False)
    return Layer(below, rows), Layer(base.mark_text(**style, color=look.quiet), rows)


def _if_below(yes: str | int, no: str | int) -> object:
    return needed("altair", "a figure").expr(f"datum.below ? {yes!r} : {no!r}")


def _head(each: Difference) -> str:
    counts = f"{counted(each.wins, 'topic')} better, {each.losses} worse, {each.level} equal"
    return f"{each.by.label}: {' to '.join(figures((each.mean_a, each.mean_b)))}, {counts}"
