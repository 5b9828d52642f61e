"""Dunnett's tests, which allow for all comparisons with one baseline at once: blocked by topic, and randomised."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.statistics.anova import residual
from truerank.statistics.paired import PValues, by_signs, differences, p_values, paired
from truerank.statistics.randomization import CLOSE, Assignments, Drawing, Draws
from truerank.statistics.special import chi2_quantile, normal_tail

if TYPE_CHECKING:
    from typing_extensions import Unpack

_SHARED = 0.5
"""Correlation of two differences from the same baseline, where all systems vary alike."""
_STEP = 0.125
"""Of sums that stand for integrals over normal and log chi variables: halving it changes p by less than 1e-12."""
_FAR = 1e-14
"""Chance of what lies beyond the ends of these sums."""


def dunnett(scores: npt.ArrayLike, *, baseline: int = 0) -> PValues:
    """Dunnett's test of every system against one, from scores (systems x topics); all of these are allowed for at once.

    As Tukey's HSD it takes the error from a two-way analysis of variance, with (systems - 1)(topics - 1) degrees of
    freedom, and scores of all systems to vary alike (Dunnett 1955). The largest of systems - 1 t statistics, any two of
    which have the correlation 1/2 by the baseline that they share, is what each is held against. It finds more than
    Tukey's test, which allows for pairs that nobody asked about, and than Holm's correction, which knows nothing of
    that correlation. Pairs without the baseline have p = 1. With two systems this is the paired t-test.

    >>> dunnett([[0.1, 0.5, 0.3], [0.2, 0.4, 0.6]]).p.round(6).tolist()
    [[1.0, 0.477767], [0.477767, 1.0]]
    """
    values, _ = _against(scores, baseline)
    systems, topics = values.shape
    if systems == 1 or topics == 1:
        one = "there is one topic, and Dunnett's test needs two: p is 1 for every pair"
        return p_values("dunnett", values, 1.0, *((one,) if systems > 1 else ()))
    mean = np.abs(np.concatenate([difference.mean(axis=-1) for difference in differences(values)]))
    squares, free = residual(values)
    least = by_signs(topics)
    so = f"p is that of the signs, {least:.2g}"
    if not squares:
        return p_values("dunnett", values, _asked(systems, baseline, np.where(mean > 0, least, 1.0)), so=so)
    t = mean / np.sqrt(2.0 * squares / free / topics)
    asked = _asked(systems, baseline, 0.0) < 1
    p = np.ones(len(t))
    p[asked] = beyond(t[asked], systems - 1, free)
    return p_values("dunnett", values, p, rough=True)


def randomized_dunnett(scores: npt.ArrayLike, *, baseline: int = 0, **draws: Unpack[Drawing]) -> PValues:
    """Randomised test of every system against one, from scores (systems x topics); all are allowed for at once.

    Were systems alike, the differences of a topic from the baseline could all have had the other sign. Each draw turns
    the signs of topics at random, for all systems together, and keeps the largest t. A system's p is the share of draws
    whose largest t is as far as its own (Westfall & Young 1993, in one step). No normal distribution is assumed, nor
    that systems vary alike: each has its own spread, and what they have in common comes with the topics. All 2^topics
    turns are gone through where ``permutations`` allow for them. Pairs without the baseline have p = 1.

    >>> randomized_dunnett([[0.1, 0.5, 0.3], [0.2, 0.4, 0.6]]).p.tolist()
    [[1.0, 0.75], [0.75, 1.0]]
    """
    values, apart = _against(scores, baseline)
    systems, topics = values.shape
    drawn = Draws(**draws)
    turned = Assignments(topics, drawn)
    if systems == 1:
        return p_values("randomized-dunnett", values, 1.0)
    unit = _unit(apart)
    observed = np.abs(unit.sum(axis=-1))
    ordered = np.sort(farthest(apart, drawn))
    far = (len(ordered) - np.searchsorted(ordered, observed - CLOSE * np.sqrt(topics))).astype(np.float64)
    found = far / turned.count if turned.every else (1.0 + far) / (1.0 + turned.count)
    p = np.ones((systems, systems))
    p[baseline], p[:, baseline] = found, found
    p[baseline, baseline] = 1.0
    return p_values(
        "randomized-dunnett",
        values,
        p[np.triu_indices(systems, 1)],
        *turned.notes(sides=2),
        how=turned.how,
        least=turned.least(sides=2),
    )


def farthest(apart: Floats, draws: Draws) -> Floats:
    """The largest of sums of rows over their length (root of the sum of squares), by signs drawn for topics.

    t grows with it, whatever the signs: they leave the sum of squares as it is.

    >>> farthest(np.array([[0.5, 0.5], [0.0, 0.0]]), Draws()).round(4).tolist()
    [1.4142, 0.0, 0.0, 1.4142]
    """
    unit = _unit(apart)
    turned = Assignments(apart.shape[1], draws)

    def work(part: slice) -> Floats:
        return np.concatenate([np.abs(sums).max(axis=1).ravel() for sums in turned.sums(part).of(unit)])

    return np.concatenate(draws.over(work, turned.count))


def beyond(t: npt.ArrayLike, others: int, free: int) -> Floats:
    """Chance that the largest of so many |t|, of systems with a common baseline, is at least so much.

    The baseline and the error are common to all; given both, systems are independent. What is left are two integrals,
    over a normal variable and over the root of chi square.

    >>> beyond([2.2281, 2.57], 1, 10).round(4).tolist(), round(float(beyond(2.27, 2, 60)), 2)
    ([0.05, 0.0279], 0.05)
    """
    wanted = np.atleast_1d(np.asarray(t, dtype=np.float64))
    z = np.arange(-8.0, 8.0 + _STEP, _STEP)
    normal = np.exp(-(z**2) / 2)
    # In terms of log s the integrand falls off at both ends, where sums over equal steps are nearly exact.
    low, high = (float(np.log(chi2_quantile(free, tail) / free)) / 2 for tail in (1.0 - _FAR, _FAR))
    steps = max(int(np.ceil((high - low) / min(_STEP, 0.5 / np.sqrt(free)))), 2)
    x = np.linspace(max(low, -40.0), high, steps)
    log_density = free * x - free * np.exp(2 * x) / 2
    error = np.exp(log_density - log_density.max())
    weights = np.outer(error / error.sum(), normal / normal.sum())
    shift, scale = np.sqrt(_SHARED) * z, np.sqrt(1.0 - _SHARED)
    found = []
    for one in wanted.tolist():
        reach = one * np.exp(x)[:, None]
        inside = normal_tail((shift - reach) / scale) - normal_tail((shift + reach) / scale)
        with np.errstate(divide="ignore"):
            found.append(-(weights * np.expm1(others * np.log(inside))).sum())
    p = np.clip(found, 0.0, 1.0)
    return np.asarray(p.reshape(np.shape(t)))


@cache
def critical_t(confidence: float, others: int, free: int) -> float:
    """What the largest of so many |t| stays below with the given confidence.

    >>> round(critical_t(0.95, 1, 10), 4), round(critical_t(0.95, 7, 120), 2)
    (2.2281, 2.65)
    """
    low, high = 0.0, 1.0
    while float(beyond(high, others, free)) > 1.0 - confidence:
        low, high = high, 2 * high
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if float(beyond(middle, others, free)) > 1.0 - confidence else (low, middle)
    return high


def half_width(values: Floats, confidence: float) -> float:
    """Half of an interval by Dunnett's test: all with the baseline hold at once."""
    systems, topics = values.shape
    squares, free = residual(values)
    if not squares:
        return 0.0
    return critical_t(confidence, systems - 1, free) * float(np.sqrt(2.0 * squares / free / topics))


