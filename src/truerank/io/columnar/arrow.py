"""Tables of other libraries, through the C stream interface of Apache Arrow: pure Python, and nothing is copied.

The interface is three C structures, which pyarrow, polars, DuckDB and others fill in. Memory stays that of the library
that made it: every array over it holds a guard, and when the last one is gone the library is told.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.data.arrays import Array, Mask
from truerank.data.errors import InputError

_NAME = b"arrow_array_stream"
_STRUCT = "+s"


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
        self._capsule = table.__arrow_c_stream__(None)
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
