"""Tests by the signs of differences: the sign test, and Wilcoxon's, which ranks the differences first."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats, Mask
from truerank.data.errors import InputError
from truerank.data.extras import needed
from truerank.data.printing import counted
from truerank.statistics.paired import NOISE, PValues, in_blocks, p_values, paired
from truerank.statistics.randomization import Assignments, Draws, as_far


def sign(scores: npt.ArrayLike) -> PValues:
    """Two-sided sign test of every pair of systems, from scores (systems x topics).

    Of the topics on which two systems differ, each would win half if they were alike: p is the chance that a fair coin
    comes out as uneven (Arbuthnott 1710; for retrieval van Rijsbergen 1979). How far a topic is won by does not matter.
    Topics on which they are equal are left out.

    >>> sign([[0.5, 0.6, 0.7, 0.8, 0.2, 0.1], [0.1, 0.2, 0.3, 0.4, 0.1, 0.1]]).p.tolist()
    [[1.0, 0.0625], [0.0625, 1.0]]
    """
    values = paired(scores)
    topics = values.shape[1]
    bdtr = needed("scipy.special", "a sign test").bdtr
    found: list[Floats] = []
    for difference in in_blocks(values):
        won, lost = (difference > 0).sum(axis=-1), (difference < 0).sum(axis=-1)
        found.append(np.minimum(1.0, 2.0 * bdtr(np.minimum(won, lost).astype(float), won + lost, 0.5)))
    least = 2.0 ** (1 - topics)
    return p_values("sign", values, np.concatenate(found), *even_all(topics, least), least=least)


def even_all(topics: int, least: float) -> tuple[str, ...]:
    """Where there are too few topics for a small p."""
    if least <= 0.05:
        return ()
    return (f"with {counted(topics, 'topic')} even a system that wins all of them has p = {least:g}",)


_EXACT = 50
_ENUMERATED = 13


def wilcoxon(scores: npt.ArrayLike, *, zeros: str = "wilcox") -> PValues:
    """Two-sided signed-rank test of every pair of systems, from scores (systems x topics).

    Topics are ranked by how far two systems differ, equal ones by their mean rank; the sum of the ranks that the one
    wins is compared with what it would be if each topic were won by either (Wilcoxon 1945). Topics without a difference
    are left out (``zeros="wilcox"``), or ranked and then left out ("pratt", Pratt 1959). p is exact for up to 50 topics
    if no two differences are equal, and for up to 13 in any case; otherwise by the normal distribution, corrected for
    ties, and without a correction for continuity. These are the ways of scipy.stats.wilcoxon; but differences that are
    equal up to rounding are equal here.

    >>> wilcoxon([[0.4, 0.5, 0.9, 0.3], [0.2, 0.4, 0.4, 0.6]]).p.tolist()
    [[1.0, 0.625], [0.625, 1.0]]
    """
    values = paired(scores)
    if zeros not in ("wilcox", "pratt"):
        raise InputError(f"zeros={zeros!r} is not known; take wilcox or pratt")
    systems, topics = values.shape
    largest = np.abs(values).max(axis=1)
    first, second = np.triu_indices(systems, 1)
    noise = NOISE * np.maximum(largest[first], largest[second])
    found: list[Floats] = []
    exact = 0
    begin = 0
    for difference in in_blocks(values):
        ranked = _ranks(difference, noise[begin : begin + len(difference)], pratt=zeros == "pratt")
        begin += len(difference)
        p, by_count = _p(ranked, topics)
        found.append(p)
        exact += by_count
    name = "wilcoxon" if zeros == "wilcox" else "wilcoxon-pratt"
    least = 2.0 ** (1 - topics)
    how = _how(exact, len(first))
    return p_values(name, values, np.concatenate(found), *even_all(topics, least), how=how, least=least)


class _Ranked(NamedTuple):
    """Signed ranks of differences, a row a pair."""

    ranks: Floats
    """With the sign of the difference; 0 where there is none."""
    squares: Floats
    """Sum of squares of the ranks: the variance of their sum with random signs."""
    distinct: Mask
    """No two differences are equal, and none is 0."""


def _ranks(difference: Floats, noise: Floats, *, pratt: bool) -> _Ranked:
    size = np.abs(difference)
    order = np.argsort(size, axis=-1, kind="stable")
    ordered = np.take_along_axis(size, order, axis=-1)
    topics = size.shape[1]
    new = np.ones(size.shape, dtype=bool)
    new[:, 1:] = np.diff(ordered, axis=-1) > noise[:, None]
    place = np.arange(topics)
    begin = np.maximum.accumulate(np.where(new, place, 0), axis=-1)
    last = np.ones(size.shape, dtype=bool)
    last[:, :-1] = new[:, 1:]
    end = np.minimum.accumulate(np.where(last, place, topics)[:, ::-1], axis=-1)[:, ::-1]
    ranks = np.empty(size.shape)
    np.put_along_axis(ranks, order, (begin + end) / 2 + 1, axis=-1)
    none = (difference == 0).sum(axis=-1, keepdims=True)
    signed = np.sign(difference) * (ranks if pratt else ranks - none)
    return _Ranked(signed, (signed**2).sum(axis=-1), new.all(axis=-1) & (none[:, 0] == 0))


def _p(ranked: _Ranked, topics: int) -> tuple[Floats, int]:
    """p of each pair, and how many of them are exact."""
    total = np.abs(ranked.ranks.sum(axis=-1))
    p = np.ones(len(total))
    distinct = ranked.distinct & (topics <= _EXACT)
    if distinct.any():
        # The sum of positive ranks is (n (n + 1) / 2 + total) / 2, and the smaller of both sums below the middle.
        smaller = ((topics * (topics + 1) / 2 - total[distinct]) / 2).round().astype(np.int64)
        p[distinct] = np.minimum(1.0, 2.0 * np.cumsum(_distribution(topics))[smaller])
    few = ~distinct & (topics <= _ENUMERATED)
    if few.any():
        every = Assignments(topics, Draws(2**topics))
        p[few] = every.share(lambda part: as_far(every.sums(part), ranked.ranks[few], two_sided=True))
    normal = ~distinct & ~few & (ranked.squares > 0)
    if normal.any():
        p[normal] = 2.0 * needed("scipy.special", "Wilcoxon's test").ndtr(
            -total[normal] / np.sqrt(ranked.squares[normal])
        )
    return p, int((distinct | few).sum())


def _distribution(topics: int) -> Floats:
    """Chance of each sum of positive ranks, from 0 on: every rank is in it or not."""
    ways = np.ones(1)
    for rank in range(1, topics + 1):
        ways = np.pad(ways, (0, rank)) + np.pad(ways, (rank, 0))
    return ways / 2.0**topics


def _how(exact: int, pairs: int) -> str:
    if exact == pairs:
        return "exact" if pairs else ""
    return (f"exact for {counted(exact, 'pair')} of {pairs:,}, otherwise " if exact else "") + "normal approximation"
