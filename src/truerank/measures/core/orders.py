"""What a measure makes of each order of ties: its values over all of them if they are few, otherwise over a sample."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.opaque import orders_of_rows
from truerank.measures.core.base import Measure


class OrderValues(NamedTuple):
    """Values of one ranking over orders of its ties, all of them equally likely."""

    row: int
    values: Floats
    exact: bool
    """Whether these are all orders; otherwise they are a sample."""


@dataclass(frozen=True, eq=False)
class Spread:
    """How far the order of ties spreads values, a row each."""

    variance: Floats
    """0 where nothing is tied or there is no value; NaN where it is not known, of preferences between documents."""
    error: Floats
    """Standard error of the variance, where orders had to be sampled; 0 where it is exact."""


def spread(measure: Measure, r: Rankings) -> Spread:
    """Variance over the orders of ties: by a closed form, over all orders, or over a sample of them.

    >>> from truerank.measures.err import ERR
    >>> spread(ERR(max_rel=1), Rankings.single([1, 0], groups=[0, 0])).variance.tolist()  # 1/2 or 1/4
    [0.015625]
    """
    variance, error = measure.variance(r), np.zeros(len(r.length))
    tied = (r.stop > r.start).any(axis=-1)
    variance = np.where(tied, variance, 0.0)
    for found in values_of_orders(measure, r, np.flatnonzero(np.isnan(variance))):
        variance[found.row], error[found.row] = sampled_variance(found)
    unknown = r.pairs is not None and measure.needs == "preferences"
    return Spread(variance if unknown else np.nan_to_num(variance, nan=0.0), error)


def values_of_orders(measure: Measure, r: Rankings, rows: Rows, *, sampled: bool = True) -> Iterator[OrderValues]:
    """Values over orders of ties of some rows; a row where the measure has no value is left out.

    So is one of more orders than are all taken, where none are to be ``sampled``.

    Preferences are between documents, not grades, so that orders of grades do not tell: their rows are left out.
    """
    if not len(rows) or r.pairs is not None:
        return
    some = r.take(rows)
    # What a terminal document is worth depends on all of the list.
    depth = some.depth(None) if r.terminal else measure.depth(some)
    for at, _, orders in orders_of_rows(some, depth):
        if not (sampled or orders.exact):
            continue
        whole = replace(orders, reach=len(orders.whole))
        values = np.concatenate([_scored(measure, some, at, grades) for grades in whole.batches()])
        if not np.isnan(values).all():
            yield OrderValues(int(rows[at]), values, orders.exact)


def _scored(measure: Measure, r: Rankings, row: int, grades: Floats) -> Floats:
    """Values of rankings of one topic, given by their grades in rank order."""
    orders, ranks = grades.shape
    slots = ranks + bool(r.terminal)
    place = np.broadcast_to(np.arange(1, slots + 1), (orders, slots))
    grade = np.full((orders, slots), np.nan)
    grade[:, :ranks] = grades
    same = r.take(np.full(orders, row))
    if r.terminal:
        place = place.copy()
        place[:, -1] = r.length[row] + 1
    # Any judgment will do: it says that the document is judged.
    judged = np.where(np.isnan(grade), np.intp(-1), np.intp(0))
    return measure.score(replace(same, start=place, stop=place, grade=grade, judgment=judged, ties="expected", kept={}))


def sampled_variance(found: OrderValues) -> tuple[float, float]:
    """Variance of values over orders, and its standard error: 0 where these are all orders."""
    values, count = found.values, len(found.values)
    apart = (values - values.sum() / count) ** 2
    if found.exact:
        return float(apart.sum() / count), 0.0
    variance = float(apart.sum() / (count - 1))
    fourth = float((apart**2).sum() / count)
    return variance, math.sqrt(max(fourth - variance**2, 0.0) / count)
