"""A measure of a run with ties: every order at once, the extremes, and the orders that tools take."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.analysis.reading import Reading, read
from truerank.analysis.views import Views
from truerank.data.order import ORDERS
from truerank.measures.core.base import Measure

USUAL = tuple(order for order in ORDERS if order != "sample")
"""Orders of ties that tools take: by document (trec_eval descends), by the input, by the rank column."""


@dataclass(frozen=True)
class TiedScore:
    """A measure of a run: its mean over all orders of ties, and what single orders make of it."""

    measure: Measure
    expected: float
    worst: float
    """In the order that is worst in every topic."""
    best: float
    orders: dict[str, float]
    """In each of the usual orders that the run has."""
    std_error: float
    """Of ``expected``, where orders had to be sampled; 0 where it is exact."""
    sampled: bool
    """Whether ``worst`` and ``best`` are those of a sample of orders: the true ones may be farther apart."""

    def strays(self, order: str) -> float:
        """How far a usual order is from the mean over all of them."""
        return self.orders[order] - self.expected


def tied_score(views: Views, measure: Measure) -> tuple[TiedScore, Reading]:
    """Read a measure off a run whose conventions ask for the bounds of ties."""
    reading = read(views, measure)
    unjudged = views.choice.unjudged
    value = {"expected": reading.value, "worst": reading.low, "best": reading.high}
    if not measure.higher_is_better:
        value = {**value, "worst": reading.high, "best": reading.low}
    mean = {name: reading.summary(reading.value if some is None else some, views) for name, some in value.items()}
    # Where no judged document is tied, every order gives what all of them give.
    depends = views.tied or measure.needs == "every document"
    usual = [order for order in USUAL if order != "rank" or views.run.rank is not None]
    in_order = {order: _summary(views, measure, order, unjudged) if depends else mean["expected"] for order in usual}
    error = float(np.sqrt((reading.error**2).sum()) / max(len(reading.error), 1))
    # Extremes are sorts for most measures; for others they are looked for, among all orders or a sample of them.
    sampled = error > 0 and not measure.sorts_ties
    return TiedScore(measure, **mean, orders=in_order, std_error=error, sampled=sampled), reading


def _summary(views: Views, measure: Measure, order: str, unjudged: str) -> float:
    value, error = views.estimate(measure, ties=order, unjudged=unjudged)
    reading = Reading(measure, value, np.zeros(len(value)) if error is None else error)
    return reading.summary(value, views)
