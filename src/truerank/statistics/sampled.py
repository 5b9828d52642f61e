"""Sums over a population of which a sample is known and predictions are there for all: right even if these are wrong.

A prediction is a number for each unit, from an LLM judge, say; the truth of a sample is known. The estimate of a sum of
weight times truth is the difference estimator of surveys (Särndal, Swensson & Wretman 1992), which prediction-powered
inference rests on, too (Angelopoulos, Bates, Fannjiang, Jordan & Zrnic 2023; for unequal chances Zrnic & Candès
2024, "Active statistical inference")::

    T = sum over all units of w_i p_i  +  sum over the sample of w_i (y_i - p_i) / pi_i

where ``w_i`` is the weight of a unit, ``y_i`` its truth, ``p_i`` what is predicted of it and ``pi_i`` the chance with
which it came into the sample (Horvitz & Thompson 1952). Nothing is divided by the sum of inverse chances (Hájek's
estimator): for chances that differ widely that is biased, and a unit with a tiny chance would outweigh all others. For
a unit of the sample ``p_i`` is made without its own truth (Zrnic & Candès 2024, "Cross-prediction-powered inference"),
so that T is the sum of the truth on average whatever the predictions are; the better they are, the shorter is its
interval.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.statistics.special import t_quantile, t_tail

LEVELS = 6
"""Predictions with more values than these are put into that many groups of about the same size."""
EVEN = 0.1
"""Share of a sample that is spread evenly over all units, whatever they are worth."""


@dataclass(frozen=True, eq=False)
class KnownUnits:
    """The units whose truth is known, and the chance with which each came into the sample."""

    unit: Rows
    chance: Floats
    """1 for a unit that was taken for certain."""

    @classmethod
    def random(cls, unit: Rows, population: int) -> KnownUnits:
        """Units that were all as likely to be taken."""
        return cls(unit, np.full(len(unit), len(unit) / max(population, 1)))

    def others(self, population: int) -> Mask:
        """The units of a population whose truth is not known.

        >>> KnownUnits.random(np.array([1, 2]), 4).others(4).tolist()
        [True, False, False, True]
        """
        found = np.ones(population, np.bool_)
        found[self.unit] = False
        return found


@dataclass(frozen=True, eq=False)
class GroupMeans:
    """What the sample says of units with a prediction, by groups of predictions."""

    group: Rows
    """The group of each unit."""
    ends: Floats
    """Of each group, its least and its highest prediction."""
    known: Rows
    """Of each group, units in the sample."""
    mean: Floats
    """Of each group, the mean of the truth in the sample; that of all where the sample has none of it."""
    spread: Floats
    """Of each group, the variance of the truth around that, were one more unit as far off as can be."""
    predicted: Floats
    """What is to be expected of each unit: the mean of its group; of a unit of the sample, the mean without its own."""

    @property
    def variance(self) -> Floats:
        """How far the truth of each unit is to be expected to be off."""
        found: Floats = self.spread[self.group]
        return found


def calibrate(prediction: npt.ArrayLike, truth: npt.ArrayLike, sample: KnownUnits, weight: npt.ArrayLike) -> GroupMeans:
    """Say what predictions mean: any numbers that rise or fall with the truth, on a scale of their own.

    A unit of the sample counts by the squares of its weights over its chance, summed over the rows of ``weight``: the
    means are then nearly those that make ``totals`` of these rows vary least (Montanari 1987).

    >>> found = calibrate([0, 0, 0, 2, 2, 2], [0.0, 1.0, 1.0], KnownUnits.random(np.array([0, 1, 3]), 6), np.ones(6))
    >>> found.known.tolist(), found.mean.tolist(), found.predicted.tolist()
    ([2, 1], [0.5, 1.0], [1.0, 0.0, 0.5, 0.5, 1.0, 1.0])
    """
    given, known = np.asarray(prediction, np.float64), np.asarray(truth, np.float64)
    counts = ((np.atleast_2d(np.asarray(weight, np.float64))[:, sample.unit] / sample.chance) ** 2).sum(axis=0)
    if not counts.any():
        counts = np.ones(len(known))
    group, ends = _groups(given)
    at, size = group[sample.unit], len(ends)
    total, value = np.bincount(at, counts, size), np.bincount(at, counts * known, size)
    overall = _ratio(value.sum(), total.sum(), 0.0)
    mean = _ratio(value, total, overall)
    without = _ratio(value.sum() - counts * known, total.sum() - counts, overall)
    without = _ratio(value[at] - counts * known, total[at] - counts, without)
    predicted = mean[group]
    # What is left of a sum without nearly all of it may be rounding.
    predicted[sample.unit] = np.clip(without, known.min(initial=np.inf), known.max(initial=-np.inf))
    off = _ratio(np.bincount(at, counts * (known - mean[at]) ** 2, size), total, 0.0)
    number = np.bincount(at, minlength=size)
    spread = (number * off + _reach(known, mean) ** 2) / (number + 1.0)
    return GroupMeans(group, ends, number, mean, spread, predicted)


def _ratio(above: npt.ArrayLike, below: npt.ArrayLike, otherwise: npt.ArrayLike) -> Floats:
    """``above`` over ``below``, and ``otherwise`` where that is 0."""
    over, under, found = (np.array(each, np.float64) for each in np.broadcast_arrays(above, below, otherwise))
    return np.divide(over, under, out=found, where=under > 0)


def _reach(known: Floats, mean: Floats) -> Floats:
    """How far the truth of a unit could be from the mean of its group: one that was not met yet may be."""
    low, high = float(known.min(initial=0.0)), float(known.max(initial=0.0))
    found: Floats = np.maximum(mean - low, (high if high > low else low + 1.0) - mean)
    return found


def _groups(given: Floats) -> tuple[Rows, Floats]:
    values = np.unique(given)
    if len(values) > LEVELS:
        cuts = np.unique(np.quantile(given, np.arange(1, LEVELS) / LEVELS))
        group = np.digitize(given, cuts)
        group = np.searchsorted(np.unique(group), group)
    else:
        group = np.searchsorted(values, given)
    count = int(group.max(initial=-1)) + 1
    ends = [(given[group == each].min(), given[group == each].max()) for each in range(count)]
    return group, np.array(ends, np.float64).reshape(count, 2)


@dataclass(frozen=True, eq=False)
class Totals:
    """Sums of the truth, each by weights of its own."""

    estimate: Floats
    """NaN where nothing is known of it."""
    error: Floats
    """Standard error; NaN where fewer than two units tell of it that were not taken for certain, and some do not."""
    free: Floats
    """Degrees of freedom."""
    known: Rows
    """Units in the sample that count in it."""

    @classmethod
    def joined(cls, parts: Sequence[Totals]) -> Totals:
        """All of some, one after the other."""
        return cls(*(np.concatenate(each) for each in zip(*(vars(part).values() for part in parts), strict=True)))

    def ends(self, confidence: float = 0.95) -> tuple[Floats, Floats]:
        """Intervals by Student's t."""
        half = t_quantile(self.free, (1.0 - confidence) / 2) * self.error
        half = np.where(self.error == 0, 0.0, half)
        return self.estimate - half, self.estimate + half

    def p(self) -> Floats:
        """How likely an estimate as far from 0 would be, were the truth 0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.abs(self.estimate / self.error)
        p = 2.0 * t_tail(self.free, t)
        found: Floats = np.where(self.error == 0, np.where(self.estimate == 0, 1.0, 0.0), p)
        return found


def totals(weight: npt.ArrayLike, truth: npt.ArrayLike, by: GroupMeans, sample: KnownUnits) -> Totals:
    """Sums of weight times truth over all units, one row of weights each: T of the head of this file.

    Units that were taken for certain count as they are. The variance is that of a sample of fixed size, of its
    ``v_i = w_i (y_i - p_i) / pi_i`` (Hájek 1964)::

        n / (n - 1) sum of (1 - pi_i) (v_i - A)^2, where A is the mean of v_i by 1 - pi_i

    It is no less than what all units of the same predictions show, with one more that is as far off as can be: a judge
    that was never wrong may be wrong once. Degrees of freedom are ``effective_units`` minus 1 (Satterthwaite 1946).

    >>> everything = KnownUnits(np.array([0, 1, 2, 3]), np.ones(4))
    >>> predicted = calibrate([1, 1, 0, 0], [1.0, 0.0, 0.0, 1.0], everything, np.ones(4))
    >>> found = totals([[0.5, 0.25, 0.125, 0.125]], [1.0, 0.0, 0.0, 1.0], predicted, everything)
    >>> found.estimate.tolist(), found.error.tolist()
    ([0.625], [0.0])
    """
    rows, known = np.atleast_2d(np.asarray(weight, np.float64)), np.asarray(truth, np.float64)
    certain = sample.chance >= 1.0
    taken, chance = sample.unit[~certain], sample.chance[~certain]
    is_open = np.ones(rows.shape[1], np.bool_)
    is_open[sample.unit[certain]] = False
    expected = by.predicted.copy()
    expected[sample.unit[certain]] = known[certain]
    factor = rows[:, taken] / chance
    value = factor * (known[~certain] - by.predicted[taken])
    estimate = np.einsum("ij,j->i", rows, expected) + value.sum(axis=1)
    left, count = 1.0 - chance, (factor != 0).sum(axis=1)
    centre = _ratio((left * value).sum(axis=1, keepdims=True), left.sum(), 0.0)
    seen = len(taken) / max(len(taken) - 1, 1) * (left * (value - centre) ** 2).sum(axis=1)
    parts = left * factor**2
    spread = np.maximum(seen, (parts * by.variance[taken]).sum(axis=1))
    # Nothing is left to estimate in a sum of units that were all taken for certain.
    settled = ~((rows != 0) & is_open).any(axis=1)
    return Totals(
        np.where(settled | (count > 0), estimate, np.nan),
        np.where(settled, 0.0, np.where(count > 1, np.sqrt(spread), np.nan)),
        np.maximum(effective_units(rows, sample) - 1.0, 1.0),
        count + (rows[:, sample.unit[certain]] != 0).sum(axis=1),
    )


def effective_units(weight: npt.ArrayLike, sample: KnownUnits) -> Floats:
    """How many units of equal weight would tell as much of each row as those of the sample that were not certain.

    The square of the sum of (1 - pi_i) (w_i / pi_i)^2 over the sum of its squares (Kish 1965); 0 if none counts.

    >>> sample = KnownUnits.random(np.arange(3), 4)
    >>> effective_units([[1.0, 1.0, 1.0, 1.0], [1.0, 0.1, 0.0, 1.0]], sample).round(2).tolist()
    [3.0, 1.02]
    """
    rows = np.atleast_2d(np.asarray(weight, np.float64))
    parts = (1.0 - sample.chance) * (rows[:, sample.unit] / sample.chance) ** 2
    share = _ratio(parts, parts.sum(axis=1, keepdims=True), 0.0)
    return _ratio(1.0, (share**2).sum(axis=1), 0.0)


def expanded(weight: Floats, truth: Floats, by: GroupMeans, sample: KnownUnits) -> Floats:
    """What each unit adds to T: its prediction, corrected by the inverse of its chance if its truth is known.

    Over samples each unit adds what it is worth, so that any sum of units is right on average, that of a topic, say.

    >>> sure = KnownUnits(np.array([0, 1, 2, 3]), np.ones(4))
    >>> predicted = calibrate([1, 1, 0, 0], [1.0, 0.0, 0.0, 1.0], sure, np.ones(4))
    >>> expanded(np.full(4, 0.25), np.array([1.0, 0.0, 0.0, 1.0]), predicted, sure).tolist()
    [0.25, 0.0, 0.0, 0.25]
    """
    found: Floats = by.predicted.copy()
    found[sample.unit] += (truth - by.predicted[sample.unit]) / sample.chance
    return weight * found


def of_units(truth: npt.ArrayLike, prediction: npt.ArrayLike, unit: Rows) -> Totals:
    """The mean of the truth over all units, of which it is known of a random sample of ``unit``, a row each.

    The mean of the sample is moved by how far its predictions are from all of them, times the slope of the truth on the
    prediction, which makes the interval shortest (Angelopoulos, Duchi & Zrnic 2023), as far as it lies within 0 and 1.
    That the slope comes from the sample, too, adds to the variance (Cochran 1977, chapter 7): by no more than 1/4,
    the most by which a number within 0 and 1 varies, times the square of how far the mean was moved for a slope of 1.

    >>> found = of_units([[0.1, 0.2, 0.5, 0.9]], [[0.2, 0.4, 0.6, 0.8, 0.9, 0.9]], np.array([0, 1, 2, 3]))
    >>> found.estimate.round(3).tolist(), found.free.tolist()
    ([0.558], [2.0])
    """
    known, every = (np.atleast_2d(np.asarray(each, np.float64)) for each in (truth, prediction))
    size, count = every.shape[1], len(unit)
    theirs = every[:, unit]
    centred, moved = known - known.mean(axis=1, keepdims=True), theirs - theirs.mean(axis=1, keepdims=True)
    below = (moved**2).sum(axis=1) * (count > 3)
    slope = np.clip(_ratio((centred * moved).sum(axis=1), below, 0.0), 0.0, 1.0)
    away = every.mean(axis=1) - theirs.mean(axis=1)
    free = max(count - 1 - (count > 3), 1)
    rest = ((centred - slope[:, None] * moved) ** 2).sum(axis=1) / free
    error = np.sqrt(
        (1.0 - count / size) * (rest / max(count, 1) + away**2 * np.minimum(_ratio(rest, below, 0.0), 0.25))
    )
    if count < 2:
        error = np.full(len(known), 0.0 if count == size else np.nan)
    return Totals(
        known.mean(axis=1) + slope * away, error, np.full(len(known), float(free)), np.full(len(known), count)
    )


def with_floor(worth: npt.ArrayLike, among: Mask) -> Floats:
    """Worth of which the share ``EVEN`` is spread evenly over the units that can be taken: a defensive mixture.

    With chances in proportion to it no unit that counts in some sum has a chance of 0 or close to it: the sample also
    serves sums that it was not drawn for (Hesterberg 1995; for samples of labels Zrnic & Candès 2024).

    >>> with_floor([7.0, 2.0, 1.0, 0.0, 0.0], np.array([True, True, True, True, False])).round(2).tolist()
    [6.55, 2.05, 1.15, 0.25, 0.0]
    """
    known = np.asarray(worth, np.float64)
    even = EVEN * known.sum() / max(int(among.sum()), 1)
    found: Floats = np.where(among, (1.0 - EVEN) * known + even, 0.0)
    return found


def chances(worth: npt.ArrayLike, count: int) -> Floats:
    """The chance with which each unit is to be taken, in proportion to its worth, so that ``count`` are.

    What is worth so much that it would be more than certain is taken for certain; what is worth nothing is not.

    >>> chances([4.0, 1.0, 1.0, 0.0], 2).tolist()
    [1.0, 0.5, 0.5, 0.0]
    """
    known = np.asarray(worth, np.float64)
    if count < 0:
        raise InputError(f"{count} units cannot be taken; give 0 or more")
    found: Floats = np.zeros(len(known))
    some = known > 0
    if count >= some.sum():
        found[some] = 1.0
        return found
    sure = np.zeros(len(known), np.bool_)
    while True:
        rest = some & ~sure
        found[rest] = (count - sure.sum()) * known[rest] / known[rest].sum()
        more = rest & (found >= 1.0)
        if not more.any():
            return found
        sure |= more
        found[more] = 1.0


def drawn(chance: Floats, seed: int) -> Rows:
    """Units taken with these chances, as many as they add up to; in the order of a shuffle.

    Systematic sampling of the units in random order (Madow 1949): each has exactly its chance.

    >>> sorted(drawn(np.array([1.0, 0.5, 0.5, 0.0]), seed=1).tolist()) in ([0, 1], [0, 2])
    True
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    order = rng.permutation(len(chance))
    # Sums of chances are whole but for rounding, which would add a unit or lose one.
    ends = np.round(np.cumsum(chance[order]), 9)
    steps = np.floor(ends + rng.random())
    taken: Rows = order[np.diff(steps, prepend=0.0) > 0]
    return taken
