"""Tables: data frames of pandas and polars, and whatever else Arrow can read, parquet files among it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

import numpy as np

from truerank.data.arrays import Floats, Keys
from truerank.data.errors import InputError, Origin
from truerank.data.given_ids import NumberId
from truerank.data.ids import Ids, one_id
from truerank.data.printing import brief
from truerank.io.arrow import ArrowTable, single
from truerank.io.columns import Columns, settle_allocator
from truerank.io.headers import Declared
from truerank.io.judgments import REMEDY
from truerank.io.vectors import Coded, Numbers, Packed, Text, Vector, floats_of, ids_of, joined_parts, topics_of


@runtime_checkable
class FrameTable(Protocol):
    """Columns that can be read once."""

    names: list[str]
    file: str | None
    """The file that the table comes from."""

    def read(self, places: Sequence[int]) -> list[Vector]:
        """Return the columns at some places."""


def is_table(data: Any) -> bool:
    """Tell whether data are a table: a data frame of pandas or polars, or anything that Arrow can read.

    >>> is_table({"query_id": ["q1"]})
    False
    """
    # Asked of the type: a data frame may have a column of any name, and columns are attributes.
    kind = type(data)
    return hasattr(kind, "__arrow_c_stream__") or _library(kind) is not None or isinstance(data, FrameTable)


def columns_from_table(table: FrameTable, declared: Declared) -> Columns:
    """Read the columns of a table that are wanted, as the columns of a file are read."""
    settle_allocator()
    declared.refuse_places()
    declared = replace(declared, columns=_by_text(declared.columns)).fitting(table.names)
    parts = declared.parts(table.names)
    names = parts.names
    topic, docs, value, *more = table.read([table.names.index(name) for name in names])
    if not len(topic) and topic.missing is None:
        kind = "a run" if declared.kind == "run" else "preferences" if declared.prefers else "qrels"
        raise InputError(f"there are no rows; give {kind} with at least one topic")
    topics, segment, bounds = topics_of(topic, names[0])
    # What a file has is text.
    given = table.file is None
    if given and isinstance(topic, Numbers):
        topics = [*map(NumberId, topics)]
    origin = Origin(table.file)
    if declared.prefers:
        ids = [_documents(docs, names[1], numbers=given)[0], _documents(value, names[2], numbers=given)[0]]
        ids += [_whole(one, names[3]) for one in more]
        none = np.zeros(0)
        return Columns(topics, segment, bounds, ids, none, origin, prefers=True, notes=parts.notes, numbered=True)
    number = floats_of(value, names[2], truth=declared.kind == "qrels")
    packed, key = _documents(docs, names[1], numbers=given)
    return Columns(
        topics,
        segment,
        bounds,
        [packed],
        number,
        origin,
        key,
        holds=parts.holds,
        rank=None if parts.rank is None else _ranks(more[0]),
        subtopics=None if parts.subtopic is None else _subtopics(more[-1], parts.subtopic),
        notes=parts.notes,
    )


def _documents(column: Vector, name: str, *, numbers: bool) -> tuple[Ids, Keys]:
    """Document ids with their keys; ``numbers`` says whether integers are to be known as such."""
    ids, key = ids_of(column, name)
    return (replace(ids, numbers=True) if numbers and isinstance(column, Numbers) else ids), key


def _ranks(column: Vector) -> Floats | None:
    """Ranks as numbers of our own; a column that is none of numbers, or lacks some, is left alone."""
    if not isinstance(column, Numbers) or column.missing is not None:
        return None
    return joined_parts(column.parts).astype(np.float64)


def _subtopics(column: Vector, name: str) -> Ids | None:
    """What judgments are about, as text; a column that lacks some is left alone."""
    return None if column.missing is not None else ids_of(column, name)[0]


def _by_text(columns: Mapping[str, str] | None) -> dict[str, str] | None:
    """Return what a caller says of columns, whose names in pandas may be numbers."""
    return None if columns is None else {part: str(name) for part, name in columns.items()}


def _whole(column: Vector, name: str) -> Ids:
    """Text, or numbers as text: 1.0 is 1."""
    if isinstance(column, Numbers) and column.missing is None and any(part.dtype.kind == "f" for part in column.parts):
        values = floats_of(column, name)
        if not (np.isfinite(values) & (values == np.round(values))).all():
            raise InputError(f"column {name!r} holds numbers that are not whole; {REMEDY}")
        column = Numbers([values.astype(np.int64)])
    return ids_of(column, name)[0]


def open_table(data: Any) -> FrameTable:
    """Return a table whose columns are not read yet."""
    if isinstance(data, FrameTable):
        return data
    library = _library(type(data))
    if library == "pandas":
        return PandasTable(data)
    if library == "polars":
        return PolarsTable(data)
    if library == "pyspark":
        return ArrowTable(data.toArrow())
    return ArrowTable(data)


def _library(kind: type) -> str | None:
    """Return the library of a data frame, told by name: asking for its type would import it."""
    for each in kind.__mro__:
        library = each.__module__.partition(".")[0]
        if library in ("pandas", "polars", "pyspark") and each.__name__ in ("DataFrame", "LazyFrame"):
            return library
    return None


class PandasTable:
    """A DataFrame of pandas, with or without pyarrow; its index is not a column."""

    file: str | None = None

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self.names = [str(name) for name in frame.columns]

    def read(self, places: Sequence[int]) -> list[Vector]:
        """Return the columns at some places."""
        return [_from_pandas(self._frame.iloc[:, place], self.names[place]) for place in places]


def _from_pandas(series: Any, name: str) -> Vector:
    kind = series.dtype
    if hasattr(kind, "categories"):
        return _categories(series, name)
    if hasattr(kind, "pyarrow_dtype") or getattr(kind, "storage", None) == "pyarrow":
        return _arrow(series, name)
    if kind.kind == "O":
        return _objects(series, name)
    if kind.kind not in "iufb":
        raise InputError(f"column {name!r} holds {kind}; convert it to text or numbers")
    absent = np.flatnonzero(series.isna().to_numpy())
    if hasattr(kind, "numpy_dtype"):
        # Numbers that may be missing: what stands in for those does not matter, as they are refused.
        values = series.to_numpy(dtype=kind.numpy_dtype, na_value=kind.type(0))
    else:
        values = np.asarray(series)
    return Numbers([values], int(absent[0]) if len(absent) else None)


def _categories(series: Any, name: str) -> Vector:
    categories = _from_pandas(series.cat.categories.to_series(), name)
    codes = series.cat.codes.to_numpy()
    absent = np.flatnonzero(codes < 0)
    missing = int(absent[0]) if len(absent) else None
    if isinstance(categories, Text) and missing is None:
        return Coded([codes], ids_of(categories, name)[0])
    if isinstance(categories, Numbers) and missing is None:
        return Numbers([joined_parts(categories.parts)[codes]])
    return Numbers([codes], missing)


def _arrow(series: Any, name: str) -> Vector:
    """Return a column that pandas keeps in Arrow's memory, for which it has imported pyarrow."""
    import pyarrow  # type: ignore[import-untyped]

    return ArrowTable(pyarrow.table({name: series.array.__arrow_array__()})).read([0])[0]


