"""Confidence intervals of means and of differences between them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.extras import needed
from truerank.data.printing import counted
from truerank.statistics.anova import residual
from truerank.statistics.bootstrap import t_drawn
from truerank.statistics.dunnett import farthest, from_baseline, half_width
from truerank.statistics.paired import Sums, constant, differences, matrix, paired, unvaried
from truerank.statistics.randomization import CLOSE, Assignments, Drawing, Draws
from truerank.statistics.special import normal_quantile, normal_tail, t_quantile

if TYPE_CHECKING:
    from typing_extensions import Unpack

SIMULTANEOUS = ("tukey", "randomized-tukey", "dunnett", "randomized-dunnett")
"""Ways whose intervals hold for all pairs at once, or for all with a baseline."""
METHODS = ("t", "bootstrap", "bca", "bootstrap-t", "randomization", *SIMULTANEOUS)
"""Ways to find an interval; all but the first three are of differences only."""


@dataclass(frozen=True, eq=False)
class Intervals:
    """Estimates with their confidence intervals: of each system, or of the first less the second of each pair."""

    estimate: Floats
    low: Floats
    """NaN where there is no interval, and a note says why."""
    high: Floats
    method: str
    confidence: float
    notes: tuple[str, ...] = ()
    how: str = ""

    def within(self, least: float, most: float) -> Intervals:
        """The same, ending where no mean can be; an estimate that is itself beyond stays inside its interval.

        >>> found = mean_intervals([[0.0, 0.2, 0.9]]).within(0.0, 1.0)
        >>> found.low.round(4).tolist(), found.high.round(4).tolist()
        ([0.0], [1.0])
        """
        low, high = clipped(self.estimate, self.low, self.high, least, most)
        return replace(self, low=low, high=high)


def clipped(estimate: Floats, low: Floats, high: Floats, least: float, most: float) -> tuple[Floats, Floats]:
    """Ends of intervals, kept from ``least`` to ``most``, or to the estimate where that is itself beyond."""
    return np.maximum(low, np.minimum(least, estimate)), np.minimum(high, np.maximum(most, estimate))


def mean_intervals(
    scores: npt.ArrayLike,
    *,
    method: str = "t",
    confidence: float = 0.95,
    **draws: Unpack[Drawing],
) -> Intervals:
    """Confidence interval of the mean of each system over topics, from scores (systems x topics).

    "t" is mean +- t sd / sqrt(topics). "bootstrap" are percentiles of the means of topics drawn with replacement,
    widened for few topics (Hesterberg 2015); "bca" are percentiles corrected for bias and skew (Efron 1987).
    ``permutations`` are the draws.

    >>> found = mean_intervals([[0.1, 0.5, 0.3]])
    >>> found.estimate.round(4).tolist(), found.low.round(4).tolist(), found.high.round(4).tolist()
    ([0.3], [-0.1968], [0.7968])
    """
    values = paired(scores)
    _check(method, ("t", "bootstrap", "bca"), confidence)
    topics = values.shape[1]
    mean = values.mean(axis=1)
    if topics == 1:
        return Intervals(mean, *_none(mean), method, confidence, (_ONE,))
    fixed = constant(values)
    notes: tuple[str, ...] = ()
    if fixed.any():
        system = counted(int(fixed.sum()), "system")
        notes = (f"all topics have the same score, so that the interval has no width: {system}",)
    if method == "t":
        half = np.where(fixed, 0.0, _half(values, confidence))
        return Intervals(mean, mean - half, mean + half, method, confidence, notes)
    wanted = Draws(**draws)
    low, high = ends(resampled_means(values, wanted), values, Levels(confidence, topics, corrected=method == "bca"))
    low, high = np.where(fixed, mean, low), np.where(fixed, mean, high)
    return Intervals(mean, low, high, method, confidence, notes, wanted.samples)


def difference_intervals(
    scores: npt.ArrayLike,
    *,
    method: str = "t",
    confidence: float = 0.95,
    baseline: int = 0,
    **draws: Unpack[Drawing],
) -> Intervals:
    """Confidence interval of the difference of means of every pair, from scores (systems x topics).

    As ``mean_intervals``, of the differences topic by topic. "tukey" is difference +- q sqrt(mean square of the error /
    topics), where q is of the studentised range and the error of a two-way analysis of variance: all its intervals
    hold at once with the given confidence; "randomized-tukey" takes for that half-width what permutations of the scores
    of each topic reach, and "bootstrap-t" what t reaches in samples of topics drawn with replacement. "randomization"
    has the differences that the randomisation test would not find to be wrong. "dunnett" and "randomized-dunnett" are
    for pairs with the ``baseline``, which hold at once. What is drawn is what the tests of these names (of
    "bootstrap-t" the shift method) draw with the same seed, so that 0 is outside of an interval if and only if p is
    below 1 - ``confidence``. A difference that is the same for every topic has no interval: nothing is known of how it
    varies.

    >>> found = difference_intervals([[0.1, 0.5, 0.3], [0.2, 0.4, 0.6]])
    >>> found.low.round(4).tolist(), found.high.round(4).tolist()
    ([[0.0, -0.5968], [-0.3968, 0.0]], [[0.0, 0.3968], [0.5968, 0.0]])
    """
    values = paired(scores)
    _check(method, METHODS, confidence)
    systems, topics = values.shape
    if topics == 1:
        mean = np.concatenate([difference[:, 0] for difference in differences(values)])
        low, high = _none(mean)
        return _antisymmetric(systems, mean, low, high, method, confidence, (_ONE,) if systems > 1 else ())
    of, how = _ends_of_pairs(values, method, confidence, baseline, draws)
    # One system after the other: the differences of all pairs would not fit where systems and topics are many.
    parts = [
        (difference.mean(axis=-1), constant(difference), *of(system, difference))
        for system, difference in enumerate(differences(values))
    ]
    mean, same, low, high = (np.concatenate(part) for part in zip(*parts, strict=True))
    if method in SIMULTANEOUS:
        same &= low == high
    low, high = np.where(same, np.nan, low), np.where(same, np.nan, high)
    notes = unvaried(values, "there is no interval") if method not in SIMULTANEOUS or same.any() else ()
    return _antisymmetric(systems, mean, low, high, method, confidence, notes, how)


_ONE = "there is one topic: how much scores vary over topics is unknown, and there is no interval"


def _check(method: str, methods: tuple[str, ...], confidence: float) -> None:
    if method not in methods:
        raise InputError(f"method={method!r} is not known here; take one of {', '.join(methods)}")
    if not 0 < confidence < 1:
        raise InputError(f"confidence={confidence!r}; give a number between 0 and 1")


def _ends_of_pairs(
    values: Floats, method: str, confidence: float, baseline: int, draws: Drawing
) -> tuple[Callable[[int, Floats], tuple[Floats, Floats]], str]:
    """The ends of intervals of a system's differences from those after it; and how they were found."""
    wanted = Draws(**draws)
    halves: dict[str, Callable[[], Callable[[Floats], Floats]]] = {
        "t": lambda: partial(_half, confidence=confidence),
        "bootstrap-t": lambda: partial(_half_drawn, confidence=confidence, draws=wanted),
        "tukey": lambda: partial(_constant, _simultaneous(values, confidence)),
        "randomized-tukey": lambda: partial(_constant, _permuted(values, confidence, wanted)),
        "dunnett": lambda: partial(_constant, half_width(values, confidence)),
        "randomized-dunnett": lambda: partial(_half_turned, _turned(values, baseline, confidence, wanted)),
    }
    if method in halves:
        half = halves[method]()

        def around(system: int, difference: Floats) -> tuple[Floats, Floats]:
            mean, width = difference.mean(axis=-1), half(difference)
            return mean - width, mean + width

        turned = Assignments(values.shape[1], wanted).how
        how = {"bootstrap-t": wanted.samples, "randomized-tukey": wanted.permuted, "randomized-dunnett": turned}
        return around, how.get(method, "")
    if method == "randomization":
        assignments = Assignments(values.shape[1], wanted)
        return lambda system, difference: assignments.unlikely(difference, 1.0 - confidence), assignments.how
    drawn = resampled_means(values, wanted)
    levels = Levels(confidence, values.shape[1], corrected=method == "bca")
    return lambda system, difference: ends(drawn[system] - drawn[system + 1 :], difference, levels), wanted.samples


