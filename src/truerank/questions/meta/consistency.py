"""How sure a measure is of differences: by a test, on the other half of the topics, on topics drawn anew."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.questions.meta.question import Discrimination, SwapBin
from truerank.questions.meta.scores import SystemScores
from truerank.statistics.effects import effects
from truerank.statistics.pairs import every_pair
from truerank.statistics.special import t_quantile
from truerank.statistics.tests import procedure

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.statistics.randomization import Drawing

RATE = 0.05
"""Share of swaps up to which a difference is to be relied on."""
BINS = 200
"""Bins from no difference to that of the best and the worst system; one more has all that is larger."""


def discrimination(
    scored: SystemScores, *, test: str = "student", alpha: float = 0.05, **draws: Unpack[Drawing]
) -> Discrimination:
    """Test every pair of systems (Sakai 2006).

    A pair would be significant by Student's t with a difference of its standard error times the critical t; ``needed``
    is the largest of these, as Sakai takes it from bootstrap samples. A test that allows for all pairs at once, such as
    Tukey's, holds them to one difference, which the smallest significant one is closest to.

    >>> found = discrimination(SystemScores(np.array([[0.1, 0.2, 0.3], [0.2, 0.3, 0.41], [0.5, 0.1, 0.3]])))
    >>> found.discrimination, round(found.smallest, 4), round(found.missed, 4)
    (0.3333333333333333, 0.1033, 0.1)
    """
    chosen = procedure(test)
    pairs = every_pair(scored.systems)
    tested = chosen(scored.values, **draws)
    p = tested.p[pairs]
    means = scored.means
    size = np.abs(means[pairs[0]] - means[pairs[1]])
    found = p < alpha
    smallest = float(size[found].min()) if found.any() else math.nan
    needed = typical = smallest
    if not chosen.simultaneous:
        needed = typical = math.nan
        if scored.topics > 1:
            critical = float(t_quantile(scored.topics - 1, alpha / 2.0))
            each = critical * effects(scored.values).deviation[pairs] / math.sqrt(scored.topics)
            needed, typical = float(each.max()), float(np.median(each))
    return Discrimination(
        measure=scored.measure,
        discrimination=int(found.sum()) / len(p),
        significant=int(found.sum()),
        pairs=len(p),
        p=np.sort(p)[::-1],
        needed=needed,
        typical=typical,
        smallest=smallest,
        missed=float(size[~found].max()) if not found.all() else math.nan,
        notes=tested.notes,
    )


def percentiles(p: Floats) -> Floats:
    """The p-values at 0, 1, ..., 100 per cent of the pairs, the largest first.

    >>> percentiles(np.array([0.5, 0.3, 0.1]))[[0, 50, 100]].tolist()
    [0.5, 0.3, 0.1]
    """
    return np.asarray(p[np.rint(np.arange(101) * (len(p) - 1) / 100).astype(np.intp)])


@dataclass(frozen=True, eq=False)
class Swaps:
    """How often two systems change places from one half of the topics to another.

    Each split compares every pair twice: what is seen on one half is checked on the other.
    """

    topics: int
    """In each half."""
    low: Floats
    """Where each bin of differences begins; it ends where the next one begins, the last one nowhere."""
    count: Rows
    """Comparisons with a difference in the bin."""
    reversed: Rows
    """Those of them with the opposite sign on the other half."""
    level: int
    """Comparisons without a difference, which are in no bin."""
    needed: float
    """The difference from which on at most one in twenty swaps, if that can only fall; NaN where none is enough."""
    sensitivity: float
    """Share of comparisons with such a difference."""
    tau_halves: float
    """Kendall's tau-a between the orders by both halves, the mean over splits."""
    tau_deviation: float
    """Its standard deviation over splits."""
    tau_full: float
    """``tau_halves`` extrapolated: between orders by two sets of as many topics as there are."""

    @property
    def rate(self) -> Floats:
        """Share of swaps in each bin; NaN in an empty one."""
        nothing = np.full(len(self.count), np.nan)
        share: Floats = np.divide(self.reversed, self.count, out=nothing, where=self.count > 0)
        return share

    @property
    def below(self) -> Floats:
        """Share of comparisons with a smaller difference than those in each bin, of which half count as smaller."""
        return (self.level + np.cumsum(self.count) - self.count / 2) / max(self.comparisons, 1)

    @property
    def comparisons(self) -> int:
        """Pairs of systems compared, twice in every split."""
        return int(self.count.sum()) + self.level

    @property
    def swap_rate(self) -> float:
        return float(self.reversed.sum() / self.comparisons) if self.comparisons else math.nan

    def bins(self, measure: str = "") -> list[SwapBin]:
        """The bins of a measure that are not empty."""
        columns = (self.low, self.count, self.reversed, self.rate)
        return [
            SwapBin(
                measure=measure,
                low=float(low),
                comparisons=int(count),
                reversed_comparisons=int(reversed_),
                swap_rate=float(rate),
            )
            for low, count, reversed_, rate in zip(*columns, strict=True)
            if count
        ]


