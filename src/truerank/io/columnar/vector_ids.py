"""Columns of tables as document ids and as topics."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Array, Ints, Keys, Mask, Rows
from truerank.data.errors import InputError
from truerank.data.ids import Ids
from truerank.data.parallel import parallel
from truerank.data.words import hashed
from truerank.io.columnar.integers import decimal_ids
from truerank.io.columnar.vectors import (
    Coded,
    Numbers,
    Packed,
    Piece,
    Text,
    Vector,
    gathered,
    joined_parts,
    pieces,
    refuse_missing,
)
from truerank.io.segments import Segments, joined
from truerank.io.topics import Topics

_LONG = 1 << 16
_FEW = 1 << 16
_LAST = (1 << 63) - 1


def ids_of(column: Vector, name: str) -> tuple[Ids, Keys]:
    """Return a column as ids with their keys; integers become their decimal text.

    >>> ids_of(Numbers([np.array([7]), np.array([12])]), "doc_id")[0].tolist()
    [b'7', b'12']
    """
    refuse_missing(column, name)
    if isinstance(column, Coded):
        codes = joined_parts(column.parts)
        return column.values.take(codes), _packed(Text([Packed(column.values)]))[1][codes]
    if isinstance(column, Numbers):
        column = Text([Packed(decimal_ids(_integers(joined_parts(column.parts), name)))])
    return _packed(column)


def topics_of(column: Vector, name: str) -> tuple[list[bytes], Ints, Rows | None]:
    """Return distinct topics, the topic of each segment of rows, and the bounds of segments as ``arrange`` has them.

    >>> topics, segment, _ = topics_of(Coded([np.array([2, 2, 0])], Ids.pack(["q3", "q2", "q1"])), "query_id")
    >>> [topics[place] for place in segment]
    [b'q1', b'q1', b'q3']
    """
    refuse_missing(column, name)
    topics = Topics()
    if isinstance(column, Numbers):
        column = _coded(column, name) or column
    number = _numbered(column, topics) if isinstance(column, Coded) else None

    def part(piece: Piece) -> Segments:
        if isinstance(column, Text):
            stretch = column.parts[piece.part]
            head = stretch.heads(piece.some)
            rows = piece.some.stop - piece.some.start
            return Segments(rows, head, topics.number(stretch.ids(piece.some).take(head)))
        values = _integers(column.parts[piece.part][piece.some], name)
        head = np.flatnonzero(_changes(values))
        first = values[head]
        return Segments(len(values), head, topics.number(decimal_ids(first)) if number is None else number[first])

    segment, bounds = joined(parallel(part, pieces(column.parts)))
    return topics.names(), segment, bounds


class _LongIdError(Exception):
    """An id is longer than a compact column of lengths can say."""


def _packed(column: Text, width: type[np.integer] = np.uint16) -> tuple[Ids, Keys]:
    """Return text in one buffer: that of the column where there is one, or else a new one."""
    buffer, base = gathered(part.buffer for part in column.parts)
    rows = len(column)
    start = np.empty(rows, dtype=np.uint32 if buffer.size < 1 << 32 else np.int64)
    length = np.empty(rows, dtype=width)
    key = np.empty(rows, dtype=np.uint64)

    def fill(piece: Piece) -> None:
        ids = column.parts[piece.part].ids(piece.some)
        if length.itemsize == 2 and int(ids.length.max()) >= _LONG:
            raise _LongIdError
        start[piece.rows] = ids.start.astype(np.int64) + base[piece.part]
        length[piece.rows] = ids.length
        key[piece.rows] = hashed(ids.buffer, ids.start, ids.length)

    try:
        parallel(fill, pieces(column.parts))
    except _LongIdError:
        return _packed(column, np.int64)
    return Ids(buffer, start, length), key


def _integers(values: Array, name: str) -> Ints:
    if values.dtype.kind not in "iu":
        raise InputError(f"column {name!r} holds {values.dtype.name}; give ids as text or integers")
    return values


def _coded(column: Numbers, name: str) -> Coded | None:
    """Return integers as places in the list of all between the least and the greatest; None where that is long."""
    parts = [_integers(part, name) for part in column.parts]
    least = min((int(part.min()) for part in parts if len(part)), default=0)
    many = max((int(part.max()) for part in parts if len(part)), default=-1) - least + 1
    if many > max(_FEW, len(column)) or least + many > _LAST:
        return None
    codes = [part.astype(np.int64) - least for part in parts]
    return Coded(codes, decimal_ids(np.arange(least, least + many)))


def _numbered(column: Coded, topics: Topics) -> Ints:
    """Return the number of the topic that each code stands for; codes that no row has get none."""
    used = np.zeros(len(column.values), dtype=np.bool_)
    for part in column.parts:
        used[part] = True
    number = np.full(len(used), -1, dtype=np.int32)
    number[used] = topics.number(column.values.take(np.flatnonzero(used)))
    return number


def _changes(values: Ints) -> Mask:
    change = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=change[1:])
    return change