def _half(rows: Floats, confidence: float) -> Floats:
    topics = rows.shape[1]
    critical = float(t_quantile(topics - 1, (1 - confidence) / 2))
    half: Floats = critical * rows.std(axis=-1, ddof=1) / np.sqrt(topics)
    return half


def _half_drawn(rows: Floats, confidence: float, draws: Draws) -> Floats:
    """How far from 0 the t of samples of the centred rows reaches, in units of each mean."""
    topics = rows.shape[1]
    error = rows.std(axis=-1, ddof=1) / np.sqrt(topics)
    far = _reach(t_drawn(rows, draws), confidence, draws)
    half: Floats = np.multiply(far, error, out=np.zeros(len(far)), where=error > 0)
    return half


def _turned(values: Floats, baseline: int, confidence: float, draws: Draws) -> float:
    """How far the largest t of all differences from the baseline reaches, if signs of topics are turned at random."""
    topics = values.shape[1]
    drawn = farthest(from_baseline(values, baseline), draws)
    every = Assignments(topics, draws).every
    reach = float(_reach(drawn[None], confidence, draws, every=every)[0])
    # What is as far but for rounding counts as far.
    share = min((reach * (1.0 + CLOSE)) ** 2 / topics, 1.0)
    return math.sqrt((topics - 1) * share / (1.0 - share)) if share < 1.0 - 1e-12 else math.inf


