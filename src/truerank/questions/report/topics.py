"""Scores of topics, as a section of a page: a heat map of topics and runs, the hardest topic on top."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.printing import counted
from truerank.questions.evaluate.question import Scores
from truerank.report.pages.html import packed
from truerank.report.pages.section import Link, Listing, PageCell, Shade, Shades, level
from truerank.report.table import Column

NUMBERS = 30
"""Runs up to which a heat map has a number in every cell."""
LARGEST = 150_000
"""Cells of all heat maps up to which they have every run; beyond, the best ``FEW``, and quantiles of all."""
FEW = 50
QUANTILES = (0, 25, 50, 75, 100)
NONE = -(1 << 15)
DIGITS = 3


@dataclass(frozen=True, eq=False)
class TopicValues:
    """The scores of runs on topics by a measure, the best run first and the hardest topic first."""

    measure: str
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats
    """Topics x runs; NaN where undefined."""
    means: Floats
    """Of each topic over the runs."""
    sign: float
    cells: int
    """Of the heat maps of all measures."""

    @classmethod
    def of(cls, found: Scores, measure: str) -> TopicValues:
        """Those of all runs."""
        by = found.wanted[found.measures.index(measure)]
        order = found.ranked(measure)
        scores = [found[run][measure].per_topic for run in order]
        values = np.array([[each.get(topic, math.nan) for each in scores] for topic in found.topics])
        known = np.isfinite(values).sum(axis=1)
        means = np.divide(np.nansum(values, axis=1), known, out=np.full(len(values), np.nan), where=known > 0)
        # Topics that are as hard as each other stay as they are in the judgments; undefined ones come last.
        hardest = np.argsort(np.where(np.isnan(means), np.inf, by.sign * means), kind="stable")
        names = tuple(found.topics[at] for at in hardest.tolist())
        return cls(
            measure=measure,
            runs=tuple(order),
            topics=names,
            values=values[hardest],
            means=means[hardest],
            sign=by.sign,
            cells=values.size * len(found.wanted),
        )

    @property
    def scale(self) -> tuple[float, float]:
        """The values of the palest and of the darkest colour."""
        known = self.values[np.isfinite(self.values)]
        low, high = min(0.0, float(known.min(initial=0.0))), float(known.max(initial=0.0))
        return (low, high or 1.0) if self.sign > 0 else (high or 1.0, low)

    @property
    def too_many(self) -> bool:
        """Whether there are too many cells for all of them to be shown."""
        return self.cells > LARGEST and len(self.runs) > FEW


def heat_map(found: TopicValues, name: str, place_of: Callable[[str], str]) -> Listing:
    """A row a topic; a click on it opens the topic, whose place in the page is ``place_of`` it."""
    low, high = found.scale
    shown = found.runs[:FEW] if found.too_many else found.runs
    legend = (f"{low:.2g} {found.measure}", f"{high:.2g}")
    columns = [
        Column("topic", meaning="the topic; a click opens it"),
        Column("mean", number=True, meaning="of all runs"),
    ]
    quantiles = found.too_many
    if quantiles:
        columns += [Column(f"q{share}", head=_quantile(share), number=True) for share in QUANTILES]
    drawn = len(shown) > NUMBERS
    if drawn:
        head = f"{len(shown)} runs, from {shown[0]} to {shown[-1]}"
        columns.append(Column("runs", head=head, form="shades", meaning="one cell for each run, the best mean first"))
    else:
        columns += [Column(run, meaning=f"{found.measure} of {run}", number=True) for run in shown]
    rows: list[tuple[PageCell, ...]] = []
    for topic, mean, values in zip(found.topics, found.means.tolist(), found.values, strict=True):
        cells: list[PageCell] = [Link(topic, place_of(topic)), _number(mean)]
        if quantiles:
            known = values[np.isfinite(values)]
            cells += [_number(float(np.percentile(known, share)) if len(known) else math.nan) for share in QUANTILES]
        levels = [level(value, low, high) for value in values[: len(shown)].tolist()]
        if drawn:
            cells.append(Shades(tuple(levels)))
        else:
            cells += [
                Shade(_number(value), each) for value, each in zip(values[: len(shown)].tolist(), levels, strict=True)
            ]
        rows.append(tuple(cells))
    said = f"{found.measure} of {counted(len(found.topics), 'topic')}, the hardest first"
    if len(shown) > 1:
        said += f", by {len(shown)} runs, the best first"
    if quantiles:
        said += f"; there are {len(found.runs)}, of which the others are told by quantiles"
    return Listing(
        name=name,
        caption=said,
        columns=tuple(columns),
        rows=rows,
        measure=found.measure,
        of="topic",
        dense=True,
        legend=legend,
        data=_pointed(found, shown) if drawn else {},
    )


def _pointed(found: TopicValues, shown: Sequence[str]) -> dict[str, object]:
    """What a script says of the cell that is pointed at."""
    values = found.values[:, : len(shown)]
    digits = DIGITS
    while digits and np.nanmax(np.abs(values), initial=0.0) * 10**digits >= -NONE:
        digits -= 1
    whole = np.where(
        np.isfinite(values), np.clip(np.round(np.nan_to_num(values) * 10**digits), NONE + 1, -NONE - 1), NONE
    )
    return {"runs": [*shown], "digits": digits, "cells": packed(int(one) for one in whole.ravel().tolist())}


def _quantile(share: int) -> str:
    return {0: "least", 50: "median", 100: "most"}.get(share, f"{share}%")


def _number(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.2f}" if abs(value) < 100 else f"{value:.0f}"
