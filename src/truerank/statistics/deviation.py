"""How far differences of systems vary over topics, and how well that is known."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats
from truerank.statistics.anova import residual
from truerank.statistics.paired import paired
from truerank.statistics.special import normal_quantile, t_quantile

FEWEST = 5
"""Topics from which there is an interval: fewer show nothing of the tails of differences."""


def pooled_deviation(scores: npt.ArrayLike) -> float:
    """Standard deviation over topics of the difference of two systems: the root of the mean variance of all pairs.

    Its square is twice the mean square that systems and topics leave over; 0 if systems differ alike on all topics.

    >>> round(pooled_deviation([[0.1, 0.5, 0.3, 0.4], [0.2, 0.4, 0.6, 0.3]]), 4)
    0.1915
    """
    squares, free = residual(paired(scores))
    return math.sqrt(2 * squares / free)


def deviation_interval(scores: npt.ArrayLike, confidence: float = 0.95) -> tuple[float, float] | None:
    """An interval of ``pooled_deviation`` that does not assume normal differences; None from fewer than five topics.

    Bonett's interval of a standard deviation s (2006), with Student's t in place of z in the half width::

        the roots of exp(log(c s^2) +- t c sqrt((g - (n - 3) / n) / (n - 1))), where c = n / (n - z)

    ``g`` is the kurtosis of differences around their trimmed mean. For more than two systems it is ``n`` times the sum
    of ``q_t^2`` over the square of the sum of ``q_t``, where ``q_t`` is the squared deviation on topic ``t``, averaged
    over all pairs. The interval by chi-square would assume normal differences: it is too short for the heavy tails that
    differences have, and too long for many pairs, which together tell more than one does.

    >>> low, high = deviation_interval(np.random.default_rng(1).standard_t(5, (2, 50)))
    >>> round(low, 2), round(high, 2)
    (1.07, 2.45)
    """
    values = paired(scores)
    systems, topics = values.shape
    if topics < FEWEST:
        return None
    squares = 2 / (systems - 1) * residual(values)[0]
    if not squares:
        return 0.0, 0.0
    apart = values - values.mean(axis=0)
    off = apart - _trimmed(apart)[:, None]
    each = 2 / (systems - 1) * ((off - off.mean(axis=0)) ** 2).sum(axis=0)
    kurtosis = topics * float((each**2).sum()) / squares**2
    tail = (1 - confidence) / 2
    c = topics / (topics - -float(normal_quantile(tail)))
    error = c * math.sqrt(max(kurtosis - (topics - 3) / topics, 0.0) / (topics - 1))
    middle, half = math.log(c * squares / (topics - 1)), float(t_quantile(topics - 1, tail)) * error
    return math.exp((middle - half) / 2), math.exp((middle + half) / 2)


def _trimmed(apart: Floats) -> Floats:
    """Of each system, the mean without the share 1 / (2 sqrt(n - 4)) of topics at either end."""
    topics = apart.shape[1]
    cut = int(topics / (2 * math.sqrt(topics - 4)))
    found: Floats = np.sort(apart, axis=1)[:, cut : topics - cut].mean(axis=1)
    return found
