"""Rankings in random orders of their ties. Only judged documents are placed, whatever else is tied with them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truerank.data.arrays import ODD, Keys, Rows, begins, ordered, put, spans
from truerank.data.ids import mix
from truerank.data.rankings import Rankings

_BITS = np.uint64(11)


def random_order(r: Rankings, seed: Keys) -> Rankings:
    """Each row with its ties in one order, all of them equally likely; it depends on the row and its seed alone.

    >>> tied = Rankings.single([1, 0, 0, 0], groups=[0, 0, 0, 1]).take(np.zeros(3000, np.intp))
    >>> found = random_order(tied, np.arange(3000, dtype=np.uint64))
    >>> bool((found.start == found.stop).all()), found.grade.sum(axis=0).round(-2).tolist()
    (True, [1000.0, 1000.0, 1000.0, 0.0])
    """
    if not r.tied:
        return r
    tied = r.shared
    first = tied.first
    group_seed = mix(seed[tied.row[first]] ^ mix(tied.start[first].astype(np.uint64) * ODD))
    place = _places(tied.size[first], np.diff(first, append=len(tied.flat)), group_seed)
    order = ordered(tied.group, place)
    start, grade, judgment = r.start.copy(), r.grade.copy(), r.judgment.copy()
    put(start, tied.flat, tied.start + place[order])
    put(grade, tied.flat, r.grade.take(tied.flat[order]))
    put(judgment, tied.flat, r.judgment.take(tied.flat[order]))
    return replace(r, start=start, stop=start, grade=grade, judgment=judgment, ties="expected")


def _places(size: Rows, judged: Rows, seed: Keys) -> Rows:
    """Places from 0 on for the judged documents of groups, one after the other: no two of a group have the same."""
    place = np.empty(int(judged.sum()), np.intp)
    dense = 2 * judged >= size
    for some, found in ((dense, _sorted), (~dense, _scattered)):
        if some.any():
            place[np.repeat(some, judged)] = found(size[some], judged[some], seed[some])
    return place


def _sorted(size: Rows, judged: Rows, seed: Keys) -> Rows:
    """Places where most are judged: all documents are sorted by random numbers."""
    group = np.repeat(np.arange(len(size)), size)
    number = spans(np.zeros_like(size), size)
    order = np.lexsort((_random(seed[group], number, 0), group))
    place = np.empty(len(order), np.intp)
    place[order] = number
    return place[number < judged[group]]


def _scattered(size: Rows, judged: Rows, seed: Keys) -> Rows:
    """Places where few are judged: each takes any, and those on a place that is taken draw another one.

    No place is preferred to another, so that all ways to place them are equally likely.
    """
    group = np.repeat(np.arange(len(size)), judged)
    number = spans(np.zeros_like(judged), judged)
    place = np.empty(len(group), np.intp)
    drawing = np.arange(len(group))
    crowded, attempt = np.flatnonzero(judged[group] > 1), 0
    while len(drawing):
        chance = (_random(seed[group[drawing]], number[drawing], attempt) >> _BITS) * 2.0**-53
        place[drawing] = (chance * size[group[drawing]]).astype(np.intp)
        order = crowded[ordered(group[crowded], place[crowded])]
        drawing = order[~begins(group[order], place[order])]
        again = np.zeros(len(size), np.bool_)
        again[group[drawing]] = True
        crowded, attempt = crowded[again[group[crowded]]], attempt + 1
    return place


def _random(seed: Keys, number: Rows, attempt: int) -> Keys:
    """A random number for each document of a group, and for each attempt."""
    # Two rounds, so that neighbouring documents and attempts have nothing in common.
    return mix(mix(seed ^ mix((number + 1).astype(np.uint64) * ODD)) + mix(np.array([attempt + 1], np.uint64)))
