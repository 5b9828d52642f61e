"""Tukey's honestly significant differences, blocked by topic."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt
from numpy.polynomial import Chebyshev

from truerank.analysis.significance.anova import residual
from truerank.analysis.significance.paired import PValues, differences, p_values, paired
from truerank.analysis.significance.special import distribution
from truerank.data.arrays import Floats

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
        return p_values("tukey", values, np.where(mean > 0, 0.0, 1.0), so="p is 0")
    error = np.sqrt(squares / free / topics)
    return p_values("tukey", values, _beyond(mean / error, systems, free))


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
    return np.asarray(distribution("studentized_range", "Tukey's test").sf(q, systems, free), dtype=np.float64)
