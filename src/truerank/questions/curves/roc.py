"""True positives against false positives: the receiver operating characteristic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Array, Floats
from truerank.data.parts import Part, part_field
from truerank.data.rankings import Rankings
from truerank.expectation.gain_maps import Nonrelevant
from truerank.measures.auc import AUC
from truerank.measures.core.base import Measure
from truerank.questions.curves.question import Roc, RocCurve
from truerank.questions.curves.topics import mean_of, named, only_topic
from truerank.track.facts import RunPart, observe
from truerank.track.lens import Lens
from truerank.track.track import Track
from truerank.track.values import values

GRID = 101
"""Points at which curves of several topics are averaged."""


@dataclass(frozen=True, eq=False, kw_only=True)
class CornersPart(Part):
    """The curve of each topic, by its corners."""

    corners: Array = part_field(merge="per topic")
    """False and true positive rates, an array of shape (2, corners) a topic; without corners where undefined."""
    counts: Floats = part_field(merge="per topic")
    """Relevant documents and others that there are, and relevant ones in the list."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RocPart(RunPart):
    """A run; its values are those of AUC."""

    curves: CornersPart


def score_run(lens: Lens, measures: Sequence[Measure], *, only: int | None) -> RocPart:
    """What is kept of a run, or of one topic of it."""
    lens = only_topic(lens, only)
    [measure] = measures
    assert isinstance(measure, AUC)
    auc = values(lens, measure)
    counts, curves = np.zeros((len(lens.judged.length), 3)), np.empty(len(lens.judged.length), object)
    for r in lens.lists(measure):
        pairs = measure.ordered(r)
        counts[r.topic] = np.column_stack([pairs.relevant, pairs.others, pairs.hits])
        for row, topic in enumerate(r.topic.tolist()):
            defined = pairs.pairs[row] > 0
            curves[topic] = points(r.take(np.array([row])), measure) if defined else np.zeros((2, 0))
    counts, corners = counts[lens.topics], curves[lens.topics]
    return observe(
        lens,
        {str(measure): auc},
        ties=False,
        kind=RocPart,
        curves=CornersPart(topics=lens.topics, corners=corners, counts=counts),
    )


def summarise(track: Track, parts: Sequence[RocPart], only: int | None) -> Roc:
    """The curves of all runs."""
    [measure] = track.measures
    assert isinstance(measure, AUC)
    return Roc(
        conventions=track.conventions,
        rel=measure.rel,
        size=measure.size,
        topics=named(track, only),
        curves=tuple(_curve(track, part) for part in parts),
        notices=track.notes(parts),
    )


def _curve(track: Track, part: RocPart) -> RocCurve:
    """The curve of a run: exact for one topic, and for several the mean at equal false positive rates."""
    [auc] = part.values.values()
    counts, corners = part.curves.counts, part.curves.corners
    relevant, others, _ = (counts.mean(axis=0) if len(counts) else np.zeros(3)).tolist()
    found = counts[:, 2] / np.maximum(counts[:, 0], 1.0)
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
        tpr = mean_of(every, auc.undefined, track.conventions, auc.measure.counts_as)
        fpr = np.concatenate([[0.0], grid[:-1], [1.0, 1.0]])
    return RocCurve(
        run=part.run,
        auc=auc.summary(track.conventions),
        mean_relevant=relevant,
        mean_others=others,
        # Whole numbers, or halves where there are ties, which shares of pairs come close to.
        discordant=float(np.round(2.0 * wrong, 6).mean() / 2.0) if len(wrong) else 0.0,
        retrieved=float(mean_of(found[:, None], auc.undefined, track.conventions, auc.measure.counts_as)[0]),
        fpr=fpr,
        tpr=tpr,
    )


def points(r: Rankings, measure: AUC) -> Floats:
    """Corners of the curve of one list: where tie groups with relevant documents begin and end, and where it ends.

    Documents that were not retrieved are one more group.

    >>> points(Rankings.single([1, 0, 1, 0], groups=[0, 1, 1, 2]), AUC()).tolist()
    [[0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0]]
    >>> points(Rankings.single([1, 0], pool=[1, 1, 0, 0]), AUC()).tolist()
    [[0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0]]
    """
    gain, count = measure.gain(r), measure.ordered(r)
    start, stop, hit = r.start[0], r.stop[0], gain.over(r)[0] > 0
    edges = np.unique(np.concatenate([start[hit] - 1, stop[hit]]))
    tpr = np.searchsorted(np.sort(stop[hit]), edges, side="right")
    fpr = edges - tpr
    if measure.size is None:
        fpr = np.searchsorted(np.sort(stop[Nonrelevant(gain).over(r)[0] > 0]), edges, side="right")
    corners = np.array(
        [
            [0.0, *fpr.tolist(), count.listed[0], count.others[0]],
            [0.0, *tpr.tolist(), count.hits[0], count.relevant[0]],
        ]
    )
    moved = np.append(True, (np.diff(corners) != 0).any(axis=0))
    found: Floats = corners[:, moved] / np.array([count.others, count.relevant])
    return found


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
