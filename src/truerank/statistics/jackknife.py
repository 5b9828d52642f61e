"""Intervals of rank correlations: how far they would be other with other systems like these."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Array, Floats, Rows
from truerank.data.errors import InputError
from truerank.statistics.correlations import numbers

FEWEST = 8
"""Systems that it takes: what fewer leave open is nearly everything."""
MOST = 500
"""Systems up to which it is worth the time; each part that is left out takes as long as the coefficient itself."""
PARTS = 150
"""Systems are left out one by one, or where there are more of them than this, in so many parts."""
_ALL = 1.0 - 1e-12


def correlation_interval(
    coefficient: Callable[[Array, Array], Any], x: npt.ArrayLike, y: npt.ArrayLike, confidence: float = 0.95
) -> tuple[float, float] | None:
    """What a coefficient is to be expected to be for as many other systems, drawn from where these are from.

    The jackknife: each system is left out in turn, which tells the standard error of any coefficient (Quenouille 1956,
    Tukey 1958); the interval is taken on Fisher's scale, atanh, which keeps it within -1 and 1, by Student's t with a
    degree of freedom fewer than systems. Nothing is assumed about the scores. Resampling systems with replacement
    instead, as the bootstrap does, would tie each with its copies.

    None with fewer than 8 systems or more than 500, and where the coefficient is 1, -1 or undefined: rankings that
    agree in all say nothing of how far others would not.

    >>> from truerank.statistics.correlations import kendall_b
    >>> low, high = correlation_interval(kendall_b, [9, 8, 7, 6, 5, 4, 3, 2, 1], [9, 7, 8, 6, 3, 4, 5, 1, 2])
    >>> round(low, 4), round(high, 4)
    (0.1922, 0.926)
    """
    refuse_confidence(confidence)
    first, second = numbers(x), numbers(y)
    systems = first.shape[-1]
    if not FEWEST <= systems <= MOST:
        return None
    value = float(coefficient(first, second))
    if not abs(value) < _ALL:
        return None
    parts = _parts(first, second)
    left = _without(coefficient, first, second, parts)
    count = len(left)
    error = math.sqrt((count - 1) / count * float(((left - left.mean()) ** 2).sum())) / (1.0 - value**2)
    reach = t_quantile(count - 1, (1.0 + confidence) / 2.0) * error
    return math.tanh(math.atanh(value) - reach), math.tanh(math.atanh(value) + reach)


def refuse_confidence(confidence: float) -> None:
    """Refuse what is no share that intervals could hold with."""
    if not 0 < confidence < 1:
        raise InputError(f"confidence is {confidence!r}; give a number between 0 and 1, such as 0.95")


def _parts(x: Array, y: Array) -> Rows:
    """The part of each system: one of its own or, where there are many, drawn, whatever order they come in."""
    systems = len(x)
    part = np.empty(systems, np.int64)
    drawn = np.arange(systems) % min(systems, PARTS)
    if systems > PARTS:
        drawn = np.random.default_rng(0).permutation(drawn)
    part[np.lexsort((y, x))] = drawn
    return part


def _without(coefficient: Callable[[Array, Array], Any], x: Array, y: Array, parts: Rows) -> Floats:
    """The coefficient without each part."""
    if len(x) <= PARTS:
        kept = parts[None, :] != np.arange(len(x))[:, None]
        rows = [np.broadcast_to(scores, kept.shape)[kept].reshape(len(x), -1) for scores in (x, y)]
        every: Floats = coefficient(rows[0], rows[1])
        return every
    return np.array([coefficient(x[parts != part], y[parts != part]) for part in range(PARTS)])


def t_quantile(free: int, share: float) -> float:
    """A quantile of Student's t, from that of the normal distribution (Cornish & Fisher; Abramowitz & Stegun 26.7.5).

    With 7 degrees of freedom or more it is within 0.2% for shares up to 0.995.

    >>> round(t_quantile(7, 0.975), 3), round(t_quantile(100, 0.975), 3)  # 2.365 and 1.984 in tables
    (2.364, 1.984)
    """
    z = NormalDist().inv_cdf(share)
    return (
        z
        + (z**3 + z) / (4 * free)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * free**3)
    )
