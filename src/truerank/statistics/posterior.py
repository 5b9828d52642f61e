"""How likely a difference is, given the scores: its posterior, and what of it lies beyond what matters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.extras import needed
from truerank.data.parallel import blocks
from truerank.statistics.paired import constant, in_blocks, matrix, paired, unvaried


@dataclass(frozen=True, eq=False)
class Posterior:
    """Chances of every pair (systems x systems), of the first against the second; NaN where nothing varies."""

    prior: float | None
    """Standard deviation of differences as they were expected beforehand; None where any was as likely as any other."""
    rope: float
    """Differences up to which none matters: the region of practical equivalence."""
    above: Floats
    """Chance that the mean of the first is higher by more than ``rope``."""
    within: Floats
    """Chance that means differ by no more than that."""
    below: Floats
    """Chance that the mean of the first is lower by more than that."""
    notes: tuple[str, ...] = ()


def posterior(scores: npt.ArrayLike, rope: float = 0.0, *, prior: float | None = None) -> Posterior:
    """Chances that means differ by more than ``rope``, of every pair, from scores (systems x topics).

    Differences are normal, and nothing is known of their mean and log deviation beforehand: given the scores, the mean
    has Student's t distribution around that observed, with topics - 1 degrees of freedom and the standard error as its
    scale (Jeffreys 1961; for retrieval Carterette 2015, Sakai 2017; the region is Kruschke's, 2013). So the 95%
    interval by t holds .95 of it. Unlike p, that says how likely a difference is; but it is as sure as the assumption
    that any difference was as likely as any other. Where large ones are rare, chances are too far from one half; there
    ``prior`` is the standard deviation of differences that are normal around 0, by which what t says is weighted.

    >>> found = posterior([[0.30, 0.51, 0.29, 0.62], [0.31, 0.50, 0.30, 0.60]], 0.01)
    >>> found.above.round(3).tolist()[0], found.within.round(3).tolist()[0], found.below.round(3).tolist()[0]
    ([0.0, 0.196], [1.0, 0.707], [0.0, 0.097])
    """
    if not 0 <= rope < np.inf:
        raise InputError(f"rope={rope!r}; give a difference from 0 on that does not matter")
    if prior is not None and not 0 < prior < np.inf:
        raise InputError(f"prior={prior!r}; give the standard deviation of differences as they are expected, above 0")
    values = paired(scores)
    systems, topics = values.shape
    if topics == 1:
        undefined = matrix(systems, np.nan, diagonal=0.0)
        whole = matrix(systems, np.nan)
        note = "there is one topic: how much differences vary is unknown, and so is how likely one is"
        return Posterior(prior, rope, undefined, whole, undefined, (note,) if systems > 1 else ())
    stdtr = needed("scipy.special", "a posterior").stdtr
    parts = []
    for difference in in_blocks(values):
        mean, error = difference.mean(axis=-1), difference.std(axis=-1, ddof=1) / np.sqrt(topics)
        fixed = constant(difference)
        scale = np.where(fixed, 1.0, error)
        if prior is None:
            ends = [stdtr(topics - 1, (way * mean - rope) / scale) for way in (1, -1)]
        else:
            ends = _weighted(mean, scale, topics - 1, rope, prior)
        parts.append([np.where(fixed, np.nan, end) for end in ends])
    above, below = (np.concatenate(end) for end in zip(*parts, strict=True))
    first = np.triu(np.ones((systems, systems), dtype=bool))
    up, down = matrix(systems, above, diagonal=0.0), matrix(systems, below, diagonal=0.0)
    return Posterior(
        prior,
        rope,
        np.where(first, up, down),
        matrix(systems, 1.0 - above - below),
        np.where(first, down, up),
        unvaried(values, "how likely it is cannot be told") if systems > 1 else (),
    )


_NODES = 4001
"""Quantiles that stand for a distribution: chances are within a few 1e-4."""
_ROWS = 512
"""Pairs worked on at once."""


def _weighted(mean: Floats, error: Floats, free: int, rope: float, prior: float) -> list[Floats]:
    """Chances of more than ``rope`` above and below 0, where what t says of a mean is weighted by a normal prior.

    Quantiles of the narrower one of both are weighted by the density of the other.

    >>> [end.round(2).tolist() for end in _weighted(np.array([1.0]), np.array([1.0]), 10**6, 0.0, 1.0)]
    [[0.76], [0.24]]
    """
    special = needed("scipy.special", "a posterior")
    shares = (np.arange(_NODES) + 0.5) / _NODES
    normal, student = special.ndtri(shares), special.stdtrit(free, shares)
    above, below = np.empty(len(mean)), np.empty(len(mean))
    for part in blocks(len(mean), _ROWS):
        middle, scale = mean[part, None], error[part, None]
        narrow = scale < prior
        place = np.where(narrow, middle + scale * student, prior * normal)
        by_prior = -((place / prior) ** 2) / 2
        by_t = -(free + 1) / 2 * np.log1p(((place - middle) / scale) ** 2 / free)
        weight = np.where(narrow, by_prior, by_t)
        weight = np.exp(weight - weight.max(axis=1, keepdims=True))
        weight /= weight.sum(axis=1, keepdims=True)
        # A quantile just at the edge of the region stands for what lies on both sides.
        for found, way in ((above, 1.0), (below, -1.0)):
            beyond = np.sign(way * place - rope)
            found[part] = (weight * (1.0 + beyond) / 2).sum(axis=1)
    return [above, below]
