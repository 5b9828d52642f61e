"""Lines of a file into columns: chunks of text are split, hashed and parsed side by side, straight into place."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.data.arrays import Array, Bytes, Floats, Ints, Keys, Mask, Rows, offsets
from truerank.data.errors import InputError, Origin
from truerank.data.ids import Ids
from truerank.data.parallel import parallel
from truerank.data.words import hashed, load
from truerank.io.decimals import MARGIN, decimals
from truerank.io.fields import fields
from truerank.io.layout import Layout
from truerank.io.lines import count_lines, cut, line_end, line_number
from truerank.io.segments import Segments, joined
from truerank.io.source import Source
from truerank.io.topics import Topics

CHUNK = 1 << 21
"""Small enough for a chunk and its fields to stay in a processor's cache, large enough for numpy's calls to pay."""

_UTF16 = (b"\xff\xfe", b"\xfe\xff")
BOM = codecs.BOM_UTF8
_PADDING = 8
_KEPT = 16 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The rows of a file as they come. Rows of one topic that follow one another are a segment."""

    topics: list[bytes]
    segment: Ints
    """Number of each segment's topic."""
    bounds: Rows | None
    """Segment s holds the rows bounds[s] to bounds[s + 1] - 1; None where each row is a segment."""
    ids: list[Ids]
    key: Keys
    """``ids[0].keys()``."""
    number: Floats
    origin: Origin


def read_columns(source: Source, layout: Layout, *, chunk: int = CHUNK, threads: int | None = None) -> Columns:
    """Read a file; refused with file and line: a wrong number of columns, a number that is none, no lines at all."""
    text = source.text
    origin = Origin(source.name, lambda offset: line_number(text, offset))
    refuse_foreign(source)
    skip = len(BOM) if text[: len(BOM)].tobytes() == BOM else 0
    pieces = cut(text, skip, chunk)
    room = offsets(np.array(parallel(lambda piece: count_lines(text, *piece), pieces, threads), dtype=np.int64))
    settle_allocator()
    tasks = [(*piece, row) for piece, row in zip(pieces, room[:-1].tolist(), strict=True)]
    try:
        table = _Table(layout, text, int(room[-1]), origin, np.uint16)
        parts = parallel(lambda task: table.fill(*task), tasks, threads)
    except _LongIdError:
        table = _Table(layout, text, int(room[-1]), origin, np.int64)
        parts = parallel(lambda task: table.fill(*task), tasks, threads)
    return table.columns(parts, room)


class _LongIdError(Exception):
    """An identifier is longer than the compact table can say."""


