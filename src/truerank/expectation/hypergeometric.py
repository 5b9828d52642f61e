"""How many marked documents stand among the first ones of a tie group."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.data.arrays import Floats, Rows


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
        left = (size - drawn)[:, None]
        hit = np.where(left > 0, np.clip(marked[:, None] - count, 0, None) / np.maximum(left, 1), 0.0)
        hit = np.minimum(hit, 1.0)
        moved = p * hit
        p = p - moved
        p[:, 1:] += moved[:, :-1]
        yield p
