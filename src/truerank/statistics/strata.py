"""Systems on several collections: means over collections, where topics were drawn in each of them.

The collections are taken for what they are, and each counts the same: what is found is about these collections, and not
about others that they might stand for. What was drawn at random are the topics of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.statistics.paired import Sums, constant, differences, matrix, paired
from truerank.statistics.randomization import CLOSE, Assignments, Draws, as_far
from truerank.statistics.special import chi2_tail, normal_quantile, normal_tail, t_quantile, t_tail

_ROOM = 1 << 22
"""Numbers of draws and pairs worked on at once."""


@dataclass(frozen=True, eq=False)
class PairsOver:
    """Every pair of systems over collections (systems x systems): the first less the second."""

    difference: Floats
    """The mean over collections of the difference of means."""
    error: Floats
    """Its standard error; NaN where a collection has one topic."""
    freedom: Floats
    """Degrees of freedom of that, by Satterthwaite (1946)."""
    low: Floats
    high: Floats
    p: Floats
    """Of the pair alone, by the bootstrap."""
    p_corrected: Floats
    """For all pairs at once: by the largest of all in each draw."""
    heterogeneity: Floats
    """p for the difference being the same in all collections, by Cochran's Q; 1 for one collection."""


@dataclass(frozen=True, eq=False)
class MeansOver:
    """Systems over collections: means with their intervals."""

    mean: Floats
    low: Floats
    high: Floats


