"""Student's paired t-test."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from truerank.analysis.significance.paired import PValues, constant, in_blocks, matrix, paired, pairs
from truerank.data.arrays import Floats, Mask
from truerank.data.errors import InputError

_CANCELLED = 1e-6
"""Share of the variance of two scores from which on that of their difference has lost its digits."""


def student(scores: npt.ArrayLike) -> PValues:
    """Two-sided paired t-test of every pair of systems, from scores (systems x topics).

    t = mean difference / (its standard deviation / sqrt(topics)), with topics - 1 degrees of freedom (Student 1908;
    for retrieval Smucker, Allan & Carterette 2007). Systems that do not differ on any topic have p = 1; where the
    difference is the same for every topic, p = 0; from one topic nothing can be told, and p = 1.

    >>> student([[0.1, 0.5, 0.3], [0.2, 0.4, 0.6]]).p.round(6).tolist()
    [[1.0, 0.477767], [0.477767, 1.0]]
    """
    values = paired(scores)
    systems, topics = values.shape
    if topics == 1:
        note = "there is one topic, and a t-test needs two: p is 1 for every pair"
        return PValues("student", np.ones((systems, systems)), (note,) if systems > 1 else ())
    same = 0
    found: list[Floats] = []
    for difference in in_blocks(values):
        steady = constant(difference) & (difference != 0).any(axis=-1)
        same += int(steady.sum())
        found.append(np.where(steady, 0.0, _p(difference)))
    rows = np.split(np.concatenate(found), np.cumsum(np.arange(systems - 1, 0, -1)))
    note = f"the difference is the same for every topic, so that nothing varies and p is 0: {pairs(same)} of systems"
    return PValues("student", matrix(systems, rows), (note,) if same else ())


def significant(scores: npt.ArrayLike, alpha: float = 0.05) -> Mask:
    """Which pairs have p < ``alpha`` by ``student``: much faster where it is asked at many depths.

    The variance of a difference is that of both scores less twice their covariance, so that one product of matrices has
    them all. Where that would cancel most digits, the differences themselves are taken.

    >>> significant([[0.1, 0.2, 0.3], [0.2, 0.3, 0.41]]).tolist()
    [[False, True], [True, False]]
    """
    values = paired(scores)
    systems, topics = values.shape
    if topics == 1:
        return np.zeros((systems, systems), bool)
    mean = values.mean(axis=-1)
    centred = values - mean[:, None]
    covariance = centred @ centred.T / (topics - 1)
    both = np.add.outer(np.diag(covariance), np.diag(covariance))
    variance = both - 2.0 * covariance
    critical = float(_library().stdtrit(topics - 1, 1.0 - alpha / 2.0))
    found: Mask = topics * np.subtract.outer(mean, mean) ** 2 > critical**2 * variance
    for one, other in np.argwhere(np.triu(variance <= _CANCELLED * both, 1)).tolist():
        found[one, other] = found[other, one] = student(values[[one, other]]).p[0, 1] < alpha
    np.fill_diagonal(found, False)
    return found


def _library() -> Any:
    try:
        from scipy import special  # type: ignore[import-untyped]
    except ImportError:
        raise InputError("a t-test needs scipy; install truerank[stats]") from None
    return special


def _p(difference: Floats) -> Floats:
    topics = difference.shape[1]
    mean, error = difference.mean(axis=-1), difference.std(axis=-1, ddof=1) / np.sqrt(topics)
    t = np.divide(np.abs(mean), error, out=np.zeros(len(mean)), where=error > 0)
    p: Floats = 2.0 * _library().stdtr(topics - 1, -t)
    return p
