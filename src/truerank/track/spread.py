"""How far the order of ties spreads the values of a run, topic by topic."""

from __future__ import annotations

from typing import NamedTuple
from zlib import crc32

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.data.arrays import ODD, Floats
from truerank.data.classes import dataclass
from truerank.data.ids import mix
from truerank.data.parts import Part, part_field
from truerank.expectation.opaque import seed_of
from truerank.expectation.random_order import random_order
from truerank.measures.core.base import Measure
from truerank.measures.core.orders import OrderValues, spread, values_of_orders
from truerank.track.lens import Lens
from truerank.track.values import Values, values

FEW = 12
"""Topics with ties that matter, up to which all their orders together may be gone through."""
_AT_ONCE = 1 << 17
"""Documents that are put in random orders at a time."""


class TopicOrders(NamedTuple):
    """The values that a topic may have in some order of its ties, each once, and how likely they are."""

    topic: int
    """Its number in the judgments."""
    values: tuple[float, ...]
    chances: tuple[float, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class TieSpread(Part):
    """Variances over the orders of ties, one a topic that counts."""

    variance: Floats = part_field(merge="per topic")
    error: Floats = part_field(merge="per topic")
    """Standard error of the variance, where orders were sampled; 0 elsewhere."""
    few: tuple[TopicOrders, ...] = part_field(merge="union", default=())
    """Topics whose values in all orders are known, of runs that have no more than ``FEW`` with ties that matter."""

    @property
    def open(self) -> int:
        """How many topics have ties that matter."""
        return int((self.variance > 0).sum())

    def of_mean(self, found: Values, choice: Conventions) -> tuple[float, float]:
        """Standard deviation of the number for all topics, and its standard error; topics are independent.

        NaN where that is neither a mean nor a sum over topics.
        """
        measure, kept = found.measure, found.kept(choice)
        if not (measure.averages or measure.counts) or not len(kept):
            return float("nan"), float("nan")
        over = float(len(kept)) if measure.averages else 1.0
        deviation = float(np.sqrt(self.variance[kept].sum())) / over
        error = float(np.sqrt((self.error[kept] ** 2).sum())) / over**2
        return deviation, error / (2.0 * deviation) if deviation else 0.0


def spread_of(lens: Lens, measure: Measure) -> TieSpread:
    """The variance of a measure's values over the orders of ties.

    >>> from truerank.io.load import as_qrels, as_run
    >>> from truerank.measures.rr import RR
    >>> from truerank.track.pools import JudgmentPools
    >>> qrels, run = as_qrels({"q1": {"a": 1}}), as_run({"q1": {"b": 2.0, "a": 2.0}})
    >>> spread_of(Lens(qrels, run, JudgmentPools(qrels, [], []), Conventions()), RR()).variance.tolist()  # 1 or 1/2
    [0.0625]
    """
    variance, error = np.zeros(len(lens.judged.length)), np.zeros(len(lens.judged.length))
    blocks = lens.rankings(measure, ties="expected", unjudged=lens.conventions.assumed)
    for block in blocks:
        found = spread(measure, block)
        variance[block.topic], error[block.topic] = found.variance, found.error
    few: list[TopicOrders] = []
    if int((variance[lens.topics] > 0).sum()) <= FEW:
        for block in blocks:
            rows = np.flatnonzero(variance[block.topic] > 0)
            known = values_of_orders(measure, block, rows, sampled=False)
            few += [_orders(block.topic[one.row], one) for one in known]
    return TieSpread(topics=lens.topics, variance=variance[lens.topics], error=error[lens.topics], few=tuple(few))


def drawn_values(lens: Lens, measure: Measure, draws: int) -> Floats:
    """Values in random orders of ties, a row a draw and a column a judged topic; NaN for a topic in no mean.

    Each list has an order of its own in every draw, whatever other topics and runs there are.
    """
    found = values(lens, measure)
    every = np.tile(found.value, (draws, 1))
    place = np.empty(len(lens.judged.length), np.intp)
    place[lens.topics] = np.arange(len(lens.topics))
    for block in lens.rankings(measure, ties="expected", unjudged=lens.conventions.assumed):
        # What a terminal document is worth depends on all of the list.
        reach = block.reach(block.depth(None) if block.terminal else measure.depth(block))
        rows = np.flatnonzero(((block.stop > block.start) & (block.start <= reach)).any(axis=-1))
        # Preferences are between documents, which orders of grades do not tell.
        if not len(rows) or block.pairs is not None:
            continue
        seed = mix(np.array([seed_of(block, row) for row in rows.tolist()], np.uint64))
        seed ^= np.uint64(crc32(lens.run.name.encode()))
        at_once = max(_AT_ONCE // (len(rows) * block.start.shape[1]), 1)
        for first in range(0, draws, at_once):
            draw = np.arange(first, min(first + at_once, draws), dtype=np.uint64)
            some = random_order(block.take(np.tile(rows, len(draw))), mix(seed + mix(draw + ODD)[:, None]).ravel())
            value = lens.found(measure, some, lens.conventions.assumed).value
            every[first : first + len(draw), place[block.topic[rows]]] = value.reshape(len(draw), len(rows))
    return np.stack([found.full(lens.conventions, len(place), draw) for draw in every])


def _orders(topic: int, found: OrderValues) -> TopicOrders:
    values, count = np.unique(found.values, return_counts=True)
    return TopicOrders(int(topic), tuple(values.tolist()), tuple((count / len(found.values)).tolist()))
