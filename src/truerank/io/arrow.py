"""Tables of other libraries, through the C stream interface of Apache Arrow: pure Python, and nothing is copied.

The interface is three C structures, which pyarrow, polars, DuckDB and others fill in. Memory stays that of the library
that made it: every array over it holds a guard, and when the last one is gone the library is told. What the buffers
hold is then told by the type: text in four layouts, numbers, or codes.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from truerank.data.arrays import Array, Bytes, Ints, Mask, Rows
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.ids import Ids
from truerank.data.parallel import parallel
from truerank.io.vectors import Coded, Numbers, Stretch, Text, Vector, gathered, heads_of, ids_of, joined_parts

_NAME = b"arrow_array_stream"
_STRUCT = "+s"
_NUMBERS = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8"} | {
    "e": "f2",
    "f": "f4",
    "g": "f8",
}
"""Types of numbers by the interface's letters."""
_OFFSETS = {"u": "i4", "z": "i4", "U": "i8", "Z": "i8"}
"""Types of text and bytes, by the size of their offsets."""
_VIEWS = ("vu", "vz")
_OTHERS = {
    "d": "decimals",
    "t": "dates or times",
    "+l": "lists",
    "+L": "lists",
    "+v": "lists",
    "+w": "lists",
    "+s": "structs",
    "+m": "maps",
    "+u": "unions",
    "+r": "run-end encoded values",
}
_VIEW = 16
_INLINE = 12
"""A view holds ids up to this length itself, and of longer ones the place."""


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


class _Stream(ctypes.Structure):
    pass


_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.POINTER(_Schema)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Schema))),
    ("private_data", ctypes.c_void_p),
]
_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.POINTER(_Array)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Array))),
    ("private_data", ctypes.c_void_p),
]
_Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Schema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(_Stream))),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Stream))),
    ("private_data", ctypes.c_void_p),
]


@dataclass(frozen=True)
class Field:
    """A column's name and type; the type is in the letters of the interface, such as "u" for text."""

    name: str
    format: str
    dictionary: Field | None = None
    """The type of the values, where the column holds their numbers."""


class _Guard:
    """Alive as long as an array over a batch's memory is; then the batch is given back."""

    __slots__ = ("__weakref__",)


class _Memory:
    """A stretch of memory as numpy takes it; the array that numpy makes of it keeps it, and it keeps the guard."""

    def __init__(self, address: int, count: int, dtype: np.dtype[Any], guard: _Guard) -> None:
        self.guard = guard
        self.__array_interface__ = {"version": 3, "data": (address, True), "shape": (count,), "typestr": dtype.str}


