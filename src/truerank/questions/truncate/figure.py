"""Best lengths, and scores of lists cut against whole ones, after Amigó, Mizzaro & Spina 2022, figures 2 and 3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from truerank.data.errors import InputError
from truerank.data.printing import counted
from truerank.questions.truncate.against import Against, means
from truerank.questions.truncate.question import RELEVANT, Cuts
from truerank.questions.truncate.work import signed_means
from truerank.report.figures import DotMarks, Figure, FigureAxis, FigurePanel, LineMarks, PlacedDot, Series
from truerank.report.plots.chart import Plot
from truerank.report.plots.kinds import drawn
from truerank.statistics.orders import agreement

if TYPE_CHECKING:
    from truerank.data.arrays import Floats

MOST = 12
"""Panels that are drawn without being asked for one by one."""
_LENGTHS = {"width": 640, "height": 190}
_SCATTER: dict[str, Any] = {"width": 260, "height": 220}


def plot_lengths(collections: Sequence[Cuts], *, theme: str = "light") -> Plot:
    """A panel a family of measures, a line a measure: the share of lists whose best length is in each bin.

    Of several collections it is the mean of their shares. The relevant documents of topics have a line in each panel.
    """
    first = collections[0]
    if not first.measures or not all(map(len, collections)):
        raise InputError("there is nothing to draw; give at least one run and one measure")
    bins = max((cuts.bins for cuts in collections), key=len)
    names = tuple(map(str, bins))
    place = [float(at) for at in range(len(bins))]
    groups = (*map(first.labelled, first.measures), RELEVANT)
    spread = {name: _mean([cuts.shares(name) for cuts in collections]) for name in first.measures}
    relevant = _mean([cuts.relevant_shares for cuts in collections])
    top = 100 * max(float(np.nanmax(one, initial=0.0)) for one in (*spread.values(), relevant))
    families = first.families
    panels = [
        FigurePanel(
            rows=[
                *(Series(first.labelled(name), place, (100 * spread[name]).tolist()) for name in members),
                Series(RELEVANT, place, (100 * relevant).tolist()),
            ],
            x=FigureAxis(
                title="Best length",
                domain=(0.0, len(bins) - 1.0),
                names=names,
                titled=family == [*families][-1],
            ),
            y=FigureAxis(title="Lists, %", domain=(0.0, top or 1.0), nice=True),
            title=family if len(families) > 1 else "",
        )
        for family, members in families.items()
    ]
    described = Figure(
        kind=LineMarks(noun="measure", width=_LENGTHS["width"], height=_LENGTHS["height"]),
        panels=panels,
        title="Where lists are best cut",
        caption=_caption(collections),
        groups=groups,
        aside=RELEVANT,
        in_a_row=max(2, _LENGTHS["width"] // (30 + 7 * max(map(len, groups)))),
    )
    return drawn(described, theme=theme)


def plot_scatter(found: Against, pairs: Sequence[tuple[str, str]] | None = None, *, theme: str = "light") -> Plot:
    """A panel a pair of measures, a dot a system, a colour a collection: whole lists across, lists cut upwards.

    The first of a pair is a measure of whole lists or, where none has that name, one that lists are cut by.
    """
    names = tuple(found.collections) if len(found.collections) > 1 else ()
    shown = _pairs(found) if pairs is None else pairs
    panels = [_panel(found, x, y) for x, y in shown]
    systems = sum(map(len, found.collections.values()))
    caption = f"{counted(systems, 'system')}, a dot each; tau is Kendall's tau-a"
    if names:
        caption = (
            f"{counted(systems, 'system')}, a dot each, a colour for each of {len(names)} collections; "
            "tau is Kendall's tau-a, the mean over collections"
        )
    described = Figure(
        kind=DotMarks(name="name", x="x", y="y", group="group" if names else None, **_SCATTER),
        panels=panels,
        title="Systems by whole lists and by lists at their best length",
        caption=caption,
        groups=names,
        columns=min(len(panels), 2 if len(panels) <= 4 else 3),
    )
    return drawn(described, theme=theme)


def _panel(found: Against, x: str, y: str) -> FigurePanel:
    for measure, known in ((x, (*found.whole_measures, *found.cut_measures)), (y, found.cut_measures)):
        if measure not in known:
            raise InputError(f"{measure} is not among the measures; there are {', '.join(dict.fromkeys(known))}")
    whole = x in found.whole_measures
    points = [
        PlacedDot(run, across, upwards, name)
        for name, cuts in found.collections.items()
        for run, across, upwards in zip(cuts, means(cuts, x, cut=not whole), means(cuts, y, cut=True), strict=True)
    ]
    tau = float(np.mean([_tau(cuts, x, y, whole=whole) for cuts in found.collections.values()]))
    return FigurePanel(
        rows=points,
        x=FigureAxis(title=f"{x}, {'whole lists' if whole else 'lists cut'}", room=0.0, nice=True),
        y=FigureAxis(title=f"{y}, lists cut", room=0.0, nice=True),
        title=f"tau {tau:.2f}" if tau == tau else "",
    )


def _pairs(found: Against) -> list[tuple[str, str]]:
    every = [(full, cut) for full in found.whole_measures for cut in found.cut_measures]
    if len(every) > MOST:
        raise InputError(f"{len(every)} pairs of measures are too many for a figure; give at most {MOST}")
    return every


def _tau(cuts: Cuts, x: str, y: str, *, whole: bool) -> float:
    return agreement(signed_means(cuts, x, cut=not whole), signed_means(cuts, y, cut=True)).tau_a


def _mean(spreads: Sequence[Floats]) -> Floats:
    """The mean of distributions, of which one may go further than another."""
    every = np.zeros((len(spreads), max(map(len, spreads))))
    for row, spread in zip(every, spreads, strict=True):
        row[: len(spread)] = spread
    mean: Floats = every.mean(axis=0)
    return mean


def _caption(collections: Sequence[Cuts]) -> str:
    systems = sum(map(len, collections))
    topics = sum(len(cuts.topics) for cuts in collections)
    of = f"Mean over {len(collections)} collections, " if len(collections) > 1 else ""
    return (
        f"{of}{counted(systems, 'system')}, {counted(topics, 'topic')}: "
        "share of lists by the length at which they score best, and of topics by their relevant documents"
    )
