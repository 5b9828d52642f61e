"""A column of a table, wherever it came from: text, numbers or places in a list of text; in one piece or several.

And how such a column becomes document ids, topics or numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Sized
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np

from truerank.data.arrays import Array, Bytes, Floats, Ints, Keys, Mask, Rows, put
from truerank.data.classes import dataclass
from truerank.data.errors import InputError, MissingValueError
from truerank.data.ids import COMPACT, Ids, LongIdError, hashed
from truerank.data.parallel import blocks, parallel
from truerank.io.topic_numbers import Segments, Topics, changes, join_segments

BLOCK = 1 << 15
"""Rows that are worked on together: few enough to stay in a processor's cache."""
_FEW = 1 << 16
_LAST = (1 << 63) - 1
_DIGITS_BLOCK = 1 << 16
_POWERS: Keys = np.array([10**n for n in range(1, 20)], dtype=np.uint64)


class Stretch(Protocol):
    """Rows of text that stand in one buffer."""

    @property
    def buffer(self) -> Bytes:
        """The text of the rows, and maybe more."""

    def __len__(self) -> int: ...

    def ids(self, rows: slice) -> Ids:
        """Return the ids of some rows, in the buffer."""

    def heads(self, rows: slice) -> Rows:
        """Return which of some rows come first of those with the same id; others may be among them."""


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """Ids as a stretch of text."""

    packed: Ids

    @property
    def buffer(self) -> Bytes:
        """The buffer of the ids."""
        return self.packed.buffer

    def __len__(self) -> int:
        return len(self.packed)

    def ids(self, rows: slice) -> Ids:
        """Return the ids of some rows."""
        return Ids(self.packed.buffer, self.packed.start[rows], self.packed.length[rows])

    def heads(self, rows: slice) -> Rows:
        """Return the rows whose id is another one than that of the row before."""
        return heads_of(self.ids(rows))


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A column of ids."""

    parts: Sequence[Stretch]
    missing: int | None = None
    """The first row without a value."""

    def __len__(self) -> int:
        return sum(map(len, self.parts))


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """A column of integers, floats or booleans."""

    parts: Sequence[Array]
    missing: int | None = None

    def __len__(self) -> int:
        return sum(map(len, self.parts))


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """A column of integers that are places in a list of ids."""

    parts: Sequence[Array]
    values: Ids
    missing: int | None = None

    def __len__(self) -> int:
        return sum(map(len, self.parts))


Vector: TypeAlias = Text | Numbers | Coded


def heads_of(ids: Ids) -> Rows:
    """Return the rows whose id is another one than that of the row before.

    >>> heads_of(Ids.pack(["a", "a", "b", "a"])).tolist()
    [0, 2, 3]
    """
    # Lengths are subtracted from, so that they must be able to be negative.
    return np.flatnonzero(changes(ids.buffer, ids.start.astype(np.intp), ids.length.astype(np.intp)))


def floats_of(column: Vector, name: str, *, truth: bool = False) -> Floats:
    """Return a column of numbers as new floats; ``truth`` says that true and false may stand for 1 and 0.

    >>> floats_of(Numbers([np.array([1, 2], dtype=np.int8), np.array([0.5])]), "score").tolist()
    [1.0, 2.0, 0.5]
    """
    refuse_missing(column, name)
    if not isinstance(column, Numbers):
        raise InputError(f"column {name!r} holds text; give numbers")
    if not truth and any(part.dtype.kind == "b" for part in column.parts):
        raise InputError(f"column {name!r} holds true and false; give numbers")
    result: Floats = np.empty(len(column))

    def copy(piece: Piece) -> None:
        # -0.0 and 0.0 are one score. A signalling NaN is refused later, like any other.
        with np.errstate(invalid="ignore"):
            np.add(column.parts[piece.part][piece.some], 0.0, out=result[piece.rows], dtype=np.float64)

    parallel(copy, pieces(column.parts))
    return result


def joined_parts(parts: Sequence[Array]) -> Array:
    """Return arrays one after another; a single one as it is."""
    if len(parts) == 1:
        return parts[0]
    result = np.empty(sum(map(len, parts)), dtype=np.result_type(*parts) if parts else np.int64)

    def copy(piece: Piece) -> None:
        result[piece.rows] = parts[piece.part][piece.some]

    parallel(copy, pieces(parts))
    return result


class Piece(NamedTuple):
    """Some rows of a part, and their places among the rows of all parts."""

    part: int
    some: slice
    rows: slice


def pieces(parts: Sequence[Sized], size: int = BLOCK) -> list[Piece]:
    """Cut the rows of all parts into pieces that are worked on side by side.

    >>> [piece.rows for piece in pieces(["abc", "d"], 2)]
    [slice(0, 2, None), slice(2, 3, None), slice(3, 4, None)]
    """
    found: list[Piece] = []
    begin = 0
    for index, part in enumerate(parts):
        found += [Piece(index, some, slice(begin + some.start, begin + some.stop)) for some in blocks(len(part), size)]
        begin += len(part)
    return found


def gathered(buffers: Iterable[Bytes]) -> tuple[Bytes, list[int]]:
    """Return buffers one after another, and where each begins; those that are one and the same stand there once."""
    place: dict[tuple[int, int], int] = {}
    distinct: list[Bytes] = []
    begin: list[int] = []
    room = 0
    for buffer in buffers:
        mark = (buffer.ctypes.data, buffer.size)
        if mark not in place:
            place[mark], room = room, room + buffer.size
            distinct.append(buffer)
        begin.append(place[mark])
    return joined_parts(distinct) if distinct else np.zeros(0, dtype=np.uint8), begin


def refuse_missing(column: Vector, name: str) -> None:
    """Refuse a column that lacks a value."""
    if column.missing is not None:
        raise MissingValueError.at(name, column.missing)


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

    segment, bounds = join_segments(parallel(part, pieces(column.parts)))
    return topics.names(), segment, bounds


def _packed(column: Text, width: type[np.integer] = np.uint16) -> tuple[Ids, Keys]:
    """Return text in one buffer: that of the column where there is one, or else a new one."""
    buffer, base = gathered(part.buffer for part in column.parts)
    rows = len(column)
    start = np.empty(rows, dtype=np.uint32 if buffer.size < 1 << 32 else np.intp)
    length = np.empty(rows, dtype=width)
    key = np.empty(rows, dtype=np.uint64)

    def fill(piece: Piece) -> None:
        ids = column.parts[piece.part].ids(piece.some)
        if length.itemsize == 2 and int(ids.length.max()) >= COMPACT:
            raise LongIdError
        start[piece.rows] = ids.start.astype(np.intp) + base[piece.part]
        length[piece.rows] = ids.length
        key[piece.rows] = hashed(ids.buffer, ids.start, ids.length)

    try:
        parallel(fill, pieces(column.parts))
    except LongIdError:
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


def decimal_ids(values: Ints) -> Ids:
    """Return integers as identifiers.

    >>> decimal_ids(np.array([7, -120345, 0])).tolist()
    [b'7', b'-120345', b'0']
    """
    size = len(values)
    negative = bool(size) and int(values.min()) < 0
    most = max(abs(int(values.max())), abs(int(values.min()))) if size else 0
    groups = -(-len(str(most)) // 4)
    width = groups + negative
    text = np.empty((size, width), dtype=np.uint32)
    start = np.empty(size, dtype=np.uint32 if text.nbytes < 1 << 32 else np.intp)
    length = np.empty(size, dtype=np.uint16)
    four = _four_digits()

    def write(block: slice) -> None:
        rest = values[block].astype(np.uint64)
        # The least integer is its own negative, except that here it has no sign.
        below = values[block] < 0 if negative else None
        if below is not None:
            rest[below] = -rest[below]
        digits = 1 + np.searchsorted(_POWERS, rest, side="right")
        rest = rest.astype(np.uint32) if most < 1 << 32 else rest
        for column in range(width - 1, width - 1 - groups, -1):
            higher = rest // 10_000
            text[block, column] = four.take(rest - higher * 10_000)
            rest = higher
        end = np.arange(block.start + 1, block.stop + 1) * (4 * width)
        if below is not None:
            signed = np.flatnonzero(below)
            put(text.view(np.uint8), end[signed] - digits[signed] - 1, ord("-"))
            digits += below
        start[block] = end - digits
        length[block] = digits

    parallel(write, blocks(size, _DIGITS_BLOCK))
    buffer: Bytes = text.view(np.uint8).ravel()
    return Ids(buffer, start, length)


def _four_digits() -> Ints:
    """Return the text of 0000 to 9999, each in one word."""
    number = np.arange(10_000)
    digits = np.column_stack([number // 1000, number // 100 % 10, number // 10 % 10, number % 10]) + ord("0")
    words: Ints = digits.astype(np.uint8).view(np.uint32).ravel()
    return words
