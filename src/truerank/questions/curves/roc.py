"""Hits against false alarms: the receiver operating characteristic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Array, Floats, distinct
from truerank.data.rankings import Rankings
from truerank.measures.core.base import Measure
from truerank.questions.curves.answer import Roc, RocCurve
from truerank.questions.curves.topics import mean_of, named, only_topic
from truerank.track.facts import RunPart, observe
from truerank.track.lens import Lens
from truerank.track.parts import Part, per_topic
from truerank.track.track import Track
from truerank.track.values import values

GRID = 101
"""Points at which curves of several topics are averaged."""


@dataclass(frozen=True, eq=False, kw_only=True)
class CornersPart(Part):
    """The curve of each topic, by its corners."""

    corners: Array = per_topic()
    """Shares of false alarms and of hits, an array of shape (2, corners) a topic; without corners where undefined."""
    counts: Floats = per_topic()
    """Relevant documents that there are, others in the list, and relevant ones there."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RocPart(RunPart):
    """A run; its values are those of AUC."""

    curves: CornersPart


def look(lens: Lens, measures: Sequence[Measure], *, only: int | None) -> RocPart:
    """What is kept of a run, or of one topic of it."""
    lens = only_topic(lens, only)
    [measure] = measures
    auc = values(lens, measure)
    rows: dict[int, tuple[Rankings, int]] = {}
    for r in lens.lists(measure):
        rows |= {topic: (r, row) for row, topic in enumerate(r.topic.tolist())}
    counts = [_counts(*rows[topic], measure) for topic in lens.topics.tolist()]
    corners = np.empty(len(counts), object)
    for place, topic in enumerate(lens.topics.tolist()):
        corners[place] = np.zeros((2, 0)) if auc.undefined[place] else points(*rows[topic], measure)
    return RocPart(
        **vars(observe(lens, {str(measure): auc}, ties=False)),
        curves=CornersPart(topics=lens.topics, corners=corners, counts=np.array(counts).reshape(len(counts), 3)),
    )


def conclude(track: Track, parts: Sequence[RocPart], only: int | None, rel: float) -> Roc:
    """The curves of all runs."""
    return Roc(
        conventions=track.conventions,
        rel=rel,
        topics=named(track, only),
        curves=tuple(_curve(track, part) for part in parts),
        notices=track.notes(parts),
    )


def _curve(track: Track, part: RocPart) -> RocCurve:
    """The curve of a run: exact for one topic, and for several the mean at equal shares of false alarms."""
    [auc] = part.values.values()
    counts, corners = part.curves.counts, part.curves.corners
    relevant, others, _ = (counts.mean(axis=0) if len(counts) else np.zeros(3)).tolist()
    retrieved = counts[:, 2] / np.maximum(counts[:, 0], 1.0)
    # Where there are no pairs, none is in the wrong order.
    wrong = np.where(auc.undefined, 0.0, (1.0 - auc.value) * counts[:, 0] * counts[:, 1])
    if len(corners) == 1:
        fpr, tpr = corners[0]
    else:
        grid = np.linspace(0.0, 1.0, GRID)
        read = np.array([height_at(each[0], each[1], grid) if each.size else np.zeros(GRID) for each in corners])
        # Just before the end, where only those are left that were not retrieved.
        before = np.array([_before(each[0], each[1]) if each.size else 0.0 for each in corners])[:, None]
        every = np.column_stack([np.zeros(len(before)), read[:, :-1], before, read[:, -1]])
        tpr = mean_of(every, auc.undefined, track.conventions)
        fpr = np.concatenate([[0.0], grid[:-1], [1.0, 1.0]])
    return RocCurve(
        run=part.run,
        auc=auc.summary(track.conventions),
        relevant=relevant,
        others=others,
        # Whole numbers, or halves where there are ties, which shares of pairs come close to.
        discordant=float(np.round(2.0 * wrong, 6).mean() / 2.0) if len(wrong) else 0.0,
        found=float(mean_of(retrieved[:, None], auc.undefined, track.conventions)[0]),
        fpr=fpr,
        tpr=tpr,
    )


def points(r: Rankings, row: int, measure: Measure) -> Floats:
    """Corners of the curve of one list: where tie groups with relevant documents begin and end.

    >>> from truerank.measures.auc import AUC
    >>> points(Rankings.single([1, 0, 1, 0], groups=[0, 1, 1, 2]), 0, AUC()).tolist()
    [[0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0]]
    """
    x = r.gains(measure.gain(r))[row]
    relevant, others, _ = _counts(r, row, measure)
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
    found: Floats = np.array(kept).T / np.array([[others], [relevant]])
    return found


def _counts(r: Rankings, row: int, measure: Measure) -> tuple[float, float, float]:
    hits = float(r.gains(measure.gain(r))[row].sum())
    return float(r.relevant(measure.gain(r))[row, 0]), float(r.length[row]) - hits, hits


def height_at(x: Floats, y: Floats, wanted: Floats) -> Floats:
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
