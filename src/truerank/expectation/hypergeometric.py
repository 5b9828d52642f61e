"""How many marked documents stand among the first ones of a tie group."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import row_sum


def draws(size: Rows, marked: Rows, steps: int) -> Iterator[Floats]:
    """Probabilities of 0, 1, ... marked documents among the first j of a group, for j = 0 to ``steps``.

    Grown a document at a time from fractions of what is left, hence exact to rounding; one row a group.
    Past the end of a group its last probabilities stay.

    >>> [p.tolist() for p in draws(np.array([2]), np.array([1]), 2)]
    [[[1.0, 0.0]], [[0.5, 0.5]], [[0.0, 1.0]]]
    """
    count = np.arange(int(marked.max(initial=0)) + 1)
    p = np.zeros((len(size), len(count)))
    p[:, 0] = 1.0
    yield p
    for drawn in range(steps):
        moved = p * _next(size - drawn, marked, count)
        p = p - moved
        p[:, 1:] += moved[:, :-1]
        yield p


def means(size: Rows, marked: Rows, values: Floats, steps: Rows) -> Floats:
    """Means of ``values`` by the number of marked documents among the first j, for j = 0 to ``steps`` - 1.

    ``values`` has a row a group, from 0 marked documents on; the means of each group follow those of the one before.

    >>> means(np.array([2, 4]), np.array([1, 2]), np.array([[0.0, 10.0, 0.0], [0.0, 0.0, 1.0]]), np.array([3, 3]))
    array([ 0.        ,  5.        , 10.        ,  0.        ,  0.        ,
            0.16666667])
    """
    found, begin = np.empty(int(steps.sum())), np.cumsum(steps) - steps
    longest = np.argsort(-steps, kind="stable")
    begin, size, marked, values = begin[longest], size[longest], marked[longest], values[longest]
    p = np.zeros(values.shape)
    p[:, :1] = 1.0
    for drawn in range(int(steps.max(initial=0))):
        live = int(np.searchsorted(-steps[longest], -drawn))
        # No more can be marked than were drawn.
        some = p[:live, : drawn + 2]
        count = np.arange(some.shape[1])
        found[begin[:live] + drawn] = row_sum(some * values[:live, : drawn + 2])
        moved = some * _next(size[:live] - drawn, marked[:live], count)
        some -= moved
        some[:, 1:] += moved[:, :-1]
    return found


def _next(left: Rows, marked: Rows, count: Rows) -> Floats:
    """Chance that the next document is marked, given how many that were drawn are; ``left`` are not yet drawn."""
    chance = np.clip(marked[:, None] - count, 0, None) / np.maximum(left, 1)[:, None]
    return np.where((left > 0)[:, None], np.minimum(chance, 1.0), 0.0)