class _Table:
    """Columns with room for every line of a file, which chunks fill independently of one another."""

    def __init__(self, layout: Layout, text: Bytes, rows: int, origin: Origin, length: type[Any]) -> None:
        self.layout, self.text, self.origin = layout, text, origin
        self.topics = Topics()
        position = np.uint32 if text.size < 1 << 32 else np.int64
        self.start = [np.empty(rows, dtype=position) for _ in layout.ids]
        self.length = [np.empty(rows, dtype=length) for _ in layout.ids]
        self.key = np.empty(rows, dtype=np.uint64)
        self.number = np.empty(rows if layout.number is not None else 0, dtype=np.float64)
        self.spare: list[Bytes] = []

    def fill(self, begin: int, end: int, row: int) -> Segments:
        """Read text[begin:end] into the rows from ``row`` on.

        The text is copied into a buffer with a margin, so that words may be read past its ends.
        """
        size = end - begin
        buffer = self.spare.pop() if self.spare else np.zeros(0, dtype=np.uint8)
        if buffer.size < MARGIN + size + 1 + _PADDING:
            buffer = np.zeros(MARGIN + size + 1 + _PADDING, dtype=np.uint8)
        buffer[MARGIN : MARGIN + size] = self.text[begin:end]
        if buffer[MARGIN + size - 1] != ord("\n"):
            buffer[MARGIN + size] = ord("\n")
            size += 1
        layout = self.layout
        found = fields(
            buffer[MARGIN : MARGIN + size],
            len(layout.columns),
            layout.wanted,
            more=layout.more,
            numeric=layout.numeric,
        )
        rows = slice(row, row + found.lines)
        if self.layout.number is not None:
            start, stop = found.start[self.layout.number] + MARGIN, found.end[self.layout.number] + MARGIN
            self.number[rows], bad = decimals(buffer, start, stop)
            if len(bad):
                field = buffer[start[bad[0]] : stop[bad[0]]].tobytes()
                raise self.layout.not_a_number(field, self.origin, begin + int(start[bad[0]]) - MARGIN)
        if found.malformed is not None:
            raise self.layout.malformed(found.malformed[1], self.origin, begin + found.malformed[0])
        padded = buffer[MARGIN:]
        for index, column in enumerate(self.layout.ids):
            start, length = found.start[column], found.end[column] - found.start[column]
            self.start[index][rows] = start + begin
            self.length[index][rows] = length
            if self.length[index].itemsize == 2 and int(length.max(initial=0)) >= 1 << 16:
                raise _LongIdError
            if not index:
                self.key[rows] = hashed(padded, start, length)
        start, length = found.start[layout.topic], found.end[layout.topic] - found.start[layout.topic]
        head = np.flatnonzero(changes(padded, start, length))
        number = self.topics.number(Ids(padded, start[head], length[head]))
        self.spare.append(buffer)
        return Segments(found.lines, head, number)

    def columns(self, parts: list[Segments], room: Rows) -> Columns:
        """Close the gaps that blank lines and comments left, and join the segments that chunks cut."""
        filled = offsets(np.array([part.rows for part in parts], dtype=np.int64))
        rows = int(filled[-1])
        if not rows:
            raise self.layout.empty(self.origin)
        if rows < int(room[-1]):
            for array in (*self.start, *self.length, self.key, self.number):
                _close(array, filled, room)
        segment, bounds = joined(parts)
        ids = [
            Ids(self.text, start[:rows], length[:rows]) for start, length in zip(self.start, self.length, strict=True)
        ]
        return Columns(self.topics.names(), segment, bounds, ids, self.key[:rows], self.number[:rows], self.origin)


def settle_allocator() -> None:
    """Make glibc keep the memory of a chunk for the next chunk.

    It hands freed memory back to the system, and a page asked for again is cleared again: that took half the time of
    reading. Having seen a large block freed, it keeps twice as much; elsewhere this does nothing.
    """
    np.empty(_KEPT, dtype=np.uint8)


def _close(array: Array, filled: Rows, room: Rows) -> None:
    """Move the rows of each chunk to where those of the chunk before end."""
    if not len(array):
        return
    for to, end, begin in zip(filled[:-1].tolist(), filled[1:].tolist(), room[:-1].tolist(), strict=True):
        array[to:end] = array[begin : begin + end - to]


def changes(text: Bytes, start: Rows, length: Rows) -> Mask:
    """Tell for each row whether its identifier differs from that of the row before."""
    change = np.ones(len(start), dtype=np.bool_)
    np.not_equal(length[1:], length[:-1], out=change[1:])
    for done in range(0, int(length.max(initial=0)), 8):
        word = load(text, start + done, length - done) if done else load(text, start, length)
        change[1:] |= word[1:] != word[:-1]
    return change


def refuse_foreign(source: Source) -> None:
    """Refuse what would read as one endless line or as nonsense."""
    text = source.text
    # Every other byte of plain letters and digits is zero in UTF-16.
    if text[:2].tobytes() in _UTF16 and not (text[2:66:2].any() and text[3:66:2].any()):
        raise InputError("the text is UTF-16; save it as UTF-8", source.name)
    if line_end(text, 0) == text.size and b"\r" in text.tobytes().strip():
        raise InputError("lines end in a carriage return alone; end them in a line feed", source.name)
