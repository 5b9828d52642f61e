"""What unjudged documents count as."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from truerank.conventions.ties import groups, taken, topics_of
from truerank.data.arrays import Mask, offsets
from truerank.data.errors import InputError
from truerank.data.judge import JudgedRun

UNSEEN = 20_000_000
"""Documents past the ends of lists that are taken to have a grade, all topics together: more do not fit into memory."""


def condensed(judged: JudgedRun, *, negative_judged: bool) -> JudgedRun:
    """The lists without their unjudged documents; the judged ones move up."""
    kept = np.flatnonzero(_known(judged, negative_judged))
    topic = topics_of(judged)[kept]
    count = np.bincount(topic, minlength=len(judged.length))
    bounds = offsets(count)
    some = replace(taken(judged, kept), offsets=bounds, length=count)
    _, members = groups(some, np.arange(len(kept)))
    first = np.repeat(np.cumsum(members) - members, members)
    return replace(some, above=first - bounds[topic], size=np.repeat(members, members))


def assumed(judged: JudgedRun, grade: float, depth: int | None, *, negative_judged: bool) -> JudgedRun:
    """Unjudged documents with a grade, of lists of every document; ``depth`` adds those not seen down to it.

    The length of a list stays what it is: what was not seen was not read either.
    """
    known = _known(judged, negative_judged)
    every = replace(
        judged, grade=np.where(known, judged.grade, grade), judgment=np.where(known, judged.judgment, np.intp(-1))
    )
    if depth is None:
        return every
    unseen = np.maximum(depth - every.length, 0)
    if float(unseen.astype(np.float64).sum()) > UNSEEN:
        raise InputError(
            f"down to a cutoff of {depth:,}, lists would go on with more than {UNSEEN:,} documents that nobody saw, "
            "each of which may be relevant; choose a smaller cutoff, or unjudged='nonrelevant'"
        )
    at = np.repeat(every.offsets[1:], unseen)
    rank = np.arange(len(at)) - np.repeat(offsets(unseen)[:-1], unseen) + np.repeat(every.length, unseen)
    columns: dict[str, Any] = {
        "row": np.insert(every.row, at, -1),
        "judgment": np.insert(every.judgment, at, -1),
        "grade": np.insert(every.grade, at, grade),
        "above": np.insert(every.above, at, rank),
        "size": np.insert(every.size, at, 1),
    }
    return replace(every, **columns, offsets=every.offsets + offsets(unseen))


def _known(judged: JudgedRun, negative_judged: bool) -> Mask:
    return (judged.judgment >= 0) & (negative_judged | ~(judged.grade < 0))
