"""Intervals of differences that agree with corrected verdicts: 0 is outside just where a difference is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.statistics.corrections import Corrected
from truerank.statistics.intervals import Intervals, difference_intervals
from truerank.statistics.randomization import Drawing

if TYPE_CHECKING:
    from typing_extensions import Unpack

AGREEING = {
    "student": "t",
    "randomization": "randomization",
    "bootstrap-shift": "bootstrap-t",
}
"""Tests of a pair that have intervals of their own, which any level can be asked of, and the names of these."""


def agreeing_intervals(
    scores: npt.ArrayLike,
    found: Corrected,
    way: Floats,
    *,
    method: str = "t",
    alpha: float = 0.05,
    **draws: Unpack[Drawing],
) -> Intervals:
    """Intervals of every pair of the family at the levels that its correction leaves, from scores (systems x topics).

    Of m pairs, of which R are shown to differ, ``found`` has the corrected p, and ``way`` the sign of what was tested.

    - "bonferroni": all at 1 - alpha / m. They hold at once with the confidence 1 - alpha.
    - "holm": pairs that are not shown to differ at 1 - alpha / (m - R), the level at which the correction stopped. They
      hold at once, together with the signs of all others (Guilbaud 2008; Strassburger & Bretz 2008). Of those that are
      shown, that is all that holds with them: how far they are from 0 is taken from Bonferroni's intervals, which hold
      at once by themselves, and which end at 0 where they would not show what Holm's correction does.
    - "benjamini-hochberg": all at 1 - alpha R / m. Of those shown, a share of at most alpha is wrong on average
      (Benjamini & Yekutieli 2005).

    An interval that is drawn may miss what all draws would agree on; it ends at 0 then.

    >>> from truerank.statistics.corrections import corrected
    >>> from truerank.statistics.student import student
    >>> rng = np.random.default_rng(2)
    >>> values = rng.normal(0, 0.1, (3, 40)) + np.array([[0.0], [0.03], [0.3]])
    >>> holm = corrected(student(values))
    >>> ends = agreeing_intervals(values, holm, np.sign(np.subtract.outer(values.mean(1), values.mean(1))))
    >>> holm.p[0].round(4).tolist(), ends.low[0].round(3).tolist(), ends.high[0].round(3).tolist()
    ([1.0, 0.0903, 0.0], [0.0, -0.082, -0.35], [0.0, 0.006, -0.248])
    """

    def at(confidence: float) -> Intervals:
        return difference_intervals(scores, method=method, confidence=confidence, **draws)

    return agreeing(at, found, way, alpha=alpha)


def agreeing(at: Callable[[float], Intervals], found: Corrected, way: Floats, *, alpha: float = 0.05) -> Intervals:
    """The same of any intervals: ``at`` gives those of a confidence."""
    ends = at_levels_left(at, found, alpha=alpha)
    low, high = ending_at_0(ends.low, ends.high, np.where(np.nan_to_num(found.p, nan=1.0) < alpha, way, 0.0))
    return replace(ends, low=low, high=high)


def at_levels_left(at: Callable[[float], Intervals], found: Corrected, *, alpha: float = 0.05) -> Intervals:
    """Intervals at the levels that a correction leaves, whether they agree with what is shown or not."""
    first, others = levels_left(found, alpha)
    ends = at(1.0 - first)
    if others != first:
        rest, shown = at(1.0 - others), np.nan_to_num(found.p, nan=1.0) < alpha
        low, high = np.where(shown, ends.low, rest.low), np.where(shown, ends.high, rest.high)
        ends = replace(ends, low=low, high=high)
    return replace(ends, confidence=1.0 - alpha)


def levels_left(found: Corrected, alpha: float) -> tuple[float, float]:
    """The levels that a correction leaves to the pairs that are shown to differ at ``alpha``, and to the others."""
    if found.correction == "holm":
        return alpha / found.size, alpha / max(found.size - found.significant, 1)
    if found.correction == "bonferroni":
        return alpha / found.size, alpha / found.size
    if found.correction == "benjamini-hochberg":
        level = alpha * max(found.significant, 1) / found.size
        return level, level
    raise InputError(f"correction={found.correction!r} leaves all at the same level; take difference_intervals")


def ending_at_0(low: Floats, high: Floats, way: Floats) -> tuple[Floats, Floats]:
    """Ends of intervals that agree with what is shown: above 0 (``way`` 1), below (-1), or nothing (0).

    >>> low, high = np.array([-0.1, 0.1, 0.1]), np.array([0.3, 0.3, 0.3])
    >>> [end.tolist() for end in ending_at_0(low, high, np.array([1.0, 1.0, 0.0]))]
    [[0.0, 0.1, 0.0], [0.3, 0.3, 0.3]]
    """
    low = np.where(way > 0, np.maximum(low, 0.0), np.where(way < 0, low, np.minimum(low, 0.0)))
    high = np.where(way < 0, np.minimum(high, 0.0), np.where(way > 0, high, np.maximum(high, 0.0)))
    return low, high
