"""Sums over a population of which a sample is known and predictions are there for all: right even if these are wrong.

A prediction is a number for each unit, from a machine, say; people know the truth of a sample. The sum of predictions
is corrected by how far they are off in the sample (the difference estimator of surveys: Särndal, Swensson & Wretman
1992; prediction-powered inference: Angelopoulos, Bates, Fannjiang, Jordan & Zrnic 2023). What it estimates is the sum
of the truth whatever the predictions are; the better they are, the shorter is its interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.errors import InputError
from truerank.data.extras import needed

LEVELS = 6
"""Predictions with more values than these are put into so many groups of about the same size."""
PRIOR = 4.0
"""Units that the spread within a sum counts as besides its own: what units of the same predictions show elsewhere."""


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
    """Of each group, the mean of the truth in the sample; moved towards the mean of all as by one unit."""
    spread: Floats
    """Of each group, the variance of the truth around that, were one more unit as far off as can be."""

    @property
    def predicted(self) -> Floats:
        """The truth that is to be expected of each unit."""
        found: Floats = self.mean[self.group]
        return found

    @property
    def variance(self) -> Floats:
        """How far the truth of each unit is to be expected to be off."""
        found: Floats = self.spread[self.group]
        return found


def calibrate(prediction: npt.ArrayLike, truth: npt.ArrayLike, sample: KnownUnits) -> GroupMeans:
    """Say what predictions mean: any numbers that rise or fall with the truth, on a scale of their own.

    >>> found = calibrate([0, 0, 0, 2, 2, 2], [0.0, 1.0, 1.0], KnownUnits.random(np.array([0, 1, 3]), 6))
    >>> found.known.tolist(), found.mean.round(3).tolist()
    ([2, 1], [0.533, 0.889])
    """
    given, known = np.asarray(prediction, np.float64), np.asarray(truth, np.float64)
    group, ends = _groups(given)
    weight = 1.0 / sample.chance
    at, count = group[sample.unit], len(ends)
    overall = float((known * weight).sum() / weight.sum()) if len(known) else 0.0
    mean = (np.bincount(at, known * weight, count) + overall) / (np.bincount(at, weight, count) + 1.0)
    off = (known - mean[at]) ** 2
    size = np.bincount(at, minlength=count)
    far = _reach(known, mean) ** 2
    return GroupMeans(group, ends, size, mean, (np.bincount(at, off, count) + far) / (size + 1.0))


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
        half = needed("scipy.special", "an interval").stdtrit(self.free, 0.5 + confidence / 2) * self.error
        half = np.where(self.error == 0, 0.0, half)
        return self.estimate - half, self.estimate + half

    def shortest(self, other: Totals, confidence: float = 0.95) -> Totals:
        """Of each sum the estimate with the shorter interval, of these and others: predictions may be worth nothing.

        >>> few, many = (Totals(np.array([mean]), np.array([error]), np.array([9.0]), np.array([10]))
        ...              for mean, error in ((0.5, 0.2), (0.4, 0.1)))
        >>> few.shortest(many).estimate.tolist(), many.shortest(few).estimate.tolist()
        ([0.4], [0.4])
        """
        (low, high), (its_low, its_high) = self.ends(confidence), other.ends(confidence)
        better = its_high - its_low < high - low
        return Totals(
            *(np.where(better, its, own) for own, its in zip(vars(self).values(), vars(other).values(), strict=True))
        )

    def p(self) -> Floats:
        """How likely an estimate as far from 0 would be, were the truth 0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.abs(self.estimate / self.error)
        p = 2.0 * needed("scipy.special", "a t-test").stdtr(self.free, -t)
        found: Floats = np.where(self.error == 0, np.where(self.estimate == 0, 1.0, 0.0), p)
        return found


