"""How many documents are relevant, where each is so by chance: the distribution of a sum of independent indicators."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from truerank.data.arrays import Floats


def counted(chance: Floats) -> Floats:
    """The probability of every number of relevant documents, from none to all.

    >>> counted(np.array([0.5, 1.0])).tolist()
    [0.0, 0.5, 0.5]
    """
    found = np.zeros(len(chance) + 1)
    found[0] = 1.0
    for place, one in enumerate(chance.tolist(), 1):
        found[1 : place + 1] = found[1 : place + 1] * (1.0 - one) + found[:place] * one
        found[0] *= 1.0 - one
    return found


def without(count: Floats, chance: Floats) -> Floats:
    """The same without one of the documents, a row for each of some: shape (documents, numbers of the others).

    A distribution is taken apart from that end at which errors do not grow.

    >>> without(np.array([0.0, 0.5, 0.5]), np.array([0.5, 1.0])).tolist()
    [[0.0, 1.0], [0.5, 0.5]]
    """
    others = len(count) - 1
    found = np.zeros((len(chance), others))
    low, high = chance < 0.5, chance >= 0.5
    p, q = chance[low], 1.0 - chance[low]
    before = np.zeros(len(p))
    for place in range(others):
        before = np.maximum((count[place] - p * before) / q, 0.0)
        found[low, place] = before
    p, q = chance[high], 1.0 - chance[high]
    behind = np.zeros(len(p))
    for place in range(others, 0, -1):
        behind = np.maximum((count[place] - q * behind) / p, 0.0)
        found[high, place - 1] = behind
    return found


@lru_cache(maxsize=64)
def nodes(most: int) -> tuple[Floats, Floats]:
    """Places and weights by which a polynomial up to the power ``most`` is integrated from 0 to 1 exactly."""
    place, weight = np.polynomial.legendre.leggauss(most // 2 + 1)
    return (place + 1.0) / 2.0, weight / 2.0
