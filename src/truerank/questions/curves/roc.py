"""Hits against false alarms: the receiver operating characteristic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.analysis.tradeoffs.reading import Reader
from truerank.data.arrays import Floats, distinct
from truerank.data.rankings import Rankings
from truerank.measures.auc import AUC

GRID = 101
"""Points at which curves of several topics are averaged."""


@dataclass(frozen=True, eq=False)
class RocCurve:
    """Shares of relevant documents against shares of the others, as a list is read from the top down.

    The others are the documents of the list that are not relevant, judged or not. Relevant documents that were not
    retrieved stand below all of them, so that the curve ends at (1, 1) with a rise. Tied documents make a slope.
    """

    fpr: Floats
    """Share of the others that have been read."""
    tpr: Floats
    """Share of relevant documents that have been read; over several topics a mean at the same ``fpr``."""
    auc: float
    """As the measure AUC has it: the area under the curve."""
    relevant: float
    """How many relevant documents there are, a mean over topics."""
    others: float
    """How many other documents the list has, a mean over topics."""

    def at(self, fpr: float) -> float:
        """Share of relevant documents read when that share of the others has been; NaN where there is no curve."""
        if not len(self.fpr):
            return float("nan")
        return float(_at(self.fpr, self.tpr, np.array([fpr]))[0])

    def as_dict(self) -> dict[str, Any]:
        """Everything by name."""
        plain = {name: getattr(self, name) for name in ("auc", "relevant", "others")}
        return {"fpr": self.fpr.tolist(), "tpr": self.tpr.tolist(), **plain}


def roc_curve(reader: Reader, *, rel: float) -> RocCurve:
    """The curve of a run: exact for one topic, and for several the mean at equal shares of false alarms."""
    measure = AUC(rel=rel)
    undefined = reader.undefined(measure)
    topics = reader.views.topics
    rows: dict[int, tuple[Rankings, int]] = {}
    for r in reader.views.lists(measure):
        rows |= {topic: (r, row) for row, topic in enumerate(r.topic.tolist())}
    counts = np.array([_counts(*rows[topic], measure) for topic in topics.tolist()]).reshape(len(topics), 2)
    mean = counts.mean(axis=0) if len(counts) else np.zeros(2)
    curves = [
        points(*rows[topic], measure) if not none else (np.zeros(0), np.zeros(0))
        for topic, none in zip(topics.tolist(), undefined.tolist(), strict=True)
    ]
    if len(curves) == 1:
        fpr, tpr = curves[0]
    else:
        fpr = np.linspace(0.0, 1.0, GRID)
        read = np.array([_at(*each, fpr) if len(each[0]) else np.zeros(GRID) for each in curves])
        # Just before the end, where only those are left that were not retrieved.
        before = np.array([_before(*each) if len(each[0]) else 0.0 for each in curves])[:, None]
        every = reader.settled(np.column_stack([np.zeros(len(before)), read[:, :-1], before, read[:, -1]]), undefined)
        tpr = every.mean(axis=0) if len(every) else np.full(GRID + 2, np.nan)
        fpr = np.concatenate([[0.0], fpr[:-1], [1.0, 1.0]])
    return RocCurve(fpr, tpr, reader.mean(measure), *mean.tolist())


def points(r: Rankings, row: int, measure: AUC) -> tuple[Floats, Floats]:
    """Corners of the curve of one list: where tie groups with relevant documents begin and end.

    >>> points(Rankings.single([1, 0, 1, 0], groups=[0, 1, 1, 2]), 0, AUC())
    (array([0. , 0. , 0.5, 1. ]), array([0. , 0.5, 1. , 1. ]))
    """
    x = r.gains(measure.gain(r))[row]
    relevant, others = _counts(r, row, measure)
    corners = [(0.0, 0.0)]
    for first in distinct(r.start[row][x > 0]).tolist():
        group = r.start[row] == first
        hits = corners[-1][1]
        corners.append((first - 1 - hits, hits))
        last = float(r.stop[row][group][0])
        corners.append((last - hits - x[group].sum(), hits + x[group].sum()))
    hits = corners[-1][1]
    corners += [(others, hits), (others, relevant)]
    kept = [corner for place, corner in enumerate(corners) if not place or corner != corners[place - 1]]
    found = np.array(kept)
    return found[:, 0] / others, found[:, 1] / relevant


def _counts(r: Rankings, row: int, measure: AUC) -> tuple[float, float]:
    hits = float(r.gains(measure.gain(r))[row].sum())
    return float(r.relevant(measure.gain(r))[row, 0]), float(r.length[row]) - hits


def _at(x: Floats, y: Floats, wanted: Floats) -> Floats:
    """Height of a curve at some places; where it rises straight up, the top."""
    left = np.minimum(np.searchsorted(x, wanted, side="right") - 1, len(x) - 1)
    right = np.minimum(left + 1, len(x) - 1)
    width = x[right] - x[left]
    share = np.divide(wanted - x[left], width, out=np.zeros(len(wanted)), where=width > 0)
    height: Floats = y[left] + share * (y[right] - y[left])
    return height


def _before(x: Floats, y: Floats) -> float:
    """Height of a curve as it comes to its right end."""
    return float(y[np.searchsorted(x, x[-1])])
