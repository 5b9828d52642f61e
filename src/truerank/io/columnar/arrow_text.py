"""Text in the memory layouts of Apache Arrow, as ids: not copied where it stands in one piece."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Bytes, Ints, Rows
from truerank.data.ids import Ids
from truerank.data.parallel import parallel
from truerank.io.columnar.arrow import Chunk
from truerank.io.columnar.vectors import Stretch, gathered, heads_of

_VIEW = 16
_INLINE = 12
"""A view holds ids up to this length itself, and of longer ones the place."""


@dataclass(frozen=True, slots=True, eq=False)
class _Consecutive:
    """Text whose bytes follow one another, each id ending where the next one begins."""

    buffer: Bytes
    ends: Ints
    """Where each id begins, and where the last one ends, from a place ``first`` bytes before the buffer."""
    first: int

    def __len__(self) -> int:
        return len(self.ends) - 1

    def ids(self, rows: slice) -> Ids:
        end = self.ends[rows.start : rows.stop + 1].astype(np.int64) - self.first
        return Ids(self.buffer, end[:-1], end[1:] - end[:-1])

    def heads(self, rows: slice) -> Rows:
        return heads_of(self.ids(rows))


@dataclass(frozen=True, slots=True, eq=False)
class _Fixed:
    """Ids that all have the same number of bytes."""

    buffer: Bytes
    rows: int
    width: int

    def __len__(self) -> int:
        return self.rows

    def ids(self, rows: slice) -> Ids:
        start = np.arange(rows.start, rows.stop) * self.width
        return Ids(self.buffer, start, np.full(len(start), self.width))

    def heads(self, rows: slice) -> Rows:
        return heads_of(self.ids(rows))


@dataclass(frozen=True, slots=True, eq=False)
class _Views:
    """Text in views of 16 bytes: a length, then the text itself or else a part of it, and where all of it is."""

    buffer: Bytes
    view: Ints
    inside: int
    """Where in the buffer the views begin."""
    outside: Ints
    """Where in the buffer the text begins that views point to, by number."""

    def __len__(self) -> int:
        return len(self.view)

    def ids(self, rows: slice) -> Ids:
        view = self.view[rows]
        start = np.arange(rows.start, rows.stop) * _VIEW + (self.inside + 4)
        if len(self.outside):
            long = np.flatnonzero(view[:, 0] > _INLINE)
            start[long] = self.outside[view[long, 2]] + view[long, 3]
        return Ids(self.buffer, start, view[:, 0])

    def heads(self, rows: slice) -> Rows:
        # Equal views are equal ids; the same long id may stand at two places, which does no harm.
        word = self.view[rows].view(np.uint64)
        change = np.ones(len(word), dtype=np.bool_)
        np.not_equal(word[1:, 0], word[:-1, 0], out=change[1:])
        change[1:] |= word[1:, 1] != word[:-1, 1]
        return np.flatnonzero(change)


def consecutive(chunks: Sequence[Chunk], dtype: str) -> list[Stretch]:
    """Return text with offsets, which are of the given type."""
    parts: list[Stretch] = []
    for chunk in chunks:
        ends = chunk.array(1, dtype, chunk.length + 1, chunk.offset)
        first = int(ends[0])
        parts.append(_Consecutive(chunk.array(2, "u1", int(ends[-1]) - first, first), ends, first))
    return parts


def fixed(chunks: Sequence[Chunk], width: int) -> list[Stretch]:
    """Return ids of so many bytes each."""
    return [
        _Fixed(chunk.array(1, "u1", chunk.length * width, chunk.offset * width), chunk.length, width)
        for chunk in chunks
    ]


def views(chunks: Sequence[Chunk]) -> list[Stretch]:
    """Return text in views.

    Short ids stand in the views and long ones elsewhere, in buffers that chunks may share; where both occur, or
    several buffers, they are put one after another.
    """
    found = [_view(chunk) for chunk in chunks]
    needed = parallel(lambda pair: _needed(*pair), list(zip(chunks, found, strict=True)))
    if all(len(buffers) == 1 for buffers in needed):
        # Each chunk stays where it is.
        return [
            _placed(next(iter(buffers.values())), view, dict.fromkeys(buffers, 0))
            for view, buffers in zip(found, needed, strict=True)
        ]
    whole, begin = gathered(buffer for buffers in needed for buffer in buffers.values())
    place = iter(begin)
    return [
        _placed(whole, view, {number: next(place) for number in buffers})
        for view, buffers in zip(found, needed, strict=True)
    ]


def _placed(whole: Bytes, view: Ints, begin: dict[int, int]) -> Stretch:
    outside = [begin.get(number, 0) for number in range(max(begin) + 1)]
    return _Views(whole, view, begin.get(-1, 0), np.array(outside, dtype=np.int64))


def _view(chunk: Chunk) -> Ints:
    view = chunk.array(1, "i4", 4 * chunk.length, 4 * chunk.offset).reshape(-1, 4)
    if not chunk.nulls or not chunk.buffers[0]:
        return view
    # Where a value is missing, its view may say anything.
    return np.where(chunk.bits(0)[:, None], view, 0)


def _needed(chunk: Chunk, view: Ints) -> dict[int, Bytes]:
    """Return the buffers that the ids of a chunk stand in, by number; -1 for the views themselves."""
    needed: dict[int, Bytes] = {}
    length = view[:, 0]
    # A dictionary of nothing but missing values has no views.
    if not len(length) or int(length.min()) <= _INLINE:
        needed[-1] = view.reshape(-1).view(np.uint8)
    if int(length.max(initial=0)) > _INLINE:
        long = np.flatnonzero(length > _INLINE)
        size = chunk.array(len(chunk.buffers) - 1, "i8", len(chunk.buffers) - 3).tolist()
        used = np.flatnonzero(np.bincount(view[long, 2])).tolist()
        needed |= {number: chunk.array(2 + number, "u1", size[number]) for number in used}
    return needed