def _against(scores: npt.ArrayLike, baseline: int) -> tuple[Floats, Floats]:
    """Scores, and how far each system is from the baseline on each topic, free of rounding noise."""
    values = paired(scores)
    if not 0 <= baseline < len(values):
        raise InputError(f"baseline={baseline!r}; give a position from 0 to {len(values) - 1}")
    return values, from_baseline(values, baseline)


def from_baseline(values: Floats, baseline: int) -> Floats:
    """Scores of each system less those of the baseline (systems x topics); equal ones differ by nothing.

    >>> from_baseline(np.array([[0.3, 0.5], [0.1 + 0.2, 1.0]]), 0).tolist()
    [[0.0, 0.0], [0.0, 0.5]]
    """
    others = [next(differences(values[[at, baseline]]))[0] for at in range(len(values))]
    return np.stack(others)


def _unit(apart: Floats) -> Floats:
    length = np.sqrt((apart**2).sum(axis=-1, keepdims=True))
    found: Floats = np.divide(apart, length, out=np.zeros_like(apart), where=length > 0)
    return found


def _asked(systems: int, baseline: int, p: npt.ArrayLike) -> Floats:
    """p of pairs with the baseline, in the order of ``matrix``; 1 for all others."""
    first, second = np.triu_indices(systems, 1)
    return np.where((first == baseline) | (second == baseline), p, 1.0)
