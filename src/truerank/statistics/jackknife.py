"""Intervals of rank correlations: how far they would be other with other systems like these."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Array, Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.statistics.correlations import kendall, kendall_b, numbers, spearman

FEWEST = 8
"""Systems that it takes: what fewer leave open is nearly everything."""
MOST = 500
"""Systems up to which it is worth the time; each part that is left out takes as long as the coefficient itself."""
PARTS = 150
"""Systems are left out one by one, or where there are more of them than this, in so many parts."""
_ALL = 1.0 - 1e-12


@dataclass(frozen=True)
class Normal:
    """A coefficient, and its variance on Fisher's scale for normal scores: a factor over systems less a few."""

    coefficient: Callable[[Any, Any], Any]
    factor: float
    less: int

    def error(self, systems: int) -> float:
        """The standard error."""
        return math.sqrt(self.factor / (systems - self.less))


INTERVALS = {
    "tau_a": Normal(kendall, 0.437, 4),
    "tau_b": Normal(kendall_b, 0.437, 4),
    "spearman": Normal(spearman, 1.06, 3),
}
"""The coefficients that have an interval. Those in which the top weighs more rest on a few systems, and a rare one that
another ranking has at its top changes them more than systems that were seen can tell."""


def correlation_interval(
    name: str, x: npt.ArrayLike, y: npt.ArrayLike, confidence: float = 0.95
) -> tuple[float, float] | None:
    """What a coefficient of ``INTERVALS`` is to be expected to be for as many other systems, from where these are from.

    The jackknife: each system is left out in turn, which tells the standard error of a coefficient whatever scores are
    like (Quenouille 1956, Tukey 1958); but it is taken to be no smaller than for normal scores (Fieller, Hartley &
    Pearson 1957). The interval is on Fisher's scale, atanh, which keeps it within -1 and 1, by Student's t with a
    degree of freedom fewer than systems. Resampling with replacement, as the bootstrap does, would tie systems with
    their copies.

    What is rare may not be among the systems seen. Were a share u of all systems to stand anywhere in one ranking, the
    coefficient would be (1 - u)^2 of what it is for the others; the interval reaches at least as far, for the largest u
    of which n systems have none with a chance of (1 - confidence) / 2.

    None with fewer than 8 systems or more than 500, and where the coefficient is undefined.

    >>> low, high = correlation_interval("tau_b", [9, 8, 7, 6, 5, 4, 3, 2, 1], [9, 7, 8, 6, 3, 4, 5, 1, 2])
    >>> round(low, 4), round(high, 4)
    (0.1922, 0.926)
    """
    refuse_confidence(confidence)
    return interval_of(INTERVALS[name], numbers(x), numbers(y), confidence)


def interval_of(asked: Normal, first: Array, second: Array, confidence: float) -> tuple[float, float] | None:
    """The interval of any coefficient, see ``correlation_interval``; that it holds is for the caller to find out."""
    systems = first.shape[-1]
    if not FEWEST <= systems <= MOST:
        return None
    value = float(asked.coefficient(first, second))
    if math.isnan(value):
        return None
    unseen = value * ((1.0 - confidence) / 2.0) ** (2.0 / systems)
    if abs(value) >= _ALL:
        # Where all agrees, or nothing, leaving out tells nothing.
        return min(unseen, value), max(unseen, value)
    left = _without(asked.coefficient, first, second)
    count = len(left)
    spread = math.sqrt((count - 1) / count * float(((left - left.mean()) ** 2).sum()))
    error = max(spread / (1.0 - value**2), asked.error(systems))
    reach = t_quantile(count - 1, (1.0 + confidence) / 2.0) * error
    low, high = math.tanh(math.atanh(value) - reach), math.tanh(math.atanh(value) + reach)
    return min(low, unseen), max(high, unseen)


def refuse_confidence(confidence: float) -> None:
    """Refuse what is no share that intervals could hold with."""
    if not 0 < confidence < 1:
        raise InputError(f"confidence is {confidence!r}; give a number between 0 and 1, such as 0.95")


def _without(coefficient: Callable[[Any, Any], Any], x: Array, y: Array) -> Floats:
    """The coefficient without each part of the systems."""
    systems = len(x)
    if systems <= PARTS:
        kept = ~np.eye(systems, dtype=bool)
        rows = [np.broadcast_to(scores, kept.shape)[kept].reshape(systems, -1) for scores in (x, y)]
        every: Floats = coefficient(rows[0], rows[1])
        return every
    part = np.empty(systems, np.intp)
    drawn: Rows = np.random.default_rng(0).permutation(np.arange(systems) % PARTS)
    # Parts are drawn by place, so that the order that systems are given in is nothing.
    part[np.lexsort((y, x))] = drawn
    return np.array([coefficient(x[part != each], y[part != each]) for each in range(PARTS)])


def left_out(value: float, without: Floats, confidence: float) -> tuple[float, float]:
    """The interval of a value by what it is without each of the parts that it is made of.

    >>> low, high = left_out(0.5, np.array([0.45, 0.5, 0.55]), 0.95)
    >>> round(low, 3), round(high, 3)
    (0.252, 0.748)
    """
    parts = len(without)
    error = math.sqrt((parts - 1) * float(np.mean((without - without.mean()) ** 2)))
    half = t_quantile(parts - 1, 0.5 + confidence / 2) * error
    return value - half, value + half


def t_quantile(free: int, share: float) -> float:
    """A quantile of Student's t, from that of the normal distribution (Cornish & Fisher; Abramowitz & Stegun 26.7.5).

    With 7 degrees of freedom or more it is within 0.2% for shares up to 0.995; with fewer it is looked for in the
    distribution itself, which is a sum of a few terms (26.7.3, 26.7.4).

    >>> round(t_quantile(7, 0.975), 3), round(t_quantile(100, 0.975), 3)  # 2.365 and 1.984 in tables
    (2.364, 1.984)
    >>> [round(t_quantile(free, 0.975), 3) for free in (1, 2, 3, 6)]
    [12.706, 4.303, 3.182, 2.447]
    """
    if free < 7 and share > 0.5:
        low, high = 0.0, math.pi / 2
        while high - low > 1e-15:
            middle = (low + high) / 2
            low, high = (middle, high) if _within(middle, free) < 2 * share - 1 else (low, middle)
        return math.sqrt(free) * math.tan((low + high) / 2)
    z = NormalDist().inv_cdf(share)
    return (
        z
        + (z**3 + z) / (4 * free)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * free**3)
    )


def _within(angle: float, free: int) -> float:
    """The chance that t is within plus and minus the root of its degrees of freedom times the tangent of an angle."""
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = free % 2 == 1
    term = cosine if odd else 1.0
    total = term if free > 1 else 0.0
    for step in range(3 if odd else 2, free - 1, 2):
        term *= cosine**2 * (step - 1) / step
        total += term
    return 2 / math.pi * (angle + sine * total) if odd else sine * total
