"""One list in many variations, scored together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import Rankings
from truerank.measures.core.base import Measure

ROOM = 1 << 21
"""Slots that are held at a time."""


@dataclass(frozen=True, eq=False)
class Variation:
    """Some slots that hold other documents, and stand at ranks of their own if these are given."""

    slots: Rows
    grade: Floats
    ranks: Rows | None = None


UNCHANGED = Variation(np.zeros(0, np.int64), np.zeros(0))


def scores(measure: Measure, r: Rankings, variations: Sequence[Variation]) -> Floats:
    """Score of the one row of a block in each of its variations.

    >>> from truerank.measures.rr import RR
    >>> r = Rankings.single([0, 1, 0], groups=[0, 1, 1])
    >>> turned = Variation(np.array([0, 1]), np.array([1.0, 0.0]))
    >>> first = Variation(np.array([1, 2]), np.array([1.0, 0.0]), np.array([2, 3]))
    >>> scores(RR(), r, [turned, first]).tolist(), RR().score(r).round(4).tolist()
    ([1.0, 0.5], [0.4167])
    """
    r = without_idle_ties(measure, r)
    step = max(ROOM // max(r.start.shape[1], 1), 1)
    parts = [np.zeros(0)]
    for first in range(0, len(variations), step):
        some = variations[first : first + step]
        block = r.take(np.zeros(len(some), np.int64))
        start, stop, grade = block.start.copy(), block.stop.copy(), block.grade.copy()
        for row, one in enumerate(some):
            grade[row, one.slots] = one.grade
            if one.ranks is not None:
                start[row, one.slots] = stop[row, one.slots] = one.ranks
        parts.append(measure.estimate(replace(block, start=start, stop=stop, grade=grade)).value)
    return np.concatenate(parts)


def without_idle_ties(measure: Measure, r: Rankings) -> Rankings:
    """The one row of a block with groups of unjudged documents in any order: where orders are sampled, none is wasted.

    A measure that needs every document has an answer of its own to ties.
    """
    if not r.tied or measure.needs == "every document":
        return r
    idle = r.group_sum((~np.isnan(r.grade)).astype(np.float64)) == 0
    rank = np.where(idle, r.start + np.arange(r.start.shape[1]) - np.searchsorted(r.start[0], r.start[0]), r.start)
    return replace(r, start=rank, stop=np.where(idle, rank, r.stop))


def longer(r: Rankings, count: int, *, above: bool = False) -> Rankings:
    """The one row of a block with so many more documents, not judged yet, above or below its own."""
    listed = r.start.shape[1] - bool(r.terminal)
    at = np.full(count, 0 if above else listed)
    ranks = np.arange(1, count + 1) + (0 if above else int(r.length[0]))
    moved = np.full(r.start.shape[1], count if above else 0)
    if r.terminal:
        moved[-1] = count
    return replace(
        r,
        start=np.insert(r.start + moved, at, ranks, axis=1),
        stop=np.insert(r.stop + moved, at, ranks, axis=1),
        grade=np.insert(r.grade, at, np.nan, axis=1),
        judgment=np.insert(r.judgment, at, -1, axis=1),
        length=r.length + count,
    )
