"""What unjudged documents count as."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truerank.conventions.ties import taken, topics_of
from truerank.data.arrays import offsets
from truerank.data.judge import Judged


def condensed(judged: Judged, *, negative_judged: bool) -> Judged:
    """The lists without their unjudged documents; the judged ones move up."""
    known = ~np.isnan(judged.grade) if negative_judged else judged.grade >= 0
    kept = np.flatnonzero(known)
    topic = topics_of(judged)[kept]
    count = np.bincount(topic, minlength=len(judged.length))
    bounds = offsets(count)
    some = replace(taken(judged, kept), offsets=bounds, length=count)
    new = np.ones(len(kept), bool)
    new[1:] = (np.diff(some.above) != 0) | (np.diff(topic) != 0)
    first = np.flatnonzero(new)
    members = np.diff(first, append=len(kept))
    return replace(
        some, above=np.repeat(first, members) - bounds[topic], size=np.repeat(members, members).astype(np.int64)
    )


def assumed(judged: Judged, grade: float, depth: int | None) -> Judged:
    """Unjudged documents with a grade, of lists of every document; so those not seen before ``depth``."""
    every = replace(judged, grade=np.where(np.isnan(judged.grade), grade, judged.grade))
    if depth is None:
        return every
    unseen = np.maximum(depth - every.length, 0)
    at = np.repeat(every.offsets[1:], unseen)
    rank = np.arange(len(at)) - np.repeat(offsets(unseen)[:-1], unseen) + np.repeat(every.length, unseen)
    columns = {
        "row": np.insert(every.row, at, -1),
        "judgment": np.insert(every.judgment, at, -1),
        "grade": np.insert(every.grade, at, grade),
        "above": np.insert(every.above, at, rank),
        "size": np.insert(every.size, at, 1),
    }
    return replace(every, **columns, offsets=every.offsets + offsets(unseen), length=every.length + unseen)
