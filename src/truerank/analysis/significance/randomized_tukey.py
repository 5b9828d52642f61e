"""Tukey's test without a distribution: the range of means when each topic's scores are dealt out at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from truerank.analysis.significance.paired import PValues, differences, p_values, paired
from truerank.analysis.significance.resampling import CLOSE, Drawing, Draws
from truerank.data.arrays import Floats

if TYPE_CHECKING:
    from typing_extensions import Unpack


def randomized_tukey(scores: npt.ArrayLike, **draws: Unpack[Drawing]) -> PValues:
    """Randomised Tukey HSD of every pair of systems, from scores (systems x topics); all pairs are allowed for at once.

    Were all systems alike, each could have had any of the scores of a topic. Each permutation deals the scores of every
    topic out to the systems at random, and keeps the difference between the highest and the lowest mean. A pair's p is
    (1 + permutations whose range is at least the difference of the pair) / (1 + permutations), drawn with ``seed``
    (Carterette 2012, Sakai 2018). No normal distribution is assumed, but that systems are alike in their spread as well
    as in their means: one that varies far more than the rest is found to differ too often.

    >>> randomized_tukey([[0.1, 0.5, 0.3], [0.2, 0.4, 0.6]], permutations=999).p.round(1).tolist()
    [[1.0, 0.7], [0.7, 1.0]]
    """
    values = paired(scores)
    drawn = Draws(**draws)
    # A topic's difficulty goes to every system alike; without it less is lost to rounding.
    dealt = np.ascontiguousarray((values - values.min(axis=0)).T)

    def work(part: slice) -> Floats:
        return _ranges(dealt, drawn.generator(part), part.stop - part.start)

    found = np.sort(np.concatenate(drawn.over(work)))
    mean = np.abs(np.concatenate([difference.sum(axis=-1) for difference in differences(values)]))
    far = drawn.permutations - np.searchsorted(found, mean - CLOSE * dealt.max(axis=1).sum())
    one = "there is one topic, and permutations of its scores all have the same range: p is 1 for every pair"
    return p_values(
        "randomized-tukey",
        values,
        (1 + far) / (1 + drawn.permutations),
        *((one,) if values.shape[1] == 1 else ()),
        how=f"{drawn.permutations:,} permutations drawn with seed {drawn.seed}",
        least=1 / (1 + drawn.permutations),
    )


def _ranges(dealt: Floats, draw: np.random.Generator, count: int) -> Floats:
    """The range of sums over topics of scores (topics x systems) that are dealt out at random, one a draw."""
    total = np.zeros((count, dealt.shape[1]))
    scores = np.empty_like(total)
    for topic in dealt:
        scores[:] = topic
        total += draw.permuted(scores, axis=1, out=scores)
    ranges: Floats = total.max(axis=1) - total.min(axis=1)
    return ranges
