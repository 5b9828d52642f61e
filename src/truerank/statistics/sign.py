"""The sign test."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats
from truerank.data.extras import needed
from truerank.data.printing import counted
from truerank.statistics.paired import PValues, in_blocks, p_values, paired


def sign(scores: npt.ArrayLike) -> PValues:
    """Two-sided sign test of every pair of systems, from scores (systems x topics).

    Of the topics on which two systems differ, each would win half if they were alike: p is the chance that a fair coin
    comes out as uneven (Arbuthnott 1710; for retrieval van Rijsbergen 1979). How far a topic is won by does not matter.
    Topics on which they are equal are left out.

    >>> sign([[0.5, 0.6, 0.7, 0.8, 0.2, 0.1], [0.1, 0.2, 0.3, 0.4, 0.1, 0.1]]).p.tolist()
    [[1.0, 0.0625], [0.0625, 1.0]]
    """
    values = paired(scores)
    topics = values.shape[1]
    bdtr = needed("scipy.special", "a sign test").bdtr
    found: list[Floats] = []
    for difference in in_blocks(values):
        won, lost = (difference > 0).sum(axis=-1), (difference < 0).sum(axis=-1)
        found.append(np.minimum(1.0, 2.0 * bdtr(np.minimum(won, lost).astype(float), won + lost, 0.5)))
    least = 2.0 ** (1 - topics)
    return p_values("sign", values, np.concatenate(found), *even_all(topics, least), least=least)


def even_all(topics: int, least: float) -> tuple[str, ...]:
    """Where there are too few topics for a small p."""
    if least <= 0.05:
        return ()
    return (f"with {counted(topics, 'topic')} even a system that wins all of them has p = {least:g}",)
