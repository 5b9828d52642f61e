"""Topics that come in groups: sessions, paraphrases, questions about one need.

Topics of one group are alike, so that five of them tell less than five drawn on their own. What was drawn are the
groups, and tests and intervals go by those: each group has one number for each system, and everything that compares
systems topic by topic takes them in place of topics.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.statistics.paired import rectangular

FEW = 10
"""Groups up to which one more or less decides what is found."""


@dataclass(frozen=True, eq=False)
class Clusters:
    """Which group each topic is in, by number.

    >>> groups = Clusters(np.array([0, 0, 1]))
    >>> groups.of([[0.5, 0.25, 1.0]]).round(4).tolist()  # their mean is that of the topics, 0.5833
    [[0.5, 0.6667]]
    """

    number: Rows

    def __post_init__(self) -> None:
        used = np.unique(self.number)
        if not len(used) or used[0] < 0:
            raise InputError("every topic is in a group, which has a number from 0 on")
        # Numbers that no topic has are left out: topics may have been.
        object.__setattr__(self, "number", np.searchsorted(used, self.number))

    @property
    def sizes(self) -> Rows:
        """Topics of each group."""
        sizes: Rows = np.bincount(self.number)
        return sizes

    def __len__(self) -> int:
        return len(self.sizes)

    def take(self, kept: Mask) -> Clusters:
        """The groups of some of the topics."""
        return Clusters(self.number[kept])

    def of(self, scores: npt.ArrayLike) -> Floats:
        """Systems x groups, from scores (systems x topics): what each group adds to differences of means.

        A group whose scores add up to S_g has S_g G / n, for G groups and n topics: where groups have one size, its
        mean. The mean of these over groups is the mean over topics. Were two systems alike, the difference of each
        group could as well be the other way round, whatever its size, so that a t-test of these, the randomisation test
        that exchanges groups as a whole and the bootstrap that draws groups keep their level. The t-test is the
        cluster-robust one under the null hypothesis, with G - 1 degrees of freedom (Liang & Zeger 1986).
        """
        values = self._checked(scores)
        return np.asarray(self._sums(values) * (len(self) / values.shape[1]))

    def around_means(self, scores: npt.ArrayLike) -> Floats:
        """The same for means, which are not near 0: m + (S_g - n_g m) G / n, for the mean m and n_g topics of a group.

        Their standard error is the cluster-robust one of a mean: that groups have other sizes does not count as spread.
        """
        values = self._checked(scores)
        mean = values.mean(axis=1, keepdims=True)
        return np.asarray(mean + (self._sums(values) - self.sizes * mean) * (len(self) / values.shape[1]))

    def _checked(self, scores: npt.ArrayLike) -> Floats:
        values = rectangular(scores)
        if values.shape[1] != len(self.number):
            raise InputError(f"there are scores of {values.shape[1]} topics, and groups of {len(self.number)}")
        return values

    def _sums(self, values: Floats) -> Floats:
        """Sums over the topics of each group, added up in the order of topics."""
        return np.stack([np.bincount(self.number, weights=row, minlength=len(self)) for row in values])

    def notes(self) -> tuple[str, ...]:
        """Where groups tell little, and what to do about it.

        >>> Clusters(np.array([0, 0, 1])).notes()[0]
        '2 groups are few to stand for others; where these are all there are, such as languages, do not cluster'
        """
        groups, sizes = len(self), self.sizes
        found = []
        if groups < FEW:
            which = f"{groups} group{'s are' if groups > 1 else ' is'} few to stand for others"
            found.append(f"{which}; where these are all there are, such as languages, do not cluster")
        share = float(sizes.max() / sizes.sum())
        if groups > 1 and share > max(0.25, 3 / groups):
            found.append(f"one group has {100 * share:.0f}% of the topics, and decides most: intervals are rough")
        return tuple(found)


def intraclass(scores: npt.ArrayLike, number: Rows) -> Floats:
    """How alike topics of a group are, of each row: the intraclass correlation, by one-way analysis of variance.

    (MSB - MSW) / (MSB + (k - 1) MSW), where k is the mean size of groups, less for unequal ones (Donner 1986); NaN
    where every group has one topic, or all have one value.

    >>> intraclass([[0.1, 0.1, 0.7, 0.7], [0.1, 0.7, 0.1, 0.7]], np.array([0, 0, 1, 1])).round(2).tolist()
    [1.0, -1.0]
    """
    values = rectangular(scores)
    clusters = Clusters(number)
    sizes, groups, topics = clusters.sizes, len(clusters), values.shape[1]
    if groups < 2 or groups == topics:
        return np.full(len(values), np.nan)
    means = clusters.of(values) * (topics / groups) / sizes
    between = ((means - values.mean(axis=1, keepdims=True)) ** 2 * sizes).sum(axis=1) / (groups - 1)
    within = ((values - means[:, clusters.number]) ** 2).sum(axis=1) / (topics - groups)
    size = (topics - (sizes**2).sum() / topics) / (groups - 1)
    whole = between + (size - 1) * within
    found: Floats = np.divide(between - within, whole, out=np.full(len(values), np.nan), where=whole > 0)
    return found
