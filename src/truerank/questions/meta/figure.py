"""How sure measures are, as curves; how alike, and which runs improve on which, as heat maps; what measures cover."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.printing import counted
from truerank.measures.grammar import parse
from truerank.questions.meta.consistency import RATE, falling
from truerank.questions.meta.question import Meta
from truerank.report.figures import DotMarks, Figure, FigureAxis, FigurePanel, HeatMarks, LineMarks, Series
from truerank.report.plots.chart import Plot
from truerank.report.plots.kinds import drawn

PANELS = {
    "summary": ("asl", "swaps"),
    "discrimination": ("asl",),
    "asl": ("asl",),
    "swap": ("swaps",),
    "bins": ("swaps",),
}
"""The curves that are drawn of a sheet."""
FEW, IN_COLOUR = 7, 5
"""Measures that all have a colour, and how many of more have one."""
_SIZE = {"width": 380, "height": 280}
_POINTS = 200
"""Pairs of runs that a line goes through."""
_TOP = 0.15
"""The largest p-value that is drawn: what matters is how soon a line gets small."""
_LITTLE = 0.001
"""The p-value from which on lines cannot be told apart."""
_CELL, _SMALL = 34, 12
"""Pixels of a cell of a heat map; where there are many, without a number in it."""
_MANY = 30
_ROW = 18
"""Pixels of a row of the figure of coverage."""


def plot_meta(found: Meta, show: str, *, theme: str = "light") -> Plot:
    """ASL curves after Sakai 2006 and swap rates after Voorhees & Buckley 2002, by measure, or tau in cells."""
    systems, topics = counted(len(found.systems), "system"), counted(len(found.topics), "topic")
    if show == "tau":
        caption = f"{systems}, {topics}: Kendall's tau-a; columns have the numbers of rows"
        return drawn(_tau(found, caption), theme=theme)
    if show == "uir":
        caption = f"{systems}, {topics}: ratio of the row over the column; columns have the numbers of rows"
        return drawn(_improvements(found, caption), theme=theme)
    if show == "coverage":
        caption = f"{systems}, {topics}: Spearman's rho of differences with unanimous improvements"
        return drawn(_coverage(found, caption), theme=theme)
    if show not in PANELS:
        drawn_of = ", ".join((*PANELS, "tau", "coverage", "uir"))
        raise InputError(f"there is no figure of {show}; choose one of {drawn_of}")
    panels = PANELS[show]
    curves = []
    if "asl" in panels:
        curves.append(_asl(found))
    if "swaps" in panels:
        curves.append(_swaps(found))
    named = coloured(found.ranked)
    some = "" if len(named) == len(found) else f" ({len(named)} of {len(found)} in colour)"
    caption = (
        f"{systems}, {topics}, one line per measure{some}, best mean rank first; the lower a line, the surer the "
        "measure"
    )
    title = "How sure measures are of differences"
    if "asl" in panels and len(found) > 1:
        best = max(found.values(), key=lambda one: one.discrimination)
        title = f"{_label(best.measure)} tells {best.discrimination:.0%} of pairs of systems apart, and none tells more"
    groups = tuple(map(_label, named))
    described = Figure(
        kind=LineMarks(
            noun="measure",
            group=lambda one: one.name if one.name in groups else "",
            width=_SIZE["width"],
            height=_SIZE["height"],
        ),
        panels=curves,
        title=title,
        caption=caption,
        groups=groups,
        in_a_row=max(3, len(panels) * _SIZE["width"] // (34 + 7 * max(map(len, groups)))),
        columns=len(panels),
    )
    return drawn(described, theme=theme)


def coloured(ranked: Sequence[str]) -> list[str]:
    """The measures that have a colour: all of a few; of more, the first, the last, and those between in equal steps.

    >>> coloured("abcdefghi")
    ['a', 'c', 'e', 'g', 'i']
    """
    if len(ranked) <= FEW:
        return [*ranked]
    return [ranked[round(step * (len(ranked) - 1) / (IN_COLOUR - 1))] for step in range(IN_COLOUR)]


def _label(measure: str) -> str:
    """What the figure calls a measure; one of a caller's own has no other name."""
    try:
        return parse(measure).label
    except InputError:
        return measure


def _asl(found: Meta) -> FigurePanel:
    alpha = found.settings.alpha
    top = max(_TOP, 1.5 * alpha)
    series, start, end = [], 1.0, 0.0
    for name in found.ranked:
        p = found[name].tests.p
        share = np.arange(len(p)) / len(p)
        low = np.flatnonzero(p <= top)
        if len(low):
            some = low[np.rint(np.linspace(0, len(low) - 1, min(_POINTS, len(low)))).astype(np.intp)]
            series.append(Series(_label(name), share[some].tolist(), p[some].tolist()))
            start, end = min(start, float(share[low[0]])), max(end, float(share[p >= _LITTLE].max(initial=0.0)))
    first, last = (start, end) if end > start else (0.0, 1.0)
    return FigurePanel(
        rows=[_within(one, last) for one in series],
        x=FigureAxis(title="Share of pairs of systems with a larger p", domain=(first, last), nice=True),
        y=FigureAxis(title="p-value of a pair", domain=(0.0, top), ticks=tuple(round(n * alpha, 9) for n in range(4))),
        title="Discriminative power",
        across=alpha,
    )


