"""Tukey's honestly significant differences, blocked by topic."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numpy.polynomial import Chebyshev

from truerank.analysis.significance.paired import PValues, constant, differences, matrix, paired, pairs
from truerank.data.arrays import Floats
from truerank.data.errors import InputError

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
        note = "there is one topic, and Tukey's test needs two: p is 1 for every pair"
        return PValues("tukey", np.ones((systems, systems)), (note,) if systems > 1 else ())
    if systems == 1:
        return PValues("tukey", np.ones((1, 1)))
    mean = [np.abs(difference.mean(axis=-1)) for difference in differences(values)]
    if constant(values - values[:1]).all():
        p = [np.where(each > 0, 0.0, 1.0) for each in mean]
        apart = sum(int((each > 0).sum()) for each in mean)
        note = f"systems differ by the same for every topic, so that nothing varies and p is 0: {pairs(apart)}"
        return PValues("tukey", matrix(systems, p), (note,) if apart else ())
    residual = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0) + values.mean()
    free = (systems - 1) * (topics - 1)
    error = np.sqrt((residual**2).sum() / free / topics)
    every = _beyond(np.concatenate(mean) / error, systems, free)
    return PValues("tukey", matrix(systems, np.split(every, np.cumsum([len(each) for each in mean])[:-1])))


def _beyond(q: Floats, systems: int, free: int) -> Floats:
    """Chance of a studentised range of at least q.

    scipy takes a hundredth of a second for each, so that many are read off polynomials through some of them, which
    are within 1e-9. So many come from 15 systems or more, where past the last piece there is less than that.
    """
    try:
        from scipy.stats import studentized_range  # type: ignore[import-untyped]
    except ImportError:
        raise InputError("Tukey's test needs scipy; install truerank[stats]") from None

    def chance(range_: Floats) -> Floats:
        return np.asarray(studentized_range.sf(range_, systems, free), dtype=np.float64)

    if len(q) <= _FEW:
        return np.clip(chance(q), 0.0, 1.0)
    p = np.zeros(len(q))
    for low, high in _PIECES:
        inside = (q >= low) & (q < high)
        if inside.any():
            p[inside] = Chebyshev.interpolate(chance, _DEGREE, domain=[low, high])(q[inside])
    return np.clip(p, 0.0, 1.0)
