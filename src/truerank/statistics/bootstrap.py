"""Bootstrap tests: topics drawn with replacement."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats, Rows
from truerank.data.extras import needed
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

    def beyond(sums: Sums, difference: Floats) -> Rows:
        return np.where(steady(difference), 0, t_as_far(sums, difference, two_sided=True))

    return _resampled("bootstrap-shift", scores, Draws(**draws), beyond, lambda tail, topics: np.asarray(tail))


def bootstrap_percentile(scores: npt.ArrayLike, **draws: Unpack[Drawing]) -> PValues:
    """Bootstrap test of every pair of systems by percentiles, from scores (systems x topics).

    Topics are drawn with replacement, and p is what the level of the percentile interval would have to be for 0 to be
    its end: twice the share of draws with a mean difference on the other side of 0, counting the observed one (Efron &
    Tibshirani 1993, chapter 13; for retrieval Savoy 1997). The interval is too narrow with few topics, and is widened
    by what the normal distribution and n lack against Student's t and n - 1 (Hesterberg 2015).

    >>> bootstrap_percentile([[0.1, 0.5, 0.3, 0.2], [0.2, 0.4, 0.6, 0.3]], permutations=999).p.round(1).tolist()
    [[1.0, 0.4], [0.4, 1.0]]
    """
    return _resampled("bootstrap-percentile", scores, Draws(**draws), _either_side, _widened)


def _resampled(
    test: str,
    scores: npt.ArrayLike,
    draws: Draws,
    beyond: Callable[[Sums, Floats], Rows],
    p_of: Callable[[npt.ArrayLike, int], Floats],
) -> PValues:
    """A bootstrap test of every pair.

    ``beyond`` counts draws for each row of differences, or on both sides (2 x rows), of which the fewer are taken;
    ``p_of`` has p from their share, counting the observed one, and the number of topics.
    """
    values = paired(scores)
    topics = values.shape[1]
    if topics == 1:
        return p_values(test, values, 1.0, _ONE)
    every = 1.0 + draws.permutations
    least = float(p_of(1.0 / every, topics))

    def work(part: slice) -> Rows:
        sums = Sums(draws.resamples(topics, part))
        return np.concatenate([beyond(sums, each) for each in in_blocks(values)], axis=-1)

    fewer = np.atleast_2d(draws.total(work)).min(axis=0)
    p = p_of((1.0 + fewer) / every, topics)
    # Where nothing varies, nothing else can be drawn: p is that of the signs.
    same = np.concatenate([steady(difference) for difference in in_blocks(values)])
    signs = max(least, by_signs(topics))
    so = f"p is that of the signs, {signs:.2g}"
    return p_values(
        test, values, np.where(same, signs, p), *_few(topics), so=so, how=draws.samples, least=least, rough=True
    )


def _widened(tail: npt.ArrayLike, topics: int) -> Floats:
    """p of the widened interval that ends where so many draws lie beyond."""
    functions = needed("scipy.special", "the percentile bootstrap")
    t = functions.ndtri(np.minimum(tail, 0.5)) * np.sqrt((topics - 1) / topics)
    return np.asarray(2.0 * functions.stdtr(topics - 1, t))


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


def _either_side(sums: Sums, difference: Floats) -> Rows:
    """For how many draws the sum of each row is 0 or more, and 0 or less."""
    noise = CLOSE * np.abs(difference).sum(axis=-1)
    found = np.zeros((2, len(difference)), np.intp)
    for rows in blocks(len(difference), sums.rows):
        for summed in sums.of(difference[rows]):
            found[0, rows] += tally(summed >= -noise[rows, None])
            found[1, rows] += tally(summed <= noise[rows, None])
    return found


def _few(topics: int) -> tuple[str, ...]:
    """With few topics there are few different draws."""
    if topics >= 10:
        return ()
    return (f"{topics} topics are few to draw from; p of a bootstrap test is rough",)
