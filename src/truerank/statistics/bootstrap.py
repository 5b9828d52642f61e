"""The bootstrap test: topics drawn with replacement."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats, Rows
from truerank.data.parallel import blocks
from truerank.statistics.paired import PValues, Sums, by_signs, constant, in_blocks, p_values, paired, steady, tally
from truerank.statistics.randomization import CLOSE, Drawing, Draws
from truerank.statistics.student import t_statistic

if TYPE_CHECKING:
    from typing_extensions import Unpack


_ONE = "there is one topic, and drawing it again tells nothing: p is 1 for every pair"


def bootstrap_shift(scores: npt.ArrayLike, **draws: Unpack[Drawing]) -> PValues:
    """Bootstrap test of every pair of systems by the shift method, from scores (systems x topics).

    Differences are shifted to have the mean 0, as they would if systems were alike, and topics are drawn with
    replacement. p is (1 + draws whose t is at least as far from 0 as that observed) / (1 + draws), where t is Student's
    (Efron & Tibshirani 1993, section 16.4; for retrieval Sakai 2006). With the mean in place of t, too many
    pairs would be significant where topics are few: a sample varies less than what it was drawn from. ``permutations``
    are the draws; they are the same for every pair.

    >>> bootstrap_shift([[0.1, 0.5, 0.3, 0.2], [0.2, 0.4, 0.6, 0.3]], permutations=999).p.round(1).tolist()
    [[1.0, 0.3], [0.3, 1.0]]
    """

    values, drawn = paired(scores), Draws(**draws)
    topics = values.shape[1]
    if topics == 1:
        return p_values("bootstrap-shift", values, 1.0, _ONE)
    every = 1.0 + drawn.permutations
    least = 1.0 / every

    def work(part: slice) -> Rows:
        sums = Sums(drawn.resamples(topics, part))
        found = (
            np.where(steady(difference), 0, t_as_far(sums, difference, two_sided=True))
            for difference in in_blocks(values)
        )
        return np.concatenate([*found], axis=-1)

    p = (1.0 + drawn.total(work)) / every
    # Where nothing varies, nothing else can be drawn: p is that of the signs.
    same = np.concatenate([steady(difference) for difference in in_blocks(values)])
    signs = max(least, by_signs(topics))
    so = f"p is that of the signs, {signs:.2g}"
    return p_values(
        "bootstrap-shift",
        values,
        np.where(same, signs, p),
        *_few(topics),
        so=so,
        how=drawn.samples,
        least=least,
        rough=True,
    )


def t_as_far(sums: Sums, difference: Floats, *, two_sided: bool) -> Rows:
    """For how many draws of the centred row its t is as far from 0 as that of the row.

    One-sided, as high. The t of a draw is as far as t where the square of its sum is at least n t^2 / (n - 1 + t^2)
    times its sum of squares: nothing is divided by a variance, which a draw may not have.
    """
    topics = difference.shape[1]
    centred = difference - difference.mean(axis=-1, keepdims=True)
    t = np.where(constant(difference), 0.0, t_statistic(difference))
    part = t**2 / (topics - 1 + t**2) * topics
    least = (part if two_sided else np.sign(t) * part) - CLOSE * topics
    found = np.zeros(len(difference), np.intp)
    for rows in blocks(len(difference), sums.rows):
        for summed, squares in zip(sums.of(centred[rows]), sums.of(centred[rows] ** 2), strict=True):
            summed *= np.abs(summed)
            if two_sided:
                np.abs(summed, out=summed)
            squares *= least[rows, None]
            found[rows] += tally(summed >= squares)
    return found


def t_drawn(rows: Floats, draws: Draws) -> Floats:
    """How far from 0 the t of each centred row is in each draw (rows x draws); infinite where a draw does not vary.

    >>> t_drawn(np.array([[0.1, 0.2, 0.6]]), Draws(4)).shape
    (1, 4)
    """
    if not len(rows):
        return np.zeros((0, draws.permutations))
    topics = rows.shape[1]
    centred = rows - rows.mean(axis=-1, keepdims=True)

    def work(part: slice) -> Floats:
        sums = Sums(draws.resamples(topics, part))
        found = []
        for summed, squares in zip(sums.of(centred), sums.of(centred**2), strict=True):
            # The share of the sum of squares that is the mean's: t^2 = (n - 1) share / (1 - share).
            share = np.divide(summed**2, topics * squares, out=np.ones_like(squares), where=squares > 0)
            rest = np.maximum(1.0 - share, 0.0)
            t = np.sqrt(np.divide((topics - 1) * share, rest, out=np.full_like(share, np.inf), where=rest > CLOSE))
            found.append(t.transpose(1, 0, 2).reshape(len(rows), -1))
        return np.concatenate(found, axis=1)

    return np.concatenate(draws.over(work), axis=1)


def _few(topics: int) -> tuple[str, ...]:
    """With few topics there are few different draws."""
    if topics >= 10:
        return ()
    return (f"{topics} topics are few to draw from; p of a bootstrap test is rough",)
