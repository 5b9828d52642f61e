"""Figures: scores against the depth of evaluation, after Lu, Moffat & Culpepper 2016, and how stable orderings are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from truerank.data.errors import InputError
from truerank.data.printing import counted, readable
from truerank.questions.depth.question import Curves, Stability
from truerank.report.plots.chart import Plot
from truerank.report.plots.marks import Dot, Line, dots, ends, lines, rule
from truerank.report.plots.panels import HEIGHT, WIDTH, Layer, Panel, PlotAxis, extent, figure
from truerank.report.plots.theme import Key, Theme, chosen

if TYPE_CHECKING:
    from truerank.data.arrays import Floats, Rows

FEW = 7
"""Runs that all have a colour."""
COLUMNS = 3
"""Runs beside each other in the key."""
SCALES = ("log", "linear")
_STEPS = 48
"""Depths that a line goes through: with more of them it looks the same."""
_UNJUDGED = {
    "nonrelevant": "unjudged documents count as not relevant",
    "condensed": "unjudged documents taken out",
}


def coloured(curves: Curves) -> dict[str, str]:
    """The runs that have a colour, the same in every panel, with what the key says of them.

    Of few runs all have one; of more, those at the quartiles of the last depth by the first measure.
    """
    picked = curves.picked(curves.measures[0])
    if len(curves) <= FEW:
        return {run: run for run in ranked(curves)}
    return {run: f"{run} ({place})" for run, place in picked.items()}


def ranked(curves: Curves) -> list[str]:
    """The runs, the best at the last depth by the first measure first."""
    sign, last = curves.wanted[0].sign, curves.means(curves.measures[0])[:, -1]
    merit = dict(zip(curves, (sign * last).tolist(), strict=True))
    return sorted(merit, key=lambda run: (merit[run] != merit[run], -merit[run], run))


def leads(curves: Curves, measure: str) -> str:
    """Who leads at the last depth, and from which depth on."""
    sign = curves.wanted[curves.measures.index(measure)].sign
    runs, means = list(curves), sign * curves.means(measure)
    first = np.argmax(np.where(np.isnan(means), -np.inf, means), axis=0)
    last = int(first[-1])
    changes = np.flatnonzero(first != last)
    if not len(changes):
        return f"{runs[last]} leads at every depth"
    since = int(changes[-1]) + 2
    return f"{runs[last]} leads from depth {since} on, {runs[int(first[since - 2])]} just before"


def plot_depth(
    curves: Curves,
    other: Curves | None = None,
    *,
    scale: str = "log",
    theme: str = "light",
    colours: Mapping[str, str] | None = None,
) -> Plot:
    """A row a measure, a line a system; some in colour, the same everywhere, and the depth of the pool dashed.

    ``other`` stands beside it in a second column on the same scale, as the condensed lists do in the paper; ``colours``
    are the runs in colour, where other figures have the same.
    """
    both = (curves,) if other is None else (curves, other)
    if other is not None and other.measures != curves.measures:
        raise InputError("the two curves are of different measures; evaluate both with the same ones")
    if not curves.measures or not all(map(len, both)):
        raise InputError("there is nothing to draw; give at least one run and one measure")
    look = chosen(theme)
    heads = _heads(both)
    deepest = max(one.max_depth for one in both)
    groups = coloured(curves) if colours is None else colours
    title = "" if len(curves) <= FEW else f"{curves.labelled(curves.measures[0])} at depth {deepest}:"
    key = Key(look, title, tuple(groups.values()), columns=COLUMNS)
    columns = 2 if len(both) > 1 or len(curves.measures) > 1 else 1
    panels: list[Panel] = []
    for measure, by in zip(curves.measures, curves.wanted, strict=True):
        # Forms of one measure stand side by side on one scale, as the paper's AP' and AP'' do.
        alike = [name for name, one in zip(curves.measures, curves.wanted, strict=True) if type(one) is type(by)]
        y = PlotAxis(by.label, reach([one.means(name) for one in both for name in alike]))
        for one in both:
            place = len(panels)
            x = depth_axis(deepest, scale, labels=place + columns >= len(curves.measures) * len(both))
            layers = _layers(one, measure, x, replace(y, titled=one is curves), key, scale, groups)
            head = heads[place] if place < len(heads) else ""
            dashed = pool(one.pool_depth, x, look, said=place < columns, told=one.deep_pool)
            panels.append(Panel((*layers, *dashed), head))
    return figure(
        panels,
        look,
        columns=columns,
        title=_title(curves),
        caption=_caption(both),
        ranking=ranked(curves),
    )


def depth_axis(deepest: int, scale: str, *, labels: bool = True) -> PlotAxis:
    """The axis of depths from 1 to the deepest."""
    if scale not in SCALES:
        raise InputError(f"scale={scale!r} is not a choice; take one of {', '.join(SCALES)}")
    domain = (1.0, float(max(deepest, 2)))
    if scale == "linear":
        return PlotAxis("Evaluation depth k", domain, titled=labels, labels=labels, nice=False)
    steps = (1, 2, 5) if deepest <= 1000 else (1,)
    ticks = tuple(step * 10.0**power for power in range(10) for step in steps if step * 10**power <= domain[1])
    return PlotAxis("Evaluation depth k", domain, log=True, ticks=ticks, titled=labels, labels=labels)


def depths_shown(deepest: int, scale: str, also: int | None = None) -> Rows:
    """Depths that make a line look as all of them would: dense where they lie apart on the axis.

    >>> depths_shown(12, "log").tolist()
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    >>> len(depths_shown(1000, "log"))
    41
    """
    steps = np.geomspace(1, deepest, _STEPS)
    if scale == "linear":
        # Scores move most at the first few depths, whatever the axis.
        steps = np.concatenate([steps[::2], np.linspace(1, deepest, _STEPS)])
    ends_ = [1, deepest, *([also] if also is not None and also <= deepest else [])]
    return np.array(sorted({*np.rint(steps).astype(int).tolist(), *ends_}), np.intp)


def reach(values: Sequence[Floats]) -> tuple[float, float]:
    """From 0, or what is below, to the largest of the values."""
    known = np.concatenate([one[np.isfinite(one)] for one in values])
    low, high = (min(0.0, float(known.min())), max(0.0, float(known.max()))) if known.size else (0.0, 1.0)
    return low, high if high > low else low + 1.0


def pool(depth: int | None, x: PlotAxis, look: Theme, *, said: bool = True, told: str = "") -> tuple[Layer, ...]:
    """The depth of the pool, where there is one on the axis, as it is ``told``."""
    if depth is None or x.domain is None or not x.domain[0] <= depth <= x.domain[1]:
        return ()
    return rule(depth, x, look.alarm, text=f"pool depth {told or depth}" if said else "")


def _layers(
    curves: Curves, measure: str, x: PlotAxis, y: PlotAxis, key: Key, scale: str, groups: Mapping[str, str]
) -> tuple[Layer, ...]:
    shown = depths_shown(curves.max_depth, scale, curves.pool_depth)
    means = curves.means(measure)[:, shown - 1]
    series = [Line(run, shown, line, groups.get(run, "")) for run, line in zip(curves, means, strict=True)]
    told = [one for one in series if one.group]
    return *lines(series, x, y, key), ends(told, y, key, width=WIDTH, height=HEIGHT)


def _heads(both: Sequence[Curves]) -> list[str]:
    """What sets two columns apart: the conventions in which they differ."""
    if len(both) == 1:
        return []
    choices = [one.conventions.as_dict() for one in both]
    axes = [axis for axis, value in choices[0].items() if value != choices[1][axis]]
    heads = [", ".join(_said(axis, choice[axis]) for axis in axes) for choice in choices]
    return [head[:1].upper() + head[1:] for head in heads]


def _said(axis: str, value: str | int | None) -> str:
    return _UNJUDGED.get(str(value), f"{axis}: {value}")


def _title(curves: Curves) -> str:
    """What is seen: who leads where, if one sentence says it of all measures."""
    seen = {leads(curves, measure) for measure in curves.measures}
    if len(seen) > 1 or len(curves) == 1:
        return "Scores by depth of evaluation"
    [said] = seen
    by = curves.labelled(curves.measures[0]) if len(curves.measures) == 1 else "all measures"
    return readable(f"{said} by {by}")


def _caption(both: Sequence[Curves]) -> str:
    systems, topics = max(map(len, both)), len(both[0].topics)
    caption = (
        f"{counted(systems, 'system')}, a line each: mean over {counted(topics, 'topic')} "
        "when lists are evaluated to depth k"
    )
    return caption if len(both) > 1 else f"{caption}; {_said('unjudged', both[0].conventions.unjudged)}"


_SIZE = {"width": 360, "height": 240}


def plot_stability(
    found: Sequence[Stability],
    *,
    alpha: float,
    pool_depth: int | None = None,
    scale: str = "log",
    theme: str = "light",
) -> Plot:
    """Two panels, a line a measure: Kendall's tau with the last ordering, and the share of pairs that differ.

    A dot is the depth from which on no significant difference at the last depth is reversed.
    """
    if not found:
        raise InputError("there is no measure to draw; give at least one")
    look = chosen(theme)
    x = depth_axis(max(len(one.tau_a) for one in found), scale)
    key = Key(look, "", tuple(one.measure for one in found))
    # Lines are read by their slope, and need no 0.
    taus, kept = np.concatenate([*(one.tau_a for one in found), [1.0]]), [one.discrimination for one in found]
    tau = PlotAxis("Kendall's tau with the last ordering", extent(taus))
    share = PlotAxis(f"Share of pairs that differ, p < {alpha:g}", extent(np.concatenate(kept)))
    layers = (
        *pool(pool_depth, x, look),
        *lines([_tau_line(one, scale, pool_depth) for one in found], x, tau, key, noun="measure"),
        dots(
            [
                Dot(one.measure, one.stable_from, one.stable_tau_a, one.measure)
                for one in found
                if one.stable_from is not None and one.stable_tau_a is not None
            ],
            x,
            tau,
            key,
            noun="measure",
        ),
    )
    shares = [Line(one.measure, one.checkpoints, one.discrimination, one.measure) for one in found]
    panels = [
        Panel(layers, "Agreement with the last depth", **_SIZE),
        Panel((*pool(pool_depth, x, look), *lines(shares, x, share, key, noun="measure")), "Discrimination", **_SIZE),
    ]
    caption = (
        "One line per measure; from the depth of its dot on, no significant difference at the last depth is reversed"
    )
    return figure(panels, look, columns=2, title="Stability of orderings by depth of evaluation", caption=caption)


def _tau_line(one: Stability, scale: str, pool_depth: int | None) -> Line:
    shown = depths_shown(len(one.tau_a), scale, pool_depth)
    if one.stable_from is not None:
        # The line goes through the dot, and through the depth before it.
        shown = np.union1d(shown, [max(one.stable_from - 1, 1), one.stable_from])
    return Line(one.measure, shown, one.tau_a[shown - 1], one.measure)