def totals(weight: npt.ArrayLike, truth: npt.ArrayLike, by: GroupMeans, sample: KnownUnits) -> Totals:
    """Sums of weight times truth over all units, a row of weights each.

    Units that were taken for certain count as they are. For the others, the mean error of the prediction among those
    of the sample that have a weight, each by the inverse of its chance, corrects the sum of the predictions. How far
    that mean varies is told by these units, and by all units of the same predictions with one more that is as far off
    as can be: where a machine was never wrong, it may be wrong once. It counts as no less than the latter alone. Few
    large weights leave fewer degrees of freedom, by their kurtosis (Box 1953; Satterthwaite 1946).

    >>> predicted = calibrate([1, 1, 0, 0], [1.0, 0.0, 0.0], KnownUnits.random(np.array([0, 1, 2]), 4))
    >>> everything = KnownUnits(np.array([0, 1, 2, 3]), np.ones(4))
    >>> found = totals([[0.5, 0.25, 0.125, 0.125]], [1.0, 0.0, 0.0, 1.0], predicted, everything)
    >>> found.estimate.tolist(), found.error.tolist()
    ([0.625], [0.0])
    """
    rows, known = np.atleast_2d(np.asarray(weight, np.float64)), np.asarray(truth, np.float64)
    predicted, variance = by.predicted, by.variance
    certain = sample.chance >= 1.0
    fixed, taken = sample.unit[certain], sample.unit[~certain]
    open_ = np.ones(rows.shape[1], np.bool_)
    open_[fixed] = False
    off, inverse = known[~certain] - predicted[taken], 1.0 / sample.chance[~certain]
    found = [_total(row, known[certain], fixed, open_, taken, predicted, variance, off, inverse) for row in rows]
    estimate, error, free, count = (np.array(each) for each in zip(*found, strict=True))
    return Totals(estimate, error, free, count.astype(np.intp))


def _total(
    weight: Floats,
    certain: Floats,
    fixed: Rows,
    open_: Mask,
    taken: Rows,
    predicted: Floats,
    variance: Floats,
    off: Floats,
    inverse: Floats,
) -> tuple[float, float, float, int]:
    there = float((weight[fixed] * certain).sum())
    sure = int((weight[fixed] != 0).sum())
    of = np.flatnonzero(open_ & (weight != 0))
    if not len(of):
        return there, 0.0, 1.0, sure
    own = weight[taken]
    some = np.flatnonzero(own)
    value, by = (own * off)[some], inverse[some]
    count = len(value)
    base = there + float((weight[of] * predicted[of]).sum())
    if not count:
        return np.nan, np.nan, 1.0, sure
    scale = len(of) / by.sum()
    mean = float((value * by).sum() / by.sum())
    estimate = base + len(of) * mean
    if count < 2:
        return estimate, np.nan, 1.0, sure + count
    left = 1.0 - 1.0 / by
    seen = count / (count - 1) * float((left * ((value - mean) * by * scale) ** 2).sum())
    elsewhere = float((left * (own[some] * by * scale) ** 2 * variance[taken[some]]).sum())
    spread = max(((count - 1) * seen + PRIOR * elsewhere) / (count - 1 + PRIOR), elsewhere)
    squares = weight[of] ** 2
    kurtosis = float((squares**2).mean() / squares.mean() ** 2)
    free = min(count - 1.0, 2.0 * count / max(kurtosis - 1.0, 1e-9))
    return estimate, float(np.sqrt(spread)), max(free, 1.0), sure + count


def expanded(weight: Floats, truth: Floats, by: GroupMeans, sample: KnownUnits) -> Floats:
    """What each unit adds to a sum of weight times truth: its prediction, corrected where its truth is known.

    The correction is by the inverse of the chance to be known (Horvitz & Thompson 1952), so that over samples each unit
    adds what it is worth: any sum of units that were drawn independently is right on average, that of a topic, say.

    >>> predicted = calibrate([1, 1, 0, 0], [1.0, 0.0], KnownUnits.random(np.array([0, 2]), 4))
    >>> sure = KnownUnits(np.array([0, 1, 2, 3]), np.ones(4))
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

    >>> found = of_units([[0.1, 0.2, 0.5, 0.9]], [[0.2, 0.4, 0.6, 0.8, 0.9, 0.9]], np.array([0, 1, 2, 3]))
    >>> found.estimate.round(3).tolist(), found.free.tolist()
    ([0.558], [2.0])
    """
    known, every = (np.atleast_2d(np.asarray(each, np.float64)) for each in (truth, prediction))
    size, count = every.shape[1], len(unit)
    theirs = every[:, unit]
    centred, moved = known - known.mean(axis=1, keepdims=True), theirs - theirs.mean(axis=1, keepdims=True)
    below = (moved**2).sum(axis=1)
    slope = np.divide((centred * moved).sum(axis=1), below, out=np.zeros(len(known)), where=below > 0)
    slope = np.clip(slope, 0.0, 1.0) if count > 3 else np.zeros(len(known))
    estimate = known.mean(axis=1) + slope * (every.mean(axis=1) - theirs.mean(axis=1))
    free = max(count - 1 - (count > 3), 1)
    rest = ((centred - slope[:, None] * moved) ** 2).sum(axis=1) / free
    error = np.sqrt(rest * (1.0 - count / size) / max(count, 1))
    if count < 2:
        error = np.full(len(known), 0.0 if count == size else np.nan)
    return Totals(estimate, error, np.full(len(known), float(free)), np.full(len(known), count))


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
