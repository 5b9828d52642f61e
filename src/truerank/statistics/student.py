"""Student's paired t-test."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats, Mask
from truerank.data.errors import InputError
from truerank.statistics.paired import PValues, by_signs, in_blocks, least_by_signs, p_values, paired, steady
from truerank.statistics.special import t_quantile, t_tail

_CANCELLED = 1e-6
"""Share of the variance of two scores from which on that of their difference has lost its digits."""


def student(scores: npt.ArrayLike) -> PValues:
    """Two-sided paired t-test of every pair of systems, from scores (systems x topics).

    t = mean difference / (its standard deviation / sqrt(topics)), with topics - 1 degrees of freedom (Student 1908;
    for retrieval Smucker, Allan & Carterette 2007). Systems that do not differ on any topic have p = 1. Where the
    difference is the same for every topic, t is infinite, and p is that of the signs alone, 2^(1 - topics): two topics
    on which a system is ahead by the same are no proof. From one topic nothing can be told, and p = 1.

    >>> student([[0.1, 0.5, 0.3], [0.2, 0.4, 0.6]]).p.round(6).tolist()
    [[1.0, 0.477767], [0.477767, 1.0]]
    """
    values = paired(scores)
    topics = values.shape[1]
    if topics == 1:
        return p_values("student", values, 1.0, "there is one topic, and a t-test needs two: p is 1 for every pair")
    p = np.concatenate([of_differences(difference) for difference in in_blocks(values)])
    return p_values("student", values, p, so=f"p is that of the signs, {by_signs(topics):.2g}", rough=True)


def of_differences(difference: Floats) -> Floats:
    """p of each row of differences, a column per topic, of which there are two or more.

    >>> of_differences(np.array([[-0.1, 0.1, -0.3], [0.5, 0.5, 0.5]])).round(6).tolist()
    [0.477767, 0.25]
    """
    topics = difference.shape[1]
    return np.where(steady(difference), by_signs(topics), 2.0 * t_tail(topics - 1, np.abs(t_statistic(difference))))


def t_statistic(difference: Floats) -> Floats:
    """Mean over standard error of each row: 0 where all is 0, infinite where the same is not 0 for every topic."""
    topics = difference.shape[1]
    mean, error = difference.mean(axis=-1), difference.std(axis=-1, ddof=1) / np.sqrt(topics)
    t = np.divide(mean, error, out=np.zeros(len(mean)), where=error > 0)
    result: Floats = np.where(steady(difference), np.copysign(np.inf, mean), t)
    return result


def significant(scores: npt.ArrayLike, alpha: float = 0.05) -> Mask:
    """Which pairs have p < ``alpha`` by ``student``, and differ on enough topics: fast, to be asked at many depths.

    The variance of a difference is that of both scores less twice their covariance, so that one product of matrices has
    them all. Where that would cancel most digits, the differences themselves are taken. How many topics are enough is
    as for ``no_surer_than_signs``.

    >>> significant([[0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [0.2, 0.3, 0.41, 0.5, 0.6, 0.7]]).tolist()
    [[False, True], [True, False]]
    """
    values = paired(scores)
    if not 0 < alpha < 1:
        raise InputError(f"alpha={alpha!r}; give a number between 0 and 1, such as 0.05")
    systems, topics = values.shape
    if topics == 1:
        return np.zeros((systems, systems), bool)
    mean = values.mean(axis=-1)
    centred = values - mean[:, None]
    covariance = centred @ centred.T / (topics - 1)
    both = np.add.outer(np.diag(covariance), np.diag(covariance))
    variance = both - 2.0 * covariance
    critical = float(t_quantile(topics - 1, alpha / 2.0))
    found: Mask = topics * np.subtract.outer(mean, mean) ** 2 > critical**2 * variance
    for one, other in np.argwhere(np.triu(variance <= _CANCELLED * both, 1)).tolist():
        found[one, other] = found[other, one] = student(values[[one, other]]).p[0, 1] < alpha
    first, second = np.nonzero(np.triu(found, 1))
    differing = (values[first] != values[second]).sum(axis=-1, dtype=np.float64)
    found[:] = False
    found[first, second] = found[second, first] = least_by_signs(differing, alpha) == 0
    return found
