"""What a curve of scores looks like at each of its documents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.questions.stop.tail import exponential
from truerank.questions.stop.threshold import SCALES

FEATURES = (
    "range",
    "z",
    "surprise",
    "drop",
    "bend",
    "contrast",
    "top",
    "skewness",
    "kurtosis",
    "tenth",
    "length",
)
"""In the order of the columns of ``features``."""


def features(scores: Floats) -> Floats:
    """Features of a list, a row a document; those of a group of equal scores are those of its last document.

    - where the score stands: its share of the range, its distance from the mean in standard deviations, its surprise
      under an exponential tail
    - the drop to the next score and how much it differs from the one before, in terms of the mean drop
    - the contrast of the mean score down to here with the mean below, in standard deviations
    - of the whole list: how far its top score stands out, skewness and kurtosis of its scores, where the score at rank
      10 stands, and the logarithm of its length

    A list whose scores are all the same, or of fewer than two documents, has none but its length.

    >>> found = features(np.array([4.0, 2.0, 2.0, 1.0, 1.0]))
    >>> found.shape, found[:, FEATURES.index("range")].round(2).tolist()
    ((5, 11), [1.0, 0.33, 0.33, 0.0, 0.0])
    """
    count = len(scores)
    length = np.full(count, np.log(max(count, 1)))
    share, z = SCALES["range"](scores), SCALES["z"](scores)
    if not count or np.isinf(share[0]) or np.isinf(z[0]):
        return np.column_stack([*np.zeros((len(FEATURES) - 1, count)), length])
    rank = np.arange(1, count + 1)
    surprise = exponential(scores)
    # The drops of a list from its top to its lowest score add up to 1 here, and have a mean of 1 after this.
    drop = np.append(share[:-1] - share[1:], 0.0) * (count - 1)
    bend = np.append(0.0, drop[:-1]) - drop
    above = np.cumsum(z) / rank
    below = np.append((np.cumsum(z[::-1])[::-1])[1:] / rank[:-1][::-1], z[-1])
    whole = (z[0], (z**3).mean(), (z**4).mean(), share[min(9, count - 1)])
    local = (share, z, np.where(np.isinf(surprise), 0.0, surprise), np.log1p(drop), bend, above - below)
    found = np.column_stack([*local, *(np.full(count, one) for one in whole), length])
    return found[np.searchsorted(-scores, -scores, side="right") - 1]


def bins(ranks: int) -> Rows:
    """Ranks that are looked at together: up to ten each by itself, then about eight to a tenfold; where each begins.

    >>> bins(20).tolist()
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 19]
    """
    steps = np.rint(10 * 10 ** (np.arange(48) / 8)).astype(np.int64) + 1
    starts = np.concatenate([np.arange(1, 11), steps])
    return starts[starts <= max(ranks, 1)]


def stacked(lists: Sequence[Floats], topics: Rows) -> Floats:
    """The rows of some lists, one list after the other."""
    return np.concatenate([np.empty((0, len(FEATURES))), *(lists[topic] for topic in topics.tolist())])
