"""Fisher's randomisation test."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from truerank.analysis.significance.paired import PValues, in_blocks, p_values, paired
from truerank.analysis.significance.resampling import CLOSE, Drawing, Draws
from truerank.analysis.significance.sums import Sums
from truerank.data.arrays import Floats, Rows
from truerank.data.printing import counted

if TYPE_CHECKING:
    from typing_extensions import Unpack


def randomization(scores: npt.ArrayLike, **draws: Unpack[Drawing]) -> PValues:
    """Two-sided randomisation test of every pair of systems, from scores (systems x topics).

    Were two systems alike, either could have had either score of a topic. p is the share of assignments whose mean
    difference is at least as far from 0 as that observed (Fisher 1935; for retrieval Smucker, Allan & Carterette
    2007): of all 2^topics where ``permutations`` allow for them, otherwise of as many drawn with ``seed`` and the
    observed one, (1 + as far) / (1 + permutations), which is never 0 (Phipson & Smyth 2010). The same assignments are
    used for every pair, so that a pair's p does not depend on which other systems there are.

    >>> randomization([[0.1, 0.5, 0.3], [0.2, 0.4, 0.6]]).p.tolist()
    [[1.0, 0.75], [0.75, 1.0]]
    """
    values = paired(scores)
    assignments = Assignments(values.shape[1], Draws(**draws))

    def work(part: slice) -> Rows:
        sums = assignments.sums(part)
        return np.concatenate([as_far(sums, difference, two_sided=True) for difference in in_blocks(values)])

    p = assignments.share(work)
    notes = assignments.notes(sides=2)
    return p_values("randomization", values, p, *notes, how=assignments.how, least=assignments.least(sides=2))


class Assignments:
    """Which of two systems has which score of each topic: all there are if they are few, otherwise some drawn."""

    def __init__(self, topics: int, draws: Draws) -> None:
        self._topics, self._draws = topics, draws
        self._every = topics < 63 and 2**topics <= draws.permutations
        self.count = 2**topics if self._every else draws.permutations
        drawn = f"{self.count:,} assignments drawn with seed {draws.seed}"
        self.how = f"all {self.count:,} assignments" if self._every else drawn

    def sums(self, part: slice) -> Sums:
        """Sums over topics of differences, under each assignment of a stretch.

        >>> [sums.tolist() for sums in Assignments(1, Draws()).sums(slice(0, 2)).of(np.array([[0.5]]))]
        [[[[0.5, -0.5]]]]
        """
        if self._every:
            swapped = np.arange(part.start, part.stop)[:, None] >> np.arange(self._topics) & 1 > 0
        else:
            swapped = self._draws.generator(part).random((part.stop - part.start, self._topics)) < 0.5
        return Sums(np.where(swapped, -1.0, 1.0))

    def share(self, work: Callable[[slice], Rows]) -> Floats:
        """p, where ``work`` counts assignments that are as far."""
        far = self._draws.total(work, self.count).astype(np.float64)
        return far / self.count if self._every else (1.0 + far) / (1.0 + self.count)

    def notes(self, sides: int) -> tuple[str, ...]:
        """Where there are too few assignments for a small p."""
        if not self._every or self.least(sides) <= 0.05:
            return ()
        topic = counted(self._topics, "topic")
        return (f"with {topic} there are {self.count} assignments, so that p is at least {self.least(sides):g}",)

    def least(self, sides: int) -> float:
        """The smallest p there can be: that of the observed assignment, in two-sided terms with its mirror image."""
        return sides / self.count if self._every else 1 / (1 + self.count)


def as_far(sums: Sums, difference: Floats, *, two_sided: bool) -> Rows:
    """Under how many assignments the sum of each row is as far from 0 as it is; one-sided, as high."""
    observed = difference.sum(axis=-1)
    least = (np.abs(observed) if two_sided else observed) - CLOSE * np.abs(difference).sum(axis=-1)
    return sums.at_least(difference, least, two_sided=two_sided)
