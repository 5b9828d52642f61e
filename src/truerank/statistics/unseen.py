"""Topics that were not seen: how far they could take the mean of differences, and how much one of them may lose.

A change that breaks a few queries and leaves all others as they are is what a regression looks like, and what a test of
the mean sees least: where none of these queries is among the topics, nothing was lost.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats
from truerank.data.parallel import blocks
from truerank.statistics.randomization import Drawing, Draws

if TYPE_CHECKING:
    from typing_extensions import Unpack

_ROOM = 1 << 22
"""Means that are kept at once, rows times draws; and weights, draws times topics."""


def guarded(
    rows: Floats,
    low: Floats,
    high: Floats,
    way: Floats,
    levels: Floats,
    *,
    losses: float = 0.0,
    **draws: Unpack[Drawing],
) -> tuple[Floats, Floats]:
    """Ends of intervals of mean differences that also allow for topics that were not seen, one a row of differences.

    ``low`` and ``high`` are the ends by a test, at the level of each row, and ``way`` is what it shows: 1 for a mean
    above 0, -1 for one below, 0 for nothing. An end that shows something stays: what is significant is not taken back.
    Any other end is moved out to that of ``unseen_means``, where this is farther.

    >>> rows = np.array([[0.0] * 46 + [-0.2] * 4])
    >>> ends = guarded(rows, np.array([-0.03]), np.array([0.0]), np.zeros(1), np.full(1, 0.05))
    >>> [end.round(3).tolist() for end in ends]
    [[-0.039], [0.0]]
    """
    least, most = unseen_means(rows, levels, losses=losses, **draws)
    return (
        np.where((way > 0) & (low >= 0), low, np.minimum(low, least)),
        np.where((way < 0) & (high <= 0), high, np.maximum(high, most)),
    )


def unseen_means(
    rows: Floats, levels: Floats, *, losses: float = 0.0, **draws: Unpack[Drawing]
) -> tuple[Floats, Floats]:
    """How low and how high the mean of each row may be if a kind of topic was not seen, at the level of each row.

    Topics weigh what a sample from all of them could: weights are drawn from the flat Dirichlet distribution over the
    topics of the row and one more. For the low end, that one loses as much as the worst of the row, or ``losses`` if
    that is more; for the high end it gains as much as the best. Ends are quantiles of the weighted mean, half of the
    level on each side (Gaffke 2005, whose bound is not proved for every distribution, and not known to fail).

    >>> [end.round(3).tolist() for end in unseen_means(np.zeros((1, 50)), np.full(1, 0.05), losses=0.5)]
    [[-0.036], [0.036]]
    """
    wanted = Draws(**draws)
    low, high = np.empty(len(rows)), np.empty(len(rows))
    for part in blocks(len(rows), max(1, _ROOM // wanted.permutations)):
        some = rows[part]
        mean, rest = _weighted(some, wanted)
        places = [_place(level, wanted.permutations) for level in levels[part].tolist()]
        worst, best = np.minimum(some.min(axis=-1), -losses), np.maximum(some.max(axis=-1), losses)
        for found, end, sign in ((low, worst, 1.0), (high, best, -1.0)):
            drawn = np.partition(sign * (mean + end[:, None] * rest), sorted({*places}), axis=-1)
            found[part] = sign * drawn[np.arange(len(some)), places]
    return low, high


def safe_loss(differences: npt.ArrayLike, margin: float, *, level: float = 0.05, **draws: Unpack[Drawing]) -> float:
    """How much a single topic that was not seen may lose for the low end of ``unseen_means`` to stay above -margin.

    Where all differences are 0, this is the binomial bound: a kind of topic that is missing among n may be a share of
    1 - (level / 2)^(1 / n) of all, and its loss times that share has to stay below the margin.

    >>> round(safe_loss([0.0] * 50, 0.02), 1), round(0.02 / (1 - 0.025 ** (1 / 50)), 1)
    (0.3, 0.3)
    """
    wanted = Draws(**draws)
    mean, rest = _weighted(np.atleast_2d(np.asarray(differences, dtype=np.float64)), wanted)
    reach = (mean[0] + margin) / rest
    place = _place(level, wanted.permutations)
    return float(np.partition(reach, place)[place])


def _place(level: float, draws: int) -> int:
    """Which of all draws in order is the quantile at half of the level."""
    return max(math.ceil(level / 2.0 * draws) - 1, 0)


def _weighted(rows: Floats, draws: Draws) -> tuple[Floats, Floats]:
    """Sums of each row weighted at random (rows x draws), and the weight of the one more topic (draws)."""
    topics, rows = rows.shape[1], np.ascontiguousarray(rows)

    def work(part: slice) -> tuple[Floats, Floats]:
        generator, found, more = draws.generator(part), [], []
        for few in blocks(part.stop - part.start, max(1, _ROOM // (topics + 1))):
            weights = generator.standard_exponential((few.stop - few.start, topics + 1))
            weights /= weights.sum(axis=1, keepdims=True)
            # Not by linear algebra, whose threads may add in another order.
            found.append(np.einsum("dt,rt->rd", weights[:, 1:], rows))
            more.append(weights[:, 0])
        return np.concatenate(found, axis=1), np.concatenate(more)

    sums, rest = zip(*draws.over(work), strict=True)
    return np.concatenate(sums, axis=1), np.concatenate(rest)
