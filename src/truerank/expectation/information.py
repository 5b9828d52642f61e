"""Information: what a ranking and its judgments tell, apart and together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.data.rankings import Rankings, row_sum
from truerank.expectation.hypergeometric import draws


@dataclass(frozen=True, eq=False)
class Information:
    """H(S) + H(G) - beta H(S, G) over all documents of a collection.

    A document tells log(size / documents at or above it), by rank, by gain, or by both; a tie group stands at its last
    rank. Where the depth cuts a group, which of its documents are kept is random, and the mean is taken.
    """

    gain: Floats
    """Gain of every retrieved document."""
    ideal: Floats
    """Gains of the judgments, descending."""
    beta: float
    size: int
    scale: float = 1.0

    def total(self, r: Rankings, depth: Rows) -> Floats:
        """The information, one value a row."""
        length = np.minimum(r.length, r.reach(depth)[:, 0])
        log_size = np.log(self.size)
        kept = np.clip(np.minimum(r.stop, length[:, None]) - r.start + 1, 0, None)
        share = kept / r.size
        place = np.where(kept > 0, np.minimum(r.stop, length[:, None]), 1)
        told = np.where(kept > 0, share * (log_size - np.log(place)), 0.0)
        by_rank = row_sum(told)
        # A document without gain tells the same by rank and by both.
        both = np.where(self.gain > 0, 0.0, told)
        by_gain, lost = np.zeros(len(length)), np.zeros(len(length))
        for level in np.unique(self.ideal[self.ideal > 0]):
            here = (self.ideal == level).sum(axis=-1)
            at_least = (self.ideal >= level).sum(axis=-1)
            each = np.where(here > 0, log_size - np.log(np.maximum(at_least, 1)), 0.0)
            by_gain += here * each
            exactly = self.gain == level
            found = row_sum(np.where(exactly, share, 0.0))
            lost += (here - found) * each
            self._found(r, kept, exactly, level, log_size, both)
        together = row_sum(both)
        needed = length + (self.ideal > 0).sum(axis=-1) - row_sum(np.where(self.gain > 0, share, 0.0))
        if (needed > self.size + 1e-9).any():
            raise InputError(f"a topic has {int(needed.max())} documents; size={self.size} must be the collection's")
        return self.scale * (by_rank + by_gain - self.beta * (together + lost))

    def _found(self, r: Rankings, kept: Rows, exactly: np.ndarray, level: float, log_size: float, both: Floats) -> None:
        """Fill in what retrieved documents of one level tell by rank and gain."""
        as_good = (self.gain >= level).astype(np.float64)
        above, mates = r.above(as_good), r.group_sum(as_good)
        row, slot = np.nonzero(exactly & (kept > 0))
        if not len(row):
            return
        size, some = r.size[row, slot], kept[row, slot]
        count = above[row, slot] + mates[row, slot]
        both[row, slot] = log_size - np.log(count)
        cut = np.flatnonzero(some < size)
        if len(cut):
            others = mates[row, slot][cut].astype(np.int64) - 1
            mean = np.zeros(len(cut))
            for j, p in enumerate(draws(size[cut] - 1, others, int(some[cut].max()) - 1)):
                now = some[cut] == j + 1
                logs = np.log(above[row, slot][cut][:, None] + 1 + np.arange(p.shape[1]))
                mean = np.where(now, (p * logs).sum(axis=-1), mean)
            both[row[cut], slot[cut]] = some[cut] / size[cut] * (log_size - mean)