@dataclass(frozen=True, eq=False)
class Chunk:
    """A stretch of a column's rows, in the buffers that its type has."""

    length: int
    offset: int
    nulls: int
    """How many values are missing; -1 where that was not counted."""
    buffers: tuple[int, ...]
    """Addresses; 0 for none."""
    dictionary: Chunk | None
    guard: _Guard

    def array(self, buffer: int, dtype: str, count: int, begin: int = 0) -> Array:
        """Elements of a buffer, not copied; ``begin`` counts elements from the start of the buffer."""
        kind = np.dtype(dtype)
        if not count or not self.buffers[buffer]:
            return np.zeros(0, dtype=kind)
        return np.asarray(_Memory(self.buffers[buffer] + begin * kind.itemsize, count, kind, self.guard))

    def bits(self, buffer: int) -> Mask:
        """The rows' bits in a buffer."""
        begin, skip = divmod(self.offset, 8)
        packed = self.array(buffer, "u1", -(-(skip + self.length) // 8), begin)
        bits: Mask = np.unpackbits(packed, bitorder="little")[skip : skip + self.length].view(np.bool_)
        return bits


class Stream:
    """A table, or one column, that can be read once, batch by batch.

    >>> Stream({"query_id": ["q1"]})
    Traceback (most recent call last):
    truerank.data.errors.InputError: a dict is no table that Arrow can read; give one with __arrow_c_stream__
    """

    def __init__(self, table: Any) -> None:
        if not hasattr(table, "__arrow_c_stream__"):
            raise InputError(
                f"a {type(table).__name__} is no table that Arrow can read; give one with __arrow_c_stream__"
            )
        # The capsule owns the stream and gives it back when it is collected.
        try:
            self._capsule = table.__arrow_c_stream__(None)
        except Exception as error:
            # Each library has its own exceptions, as for a column of objects that have no type in common.
            said = str(error).strip().splitlines() or [type(error).__name__]
            raise InputError(
                f"a {type(table).__name__} cannot be read ({said[0]}); give columns of text or numbers"
            ) from None
        self._stream = _pointer(self._capsule)
        schema = _Schema()
        self._call("get_schema", schema)
        try:
            self._whole = _field(schema)
            self.fields = [_field(schema.children[index].contents) for index in range(schema.n_children)]
        finally:
            schema.release(schema)

    @property
    def is_table(self) -> bool:
        """Whether there are columns, and not one column."""
        return self._whole.format == _STRUCT

    def column(self) -> tuple[Field, list[Chunk]]:
        """Read all rows of a single column."""
        return self._whole, [_laid_out(array, guard) for array, guard in self._batches()]

    def columns(self, wanted: Sequence[int]) -> list[list[Chunk]]:
        """Read all rows; return the chunks of some of the columns, given by their places."""
        batches = [[_chunk(array, place, guard) for place in wanted] for array, guard in self._batches()]
        return [[batch[index] for batch in batches] for index in range(len(wanted))]

    def _batches(self) -> Iterator[tuple[_Array, _Guard]]:
        while True:
            array = _Array()
            self._call("get_next", array)
            if not array.release:
                return
            guard = _Guard()
            # At the end of the program memory goes back anyway, and the library may be gone before.
            weakref.finalize(guard, array.release, array).atexit = False
            if self.is_table and array.null_count and array.buffers[0]:
                raise InputError("some rows of the table are missing as a whole; leave them out")
            if array.length:
                yield array, guard

    def _call(self, function: str, result: ctypes.Structure) -> None:
        code = getattr(self._stream, function)(self._stream, result)
        if code:
            said = self._stream.get_last_error(self._stream) or b""
            raise InputError(f"the table cannot be read ({said.decode('utf-8', 'replace').strip() or f'error {code}'})")


def _pointer(capsule: object) -> Any:
    """Return the stream that a capsule holds."""
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return _Stream.from_address(get(capsule, _NAME))


def _field(schema: Any) -> Field:
    dictionary = _field(schema.dictionary.contents) if schema.dictionary else None
    return Field((schema.name or b"").decode("utf-8", "replace"), schema.format.decode(), dictionary)


def _chunk(batch: Any, place: int, guard: _Guard) -> Chunk:
    # A batch may itself be a slice, and then so are its columns.
    return _laid_out(batch.children[place].contents, guard, batch.offset, batch.length)


def _laid_out(array: Any, guard: _Guard, offset: int = 0, length: int | None = None) -> Chunk:
    return Chunk(
        array.length if length is None else length,
        array.offset + offset,
        array.null_count,
        tuple(array.buffers[index] or 0 for index in range(array.n_buffers)),
        _laid_out(array.dictionary.contents, guard) if array.dictionary else None,
        guard,
    )


class ArrowTable:
    """A table that has ``__arrow_c_stream__``; it can be read once."""

    def __init__(self, table: object, file: str | None = None) -> None:
        self.file = file
        self._stream = Stream(table)
        if not self._stream.is_table:
            raise InputError(f"a {type(table).__name__} is one column, not a table; give a table of columns")
        self.names = [field.name for field in self._stream.fields]

    def read(self, places: Sequence[int]) -> list[Vector]:
        """Return the columns at some places."""
        fields = [self._stream.fields[place] for place in places]
        columns = self._stream.columns(places)
        return [_vector(field, chunks) for field, chunks in zip(fields, columns, strict=True)]


def single(column: object, name: str) -> Vector:
    """Return one column that has ``__arrow_c_stream__`` itself, or is the only one of a table that has."""
    stream = Stream(column)
    field, chunks = (stream.fields[0], stream.columns([0])[0]) if stream.is_table else stream.column()
    return _vector(replace(field, name=name), chunks)


def _vector(field: Field, chunks: Sequence[Chunk]) -> Vector:
    """Return a column's chunks as one."""
    missing = _missing(field, chunks)
    if field.dictionary is not None:
        return _decoded(field, field.dictionary, chunks, missing)
    if field.format in _NUMBERS:
        return Numbers(
            [chunk.array(1, _NUMBERS[field.format], chunk.length, chunk.offset) for chunk in chunks], missing
        )
    if field.format == "b":
        return Numbers([chunk.bits(1) for chunk in chunks], missing)
    if field.format == "n":
        return Numbers([np.zeros(chunk.length) for chunk in chunks], missing)
    if field.format in _OFFSETS:
        return Text(_consecutive(chunks, _OFFSETS[field.format]), missing)
    if field.format in _VIEWS:
        return Text(_views(chunks), missing)
    if field.format.startswith("w:"):
        return Text(_fixed(chunks, int(field.format[2:])), missing)
    kind = next((name for start, name in _OTHERS.items() if field.format.startswith(start)), "values")
    raise InputError(f"column {field.name!r} holds {kind} (Arrow type {field.format!r}); cast it to text or numbers")


def _decoded(field: Field, values: Field, chunks: Sequence[Chunk], missing: int | None) -> Vector:
    """Return dictionary-encoded chunks, each of which may have a dictionary of its own."""
    known: dict[tuple[object, ...], int] = {}
    dictionaries: list[Chunk] = []
    codes: list[Array] = []
    room = 0
    for chunk in chunks:
        dictionary = chunk.dictionary
        assert dictionary is not None
        mark = (dictionary.buffers, dictionary.offset, dictionary.length)
        if mark not in known:
            known[mark], room = room, room + dictionary.length
            dictionaries.append(dictionary)
        code = chunk.array(1, _NUMBERS[field.format], chunk.length, chunk.offset)
        if missing is None and len(code) and not 0 <= int(code.min()) <= int(code.max()) < dictionary.length:
            raise InputError(f"column {field.name!r} has codes that its dictionary does not have; write the data again")
        codes.append(code.astype(np.intp) + known[mark] if known[mark] else code)
    found = _vector(replace(values, name=field.name), dictionaries)
    if missing is None and found.missing is not None:
        missing = _missing_code(codes, dictionaries)
    if missing is not None:
        return Numbers(codes, missing)
    if isinstance(found, Text):
        # A value that is missing but stands for no row does no harm.
        return Coded(codes, ids_of(replace(found, missing=None), field.name)[0])
    if isinstance(found, Numbers):
        listed = joined_parts(found.parts)
        return Numbers([listed[code] for code in codes])
    listed = joined_parts(found.parts)
    return Coded([listed[code] for code in codes], found.values)


def _missing_code(codes: Sequence[Array], dictionaries: Sequence[Chunk]) -> int | None:
    """Return the first row whose code stands for a missing value."""
    absent = np.concatenate(
        [
            ~chunk.bits(0) if chunk.buffers[0] and chunk.nulls else np.zeros(chunk.length, dtype=np.bool_)
            for chunk in dictionaries
        ]
    )
    rows = np.flatnonzero(absent[joined_parts(codes)])
    return int(rows[0]) if len(rows) else None


def _missing(field: Field, chunks: Sequence[Chunk]) -> int | None:
    """Return the first row without a value."""
    row = 0
    for chunk in chunks:
        if field.format == "n":
            return row
        if chunk.nulls and chunk.buffers and chunk.buffers[0]:
            absent = np.flatnonzero(~chunk.bits(0))
            if len(absent):
                return row + int(absent[0])
        row += chunk.length
    return None


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
        end = self.ends[rows.start : rows.stop + 1].astype(np.intp) - self.first
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


def _consecutive(chunks: Sequence[Chunk], dtype: str) -> list[Stretch]:
    """Return text with offsets, which are of the given type."""
    parts: list[Stretch] = []
    for chunk in chunks:
        ends = chunk.array(1, dtype, chunk.length + 1, chunk.offset)
        first = int(ends[0])
        parts.append(_Consecutive(chunk.array(2, "u1", int(ends[-1]) - first, first), ends, first))
    return parts


def _fixed(chunks: Sequence[Chunk], width: int) -> list[Stretch]:
    """Return ids of so many bytes each."""
    return [
        _Fixed(chunk.array(1, "u1", chunk.length * width, chunk.offset * width), chunk.length, width)
        for chunk in chunks
    ]


def _views(chunks: Sequence[Chunk]) -> list[Stretch]:
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
    return _Views(whole, view, begin.get(-1, 0), np.array(outside, dtype=np.intp))


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
