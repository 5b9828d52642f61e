"""The same document twice in a topic: found by key, confirmed byte for byte."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Keys, Rows, distinct
from truerank.data.ids import Ids
from truerank.data.parallel import parallel, topic_blocks

_BLOCK = 1 << 16


def repeats(offsets: Rows, key: Keys, docs: Ids) -> Rows:
    """Return pairs of rows (earlier, later) of one topic that hold the same document, by topic and later row.

    A document listed n times gives n - 1 pairs, all with its first row.

    >>> docs = Ids.pack(["a", "b", "a", "a"])
    >>> repeats(np.array([0, 3, 4]), docs.keys(), docs).tolist()
    [[0, 2]]
    """
    bounds: list[int] = offsets.tolist()

    def suspects(topics: tuple[int, int]) -> list[int]:
        begin, end = bounds[topics[0]], bounds[topics[1]]
        scratch = key[begin:end].copy()
        for topic in range(*topics):
            scratch[bounds[topic] - begin : bounds[topic + 1] - begin].sort()
        equal = np.flatnonzero(scratch[1:] == scratch[:-1]) + begin
        found: list[int] = distinct(np.searchsorted(offsets, equal, side="right") - 1).tolist()
        return found

    pairs = [
        pair
        for found in parallel(suspects, topic_blocks(bounds, _BLOCK))
        for topic in found
        for pair in _confirmed(bounds[topic], bounds[topic + 1], key, docs)
    ]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _confirmed(begin: int, end: int, key: Keys, docs: Ids) -> list[tuple[int, int]]:
    """Return the pairs of one topic; documents that merely share a key are told apart by their bytes."""
    _, inverse, count = np.unique(key[begin:end], return_inverse=True, return_counts=True)
    rows = np.flatnonzero(count[inverse] > 1) + begin
    first: dict[bytes, int] = {}
    pairs = []
    for row, doc in zip(rows.tolist(), docs.take(rows).tolist(), strict=True):
        if first.setdefault(doc, row) != row:
            pairs.append((first[doc], row))
    return pairs
