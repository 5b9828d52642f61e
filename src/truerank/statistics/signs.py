"""Tests by the signs of differences: the sign test, and Wilcoxon's, which ranks the differences first."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats, Rows
from truerank.data.printing import counted
from truerank.statistics.paired import NOISE, PValues, by_signs, in_blocks, p_values, paired
from truerank.statistics.special import binomial_head, normal_tail


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
    found: list[Floats] = []
    ways: list[Floats] = []
    for difference in in_blocks(values):
        won, lost = (difference > 0).sum(axis=-1), (difference < 0).sum(axis=-1)
        ways.append(np.sign(won - lost).astype(np.float64))
        found.append(np.minimum(1.0, 2.0 * _heads(np.minimum(won, lost), won + lost)))
    least = by_signs(topics)
    notes = even_all(topics, least)
    return p_values(
        "sign", values, np.concatenate(found), *notes, least=least, direction=np.concatenate(ways), rough=False
    )


def _heads(fewer: Rows, of: Rows) -> Floats:
    """The chance of at most as few heads, of each."""
    return np.array([binomial_head(k, n) for k, n in zip(fewer.tolist(), of.tolist(), strict=True)], np.float64)


def even_all(topics: int, least: float) -> tuple[str, ...]:
    """Where there are too few topics for a small p."""
    if least <= 0.05:
        return ()
    return (f"with {counted(topics, 'topic')} even a system that wins all of them has p = {least:g}",)


_EXACT = 50
"""Topics that differ up to which every sum of ranks is counted."""


def wilcoxon(scores: npt.ArrayLike) -> PValues:
    """Two-sided signed-rank test of every pair of systems, from scores (systems x topics).

    Topics are ranked by how far two systems differ, equal ones by their mean rank; the sum of the ranks that the one
    wins is compared with what it would be if each topic were won by either; topics without a difference are left out
    (Wilcoxon 1945). p is exact where up to 50 topics differ, whether differences are equal or not; otherwise by the
    normal distribution, corrected for ties, and without a correction for continuity. Differences that are equal up to
    rounding are equal. scipy.stats.wilcoxon goes over to the normal distribution where differences are equal or 0: for
    four topics that differ out of 50 it may have p = .046, where .125 is the least there can be.

    >>> wilcoxon([[0.4, 0.5, 0.9, 0.3], [0.2, 0.4, 0.4, 0.6]]).p.tolist()
    [[1.0, 0.625], [0.625, 1.0]]
    """
    values = paired(scores)
    systems, topics = values.shape
    largest = np.abs(values).max(axis=1)
    first, second = np.triu_indices(systems, 1)
    noise = NOISE * np.maximum(largest[first], largest[second])
    found: list[Floats] = []
    ways: list[Floats] = []
    exact = 0
    begin = 0
    for difference in in_blocks(values):
        ranks = _ranks(difference, noise[begin : begin + len(difference)])
        begin += len(difference)
        p, by_count = _p(ranks)
        found.append(p)
        ways.append(np.sign(ranks.sum(axis=-1)))
        exact += by_count
    least = by_signs(topics)
    how, notes = _how(exact, len(first)), even_all(topics, least)
    return p_values(
        "wilcoxon",
        values,
        np.concatenate(found),
        *notes,
        how=how,
        least=least,
        direction=np.concatenate(ways),
        rough=False,
    )


def _ranks(difference: Floats, noise: Floats) -> Floats:
    """Ranks of differences with their signs, a row a pair; 0 where there is no difference."""
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
    signed: Floats = np.sign(difference) * (ranks - none)
    return signed


def _p(ranks: Floats) -> tuple[Floats, int]:
    """p of each pair, and how many of them are exact."""
    total, differ = np.abs(ranks.sum(axis=-1)), (ranks != 0).sum(axis=-1)
    p = np.ones(len(total))
    exact = differ <= _EXACT
    for row in np.flatnonzero(exact & (differ > 0)).tolist():
        # Ranks may be halves, their doubles are whole. The smaller of both sums of them is (all - total) / 2.
        doubled = np.sort(2.0 * np.abs(ranks[row][ranks[row] != 0])).round().astype(np.int64)
        smaller = round((doubled.sum() - 2.0 * total[row]) / 2.0)
        p[row] = min(1.0, 2.0 * float(_distribution(tuple(doubled.tolist()))[: smaller + 1].sum()))
    normal = ~exact
    if normal.any():
        squares = (ranks[normal] ** 2).sum(axis=-1)
        p[normal] = 2.0 * normal_tail(total[normal] / np.sqrt(squares))
    return p, int(exact.sum())


@lru_cache(1024)
def _distribution(values: tuple[int, ...]) -> Floats:
    """Chance of each sum, from 0 on, of values each of which is in it or not; pairs without ties share theirs."""
    chance = np.zeros(sum(values) + 1)
    chance[0] = 1.0
    reach = 1
    for value in values:
        reach += value
        # The right side is worked out before it is put in.
        chance[value:reach] = chance[value:reach] + chance[: reach - value]
        chance[:reach] /= 2.0
    return chance


def _how(exact: int, pairs: int) -> str:
    if exact == pairs:
        return "exact" if pairs else ""
    return (f"exact for {counted(exact, 'pair')} of {pairs:,}, otherwise " if exact else "") + "normal approximation"