class Strata:
    """Scores of the same systems in several collections (systems x topics, each).

    >>> one, other = [[0.5, 0.7, 0.6], [0.2, 0.5, 0.2]], [[0.1, 0.3], [0.2, 0.0]]
    >>> found = Strata([one, other])
    >>> found.mean.round(3).tolist(), found.means.round(3).tolist()
    ([0.4, 0.2], [[0.6, 0.3], [0.2, 0.1]])
    """

    def __init__(self, scores: Sequence[npt.ArrayLike]) -> None:
        self.scores = [paired(each) for each in scores]
        if len({len(each) for each in self.scores}) != 1:
            raise InputError("every collection has scores of the same systems; leave out those that some lack")

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def systems(self) -> int:
        """How many systems there are."""
        return len(self.scores[0])

    @cached_property
    def means(self) -> Floats:
        """Means over topics: collections x systems."""
        return np.stack([each.mean(axis=1) for each in self.scores])

    @cached_property
    def mean(self) -> Floats:
        """The mean over collections of each system."""
        mean: Floats = self.means.mean(axis=0)
        return mean

    def deviations(self, draws: Draws) -> Floats:
        """How far the mean of each system over collections is off in each draw (draws x systems).

        Topics are drawn with replacement within each collection, as many as it has. Means of n of them vary less than
        those of n topics drawn anew, by (n - 1) / n, which is made up for.

        >>> Strata([[[0.5, 0.7]], [[0.1, 0.3, 0.2]]]).deviations(Draws(5)).shape
        (5, 1)
        """

        def work(part: slice) -> Floats:
            total = np.zeros((part.stop - part.start, self.systems))
            for place, values in enumerate(self.scores):
                topics = values.shape[1]
                if topics < 2:
                    continue
                # Collections have draws of their own: topics of one have nothing to do with those of another.
                own = Draws(draws.permutations, draws.seed + place * _APART)
                centred = values - values.mean(axis=1, keepdims=True)
                pieces = Sums(own.resamples(topics, part)).of(centred)
                drawn = np.concatenate([piece.transpose(1, 0, 2).reshape(self.systems, -1) for piece in pieces], axis=1)
                total += drawn.T / (topics * len(self)) * np.sqrt(topics / (topics - 1))
            return total

        return np.concatenate(draws.over(work))

    def system_means(self, confidence: float, draws: Draws, drawn: Floats | None = None) -> MeansOver:
        """Means with intervals by percentiles of the bootstrap, each for its system alone."""
        drawn = self.deviations(draws) if drawn is None else drawn
        variance = [each.var(axis=1, ddof=1) / each.shape[1] for each in self.scores if each.shape[1] > 1]
        if len(variance) < len(self):
            nothing = np.full(self.systems, np.nan)
            return MeansOver(self.mean, nothing, nothing)
        _, freedom = _satterthwaite(np.stack(variance), self._sizes)
        low, high = _percentiles(drawn.T, freedom, confidence)
        return MeansOver(self.mean, self.mean + low, self.mean + high)

    @property
    def _sizes(self) -> Rows:
        return np.array([each.shape[1] for each in self.scores])

    def pairs(self, confidence: float, draws: Draws, drawn: Floats | None = None) -> PairsOver:
        """Every pair of systems, by a bootstrap of topics within collections.

        A difference is held against how far it is off in draws, in units of its standard error; Student's t of so many
        degrees of freedom is put in place of the normal distribution, that draws have (Hesterberg 2015). For all pairs
        at once p is the share of draws in which any pair is as far off (Romano & Wolf 2005, in one step), so that all
        that is found holds at once, and so do places that follow from it (Mogstad, Romano, Shaikh & Wilhelm 2024).
        """
        drawn = self.deviations(draws) if drawn is None else drawn
        first, second = np.triu_indices(self.systems, 1)
        difference, variances, same = self._of_pairs()
        estimate = difference.mean(axis=0)
        if (self._sizes < 2).any():
            nothing = np.full(len(estimate), np.nan)
            ones = np.ones(len(estimate))
            return self._matrices(estimate, nothing, nothing, nothing, nothing, ones, ones, ones)
        error, freedom = _satterthwaite(variances, self._sizes)
        varies = error > 0
        t = np.divide(np.abs(estimate), error, out=np.zeros_like(error), where=varies)
        # How far it would be, were t normal: what draws are.
        far = -normal_quantile(t_tail(np.where(varies, freedom, 1.0), t))
        alone = np.zeros(len(estimate), np.intp)
        largest = np.zeros(len(drawn))
        ends = np.full((2, len(estimate)), np.nan)
        for begin in range(0, len(estimate), step := max(1, _ROOM // len(drawn))):
            part = slice(begin, begin + step)
            off = drawn[:, first[part]] - drawn[:, second[part]]
            ends[:, part] = _percentiles(off.T, freedom[part], confidence)
            scaled = np.abs(off, out=off)
            scaled /= np.where(varies[part], error[part], np.inf)
            alone[part] = (scaled >= far[part] - CLOSE).sum(axis=0)
            np.maximum(largest, scaled.max(axis=1, initial=0.0), out=largest)
        every = 1.0 + len(drawn)
        ordered = np.sort(largest)
        beyond = len(drawn) - np.searchsorted(ordered, far - CLOSE, side="left")
        p: Floats = np.asarray((1.0 + alone) / every, np.float64)
        corrected: Floats = np.asarray((1.0 + beyond) / every, np.float64)
        # What does not vary: equal systems do not differ, and of others nothing can be drawn.
        p, corrected = np.where(varies, p, 1.0), np.where(varies, np.maximum(corrected, p), 1.0)
        low, high = (np.where(same | ~varies, np.nan, estimate + end) for end in ends)
        return self._matrices(estimate, error, freedom, low, high, p, corrected, _heterogeneity(difference, variances))

    def _of_pairs(self) -> tuple[Floats, Floats, Mask]:
        """Of each pair: differences of means and their variances (collections x pairs), and whether none varies."""
        found = []
        for values in self.scores:
            topics = values.shape[1]
            parts = [
                (
                    each.mean(axis=1),
                    each.var(axis=1, ddof=1) / topics if topics > 1 else each[:, 0] * np.nan,
                    constant(each),
                )
                for each in differences(values)
            ]
            found.append([np.concatenate(part) for part in zip(*parts, strict=True)])
        difference, variance, same = (np.stack(part) for part in zip(*found, strict=True))
        return difference, np.where(same, 0.0, variance), np.asarray(same.all(axis=0))

    def _matrices(self, difference: Floats, *others: Floats) -> PairsOver:
        error, freedom, low, high, p, corrected, mixed = others
        systems = self.systems
        upper = np.triu(np.ones((systems, systems), dtype=bool))
        lower_end, upper_end = (matrix(systems, end, mirrored=-1, diagonal=0) for end in (low, high))
        return PairsOver(
            difference=matrix(systems, difference, mirrored=-1, diagonal=0),
            error=matrix(systems, error, diagonal=0),
            freedom=matrix(systems, freedom, diagonal=0),
            low=np.where(upper, lower_end, upper_end),
            high=np.where(upper, upper_end, lower_end),
            p=matrix(systems, p),
            p_corrected=matrix(systems, corrected),
            heterogeneity=matrix(systems, mixed),
        )

    def randomization(self, draws: Draws) -> Floats:
        """p of every pair by the randomisation test over strata: signs of differences are turned topic by topic.

        Were two systems alike in every collection, either could have had either score of any topic. p is the share of
        assignments whose mean over collections of the difference is as far from 0. Nothing is assumed of how scores are
        distributed, or that they are so alike in all collections; a topic of a small collection weighs more.

        >>> Strata([[[0.5, 0.7], [0.2, 0.5]], [[0.1, 0.3], [0.2, 0.0]]]).randomization(Draws()).round(3).tolist()
        [[1.0, 0.25], [0.25, 1.0]]
        """
        topics = int(self._sizes.sum())
        # With these weights the mean over all topics is the mean over collections.
        weighted = np.concatenate([each * (topics / (len(self) * each.shape[1])) for each in self.scores], axis=1)
        assignments = Assignments(topics, draws)

        def work(part: slice) -> Rows:
            sums = assignments.sums(part)
            return np.concatenate([as_far(sums, rows, two_sided=True) for rows in differences(weighted)])

        return matrix(self.systems, assignments.share(work))


_APART = 1_000_003
"""What keeps the draws of collections apart."""


def _satterthwaite(variances: Floats, sizes: Rows) -> tuple[Floats, Floats]:
    """The standard error of a mean over collections of means with such variances, and its degrees of freedom."""
    total = variances.sum(axis=0)
    squares = (variances**2 / (sizes[:, None] - 1.0)).sum(axis=0)
    freedom = np.divide(total**2, squares, out=np.full(len(total), np.inf), where=squares > 0)
    return np.sqrt(total) / len(variances), freedom


def _percentiles(drawn: Floats, freedom: Floats, confidence: float) -> Floats:
    """Where the middle of draws (rows x draws) begins and ends, with the tails of Student's t: 2 x rows."""
    finite = np.where(np.isfinite(freedom), freedom, 1e9)
    below = normal_tail(t_quantile(finite, (1 - confidence) / 2))
    ordered = np.sort(drawn, axis=1)
    last = ordered.shape[1] - 1
    ends = []
    for share in (below, 1.0 - below):
        place = share * last
        at = np.floor(place).astype(np.intp)
        row = np.arange(len(ordered))
        one, other = ordered[row, at], ordered[row, np.minimum(at + 1, last)]
        ends.append(one + (place - at) * (other - one))
    # What is drawn is how far an estimate is off: the truth is as far on the other side.
    return np.stack([-ends[1], -ends[0]])


def _heterogeneity(difference: Floats, variances: Floats) -> Floats:
    """p for differences (collections x pairs) being the same in all collections, by Cochran's Q (1954)."""
    if len(difference) == 1:
        return np.ones(difference.shape[1])
    known = (variances > 0).all(axis=0)
    weight = np.divide(1.0, variances, out=np.zeros_like(variances), where=variances > 0)
    total = weight.sum(axis=0)
    mean = np.divide((weight * difference).sum(axis=0), total, out=np.zeros(difference.shape[1]), where=total > 0)
    squares = (weight * (difference - mean) ** 2).sum(axis=0)
    p = chi2_tail(len(difference) - 1, squares)
    return np.where(known, p, np.nan)
