"""A column of a table, wherever it came from: text, numbers or places in a list of text; in one piece or several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np

from truerank.data.arrays import Array, Bytes, Floats, Rows
from truerank.data.errors import InputError
from truerank.data.ids import Ids
from truerank.data.parallel import blocks, parallel
from truerank.io.columns import changes

BLOCK = 1 << 15
"""Rows that are worked on together: few enough to stay in a processor's cache."""


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
    return np.flatnonzero(changes(ids.buffer, ids.start.astype(np.int64), ids.length.astype(np.int64)))


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
        # -0.0 and 0.0 are one score.
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
        raise InputError(f"column {name!r} has no value in row {column.missing} (the first is 0); fill it or drop it")