def _half_turned(far: float, rows: Floats) -> Floats:
    error = rows.std(axis=-1, ddof=1) / np.sqrt(rows.shape[1])
    half: Floats = np.multiply(far, error, out=np.zeros(len(error)), where=~constant(rows))
    return half


def _reach(drawn: Floats, confidence: float, draws: Draws, *, every: bool = False) -> Floats:
    """What has to be passed for p to be below 1 - confidence; a row each.

    p is (1 + draws as far) / (1 + draws); or, of all that there are (``every``), the share of them.
    """
    count = drawn.shape[-1]
    place = math.ceil((1.0 - confidence) * (count if every else 1 + count) - (not every) - 1e-9)
    if place < 1:
        return np.full(len(drawn), np.inf)
    found: Floats = np.partition(drawn, -place, axis=-1)[:, -place]
    return found


def _constant(half: float, rows: Floats) -> Floats:
    return np.full(len(rows), half)


def _permuted(values: Floats, confidence: float, draws: Draws) -> float:
    """How far apart the best and the worst of systems are that are dealt the scores of each topic at random."""
    from truerank.statistics.tukey import permuted_ranges

    reach = float(_reach(permuted_ranges(values, draws)[None], confidence, draws)[0])
    return float(reach / values.shape[1])


def _simultaneous(values: Floats, confidence: float) -> float:
    systems, topics = values.shape
    squares, free = residual(values)
    if not squares:
        return 0.0
    return _critical_range(confidence, systems, free) * float(np.sqrt(squares / free / topics))


@cache
def _critical_range(confidence: float, systems: int, free: int) -> float:
    """Quantile of the studentised range: scipy takes long over it, and measures of the same runs share it."""
    return float(needed("scipy.stats", "an interval by Tukey's test").studentized_range.ppf(confidence, systems, free))


