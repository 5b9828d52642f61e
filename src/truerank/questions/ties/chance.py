"""How likely one run comes out above another, where ties are broken at random."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.statistics.level import EQUAL
from truerank.track.spread import TieSpread, TopicOrders
from truerank.track.values import Values

_MOST = 1 << 16
"""Combinations of the orders of two runs that are all gone through."""


@dataclass(frozen=True, eq=False)
class RunOrders:
    """The score of a run over random orders of ties."""

    expected: float
    deviation: float
    error: float
    """Standard error of the deviation, where orders had to be sampled; 0 where it is exact."""
    few: tuple[TopicOrders, ...] | None
    """The topics that the order moves, where all their orders are known."""
    topics: int
    """How many make the mean; 1 where they are added up."""

    @classmethod
    def of(cls, values: Values, spread: TieSpread, choice: Conventions) -> RunOrders:
        """What is known of a run by a measure."""
        deviation, error = spread.of_mean(values, choice)
        kept = values.kept(choice)
        counted = set(values.topics[kept].tolist())
        few = tuple(one for one in spread.few if one.topic in counted)
        # What is not known to be 0 may be anything.
        known = len(few) == int((~(spread.variance[kept] <= 0)).sum())
        over = len(kept) if values.measure.averages else 1
        return cls(values.summary(choice), deviation, error, few if known else None, max(over, 1))


def overtakes(better: RunOrders, worse: RunOrders, sign: float) -> tuple[float, str]:
    """The chance that the second comes out above the first, of equal scores half; and how it is known.

    It is "exact" where the orders of both runs can all be gone through, otherwise that of a "normal" distribution with
    the mean and the variance that the difference has. Each list has its ties in an order of its own.
    """
    ahead = sign * (worse.expected - better.expected)
    exact = _exact(ahead, better, worse, sign)
    if exact is not None:
        return exact, "exact"
    deviation = math.hypot(better.deviation, worse.deviation)
    if not deviation > 0:
        return float("nan"), ""
    return 0.5 * math.erfc(-ahead / deviation / math.sqrt(2.0)), "normal"


def _exact(ahead: float, better: RunOrders, worse: RunOrders, sign: float) -> float | None:
    if better.few is None or worse.few is None:
        return None
    moves = [(-sign, better.topics, one) for one in better.few] + [(sign, worse.topics, one) for one in worse.few]
    if math.prod(len(one.values) for _, _, one in moves) > _MOST:
        return None
    difference, chance = np.array([ahead]), np.ones(1)
    for way, topics, one in moves:
        values, chances = np.array(one.values), np.array(one.chances)
        apart = way * (values - (values * chances).sum()) / topics
        difference = np.add.outer(difference, apart).ravel()
        chance = np.multiply.outer(chance, chances).ravel()
    return float(chance[difference > EQUAL].sum() + chance[np.abs(difference) <= EQUAL].sum() / 2.0)
