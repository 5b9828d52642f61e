"""The best threshold on values that fall along each list, found in one pass over all of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.questions.stop.lists import ScoreLists
from truerank.statistics.pairs import EQUAL


def sweep(lists: ScoreLists, keys: Sequence[Floats], values: Floats, topics: Rows) -> tuple[float, float]:
    """The threshold with the highest mean, and that mean: documents whose key is at least the threshold are kept.

    Keys never rise along a list. As the threshold falls, groups of documents come in one after the other, and each
    adds what it is worth: all thresholds that make a difference are tried. Of those that do equally well it is the
    highest, half way to the next key; "inf" keeps what no number excludes, and "-inf" keeps everything.

    >>> lists = ScoreLists((np.array([4.0, 3.0, 1.0]), np.array([2.0, 1.0])))
    >>> sweep(lists, lists.scores, np.array([[0, 1, 2, 0], [0, 1, 0, 0]], float), np.arange(2))
    (1.5, 1.5)
    """
    chosen = topics.tolist()
    key = np.concatenate([np.zeros(0), *(keys[t][lists.ends[t] - 1] for t in chosen)])
    gain = np.concatenate([np.zeros(0), *(np.diff(values[t, np.append(0, lists.ends[t])]) for t in chosen)])
    order = np.argsort(-key, kind="stable")
    key = key[order]
    total = np.append(0.0, np.cumsum(gain[order])) + values[topics, 0].sum()
    # A threshold lies between two keys that differ; what has no finite key is always kept.
    changes = np.flatnonzero(key[1:] != key[:-1]) + 1
    nothing = [0] if not len(key) or np.isfinite(key[0]) else []
    apart = np.concatenate([nothing, changes, [len(key)]]).astype(np.int64)
    mean = total[apart] / len(topics)
    best = int(np.argmax(mean >= mean.max() - EQUAL))
    return between(key, int(apart[best])), float(mean[best])


def between(key: Floats, kept: int) -> float:
    """A threshold that the first ``kept`` of falling keys reach and the others do not.

    >>> key = np.array([3.0, 1.0])
    >>> between(key, 0), between(key, 1), between(key, 2)
    (inf, 2.0, -inf)
    """
    if kept == len(key):
        return -np.inf
    if kept == 0 or np.isinf(key[kept - 1]):
        return np.inf
    middle = key[kept] / 2 + key[kept - 1] / 2
    return float(middle if key[kept] < middle <= key[kept - 1] else key[kept - 1])


def reaching(keys: Sequence[Floats], at: float) -> Rows:
    """How many keys of each list are at least the threshold."""
    return np.array([int((key >= at).sum()) for key in keys], np.int64)
