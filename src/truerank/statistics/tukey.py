"""Tukey's tests, which allow for all pairs of systems at once: blocked by topic, and randomised."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from numpy.polynomial import Chebyshev

from truerank.data.arrays import Floats
from truerank.data.extras import needed
from truerank.statistics.anova import residual
from truerank.statistics.paired import PValues, by_signs, differences, p_values, paired
from truerank.statistics.randomization import CLOSE, Drawing, Draws

if TYPE_CHECKING:
    from typing_extensions import Unpack

_FEW = 100
_PIECES = ((0.0, 8.0), (8.0, 16.0), (16.0, 32.0))
_DEGREE = 70


def tukey(scores: npt.ArrayLike) -> PValues:
    """Tukey's HSD of every pair of systems, from scores (systems x topics); all pairs are allowed for at once.

    Systems are scored on the same topics, which differ in difficulty, so the error is what a two-way analysis of
    variance leaves over once systems and topics are taken out: (systems - 1)(topics - 1) degrees of freedom (Tukey
    1953; for retrieval Carterette 2012, Sakai 2018). The form for independent groups counts the difficulty of topics
    as error, and finds less. With two systems this is the paired t-test.

    >>> tukey([[0.1, 0.5, 0.3], [0.2, 0.4, 0.6]]).p.round(6).tolist()
    [[1.0, 0.477767], [0.477767, 1.0]]
    """
    values = paired(scores)
    systems, topics = values.shape
    if topics == 1:
        return p_values("tukey", values, 1.0, "there is one topic, and Tukey's test needs two: p is 1 for every pair")
    if systems == 1:
        return p_values("tukey", values, 1.0)
    mean = np.abs(np.concatenate([difference.mean(axis=-1) for difference in differences(values)]))
    squares, free = residual(values)
    if not squares:
        least = by_signs(topics)
        so = f"p is that of the signs, {least:.2g}"
        return p_values("tukey", values, np.where(mean > 0, least, 1.0), so=so)
    error = np.sqrt(squares / free / topics)
    return p_values("tukey", values, _beyond(mean / error, systems, free), rough=True)


def _beyond(q: Floats, systems: int, free: int) -> Floats:
    """Chance of a studentised range of at least q.

    scipy takes a hundredth of a second for each, so that many are read off polynomials through some of them, which
    are within 1e-9. So many come from 15 systems or more, where past the last piece there is less than that.
    """
    if len(q) <= _FEW:
        return np.clip(_chance(q, systems, free), 0.0, 1.0)
    p = np.zeros(len(q))
    for low, high in _PIECES:
        inside = (q >= low) & (q < high)
        if inside.any():
            p[inside] = _polynomial(systems, free, low, high)(q[inside])
    return np.clip(p, 0.0, 1.0)


@cache
def _polynomial(systems: int, free: int, low: float, high: float) -> Chebyshev:
    """Measures of the same runs share it."""
    found: Chebyshev = Chebyshev.interpolate(lambda q: _chance(q, systems, free), _DEGREE, domain=[low, high])
    return found


def _chance(q: Floats, systems: int, free: int) -> Floats:
    return np.asarray(needed("scipy.stats", "Tukey's test").studentized_range.sf(q, systems, free), dtype=np.float64)


def randomized_tukey(scores: npt.ArrayLike, **draws: Unpack[Drawing]) -> PValues:
    """Randomised Tukey HSD of every pair of systems, from scores (systems x topics); all pairs are allowed for at once.

    Were all systems alike, each could have had any of the scores of a topic. Each permutation deals the scores of every
    topic out to the systems at random, and keeps the difference between the highest and the lowest mean. A pair's p is
    (1 + permutations whose range is at least the difference of the pair) / (1 + permutations), drawn with ``seed``
    (Carterette 2012, Sakai 2018). No normal distribution is assumed, but that systems are alike in their spread as well
    as in their means: one that varies far more than the rest is found to differ too often.

    >>> randomized_tukey([[0.1, 0.5, 0.3], [0.2, 0.4, 0.6]], permutations=999).p.round(1).tolist()
    [[1.0, 0.7], [0.7, 1.0]]
    """
    values = paired(scores)
    drawn = Draws(**draws)
    found = np.sort(permuted_ranges(values, drawn))
    mean = np.abs(np.concatenate([difference.sum(axis=-1) for difference in differences(values)]))
    far = drawn.permutations - np.searchsorted(found, mean - CLOSE * np.ptp(values, axis=0).sum())
    one = "there is one topic, and permutations of its scores all have the same range: p is 1 for every pair"
    return p_values(
        "randomized-tukey",
        values,
        (1 + far) / (1 + drawn.permutations),
        *((one,) if values.shape[1] == 1 else ()),
        how=drawn.permuted,
        least=1 / (1 + drawn.permutations),
    )


def permuted_ranges(values: Floats, draws: Draws) -> Floats:
    """The range of sums over topics of systems that are dealt the scores of each topic at random, one a draw.

    >>> permuted_ranges(np.array([[1.0, 1.0], [0.0, 0.0]]), Draws(3)).tolist()
    [2.0, 2.0, 2.0]
    """
    # A topic's difficulty goes to every system alike; without it less is lost to rounding.
    dealt = np.ascontiguousarray((values - values.min(axis=0)).T)
    return np.concatenate(draws.over(lambda part: _ranges(dealt, draws.generator(part), part.stop - part.start)))


def _ranges(dealt: Floats, draw: np.random.Generator, count: int) -> Floats:
    """The range of sums over topics of scores (topics x systems) that are dealt out at random, one a draw."""
    total = np.zeros((count, dealt.shape[1]))
    scores = np.empty_like(total)
    for topic in dealt:
        scores[:] = topic
        total += draw.permuted(scores, axis=1, out=scores)
    ranges: Floats = total.max(axis=1) - total.min(axis=1)
    return ranges