def _swaps(found: Meta) -> FigurePanel:
    series = []
    for name in found.ranked:
        swaps = found[name].swaps
        some = np.flatnonzero(swaps.count)
        reversed_ = falling(swaps.count, swaps.reversed)
        series.append(Series(_label(name), (100 * swaps.below[some]).tolist(), (100 * reversed_[some]).tolist()))
    # Of few comparisons more than half may be reversed, by chance.
    top = max((max(one.y, default=0.0) for one in series), default=0.0)
    highest = max(50.0, 10.0 * math.ceil(top / 10))
    return FigurePanel(
        rows=series,
        x=FigureAxis(title="Comparisons with a smaller difference, %", domain=(0.0, 100.0), nice=True),
        y=FigureAxis(title="Comparisons reversed on the other half, %", domain=(0.0, highest), nice=True),
        title="Swaps between halves of the topics",
        across=100 * RATE,
    )


def _within(one: Series, end: float) -> Series:
    """A line as far as the axis goes: past it, all are at the bottom."""
    points = [(a, b) for a, b in zip(one.x, one.y, strict=True) if a <= end]
    return Series(one.name, [a for a, _ in points], [b for _, b in points])


def _tau(found: Meta, caption: str) -> Figure:
    """A cell a pair of measures, those that agree near each other."""
    order, tau_a = found.correlations.order, found.correlations.tau_a
    names = [_label(found.measures[place]) for place in order.tolist()]
    title = "How alike measures order systems"
    return _pairs("tau_a", names, tau_a[np.ix_(order, order)], title, caption, noun="measures")


def _improvements(found: Meta, caption: str) -> Figure:
    """A cell a pair of systems, those that improve on most others first."""
    uir = found.unanimity.uir
    order = np.argsort(-uir.sum(axis=1), kind="stable")
    names = [[*found.systems][place] for place in order.tolist()]
    title = "Unanimous improvements of systems"
    return _pairs("uir", names, uir[np.ix_(order, order)], title, caption, noun="runs", opposite=True)


def _coverage(found: Meta, caption: str) -> Figure:
    """One row per measure, the one that covers most on top."""
    order = sorted(found.coverages, key=lambda one: (one.coverage != one.coverage, -one.coverage))
    kinds = {"coverage": "all pairs of topics", "sampled": f"{found.settings.pairs:,} pairs drawn"}
    rows = [
        _CoverageDot(_label(one.measure), value, place, kinds[name])
        for place, one in enumerate(order)
        for name in kinds
        if (value := getattr(one, name)) == value
    ]
    return Figure(
        kind=DotMarks(
            name="measure",
            x="coverage",
            y="place",
            group="pairs",
            noun="measure",
            width=_SIZE["width"],
            height=max(_ROW * len(order), 60),
        ),
        panels=[
            FigurePanel(
                rows=rows,
                x=FigureAxis(title="Coverage"),
                y=FigureAxis(
                    title="",
                    domain=(len(order) - 0.5, -0.5),
                    names=tuple(_label(one.measure) for one in order),
                    titled=False,
                ),
            )
        ],
        title="What measures cover",
        caption=caption,
        groups=tuple(kind for kind in kinds.values() if any(row.pairs == kind for row in rows)),
    )


class _CoverageDot(NamedTuple):
    """What a measure covers, by all pairs of topics or by some."""

    measure: str
    coverage: float
    place: int
    pairs: str


class _PairCell(NamedTuple):
    """A cell of a pair."""

    row: int
    column: int
    value: float
    text: str
    called: str


def _pairs(
    field: str, things: Sequence[str], values: Floats, title: str, caption: str, *, noun: str, opposite: bool = False
) -> Figure:
    """A cell a pair of things."""
    names = tuple(f"{n + 1} {thing}" for n, thing in enumerate(things))
    many = len(names) > _MANY
    # Numbers below small cells would run into each other.
    below = tuple(str(n + 1) if not many or (n + 1) % 5 == 0 else "" for n in range(len(names)))
    cells = [
        _PairCell(i, j, value, f"{round(value, 2) + 0.0:.2f}" if i != j else "", f"{names[i]} and {names[j]}")
        for i, row in enumerate(values.tolist())
        for j, value in enumerate(row)
    ]
    kind = HeatMarks(
        called="called",
        field=field,
        text=None if many else "text",
        noun=noun,
        cell=(_SMALL, _SMALL) if many else (_CELL, _CELL * 0.7),
        opposite=opposite,
    )
    panel = FigurePanel(rows=cells, x=FigureAxis(title="", names=below), y=FigureAxis(title="", names=names))
    return Figure(kind=kind, panels=[panel], title=title, caption=caption)
