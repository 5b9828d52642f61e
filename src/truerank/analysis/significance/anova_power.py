"""How many topics an analysis of variance needs to find that systems differ."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from truerank.analysis.significance.power import checked_level, checked_topics, fewest
from truerank.analysis.significance.special import distribution, special
from truerank.data.arrays import Floats
from truerank.data.errors import InputError


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
    checked_level(alpha)
    _checked(systems, difference, deviation)
    return _power(checked_topics(topics), systems, difference / deviation, alpha)


def anova_topics(systems: int, difference: float, deviation: float, *, alpha: float = 0.05, power: float = 0.8) -> int:
    """The fewest topics with which a two-way analysis of variance finds a ``difference`` with the given power.

    >>> anova_topics(5, 0.05, 0.08)
    63
    """
    checked_level(alpha, power=power)
    _checked(systems, difference, deviation)
    found = fewest(lambda topics: np.asarray(_power(topics, systems, difference / deviation, alpha) >= power), ())
    return int(found)


def _power(topics: Floats, systems: int, effect: float, alpha: float) -> Floats:
    between, within = systems - 1, (systems - 1) * (topics - 1)
    critical = special("power").fdtri(between, within, 1.0 - alpha)
    return np.asarray(distribution("ncf", "power").sf(critical, between, within, topics * effect**2 / 2))


def _checked(systems: int, difference: float, deviation: float) -> None:
    if systems < 2 or not 0 < difference < np.inf or not 0 < deviation < np.inf:
        raise InputError("power needs two systems or more, and a difference and a deviation above 0")
