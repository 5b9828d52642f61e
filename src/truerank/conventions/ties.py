"""Ties broken: each tied document gets one rank of its group."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.judge import Judged
from truerank.data.order import before

Merit = Callable[[Floats], Floats]


def broken_by_order(judged: Judged, order: str, seed: int = 0) -> Judged:
    """Ties in one of the orders that do not look at judgments: by document, by input, by chance."""
    tied = np.flatnonzero(judged.size > 1)
    if not len(tied):
        return judged
    above = judged.above.copy()
    above[tied] += before(judged.run, judged.row[tied], judged.first[tied], judged.size[tied], order, seed)
    return _placed(judged, above)


def broken_by_merit(judged: Judged, merit: Merit, *, best: bool) -> Judged:
    """Ties in the best order, or the worst; documents that are not listed here are unjudged and stand between."""
    if not (judged.size > 1).any():
        return judged
    value = merit(judged.grade) if best else -merit(judged.grade)
    unlisted = float(merit(np.array([np.nan]))[0]) * (1 if best else -1)
    topic = topics_of(judged)
    order = np.lexsort((-value, judged.above, topic))
    above, size, value = judged.above[order], judged.size[order], value[order]
    new = np.ones(len(order), bool)
    new[1:] = (np.diff(above) != 0) | (np.diff(topic[order]) != 0)
    first = np.flatnonzero(new)
    members = np.diff(first, append=len(order))
    place = np.arange(len(order)) - np.repeat(first, members)
    from_below = size - np.repeat(members, members) + place
    return _placed(taken(judged, order), above + np.where(value > unlisted, place, from_below))


def taken(judged: Judged, rows: Rows) -> Judged:
    """The documents at ``rows``, which keep every topic's documents together."""
    columns = {name: getattr(judged, name)[rows] for name in ("row", "judgment", "grade", "above", "size")}
    return replace(judged, **columns)


def topics_of(judged: Judged) -> Rows:
    """Index of each document's topic."""
    return np.repeat(np.arange(len(judged.length)), np.diff(judged.offsets))


def _placed(judged: Judged, above: Rows) -> Judged:
    placed = replace(judged, above=above, size=np.ones(len(above), np.int64))
    order = np.lexsort((above, topics_of(judged)))
    return taken(placed, order)
