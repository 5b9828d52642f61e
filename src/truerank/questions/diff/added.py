"""What each document adds to a score, so that all of them together make it up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import Rankings, gain_of
from truerank.measures.core.base import Measure


def added(measure: Measure, r: Rankings) -> Floats:
    """What each document of a block adds to its row's score, the mean over the orders of ties; 0 where undefined.

    For a sum over ranks it is the document's own term over the normaliser: for nDCG its discounted gain, for ERR and RR
    the chance that the reader stops there times the weight of the rank. Where terms are of two documents, as in AP,
    whose every pair of relevant documents adds one over the lower rank, each of the two has half: that is the value of
    Shapley (1953) for sums of documents and of pairs. For a measure that is no sum it is the score of the list down to
    the document less that of the list above it, with what stands below unjudged.

    >>> from truerank.measures.ap import AP
    >>> added(AP(), Rankings.single([1, 0, 0, 1])).tolist()  # (1 + 1/4 / 2) / 2 and (1/4 + 1/4 / 2) / 2
    [[0.5625, 0.0, 0.0, 0.1875]]
    """
    measure = measure.core
    found = measure.credits(r)
    return _by_steps(measure, r) if found is None else found


def _by_steps(measure: Measure, r: Rankings) -> Floats:
    """Documents with gain are put in one tie group after the other; those of a group share its step by their gains."""
    gain = gain_of(r.grade, measure.gain(r))
    found = np.zeros(gain.shape)
    row, slot = np.nonzero((gain > 0) & (r.start <= measure.depth(r)))
    new = np.ones(len(row), bool)
    new[1:] = (np.diff(row) != 0) | (np.diff(r.start[row, slot]) != 0)
    group = np.cumsum(new) - 1
    place = _places(row[new])[group]
    share = gain[row, slot] / np.bincount(group, gain[row, slot])[group] if len(row) else np.zeros(0)
    before = measure.estimate(_down_to(r, np.zeros((len(gain), 1), np.int64))).value.copy()
    for each in range(int(place.max(initial=-1)) + 1):
        now = np.flatnonzero(place == each)
        # Only rows that have so many groups are scored again.
        some, first, which = np.unique(row[now], return_index=True, return_inverse=True)
        last = r.start[row[now], slot[now]][first][:, None]
        after = measure.estimate(_down_to(r.take(some), last)).value
        found[row[now], slot[now]] = share[now] * np.nan_to_num(after - before[some])[which]
        before[some] = after
    return found


def _down_to(r: Rankings, last: Rows) -> Rankings:
    """The rankings with every document below the groups that begin at ``last`` unjudged."""
    kept = r.start <= last
    return replace(r, grade=np.where(kept, r.grade, np.nan), judgment=np.where(kept, r.judgment, np.int64(-1)))


def _places(row: Rows) -> Rows:
    """Of entries that stand row by row, how many of their row come before each.

    >>> _places(np.array([0, 0, 2, 2, 2])).tolist()
    [0, 1, 0, 1, 2]
    """
    first = np.flatnonzero(np.diff(row, prepend=-1))
    return np.arange(len(row)) - np.repeat(first, np.diff(first, append=len(row)))
