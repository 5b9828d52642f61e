"""Rank correlations between rankings of systems, with ties: Kendall's tau, plain and weighted, Spearman's, tau_AP."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Array, Floats, Rows, put
from truerank.data.classes import dataclass
from truerank.data.errors import InputError

EXACT = 170
"""Systems up to which orderings are counted; their number has no double past it."""
_BLOCK = 1 << 20
_SHORT = np.iinfo(np.int16).max


@dataclass(frozen=True, eq=False)
class Places:
    """For each system of each row (rows x systems), how many have a higher score and how many the same, itself too."""

    above: Rows
    tied: Rows

    @classmethod
    def of(cls, scores: Array) -> Places:
        """The places that scores (rows x systems) give; the highest comes first.

        >>> places = Places.of(np.array([[0.5, 0.9, 0.5]]))
        >>> places.above.tolist(), places.tied.tolist()
        ([[1, 0, 1]], [[2, 1, 2]])
        """
        rows, systems = scores.shape
        place = np.arange(systems)
        order = scores.argsort(axis=-1)[:, ::-1] + systems * np.arange(rows)[:, None]
        ordered = scores.take(order)
        new = ordered[:, 1:] != ordered[:, :-1]
        first = np.zeros((rows, systems), np.intp)
        first[:, 1:] = np.maximum.accumulate(np.where(new, place[1:], 0), axis=-1)
        # A group ends where the next one begins, the last one with the systems.
        end = np.full((rows, systems), systems)
        end[:, :-1] = np.minimum.accumulate(np.where(new, place[1:], systems)[:, ::-1], axis=-1)[:, ::-1]
        above, tied = np.empty((2, rows, systems), np.intp)
        put(above, order, first)
        put(tied, order, end - first)
        return cls(above, tied)

    @property
    def reversed(self) -> Places:
        """The places from the other end."""
        return Places(self.above.shape[1] - self.above - self.tied, self.tied)

    @property
    def ordered(self) -> Rows:
        """How many pairs of each row are not tied."""
        pairs: Rows = self.above.sum(axis=-1)
        return pairs


@dataclass(frozen=True, eq=False)
class Paired:
    """Two sets of scores for the same systems, as places; one row of either stands against every row of the other."""

    x: Places
    y: Places
    systems: int
    single: bool
    """Whether both are one ranking, so that the result is one number."""

    @classmethod
    def of(cls, x: npt.ArrayLike, y: npt.ArrayLike) -> Paired:
        """Take scores (systems, or rows x systems); refused where they are not of the same systems, or not numbers."""
        first, second = numbers(x), numbers(y)
        rows = [scores.shape[0] for scores in (first, second) if scores.ndim == 2]
        if first.shape[-1] != second.shape[-1] or len({*rows} - {1}) > 1:
            shapes = " and ".join(str(scores.shape) for scores in (first, second))
            raise InputError(f"scores have the shapes {shapes}; give as many systems, and as many rows, on both sides")
        return cls(
            Places.of(np.atleast_2d(first)), Places.of(np.atleast_2d(second)), int(first.shape[-1]), single=not rows
        )

    def given(self, values: Floats) -> Any:
        """Results in the shape of what they are about: a float for two rankings, otherwise one number a row."""
        return float(values[0]) if self.single else values

    def undefined(self) -> Any:
        """NaN, where there are fewer than two systems to compare."""
        return self.given(np.full(max(len(self.x.above), len(self.y.above)), np.nan))


def numbers(scores: npt.ArrayLike) -> Array:
    """Scores as an array that can be sorted; refused where one is no number.

    >>> numbers([1, 2]).tolist()
    [1, 2]
    """
    try:
        values = np.asarray(scores, order="C")
        if values.dtype.kind not in "biuf":
            values = values.astype(np.float64) if values.dtype.kind == "O" else np.empty(())
    except (TypeError, ValueError):
        values = np.empty(())
    if values.ndim not in (1, 2):
        raise InputError("scores are not rows of numbers; give one number a system, or one row of them a ranking")
    if values.dtype.kind == "f" and np.isnan(values).any():
        place = ", ".join(map(str, np.argwhere(np.isnan(values))[0].tolist()))
        raise InputError(f"the score at {place} is NaN, which has no place in a ranking; leave that system out")
    return values


def quotient(numerator: Array, denominator: Array) -> Floats:
    """Divide; NaN where the denominator is 0, since the coefficient is undefined there."""
    numerator, denominator = np.broadcast_arrays(numerator, denominator)
    undefined: Floats = np.full(numerator.shape, np.nan)
    return np.divide(numerator, denominator, out=undefined, where=denominator != 0)


class Concordance(NamedTuple):
    """For each system (rows x systems): of those above it by the second ranking, how many the first has on which side.

    Systems that the first ranking ties with it are neither.
    """

    concordant: Rows
    """Above it by the first ranking too."""
    discordant: Rows
    """Below it."""


def concordance(x: Places, y: Places) -> Concordance:
    """Compare every pair of systems; one row stands against every row of the other.

    >>> x, y = Places.of(np.array([[3, 2, 1]])), Places.of(np.array([[2, 3, 1]]))
    >>> [counts.tolist() for counts in concordance(x, y)]
    [[[0, 0, 2]], [[1, 0, 0]]]
    """
    rows, systems = max(len(x.above), len(y.above)), x.above.shape[1]
    # Every pair is compared, so that small numbers save time.
    small = np.int16 if systems <= _SHORT else np.intp
    first = np.broadcast_to(x.above.astype(small), (rows, systems))
    second = np.broadcast_to(y.above.astype(small), (rows, systems))
    found = Concordance(*np.empty((2, rows, systems), np.intp))
    for row, system in _blocks(rows, systems):
        here = first[row, system, None]
        above = second[row, None, :] < second[row, system, None]
        found.concordant[row, system] = _count(above & (first[row, None, :] < here))
        found.discordant[row, system] = _count(above & (first[row, None, :] > here))
    return found


def _blocks(rows: int, systems: int) -> Iterator[tuple[slice, slice]]:
    """Rows and systems to be taken at a time, so that pairs of them fit in the processor's cache."""
    at_once = max(1, min(systems, _BLOCK // max(1, systems)))
    rows_at_once = max(1, _BLOCK // max(1, systems * systems))
    for row in range(0, rows, rows_at_once):
        for system in range(0, systems, at_once):
            yield slice(row, row + rows_at_once), slice(system, system + at_once)


def _count(pairs: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Rows:
    counts: Rows = pairs.sum(axis=-1)
    return counts


def kendall(x: npt.ArrayLike, y: npt.ArrayLike) -> Any:
    """Kendall's tau-a between scores of the same systems.

    tau_a = (C - D) / (n (n - 1) / 2), where C of the pairs of systems stand in the same order by both and D in opposite
    orders; a pair that either ties counts as neither, which is the mean over all orders of ties (Kendall 1938, 1945).
    NaN with fewer than two systems.

    ``x`` and ``y`` are one score a system, or rows of them: one ranking against m rows gives m values, and m rows
    against m rows go row by row.

    >>> kendall([3, 2, 1], [3, 1, 2]), kendall([3, 2, 1], [3, 1, 1])
    (0.3333333333333333, 0.6666666666666666)
    >>> kendall([3, 2, 1], [[3, 2, 1], [1, 2, 3]]).tolist()
    [1.0, -1.0]
    """
    pair = Paired.of(x, y)
    if pair.systems < 2:
        return pair.undefined()
    return pair.given(_surplus(pair) / (pair.systems * (pair.systems - 1) // 2))


def kendall_b(x: npt.ArrayLike, y: npt.ArrayLike) -> Any:
    """Kendall's tau-b between scores of the same systems.

    tau_b = (C - D) / sqrt(P_x P_y), where P_x of the pairs are not tied in x, and P_y not in y: rankings that agree in
    all, ties included, have 1 (Kendall 1945). NaN where one of them ties all systems. Takes rows as ``kendall`` does.

    >>> kendall_b([3, 1, 1], [3, 1, 1]), kendall_b([1, 1, 1], [3, 2, 1])
    (1.0, nan)
    """
    pair = Paired.of(x, y)
    possible = np.sqrt(pair.x.ordered.astype(np.float64) * pair.y.ordered)
    return pair.given(quotient(_surplus(pair), possible))


def _surplus(pair: Paired) -> Rows:
    """C - D of each row."""
    counts = concordance(pair.x, pair.y)
    surplus: Rows = (counts.concordant - counts.discordant).sum(axis=-1)
    return surplus


def kendall_p(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """Two-sided p-value of Kendall's tau between scores of the same systems.

    Without ties it is the share of orderings that are as far from 0, counted (Kendall 1938); with ties, or more than
    170 systems, the normal approximation with the variance that ties leave (Kendall 1945). NaN where tau-b is.

    >>> kendall_p([4, 3, 2, 1], [4, 3, 2, 1]) == 2 / 24
    True
    """
    pair = Paired.of(x, y)
    surplus = int(_surplus(pair).sum())
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


def spearman(x: npt.ArrayLike, y: npt.ArrayLike) -> Any:
    """Spearman's rho between scores of the same systems.

    Pearson's correlation of the ranks; tied systems have the mean of the ranks they take up (Spearman 1904; mid-ranks,
    Kendall 1945). NaN where one of the rankings ties all systems. Takes rows as ``kendall`` does.

    >>> spearman([3, 2, 1], [3, 1, 2]), spearman([3, 1, 1], [3, 1, 1])
    (0.5, 1.0)
    """
    pair = Paired.of(x, y)
    first, second = _centred(pair.x), _centred(pair.y)
    spread = np.sqrt((first**2).sum(axis=-1).astype(np.float64) * (second**2).sum(axis=-1))
    return pair.given(quotient((first * second).sum(axis=-1), spread))


def _centred(places: Places) -> Rows:
    """Twice the distance of mid-ranks from their mean: whole numbers, so that nothing is rounded."""
    systems = places.above.shape[1]
    distance: Rows = 2 * places.above + places.tied - systems
    return distance


def tau_ap(truth: npt.ArrayLike, estimate: npt.ArrayLike) -> Any:
    """AP correlation of an estimate with a reference, from scores of the same systems.

    tau_AP = 2 / (n - 1) sum_{i=2..n} C(i) / (i - 1) - 1, where C(i) counts the systems above rank i of the estimate
    that the reference too has above the one at rank i (Yilmaz, Aslam & Robertson 2008). It is not symmetric: mistakes
    weigh by where they stand in the estimate.

    With ties it is the mean over all their orders. In a group of t systems of the estimate that has a above it, each
    stands at every rank from a + 1 to a + t equally often, and pairs within the group cancel, so that a system adds

        (C - D) (1/a + 1/(a + 1) + ... + 1/(a + t - 1)) / t

    to (n - 1) tau_AP, of the a above it: the form tau_AP,a of Urbano & Marrero (2017). They have the reference without
    ties; a pair that it ties stands either way equally often, so that it adds nothing. NaN with fewer than two systems.
    Takes rows as ``kendall`` does.

    >>> round(tau_ap([4, 3, 2, 1], [4, 3, 1, 2]), 4), round(tau_ap([4, 3, 2, 1], [3, 4, 2, 1]), 4)
    (0.7778, 0.3333)
    """
    pair = Paired.of(truth, estimate)
    if pair.systems < 2:
        return pair.undefined()
    counts = concordance(pair.x, pair.y)
    surplus = (counts.concordant - counts.discordant) * _weight(pair.y)
    return pair.given(_total(surplus) / (pair.systems - 1))


def tau_ap_b(x: npt.ArrayLike, y: npt.ArrayLike) -> Any:
    """AP correlation of two rankings neither of which is the reference, from scores of the same systems.

    The form tau_AP,b of Urbano & Marrero (2017), the mean of both directions of

        2 / (n - t_1) sum C(i) / a(i) - 1,

    over the systems i that are not in the first group, which has t_1; a(i) are above the group of i, and C(i) of them
    above i in the other ranking too. Rankings that agree in all, ties included, have 1; a pair that only one of them
    ties is a disagreement. Without ties it is the mean of tau_AP both ways. NaN where one of them ties all systems.
    Takes rows as ``kendall`` does.

    >>> tau_ap_b([3, 1, 1], [3, 1, 1]), tau_ap_b([3, 2, 1], [3, 1, 1])
    (1.0, 0.75)
    """
    pair = Paired.of(x, y)
    return pair.given((_directed(pair.x, pair.y) + _directed(pair.y, pair.x)) / 2)


def weighted_tau(x: npt.ArrayLike, y: npt.ArrayLike) -> Any:
    """Kendall's tau-b with pairs that weigh the more, the higher their systems stand, from scores of the same systems.

    A pair weighs 1/r + 1/s, where r and s are the ranks of its systems, from 1 on: disagreement among the best costs
    most, and that of a system at the top with one at the bottom nearly as much. It is the mean of two values: with the
    ranks of x, in which y breaks ties, and the other way round (Vigna 2015: additive and hyperbolic, as
    scipy.stats.weightedtau has it by default). Rankings that agree in all, ties included, have 1. NaN where one of them
    ties all systems. Takes rows as ``kendall`` does.

    >>> round(weighted_tau([4, 3, 2, 1], [3, 4, 2, 1]), 4), round(weighted_tau([4, 3, 2, 1], [4, 3, 1, 2]), 4)
    (0.52, 0.8133)
    """
    pair = Paired.of(x, y)
    surplus = np.zeros(np.broadcast_shapes(pair.x.above.shape, pair.y.above.shape), np.int64)
    for one, other in ((pair.x, pair.y), (pair.x.reversed, pair.y.reversed)):
        # Above and below each system: every pair is met from both its sides.
        counts = concordance(one, other)
        surplus += counts.concordant - counts.discordant
    ways = [_weighted(surplus, first, second) for first, second in ((pair.x, pair.y), (pair.y, pair.x))]
    return pair.given((ways[0] + ways[1]) / 2)


def _weighted(surplus: Rows, first: Places, second: Places) -> Floats:
    """Weighted tau with the ranks of the first, in which the second breaks ties; ties of both are alike."""
    systems = surplus.shape[1]
    both = np.broadcast_to(first.above * (systems + 1) + second.above, surplus.shape)
    rank = np.argsort(np.argsort(both, axis=-1, kind="stable"), axis=-1)
    weight = 1.0 / (rank.astype(np.float64) + 1.0)
    spread = [_total(weight * (systems - places.tied)) for places in (first, second)]
    return quotient(_total(weight * surplus), np.sqrt(spread[0] * spread[1]))


def _weight(estimate: Places) -> Floats:
    """The mean of 1 / (rank - 1) over the ranks of a system's group; for the first group, of which none counts, 0."""
    above, tied = estimate.above, estimate.tied
    untied = np.divide(1.0, above, out=np.zeros(above.shape), where=above > 0)
    if (tied == 1).all():
        return untied
    reciprocals: Floats = 1.0 / np.arange(1, above.shape[1])
    sums = np.zeros(above.shape[1])
    np.cumsum(reciprocals, out=sums[1:])
    # Sums of 1 to 1/k: of those up to the group's last rank, less those up to its first.
    spread = (sums[above + tied - 1] - sums[np.maximum(above - 1, 0)]) / tied
    return np.where(tied == 1, untied, np.where(above > 0, spread, 0.0))


def _directed(reference: Places, other: Places) -> Floats:
    """One direction of tau_AP,b; NaN where the other ranking ties all systems."""
    counts = concordance(reference, other).concordant
    shares = np.divide(counts, other.above, out=np.zeros(counts.shape), where=other.above > 0)
    return 2.0 * quotient(_total(shares), (other.above > 0).sum(axis=-1)) - 1.0


def _total(terms: Floats) -> Floats:
    """The sum of each row, from the least term on: the order of systems does not change how it is rounded."""
    total: Floats = np.sort(terms, axis=-1).sum(axis=-1)
    return total
