"""Unanimous improvement: one system at least as good as another by every measure at once, and what covers it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Array, Floats, Rows, distinct
from truerank.data.parallel import blocks, parallel
from truerank.questions.meta.scores import SystemScores
from truerank.statistics.correlations import spearman
from truerank.statistics.paired import tally

_ROOM = 1 << 20
"""Comparisons made at once."""


@dataclass(frozen=True, eq=False)
class Unanimity:
    """The Unanimous Improvement Ratio of every ordered pair of systems (Amigó, Gonzalo, Artiles & Verdejo 2011)."""

    surplus: Rows
    """Topic pairs where the first system is at least as good by every measure, less those where the second is."""
    pairs: int
    """Topic pairs compared."""

    @property
    def uir(self) -> Floats:
        """The ratio, from -1 to 1 (systems x systems)."""
        return self.surplus / self.pairs


def unanimity(reference: Sequence[SystemScores]) -> Unanimity:
    """UIR(s, s') = (#{s_t1 >= s'_t2} - #{s'_t2 >= s_t1}) / #pairs over all pairs of topics (t1, t2), also of one topic.

    >= is by every measure of the reference. Where all are equal, a topic pair counts on both sides.

    >>> one, other = SystemScores(np.array([[0.9, 0.8], [0.1, 0.2]])), SystemScores(np.array([[1.0, 0.0], [0.5, 0.5]]))
    >>> unanimity([one]).uir.tolist(), unanimity([one, other]).uir.tolist()
    ([[0.0, 1.0], [-1.0, 0.0]], [[0.0, 0.5], [-0.5, 0.0]])
    """
    places = _places(reference)
    _, systems, topics = places.shape

    def count(system: int) -> Rows:
        found = np.zeros(systems, np.intp)
        for part in blocks(topics, max(1, _ROOM // (systems * topics))):
            found += tally(_unanimous(places[:, system, part, None, None], places[:, None]))
        return found

    at_least = np.stack(parallel(count, range(systems)))
    return Unanimity(at_least - at_least.T, topics**2)


def sampled_unanimity(reference: Sequence[SystemScores], draws: int, seed: int) -> Unanimity:
    """``unanimity`` estimated from pairs of topics drawn at random with replacement, the same for all systems.

    The estimate for (s, s') is not that for (s', s) with the other sign, since t1 is drawn for the first.
    """
    places = _places(reference)
    _, systems, topics = places.shape
    first, second = np.random.default_rng([seed, 3]).integers(0, topics, (2, draws)).astype(np.intp, copy=False)
    one, other = places[:, :, first], places[:, :, second]

    def count(system: int) -> Rows:
        mine = one[:, system, None]
        better: Rows = _unanimous(mine, other).sum(axis=-1) - _unanimous(other, mine).sum(axis=-1)
        return better

    surplus = np.stack(parallel(count, range(systems)))
    np.fill_diagonal(surplus, 0)
    return Unanimity(surplus, draws)


def _unanimous(one: Array, other: Array) -> Array:
    """Where the one is at least as high as the other by every measure, which come first."""
    found: Array = one[0] >= other[0]
    for mine, theirs in zip(one[1:], other[1:], strict=True):
        found &= mine >= theirs
    return found


def _places(reference: Sequence[SystemScores]) -> Array:
    """Scores as whole numbers in the same order (measures x systems x topics): quicker to compare, and not rounded."""
    found = []
    for scored in reference:
        values = scored.level(scored.values.ravel()).reshape(scored.values.shape)
        found.append(np.searchsorted(distinct(values), values))
    places = np.stack(found)
    return places.astype(np.int16 if places.max(initial=0) < np.iinfo(np.int16).max else np.intp)


def coverage(measures: Sequence[SystemScores], found: Unanimity) -> Floats:
    """Spearman's rho between differences of systems by each measure and their UIR (Amigó, Mizzaro & Spina 2022).

    Over all ordered pairs of systems: with each pair once, in the order in which systems happen to be listed, it would
    depend on that. NaN where all systems have the same mean, or no system is an unanimous improvement.

    >>> scored = SystemScores(np.array([[0.9, 0.8], [0.1, 0.2], [0.3, 0.3]]))
    >>> coverage([scored, SystemScores(-scored.values)], unanimity([scored])).round(4).tolist()
    [0.8783, -0.8783]
    """
    ordered = ~np.eye(len(found.surplus), dtype=bool)
    differences = [scored.level(np.subtract.outer(scored.means, scored.means)[ordered]) for scored in measures]
    rho: Floats = spearman(found.surplus[ordered], np.stack(differences))
    return rho
