"""How likely a difference is, given the scores: its posterior, and what of it lies beyond what matters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.extras import needed
from truerank.statistics.paired import constant, in_blocks, matrix, paired, unvaried


@dataclass(frozen=True, eq=False)
class Posterior:
    """Chances of every pair (systems x systems), of the first against the second; NaN where nothing varies."""

    rope: float
    """Differences up to which none matters: the region of practical equivalence."""
    above: Floats
    """Chance that the mean of the first is higher by more than ``rope``."""
    within: Floats
    """Chance that means differ by no more than that."""
    below: Floats
    """Chance that the mean of the first is lower by more than that."""
    notes: tuple[str, ...] = ()


def posterior(scores: npt.ArrayLike, rope: float = 0.0) -> Posterior:
    """Chances that means differ by more than ``rope``, of every pair, from scores (systems x topics).

    Differences are normal, and nothing is known of their mean and log deviation beforehand: given the scores, the mean
    has Student's t distribution around that observed, with topics - 1 degrees of freedom and the standard error as its
    scale (Jeffreys 1961; for retrieval Carterette 2015, Sakai 2017; the region is Kruschke's, 2013). So the 95%
    interval by t holds .95 of it. Unlike p, that says how likely a difference is; but it is as sure as the assumption
    that any difference was as likely as any other. Where large ones are rare, chances are too far from one half.

    >>> found = posterior([[0.30, 0.51, 0.29, 0.62], [0.31, 0.50, 0.30, 0.60]], 0.01)
    >>> found.above.round(3).tolist()[0], found.within.round(3).tolist()[0], found.below.round(3).tolist()[0]
    ([0.0, 0.196], [1.0, 0.707], [0.0, 0.097])
    """
    if not 0 <= rope < np.inf:
        raise InputError(f"rope={rope!r}; give a difference from 0 on that does not matter")
    values = paired(scores)
    systems, topics = values.shape
    if topics == 1:
        undefined = matrix(systems, np.nan, diagonal=0.0)
        whole = matrix(systems, np.nan)
        note = "there is one topic: how much differences vary is unknown, and so is how likely one is"
        return Posterior(rope, undefined, whole, undefined, (note,) if systems > 1 else ())
    stdtr = needed("scipy.special", "a posterior").stdtr
    parts = []
    for difference in in_blocks(values):
        mean, error = difference.mean(axis=-1), difference.std(axis=-1, ddof=1) / np.sqrt(topics)
        fixed = constant(difference)
        scale = np.where(fixed, 1.0, error)
        ends = [stdtr(topics - 1, (way * mean - rope) / scale) for way in (1, -1)]
        parts.append([np.where(fixed, np.nan, end) for end in ends])
    above, below = (np.concatenate(end) for end in zip(*parts, strict=True))
    first = np.triu(np.ones((systems, systems), dtype=bool))
    up, down = matrix(systems, above, diagonal=0.0), matrix(systems, below, diagonal=0.0)
    return Posterior(
        rope,
        np.where(first, up, down),
        matrix(systems, 1.0 - above - below),
        np.where(first, down, up),
        unvaried(values, "how likely it is cannot be told") if systems > 1 else (),
    )
