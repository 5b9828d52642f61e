"""Scores going down each list, by the ranks that the run states itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Mask, Rows
from truerank.io.drafts import Draft

MOSTLY = 9
"""So many rises for each fall mean that small scores are good."""
FEWEST = {True: 5, False: 20}
"""Rises that it takes to say so: with ranks, and by the order of rows alone."""


@dataclass(frozen=True, eq=False)
class Steps:
    """From each document to the next."""

    rises: Rows
    """Rows of the draft whose score is higher than that of the row ranked right above."""
    falls: int
    """How many have a lower score."""
    by_rank: bool
    """Whether ranks say which row is above which, or the order in which they are written."""

    @property
    def reversed(self) -> bool:
        """Whether scores rise where they should fall, nearly everywhere."""
        return len(self.rises) >= max(FEWEST[self.by_rank], MOSTLY * self.falls)


def steps(draft: Draft) -> Steps:
    """Look at neighbours in each topic, of the rows that can be scored."""
    rows = draft.kept
    topic = np.repeat(np.arange(len(draft.topics), dtype=np.int32), np.diff(draft.offsets))[rows]
    score, rank = draft.number[rows], None if draft.rank is None else draft.rank[rows]
    same = topic[1:] == topic[:-1]
    if rank is None or not (same & (rank[1:] != rank[:-1]) & ~np.isnan(rank[1:])).any():
        return _compared(rows, same, score, by_rank=False)
    if not ((rank[1:] > rank[:-1]) | ~same).all():
        known = np.flatnonzero(~np.isnan(rank))
        order = known[np.lexsort((rank[known], topic[known]))]
        rows, topic, score, rank = rows[order], topic[order], score[order], rank[order]
        same = topic[1:] == topic[:-1]
    return _compared(rows, same & (rank[1:] > rank[:-1]), score, by_rank=True)


def _compared(rows: Rows, comparable: Mask, score: Floats, *, by_rank: bool) -> Steps:
    rises = rows[1:][comparable & (score[1:] > score[:-1])]
    return Steps(rises, int(np.count_nonzero(comparable & (score[1:] < score[:-1]))), by_rank)
