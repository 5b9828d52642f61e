"""Rows as they come: topics brought together and into bytewise order, and documents that stand twice in one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Array, Ints, Keys, Rows, distinct, offsets, spans, table
from truerank.data.ids import Ids
from truerank.data.parallel import blocks, parallel, topic_blocks

Move: TypeAlias = Callable[[list[Array]], None]
"""Puts the rows of several arrays in order, in place."""

_LONG = 64
"""Rows in a segment, on average, from which copying segment by segment beats looking up every row."""
_BLOCK = 1 << 16


def group(
    topics: Sequence[bytes], bounds: Ints | None, segment: npt.ArrayLike | None = None
) -> tuple[tuple[bytes, ...], Rows, Move | None]:
    """Return topics in order, their offsets, and how to move rows there (None where they are there already).

    Segment s, the rows bounds[s] to bounds[s + 1] - 1, belongs to topics[segment[s]]. Without ``segment`` it belongs to
    topics[s]; without ``bounds`` each row is a segment. Rows of one topic keep their order.

    >>> names, offsets, move = group([b"q2", b"q1"], np.array([0, 2, 3]))
    >>> rows = np.array([20, 21, 10])
    >>> move([rows])
    >>> names, offsets.tolist(), rows.tolist()
    ((b'q1', b'q2'), [0, 1, 3], [10, 20, 21])
    """
    order = sorted(range(len(topics)), key=topics.__getitem__)
    names = tuple(topics[index] for index in order)
    # A stable sort of 16-bit integers is a radix sort.
    place = np.empty(len(order), dtype=np.uint16 if len(order) < 1 << 16 else np.intp)
    place[order] = np.arange(len(order))
    belongs = place if segment is None else place.take(np.asarray(segment, dtype=None if np.size(segment) else np.intp))
    count = None if bounds is None else np.diff(bounds)
    total = offsets(np.bincount(belongs, count, len(names)).astype(np.intp))
    if (belongs[1:] >= belongs[:-1]).all():
        return names, total, None
    first = np.argsort(belongs, kind="stable")
    if bounds is None or count is None:
        return names, total, _by_row(first)
    begin, count = bounds[first], count[first]
    return names, total, _by_segment(begin, count) if len(count) * _LONG < total[-1] else _by_row(spans(begin, count))


def _by_segment(begin: Ints, count: Ints) -> Move:
    target = offsets(count).tolist()
    pieces = list(zip(begin.tolist(), (begin + count).tolist(), strict=True))

    def move(arrays: list[Array]) -> None:
        for array, old in _copies(arrays):
            _assemble(array, old, pieces, target)

    return move


def _assemble(array: Array, old: Array, pieces: list[tuple[int, int]], target: list[int]) -> None:
    def assemble(block: slice) -> None:
        parts = [old[begin:end] for begin, end in pieces[block]]
        np.concatenate(parts, out=array[target[block.start] : target[block.stop]])

    parallel(assemble, blocks(len(pieces), _LONG))


def _by_row(rows: Rows) -> Move:
    def move(arrays: list[Array]) -> None:
        for array, old in _copies(arrays):
            _assign(array, old, rows)

    return move


def _assign(array: Array, old: Array, rows: Rows | None = None) -> None:
    def assign(block: slice) -> None:
        array[block] = old[block] if rows is None else old[rows[block]]

    parallel(assign, blocks(len(array), _BLOCK))


def _copies(arrays: list[Array]) -> Iterator[tuple[Array, Array]]:
    """Yield each array with a copy of it; the copies share one piece of memory."""
    scratch = np.empty(max(array.nbytes for array in arrays), dtype=np.uint8)
    for array in arrays:
        old = scratch[: array.nbytes].view(array.dtype)
        _assign(old, array)
        yield array, old


def topic_at(topics: Sequence[bytes], offsets: Rows, row: int) -> bytes:
    """The topic that a row belongs to."""
    return topics[int(np.searchsorted(offsets, row, side="right")) - 1]


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
        count = np.diff(offsets[topics[0] : topics[1] + 1])
        if len(count) * int(count.max()) <= 2 * (end - begin):
            ordered = np.sort(table(key[begin:end], count, np.iinfo(np.uint64).max), axis=-1)
            alike = ordered[:, 1:] == ordered[:, :-1]
            alike &= np.arange(1, ordered.shape[1]) < count[:, None]
            lines: list[int] = (np.flatnonzero(alike.any(axis=-1)) + topics[0]).tolist()
            return lines
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
    return np.array(pairs, dtype=np.intp).reshape(-1, 2)


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
