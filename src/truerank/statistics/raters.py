"""How far raters agree beyond chance: kappa and alpha, with intervals over the topics that were rated.

Each coefficient is one less observed over expected disagreement, and both are sums of a table that adds up over topics.
So leaving a topic out is a subtraction, and the jackknife over topics tells how far a coefficient would be other with
other topics like these: documents of a topic are not judged independently of each other.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.statistics.jackknife import left_out, refuse_confidence

Distance = Callable[[Floats, Floats], Floats]
"""From the levels and how often each is given, how far any two are apart."""


def nominal(levels: Floats, often: Floats) -> Floats:
    """Levels are the same, or not."""
    return 1.0 - np.eye(len(levels))


def interval(levels: Floats, often: Floats) -> Floats:
    """The square of the difference."""
    return np.subtract.outer(levels, levels) ** 2


def ordinal(levels: Floats, often: Floats) -> Floats:
    """The square of how many ratings lie between, those of both levels by half (Krippendorff 2011)."""
    middle = np.cumsum(often) - often / 2
    return np.subtract.outer(middle, middle) ** 2


@dataclass(frozen=True)
class Agreed:
    """A coefficient: 1 where raters agree in all, 0 where as far as by chance; NaN where all give one level."""

    value: float
    low: float
    """Where its interval begins; NaN with fewer than two topics."""
    high: float


UNKNOWN = Agreed(np.nan, np.nan, np.nan)
"""Where raters have nothing that could agree."""


def kappa(
    one: npt.ArrayLike,
    other: npt.ArrayLike,
    topic: Rows,
    *,
    distance: Distance = nominal,
    confidence: float = 0.95,
) -> Agreed:
    """Cohen's kappa of two raters, who rated the same units (Cohen 1960); weighted by any other distance (Cohen 1968).

    Chance is that each gives their own levels as often as they do.

    >>> found = kappa([1, 1, 0, 0, 1], [1, 0, 0, 0, 1], np.array([0, 0, 1, 1, 2]))
    >>> round(found.value, 4)
    0.6154
    """
    a, b = np.asarray(one, np.float64), np.asarray(other, np.float64)
    levels, code = np.unique(np.concatenate([a, b]), return_inverse=True)
    tables = _tables(code[: len(a)], code[len(a) :], topic, len(levels), np.ones(len(a)))

    def found(table: Floats) -> float:
        size = table.sum(axis=(-2, -1))
        apart = distance(levels, table.sum(axis=-1) + table.sum(axis=-2))
        chance = table.sum(axis=-1)[:, None] * table.sum(axis=-2)[None, :] / size
        return float(1.0 - (apart * table).sum() / (apart * chance).sum())

    return _jackknifed(tables, found, confidence)


def alpha(ratings: npt.ArrayLike, topic: Rows, *, distance: Distance = nominal, confidence: float = 0.95) -> Agreed:
    """Krippendorff's alpha of any number of raters (raters x units), NaN where one did not rate a unit.

    Chance is that levels are given at random, as often as all raters together give them (Krippendorff 2004).

    >>> found = alpha([[1, 2, 3, 3], [1, 2, 3, 4]], np.array([0, 0, 1, 1]))
    >>> round(found.value, 4)
    0.6957
    """
    given = np.asarray(ratings, np.float64)
    known = ~np.isnan(given)
    several = known.sum(axis=0) > 1
    given, known, topic = given[:, several], known[:, several], topic[several]
    levels = np.unique(given[known])
    count = known.sum(axis=0)
    tables = np.zeros((int(topic.max(initial=-1)) + 1, len(levels), len(levels)))
    code = np.searchsorted(levels, np.where(known, given, levels[0] if len(levels) else 0.0))
    for one in range(len(given)):
        for other in range(len(given)):
            both = known[one] & known[other]
            if one != other and both.any():
                tables += _tables(
                    code[one][both], code[other][both], topic[both], len(levels), 1.0 / (count[both] - 1), len(tables)
                )

    def found(table: Floats) -> float:
        often = table.sum(axis=-1)
        apart = distance(levels, often)
        chance = np.outer(often, often) / (often.sum() - 1)
        return float(1.0 - (apart * table).sum() / (apart * chance).sum())

    return _jackknifed(tables, found, confidence)


def _tables(one: Rows, other: Rows, topic: Rows, levels: int, weight: Floats, topics: int | None = None) -> Floats:
    """A table for each topic: how often one level meets another."""
    count = int(topic.max(initial=-1)) + 1 if topics is None else topics
    cell = (topic * levels + one) * levels + other
    found: Floats = np.bincount(cell, weight, count * levels * levels).reshape(count, levels, levels).astype(np.float64)
    return found


def _jackknifed(tables: Floats, found: Callable[[Floats], float], confidence: float) -> Agreed:
    refuse_confidence(confidence)
    with np.errstate(divide="ignore", invalid="ignore"):
        whole = tables.sum(axis=0)
        value = found(whole) if whole.size and whole.sum() else np.nan
        some = [table for table in tables if table.sum()]
        if len(some) < 2 or np.isnan(value):
            return Agreed(value, np.nan, np.nan)
        without = np.array([found(whole - table) for table in some])
    if not np.isfinite(without).all():
        return Agreed(value, np.nan, np.nan)
    low, high = left_out(value, without, confidence)
    return Agreed(value, max(low, -1.0), min(high, 1.0))


def ordered_alike(one: npt.ArrayLike, other: npt.ArrayLike, topic: Rows) -> float:
    """Of two units of a topic that both raters order, the share that they order alike; NaN without any.

    It needs no common scale: one may give grades and the other fractions.

    >>> ordered_alike([0, 1, 2, 2], [0.1, 0.5, 0.4, 0.9], np.array([0, 0, 0, 1]))
    0.6666666666666666
    """
    a, b = np.asarray(one, np.float64), np.asarray(other, np.float64)
    alike = apart = 0
    for each in np.unique(topic):
        some = np.flatnonzero(topic == each)
        ways = np.sign(np.subtract.outer(a[some], a[some])) * np.sign(np.subtract.outer(b[some], b[some]))
        alike, apart = alike + int((ways > 0).sum()), apart + int((ways < 0).sum())
    return alike / (alike + apart) if alike + apart else float("nan")