def _objects(series: Any, name: str) -> Vector:
    """Return a column of Python objects: text, mostly."""
    values = series.to_list()
    if values and not isinstance(values[0], (str, bytes)):
        inferred = series.infer_objects()
        if inferred.dtype.kind != "O":
            return _from_pandas(inferred, name)
    try:
        return Text([Packed(Ids.pack(values))])
    except (TypeError, AttributeError, UnicodeEncodeError):
        absent = np.flatnonzero(series.isna().to_numpy())
        if len(absent):
            return Text([], int(absent[0]))
        return Text([Packed(Ids.pack([_cell(value, row, name) for row, value in enumerate(values)]))])


def _cell(value: Any, row: int, name: str) -> bytes:
    try:
        return one_id(value, name)
    except InputError:
        if isinstance(value, (str, int)):
            raise
        raise InputError(
            f"column {name!r} has a {type(value).__name__} in row {row} (the first is 0), {brief(value)}; "
            "convert it to text or numbers"
        ) from None


class PolarsTable:
    """A DataFrame or LazyFrame of polars; of a lazy one, only the columns wanted are collected."""

    def __init__(self, frame: Any, file: str | None = None) -> None:
        self.file = file
        self._frame = frame
        self.names: list[str] = list(frame.collect_schema().names())

    def read(self, places: Sequence[int]) -> list[Vector]:
        """Return the columns at some places, one by one: polars would first copy a table of several pieces into one."""
        names = [self.names[place] for place in places]
        wanted = self._frame.select(list(dict.fromkeys(names)))
        frame = wanted.collect() if hasattr(wanted, "collect") else wanted
        if not hasattr(frame, "__arrow_c_stream__"):
            raise InputError("this version of polars cannot hand its columns over; install polars 1.3 or newer")
        return [_from_polars(frame, name) for name in names]


def _from_polars(frame: Any, name: str) -> Vector:
    kind = frame.schema[name]
    if kind.is_nested():
        raise InputError(f"column {name!r} holds {str(kind).partition('(')[0].lower()}s; cast it to text or numbers")
    # Where a name has a NUL byte, polars ends the whole process: columns are handed over without their names.
    column = frame.get_column(name).alias("")
    # Before 1.36 polars says of a lone column of categories what it does not keep.
    alone = not str(kind).startswith(("Categorical", "Enum"))
    return single(column if alone else column.to_frame(), name)