def _antisymmetric(
    systems: int,
    mean: Floats,
    low: Floats,
    high: Floats,
    method: str,
    confidence: float,
    notes: tuple[str, ...],
    how: str = "",
) -> Intervals:
    first = np.triu(np.ones((systems, systems), dtype=bool))
    lower, upper = matrix(systems, low, mirrored=-1, diagonal=0), matrix(systems, high, mirrored=-1, diagonal=0)
    return Intervals(
        matrix(systems, mean, mirrored=-1, diagonal=0),
        np.where(first, lower, upper),
        np.where(first, upper, lower),
        method,
        confidence,
        notes,
        how,
    )


def _none(mean: Floats) -> tuple[Floats, Floats]:
    return np.full(len(mean), np.nan), np.full(len(mean), np.nan)


@dataclass(frozen=True)
class Levels:
    """At which percentiles an interval ends."""

    confidence: float
    topics: int
    corrected: bool
    """For bias and skew (BCa), in place of the widening for few topics."""

    def of(self, drawn: Floats, rows: Floats) -> tuple[Floats, Floats]:
        """The shares of draws below the low and the high end, for each row."""
        if not self.corrected:
            # Percentiles have the normal distribution and n where Student has t and n - 1 (Hesterberg 2015).
            t = t_quantile(self.topics - 1, (1 - self.confidence) / 2)
            below = float(normal_tail(t * np.sqrt(self.topics / (self.topics - 1))))
            return np.full(len(rows), below), np.full(len(rows), 1.0 - below)
        mean = rows.mean(axis=-1, keepdims=True)
        share = ((drawn < mean).mean(axis=-1) + (drawn <= mean).mean(axis=-1)) / 2
        # Few draws may all lie on one side of the mean; that tells no more than that fewer than one lies on the other.
        half_a_draw = 0.5 / drawn.shape[-1]
        bias = normal_quantile(np.clip(share, half_a_draw, 1.0 - half_a_draw))
        deviation = rows - mean
        squares = (deviation**2).sum(axis=-1)
        skew = np.divide((deviation**3).sum(axis=-1), 6 * squares**1.5, out=np.zeros(len(rows)), where=squares > 0)
        z = -float(normal_quantile((1 - self.confidence) / 2))
        low, high = (normal_tail(-bias - (bias + end) / (1 - skew * (bias + end))) for end in (-z, z))
        return low, high


def resampled_means(values: Floats, draws: Draws) -> Floats:
    """Means of each row over topics drawn with replacement (rows x draws); all rows have the same draws."""
    topics = values.shape[1]

    def work(part: slice) -> Floats:
        pieces = Sums(draws.resamples(topics, part)).of(values)
        return np.concatenate([piece.transpose(1, 0, 2).reshape(len(values), -1) for piece in pieces], axis=1)

    drawn: Floats = np.concatenate(draws.over(work), axis=1) / topics
    return drawn


def ends(drawn: Floats, rows: Floats, levels: Levels) -> tuple[Floats, Floats]:
    """The low and the high end of each row's interval, from draws (rows x draws) of its mean.

    >>> drawn = np.arange(101.0)[None]
    >>> [end.round(2).tolist() for end in ends(drawn, np.array([[0.0, 100.0] * 50]), Levels(0.9, 100, corrected=False))]
    [[4.76], [95.24]]
    """
    ordered = np.sort(drawn, axis=-1)
    low, high = (_percentile(ordered, level) for level in levels.of(drawn, rows))
    return low, high


def _percentile(ordered: Floats, level: Floats) -> Floats:
    """The value below which a share of each ordered row lies, between its neighbours in proportion."""
    place = np.clip(level, 0.0, 1.0) * (ordered.shape[1] - 1)
    below = np.floor(place).astype(np.intp)
    row = np.arange(len(ordered))
    one, other = ordered[row, below], ordered[row, np.minimum(below + 1, ordered.shape[1] - 1)]
    found: Floats = one + (place - below) * (other - one)
    return found
