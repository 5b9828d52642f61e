"""How many topics a difference needs to be found, and which difference the topics at hand can show."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats, Mask
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.statistics.effects import effects
from truerank.statistics.paired import paired, unvaried
from truerank.statistics.special import (
    chi2_quantile,
    f_quantile,
    noncentral_f_tail,
    noncentral_t_tail,
    normal_quantile,
    normal_tail,
    t_quantile,
)

_MOST = 1 << 40
"""Topics that nobody has."""


@dataclass(frozen=True, eq=False)
class PowerPlan:
    """What the paired t-test of each pair of systems can show (systems x systems)."""

    topics: int
    """Topics at hand."""
    deviation: Floats
    """Standard deviation of the difference over topics, as observed."""
    detectable: Floats
    """The smallest true difference that would be found with the given power on the topics at hand; NaN from one."""
    needed: Floats | None
    """The topics needed to find ``difference``; None where no difference was given."""
    difference: float | None
    alpha: float
    power: float
    sides: int
    notes: tuple[str, ...] = ()


def plan(
    scores: npt.ArrayLike,
    difference: float | None = None,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    sides: int = 2,
) -> PowerPlan:
    """Detectable differences and topics needed, from the observed spread of differences in scores (systems x topics).

    What is found with the power 1 - beta is a difference that matters, which the caller names. The power for the
    difference observed is not given: it is p in other words, about one half where p = alpha, and says nothing more
    (Hoenig & Heisey 2001). For a test of no worse, the difference is the margin, and ``sides=1``.

    >>> found = plan([[0.1, 0.5, 0.3, 0.4], [0.2, 0.4, 0.6, 0.3]], 0.1)
    >>> found.detectable.round(3).tolist(), found.needed.tolist()
    ([[0.0, 0.407], [0.407, 0.0]], [[2.0, 31.0], [31.0, 2.0]])
    """
    _checked_level(alpha, sides, power)
    if difference is not None:
        _checked_difference(difference)
    values = paired(scores)
    systems, topics = values.shape
    if topics == 1:
        note = "there is one topic: how much differences vary is unknown, and so is what more topics would show"
        unknown = np.full((systems, systems), np.nan)
        needed = None if difference is None else unknown
        return PowerPlan(1, unknown, unknown, needed, difference, alpha, power, sides, (note,))
    deviation = effects(values).deviation
    return PowerPlan(
        topics,
        deviation,
        detectable(topics, deviation, alpha=alpha, power=power, sides=sides),
        None if difference is None else needed_topics(difference, deviation, alpha=alpha, power=power, sides=sides),
        difference,
        alpha,
        power,
        sides,
        unvaried(values, "any difference would be found, from two topics on"),
    )


def power_of(
    topics: npt.ArrayLike, difference: float, deviation: float, *, alpha: float = 0.05, sides: int = 2
) -> Floats:
    """Chance that the paired t-test finds a true difference, when differences vary by ``deviation`` over topics.

    Under it t has the noncentral t distribution with topics - 1 degrees of freedom and the noncentrality
    sqrt(topics) difference / deviation.

    >>> power_of([20, 50], 0.05, 0.1).round(4).tolist()
    [0.5645, 0.9339]
    """
    _checked_level(alpha, sides)
    if not deviation > 0:
        raise InputError(f"deviation={deviation!r}; give a standard deviation above 0")
    count = _checked_topics(topics)
    return _power(count, np.abs(difference) / deviation * np.sqrt(count), alpha, sides)


def exaggeration(topics: int, difference: float, deviation: float, *, alpha: float = 0.05) -> float:
    """How many times as large as the true difference those are, on average, that the paired t-test finds.

    What is found is what came out large: the expectation of the size of differences with p < alpha, over the true one
    (the "type M error" of Gelman & Carlin 2014). It is close to 1 where the power is high, and about 1.1 at .80.

    >>> round(exaggeration(50, 0.05, 0.25), 1), round(exaggeration(50, 0.2, 0.25), 2)
    (1.8, 1.0)
    """
    _checked_level(alpha)
    _checked_difference(difference)
    if not deviation > 0:
        raise InputError(f"deviation={deviation!r}; give a standard deviation above 0")
    free = float(_checked_topics(topics)) - 1
    critical, true = float(t_quantile(free, alpha / 2)), abs(difference) / deviation * np.sqrt(topics)
    # Over the observed deviation, which is that of chi; given it, differences in standard errors are normal around the
    # true one, and those found lie beyond the critical value times it.
    steps = (np.arange(_STEPS) + 0.5) / _STEPS
    bound = critical * np.sqrt(chi2_quantile(free, 1.0 - steps) / free)
    above, below = normal_tail(bound - true), normal_tail(bound + true)
    beyond = (np.exp(-((bound - true) ** 2) / 2) + np.exp(-((bound + true) ** 2) / 2)) / np.sqrt(2 * np.pi)
    size = true * (above - below) + beyond
    return float(size.mean() / (above + below).mean() / true)


_STEPS = 2000
"""Quantiles of the deviation that an expectation is taken over."""


def detectable(
    topics: float, deviation: npt.ArrayLike, *, alpha: float = 0.05, power: float = 0.8, sides: int = 2
) -> Floats:
    """The smallest difference that the paired t-test finds with the given power, for any shape of deviations.

    >>> detectable(50, [0.1, 0.2]).round(4).tolist()
    [0.0404, 0.0808]
    """
    _checked_level(alpha, sides, power)
    _checked_topics(topics)
    low, high = 0.0, 1.0
    while _power(topics, high, alpha, sides) < power:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _power(topics, middle, alpha, sides) < power else (low, middle)
    return np.asarray(np.asarray(deviation, dtype=np.float64) * high / np.sqrt(topics))


def needed_topics(
    difference: float, deviation: npt.ArrayLike, *, alpha: float = 0.05, power: float = 0.8, sides: int = 2
) -> Floats:
    """The fewest topics with which the paired t-test finds a difference with the given power, for any shape.

    >>> needed_topics(0.05, [0.1, 0.2]).tolist()
    [34.0, 128.0]
    """
    _checked_level(alpha, sides, power)
    _checked_difference(difference)
    deviations = np.asarray(deviation, dtype=np.float64)
    effect = np.divide(abs(difference), deviations, out=np.full(deviations.shape, np.inf), where=deviations > 0)
    # Of many topics t is nearly normal, and of few not many are to be tried.
    z = normal_quantile(1.0 - alpha / sides) + normal_quantile(power)
    with np.errstate(divide="ignore", over="ignore"):
        guess = np.nan_to_num((z / effect) ** 2 + z**2 / 4, nan=2.0, posinf=float(_MOST))
    return _fewest(
        lambda topics: np.asarray(_power(topics, effect * np.sqrt(topics), alpha, sides) >= power), effect.shape, guess
    )


def anova_power(
    topics: npt.ArrayLike, systems: int, difference: float, deviation: float, *, alpha: float = 0.05
) -> Floats:
    """Chance that a two-way analysis of variance finds a ``difference`` between the best and the worst system.

    It is the least chance there is: the others lie half-way between the two. Under it F has the noncentral F
    distribution with systems - 1 and (systems - 1)(topics - 1) degrees of freedom and the noncentrality
    topics difference^2 / (2 deviation^2), where ``deviation`` is the root of the error's mean square (Sakai
    2016).

    >>> anova_power([20, 50], 5, 0.05, 0.08).round(4).tolist()
    [0.2951, 0.6922]
    """
    _checked_level(alpha)
    _checked_anova(systems, difference, deviation)
    return _anova_power(_checked_topics(topics), systems, difference / deviation, alpha)


def anova_topics(systems: int, difference: float, deviation: float, *, alpha: float = 0.05, power: float = 0.8) -> int:
    """The fewest topics with which a two-way analysis of variance finds a ``difference`` with the given power.

    >>> anova_topics(5, 0.05, 0.08)
    63
    """
    _checked_level(alpha, power=power)
    _checked_anova(systems, difference, deviation)
    found = _fewest(
        lambda topics: np.asarray(_anova_power(topics, systems, difference / deviation, alpha) >= power), ()
    )
    return int(found)


def width_topics(width: float, deviation: float, *, confidence: float = 0.95) -> int:
    """The fewest topics with which the interval of a difference by Student's t is no wider, if it varies so.

    2 t(n - 1) deviation / sqrt(n) <= width (for retrieval Sakai 2016).

    >>> width_topics(0.1, 0.2)
    64
    """
    if not 0 < width < np.inf or not 0 < deviation < np.inf or not 0 < confidence < 1:
        raise InputError("an interval has a width and a deviation above 0, and a confidence between 0 and 1")
    return int(
        _fewest(
            lambda topics: np.asarray(
                2 * t_quantile(topics - 1, (1 - confidence) / 2) * deviation <= width * np.sqrt(topics)
            ),
            (),
        )
    )


def _fewest(reached: Callable[[Floats], Mask], shape: tuple[int, ...], guess: npt.ArrayLike = 2.0) -> Floats:
    """The least number of topics, from 2 on, that reaches something, for each place of an array.

    A good guess saves most of the questions; a bad one changes nothing else.

    >>> [_fewest(lambda topics: topics >= np.array([1.0, 37.0]), (2,), guess).tolist() for guess in (2.0, 36.0, 5000.0)]
    [[2.0, 37.0], [2.0, 37.0], [2.0, 37.0]]
    """
    begin = np.clip(np.broadcast_to(np.floor(np.asarray(guess, np.float64)), shape), 2.0, _MOST)
    low, high = np.maximum(begin - 2.0, 1.0), begin
    step = 2.0
    while not (enough := reached(high) | (high >= _MOST)).all():
        low, high = np.where(enough, low, high), np.where(enough, high, high + step)
        step *= 2.0
    step = 4.0
    while (lower := (low > 1) & reached(np.maximum(low, 2.0))).any():
        high, low = np.where(lower, low, high), np.where(lower, np.maximum(low - step, 1.0), low)
        step *= 2.0
    while (high - low > 1).any():
        middle = np.maximum(np.floor((low + high) / 2), 2.0)
        enough = reached(middle)
        low, high = np.where(enough, np.minimum(low, middle - 1), middle), np.where(enough, middle, high)
    result: Floats = high
    return result


def _power(topics: npt.ArrayLike, noncentrality: npt.ArrayLike, alpha: float, sides: int) -> Floats:
    free, shift = np.asarray(topics, dtype=np.float64) - 1, np.asarray(noncentrality, dtype=np.float64)
    critical = t_quantile(free, alpha / sides)
    sure = np.isinf(shift)
    shift = np.where(sure, 0.0, shift)
    found = noncentral_t_tail(free, shift, critical)
    if sides == 2:
        found = found + noncentral_t_tail(free, -shift, critical)
    result: Floats = np.where(sure, 1.0, found)
    return result


def _anova_power(topics: Floats, systems: int, effect: float, alpha: float) -> Floats:
    between, within = systems - 1, (systems - 1) * (topics - 1)
    return noncentral_f_tail(between, within, topics * effect**2 / 2, f_quantile(between, within, alpha))


def _checked_level(alpha: float, sides: int = 2, power: float = 0.5) -> None:
    """Refuse what is no level, no power, or no number of sides."""
    if not 0 < alpha < 1 or not 0 < power < 1:
        raise InputError(f"alpha={alpha!r}, power={power!r}; give numbers between 0 and 1")
    if sides not in (1, 2):
        raise InputError(f"sides={sides!r}; a test has one or two")


def _checked_topics(topics: npt.ArrayLike) -> Floats:
    """Numbers of topics as an array; refused where nothing varies, or there is no end of them."""
    count = np.asarray(topics, dtype=np.float64)
    if not ((count >= 2) & (count < np.inf)).all():
        raise InputError("power needs two topics or more, and not infinitely many")
    return count


def _checked_difference(difference: float) -> None:
    if not 0 < abs(difference) < np.inf:
        raise InputError(f"difference={difference!r}; give the difference that matters, which is not 0")


def _checked_anova(systems: int, difference: float, deviation: float) -> None:
    if systems < 2 or not 0 < difference < np.inf or not 0 < deviation < np.inf:
        raise InputError("power needs two systems or more, and a difference and a deviation above 0")
