"""Preference judgments made of rows: two documents each, and which of them is better."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from truerank.data.arrays import Ints, Rows
from truerank.data.arrays import offsets as offsets_of
from truerank.data.errors import Origin
from truerank.data.grouping import group
from truerank.data.ids import Ids
from truerank.data.printing import shown
from truerank.data.qrels import Preferences

_ODD = np.uint64(0x9E3779B97F4A7C15)


def prefer(
    topics: Sequence[bytes],
    bounds: ArrayLike | None,
    first: Ids,
    second: Ids,
    outcome: Ints | None = None,
    *,
    segment: ArrayLike | None = None,
    origin: Origin | None = None,
) -> Preferences:
    """Make preference judgments of rows in any order; segments as in ``arrange``.

    ``outcome`` is 1 where the first document of a row is better, -1 where the second is, and 0 where they are equally
    good; without it the first ones are better. A pair may stand several times, and both ways.

    >>> found = prefer([b"q"], [0, 3], Ids.pack("abb"), Ids.pack("bca"), np.array([1, 0, 1]))
    >>> found.docs.tolist(), found.pairs.tolist(), found.ties.tolist()
    ([b'a', b'b', b'c'], [[0, 1], [1, 0]], [[1, 2]])
    """
    names, offsets, move = group(topics, None if bounds is None else np.asarray(bounds), segment)
    row = np.arange(len(first))
    if move is not None:
        move([row])
    topic = np.repeat(np.arange(len(names)), 2 * np.diff(offsets))
    both = _alternating(first, second, row)
    number, new = _numbered(both, topic)
    pairs = number.reshape(-1, 2)
    same = np.flatnonzero(pairs[:, 0] == pairs[:, 1])
    if len(same):
        twice = int(same[0])
        raise (origin or Origin()).error(
            f"document {shown(both[2 * twice])} of topic {shown(names[topic[2 * twice]])} is compared with itself; "
            "name two documents in each preference",
            int(first.start[row[twice]]),
        )
    said = np.ones(len(row), np.int64) if outcome is None else np.asarray(outcome)[row]
    equal = said == 0
    better = np.where(said[:, None] < 0, pairs[:, ::-1], pairs)
    docs = both.take(new)
    return Preferences(
        names,
        offsets_of(np.bincount(topic[new], minlength=len(names))),
        np.full(len(docs), np.nan),
        docs,
        docs.keys(),
        better[~equal],
        offsets_of(~equal)[offsets],
        pairs[equal],
        offsets_of(equal)[offsets],
    )


def _alternating(first: Ids, second: Ids, row: Rows) -> Ids:
    """Both documents of each row, one after the other, in one buffer."""
    if first.buffer is second.buffer:
        buffer, shift = first.buffer, 0
    else:
        buffer, shift = np.concatenate([first.buffer, second.buffer]), first.buffer.size
    start, length = np.empty((2, 2 * len(row)), np.int64)
    start[0::2], length[0::2] = first.start[row], first.length[row]
    start[1::2], length[1::2] = second.start[row].astype(np.int64) + shift, second.length[row]
    return Ids(buffer, start, length)


def _numbered(ids: Ids, topic: Rows) -> tuple[Rows, Rows]:
    """Number the documents of each topic as they are met; return the number in each row, and where each is new."""
    key = ids.keys() ^ (topic.astype(np.uint64) * _ODD)
    order = np.argsort(key, kind="stable")
    head = np.ones(len(order), np.bool_)
    head[1:] = key[order[1:]] != key[order[:-1]]
    first = order[head]
    # Where a row's document is first met, by row: comparing in this order stays in the processor's cache.
    met = np.empty(len(order), np.int64)
    met[order] = first[np.cumsum(head) - 1]
    if not (ids.same(np.arange(len(order)), ids, met) & (topic == topic[met])).all():
        return _one_by_one(ids, topic)
    new = np.sort(first)
    number = np.zeros(len(order), np.int64)
    number[new] = np.arange(len(new))
    return number[met], new


def _one_by_one(ids: Ids, topic: Rows) -> tuple[Rows, Rows]:
    """Tell documents apart that merely share a key."""
    known: dict[tuple[int, bytes], int] = {}
    rows = zip(topic.tolist(), ids.tolist(), strict=True)
    number = np.array([known.setdefault(row, len(known)) for row in rows], np.int64)
    new = np.flatnonzero(np.diff(np.maximum.accumulate(number), prepend=-1))
    return number, new