def halves(topics: int, draws: int, seed: int) -> Rows:
    """Pairs of halves without a topic in common (draws x 2 x half), at random; of an odd number one topic is left out.

    >>> halves(5, 1, seed=7).shape, len({*halves(5, 1, seed=7).ravel().tolist()})
    ((1, 2, 2), 4)
    """
    order = np.random.default_rng([seed, 1]).permuted(np.tile(np.arange(topics), (draws, 1)), axis=1)
    return order[:, : topics // 2 * 2].reshape(draws, 2, topics // 2)


def swaps(scored: SystemScores, splits: Rows) -> Swaps:
    """Compare every pair of systems on both halves of every split (Voorhees & Buckley 2002).

    Differences are binned by shares of that between the best and the worst system, since every measure has a scale of
    its own.
    """
    spread, half = scored.spread, splits.shape[2]
    low = np.arange(BINS + 1) * spread / BINS
    if not spread or not half:
        nothing = np.zeros(BINS + 1, np.int64)
        return Swaps(half, low, nothing, nothing, 0, *[math.nan] * 5)
    # By bin, comparisons that keep their sign, and after them those that do not; last those without one.
    tallied = np.zeros(2 * (BINS + 1) + 1, np.int64)
    taus: list[Floats] = []
    for seen in scored.over(splits):
        one, other = seen[..., 0], seen[..., 1]
        surplus = np.zeros(one.shape[1])
        for system in range(scored.systems - 1):
            here, there = one[system] - one[system + 1 :], other[system] - other[system + 1 :]
            both = here * there
            opposite = both < 0
            surplus += (both > 0).sum(axis=0) - opposite.sum(axis=0)
            for difference in (here, there):
                place = np.minimum(np.abs(difference) * (BINS / spread), BINS).astype(np.intp)
                place += (BINS + 1) * opposite
                np.copyto(place, len(tallied) - 1, where=difference == 0)
                tallied += np.bincount(place.ravel(), minlength=len(tallied))
        taus.append(surplus / (scored.systems * (scored.systems - 1) // 2))
    tau = np.concatenate(taus)
    kept, swapped = tallied[:-1].reshape(2, BINS + 1)
    count, level = kept + swapped, int(tallied[-1])
    reliable = np.flatnonzero(falling(count, swapped) <= RATE)
    first = int(reliable[0]) if len(reliable) else None
    return Swaps(
        topics=half,
        low=low,
        count=count,
        reversed=swapped,
        level=level,
        needed=math.nan if first is None else float(low[first]),
        sensitivity=0.0 if first is None else float(count[first:].sum() / (count.sum() + level)),
        tau_halves=float(tau.mean()),
        tau_deviation=float(tau.std()),
        tau_full=extrapolated(float(tau.mean()), scored.topics / half),
    )


def falling(count: Rows, swapped: Rows) -> Floats:
    """The share of swaps in each bin, if it can only fall with the difference; NaN where there is nothing to compare.

    Neighbours that rise are taken together (pool-adjacent-violators, Ayer et al. 1955), so that a bin with a few
    comparisons does not decide alone.

    >>> falling(np.array([50, 90, 0, 5, 1]), np.array([20, 3, 0, 1, 0])).round(3).tolist()
    [0.4, 0.042, nan, 0.042, 0.0]
    """
    pools: list[tuple[int, int, list[int]]] = []
    for place in np.flatnonzero(count).tolist():
        whole, part, places = int(count[place]), int(swapped[place]), [place]
        while pools and pools[-1][1] * whole < part * pools[-1][0]:
            before = pools.pop()
            whole, part, places = whole + before[0], part + before[1], before[2] + places
        pools.append((whole, part, places))
    rate = np.full(len(count), np.nan)
    for whole, part, places in pools:
        rate[places] = part / whole
    return rate


def extrapolated(tau: float, times: float) -> float:
    """Kendall's tau between orderings by so many times the topics.

    Were means of systems normal with normal noise, tau = 2/pi asin(r) for their correlation r (Greiner 1909), which
    with m times the topics is m r / (1 + (m - 1) r) (Spearman 1910, Brown 1910).

    >>> round(extrapolated(0.8, 2), 4), extrapolated(1.0, 2)
    (0.8571, 1.0)
    """
    r = math.sin(math.pi / 2 * tau)
    return 2 / math.pi * math.asin(min(1.0, times * r / (1 + (times - 1) * r))) if r > 0 else tau


@dataclass(frozen=True)
class OrderStability:
    """What becomes of the order of pairs of systems over many sets of topics (Buckley & Voorhees 2000)."""

    minority: float
    """Share of comparisons, ties left out, in which a pair stands in the order that it has less often."""
    fuzziness: float
    """Share of the larger score up to which a difference is taken for a tie."""
    fuzzy_minority: float
    """The same where differences so small are ties, as a share of all; NaN for scores on both sides of 0."""
    fuzzy_ties: float
    """Share of comparisons with a difference so small."""


def resamples(topics: int, draws: int, seed: int) -> Rows:
    """Sets of as many topics as there are, drawn with replacement (draws x topics)."""
    return np.random.default_rng([seed, 2]).integers(0, topics, (draws, topics)).astype(np.intp, copy=False)


def stability(scored: SystemScores, drawn: Rows, fuzziness: float) -> OrderStability:
    """Compare every pair of systems on every set of topics.

    With ``fuzziness`` f, a difference of at most f times the larger of both means is a tie. Measures differ in how many
    ties that makes, and one that ties everything has no minorities: so it is ``minority``, of what is not tied, that
    measures can be compared by.
    """
    systems = scored.systems
    if scored.topics < 2 or systems < 2:
        return OrderStability(math.nan, fuzziness, math.nan, math.nan)
    fuzzy = scored.one_sided
    counts = np.zeros((2, 2, systems * (systems - 1) // 2), np.int64)
    for means in scored.over(drawn):
        place = 0
        for system in range(systems - 1):
            rest = means[system + 1 :]
            difference = means[system] - rest
            rows = slice(place, place := place + len(rest))
            counts[0, :, rows] += (difference > 0).sum(axis=-1), (difference < 0).sum(axis=-1)
            if fuzzy:
                # A difference of just so much is a tie, too, however it was rounded.
                margin = fuzziness * np.maximum(np.abs(means[system]), np.abs(rest)) + scored.rounding
                counts[1, :, rows] += (difference > margin).sum(axis=-1), (difference < -margin).sum(axis=-1)
    every = counts.shape[-1] * len(drawn)
    less, ordered = counts.min(axis=1).sum(axis=-1), counts.sum(axis=(1, 2))
    return OrderStability(
        minority=float(less[0] / ordered[0]) if ordered[0] else math.nan,
        fuzziness=fuzziness,
        fuzzy_minority=float(less[1] / every) if fuzzy else math.nan,
        fuzzy_ties=float(1.0 - ordered[1] / every) if fuzzy else math.nan,
    )
