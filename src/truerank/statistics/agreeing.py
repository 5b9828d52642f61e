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
    "bootstrap-percentile": "bootstrap",
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
    shown = np.nan_to_num(found.p, nan=1.0) < alpha
    if found.correction == "holm":
        first, others = alpha / found.size, alpha / max(found.size - found.significant, 1)
    elif found.correction == "bonferroni":
        first = others = alpha / found.size
    elif found.correction == "benjamini-hochberg":
        first = others = alpha * max(found.significant, 1) / found.size
    else:
        raise InputError(f"correction={found.correction!r} leaves all at the same level; take difference_intervals")
    at_first = at(1.0 - first)
    rest = at_first
    if others != first:
        rest = at(1.0 - others)
    low, high = np.where(shown, at_first.low, rest.low), np.where(shown, at_first.high, rest.high)
    low = np.where(shown, np.where(way > 0, np.maximum(low, 0.0), low), np.minimum(low, 0.0))
    high = np.where(shown, np.where(way < 0, np.minimum(high, 0.0), high), np.maximum(high, 0.0))
    return replace(at_first, low=low, high=high, confidence=1.0 - alpha)
