"""Spearman's rank correlation."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Rows
from truerank.statistics.kendall import Paired, Places, quotient


def spearman(x: npt.ArrayLike, y: npt.ArrayLike) -> Any:
    """Spearman's rho between scores of the same systems.

    Pearson's correlation of the ranks; tied systems have the mean of the ranks they take up (Spearman 1904; mid-ranks,
    Kendall 1945). NaN where one of the rankings ties all systems. Takes rows as ``kendall`` does.

    >>> spearman([3, 2, 1], [3, 1, 2]), spearman([3, 1, 1], [3, 1, 1])
    (0.5, 1.0)
    """
    pair = Paired.of(x, y)
    first, second = _centred(pair.x), _centred(pair.y)
    spread = np.sqrt((first**2).sum(axis=-1).astype(np.float64) * (second**2).sum(axis=-1))
    return pair.given(quotient((first * second).sum(axis=-1), spread))


def _centred(places: Places) -> Rows:
    """Twice the distance of mid-ranks from their mean: whole numbers, so that nothing is rounded."""
    systems = places.above.shape[1]
    distance: Rows = 2 * places.above + places.tied - systems
    return distance
