"""How likely a Kendall's tau so far from 0 is between orderings that have nothing to do with each other."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import numpy.typing as npt

from truerank.analysis.agreement.concordance import concordance
from truerank.analysis.agreement.places import Paired
from truerank.data.arrays import Floats, Rows

EXACT = 170
"""Systems up to which orderings are counted; their number has no double past it."""


def kendall_p(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """Two-sided p-value of Kendall's tau between scores of the same systems.

    Without ties it is the share of orderings that are as far from 0, counted (Kendall 1938); with ties, or more than
    170 systems, the normal approximation with the variance that ties leave (Kendall 1945). NaN where tau-b is.

    >>> kendall_p([4, 3, 2, 1], [4, 3, 2, 1]) == 2 / 24
    True
    """
    pair = Paired.of(x, y)
    counts = concordance(pair.x, pair.y)
    surplus = int((counts.concordant - counts.discordant).sum())
    n, pairs = pair.systems, pair.systems * (pair.systems - 1) // 2
    if not pair.x.ordered[0] or not pair.y.ordered[0]:
        return math.nan
    if pair.x.ordered[0] == pair.y.ordered[0] == pairs and n <= EXACT:
        few = (pairs - abs(surplus)) // 2
        return min(1.0, 2.0 * float(_inversions(n)[: few + 1].sum()))
    variance = _variance(n, _groups(pair.x.tied), _groups(pair.y.tied))
    return math.erfc(abs(surplus) / math.sqrt(2.0 * variance))


@cache
def _inversions(n: int) -> Floats:
    """Share of the orderings of n systems that have 0, 1, 2, ... pairs in the wrong order."""
    share = np.ones(1)
    for system in range(2, n + 1):
        # A system that comes last may be put below 0 to system - 1 of the others, all alike.
        running = np.concatenate([np.cumsum(share), np.full(system - 1, share.sum())])
        running[system:] -= np.cumsum(share)[: len(running) - system]
        share = running / system
    return share


def _groups(tied: Rows) -> Floats:
    """The size of each group of ties."""
    return np.repeat(np.arange(1, tied.max() + 1), np.bincount(tied[0])[1:] // np.arange(1, tied.max() + 1)) * 1.0


def _variance(n: int, t: Floats, u: Floats) -> float:
    """Variance of the surplus of concordant pairs among orderings with groups of ties of these sizes."""

    def full(size: Floats) -> float:
        return float((size * (size - 1) * (2 * size + 5)).sum())

    def pairs(size: Floats) -> float:
        return float((size * (size - 1)).sum())

    def triples(size: Floats) -> float:
        return float((size * (size - 1) * (size - 2)).sum())

    whole = np.array([float(n)])
    found = (full(whole) - full(t) - full(u)) / 18 + pairs(t) * pairs(u) / (2 * pairs(whole))
    return found + (triples(t) * triples(u) / (9 * triples(whole)) if n > 2 else 0.0)
