"""The one exchange of two documents that would do most for the score."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from truerank.analysis.explaining.lists import List
from truerank.analysis.explaining.variations import UNCHANGED, Variation, scores
from truerank.data.arrays import Floats, distinct
from truerank.statistics.pairs import EQUAL

TRIED = 50
"""Ranks in which all pairs are tried, where it is not known which are best."""


@dataclass(frozen=True)
class Swap:
    """Two documents that take each other's place, and the score that makes."""

    upper: str
    """The one that stands higher up."""
    upper_ranks: tuple[int, int]
    """First and last rank that it can have."""
    lower: str
    lower_ranks: tuple[int, int]
    score: float
    difference: float
    """By how much the score changes."""
    exact: bool = True
    """Whether all pairs were considered; otherwise those in the first ranks."""


def best_swap(one: List) -> Swap | None:
    """The exchange that improves the score most, of any two documents; None if none improves it."""
    merit = _kinds(one)
    if merit is None:
        return None
    if not _sorts(one):
        return _best(one, combinations(range(min(len(merit), _tried(one))), 2), merit)
    # More gain higher up is never worse. So of documents alike, the first is the one to take the place of, and the last
    # the one to bring up.
    levels = distinct(merit).tolist()
    pairs = [
        (int(np.flatnonzero(merit == low)[0]), int(np.flatnonzero(merit == high)[-1]))
        for low, high in combinations(levels, 2)
    ]
    return _best(one, pairs, merit)


def best_neighbours(one: List) -> Swap | None:
    """The exchange of two neighbours that improves the score most; None if none does."""
    kind = _kinds(one)
    if kind is None:
        return None
    edges = np.flatnonzero(np.diff(one.r.start[0, : one.listed])) + 1
    groups = np.split(np.arange(len(kind)), edges)
    # Documents of a tie group that are alike stand for each other.
    kinds = [[int(slots[kind[slots] == each][0]) for each in distinct(kind[slots])] for slots in groups]
    near = [(up, low) for above, below in pairwise(kinds) for up in above for low in below]
    if _sorts(one):
        return _best(one, [(up, low) for up, low in near if kind[low] > kind[up]][: one.tries], kind)
    return _best(one, [(up, low) for up, low in near if low < _tried(one)], kind)


def _sorts(one: List) -> bool:
    """Whether more gain higher up is never worse; for preferences that holds among judged documents only."""
    return one.measure.sorts_ties and one.measure.needs != "preferences"


def _tried(one: List) -> int:
    return min(TRIED, one.tries)


def _kinds(one: List) -> Floats | None:
    """What tells documents apart: their order by merit or, where that says nothing, their grades."""
    if one.r.pairs is not None or not one.listed:
        return None
    if _sorts(one):
        return one.measure.merit(one.grade, one.r)
    return np.nan_to_num(one.grade, nan=-np.inf)


def _best(one: List, pairs: Iterable[tuple[int, int]], kind: Floats) -> Swap | None:
    r, measure = one.r, one.measure
    grade, start = r.grade[0], r.start[0]
    tried = [(up, low) for up, low in pairs if start[up] < start[low] and kind[up] != kind[low]]
    if not tried:
        return None
    variations = [Variation(np.array([up, low]), grade[[low, up]]) for up, low in tried]
    now, *values = scores(measure, r, [UNCHANGED, *variations]).tolist()
    change = (np.array(values) - now) * measure.sign
    best = int(np.argmax(np.nan_to_num(change, nan=-np.inf)))
    if not change[best] > EQUAL:
        return None
    docs = one.docs
    up, low = tried[best]
    ranks = [(int(start[at]), int(r.stop[0, at])) for at in (up, low)]
    exact = _sorts(one) or len(kind) <= _tried(one)
    return Swap(docs[up], ranks[0], docs[low], ranks[1], values[best], values[best] - now, exact)
