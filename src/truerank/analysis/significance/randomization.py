"""Fisher's randomisation test."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from truerank.analysis.significance.paired import PValues, differences, matrix, paired
from truerank.data.arrays import Floats
from truerank.data.errors import InputError

_BLOCK = 1 << 22
_CLOSE = 1e-10
"""Relative to the sum of the differences: an assignment that gives the same mean counts, however it was rounded."""


def randomization(scores: npt.ArrayLike, *, permutations: int = 10_000, seed: int = 0) -> PValues:
    """Two-sided randomisation test of every pair of systems, from scores (systems x topics).

    Were two systems alike, either could have had either score of a topic. p is the share of assignments whose mean
    difference is at least as far from 0 as that observed (Fisher 1935; for retrieval Smucker, Allan & Carterette
    2007): of all 2^topics where ``permutations`` allow for them, otherwise of as many drawn with ``seed`` and the
    observed one, (1 + as far) / (1 + permutations), which is never 0 (Phipson & Smyth 2010). The same assignments are
    used for every pair, so that a pair's p does not depend on which other systems there are.

    >>> randomization([[0.1, 0.5, 0.3], [0.2, 0.4, 0.6]]).p.tolist()
    [[1.0, 0.75], [0.75, 1.0]]
    """
    values = paired(scores)
    if permutations < 1:
        raise InputError(f"permutations={permutations!r}; give a whole number from 1 on")
    systems, topics = values.shape
    every = topics < 63 and 2**topics <= permutations
    total = 2**topics if every else permutations
    difference = list(differences(values))
    far = [np.zeros(len(each), np.int64) for each in difference]
    observed = [np.abs(each.sum(axis=-1)) - _CLOSE * np.abs(each).sum(axis=-1) for each in difference]
    for signs in _all_signs(topics) if every else _drawn_signs(topics, permutations, seed):
        for each, least, count in zip(difference, observed, far, strict=True):
            count += (np.abs(each @ signs.T) >= least[:, None]).sum(axis=-1)
    p = [count / total if every else (1 + count) / (1 + total) for count in far]
    notes = (_few(topics),) if every and systems > 1 and 2.0 / total > 0.05 else ()
    return PValues("randomization", matrix(systems, p), notes)


def _few(topics: int) -> str:
    topic = f"{topics} topic{'s' * (topics > 1)}"
    return f"with {topic} there are {2**topics} assignments, so that p is at least {2.0 ** (1 - topics):g}"


def _all_signs(topics: int) -> Iterator[Floats]:
    """Every assignment, as rows of 1 and -1."""
    rows = max(1, _BLOCK // topics)
    for first in range(0, 2**topics, rows):
        number = np.arange(first, min(first + rows, 2**topics))
        yield np.where(number[:, None] >> np.arange(topics) & 1, -1.0, 1.0)


def _drawn_signs(topics: int, count: int, seed: int) -> Iterator[Floats]:
    """Assignments drawn at random; how many are made at a time does not change them."""
    rng = np.random.default_rng(seed)
    rows = max(1, _BLOCK // topics)
    for first in range(0, count, rows):
        yield np.where(rng.random((min(rows, count - first), topics)) < 0.5, -1.0, 1.0)
