"""Columns in the memory layouts of Apache Arrow, as text, numbers or codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from truerank.data.arrays import Array
from truerank.data.errors import InputError
from truerank.io.columnar.arrow import Chunk, Field, Stream
from truerank.io.columnar.arrow_text import consecutive, fixed, views
from truerank.io.columnar.vector_ids import ids_of
from truerank.io.columnar.vectors import Coded, Numbers, Text, Vector, joined_parts

NUMBERS = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8"} | {
    "e": "f2",
    "f": "f4",
    "g": "f8",
}
"""Types of numbers by the interface's letters."""
OFFSETS = {"u": "i4", "z": "i4", "U": "i8", "Z": "i8"}
"""Types of text and bytes, by the size of their offsets."""
VIEWS = ("vu", "vz")
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


class ArrowTable:
    """A table that has ``__arrow_c_stream__``; it can be read once."""

    file: str | None = None

    def __init__(self, table: object) -> None:
        self._stream = Stream(table)
        if not self._stream.is_table:
            raise InputError(f"a {type(table).__name__} is one column, not a table; give a table of columns")
        self.names = [field.name for field in self._stream.fields]

    def read(self, places: Sequence[int]) -> list[Vector]:
        """Return the columns at some places."""
        fields = [self._stream.fields[place] for place in places]
        columns = self._stream.columns(places)
        return [vector(field, chunks) for field, chunks in zip(fields, columns, strict=True)]


def single(column: object, name: str) -> Vector:
    """Return one column that has ``__arrow_c_stream__`` itself."""
    field, chunks = Stream(column).column()
    return vector(replace(field, name=name), chunks)


def vector(field: Field, chunks: Sequence[Chunk]) -> Vector:
    """Return a column's chunks as one."""
    missing = _missing(field, chunks)
    if field.dictionary is not None:
        return _decoded(field, field.dictionary, chunks, missing)
    if field.format in NUMBERS:
        return Numbers([chunk.array(1, NUMBERS[field.format], chunk.length, chunk.offset) for chunk in chunks], missing)
    if field.format == "b":
        return Numbers([chunk.bits(1) for chunk in chunks], missing)
    if field.format == "n":
        return Numbers([np.zeros(chunk.length) for chunk in chunks], missing)
    if field.format in OFFSETS:
        return Text(consecutive(chunks, OFFSETS[field.format]), missing)
    if field.format in VIEWS:
        return Text(views(chunks), missing)
    if field.format.startswith("w:"):
        return Text(fixed(chunks, int(field.format[2:])), missing)
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
        code = chunk.array(1, NUMBERS[field.format], chunk.length, chunk.offset)
        codes.append(code.astype(np.int64) + known[mark] if known[mark] else code)
    found = vector(replace(values, name=field.name), dictionaries)
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
