"""Data frames of pandas, with or without pyarrow; the index is not a column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from truerank.data.errors import InputError
from truerank.data.ids import Ids
from truerank.io.columnar.vector_ids import ids_of
from truerank.io.columnar.vectors import Coded, Numbers, Packed, Text, Vector, joined_parts
from truerank.io.scalars import one_id


class PandasTable:
    """A DataFrame of pandas."""

    file: str | None = None

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self.names = [str(name) for name in frame.columns]

    def read(self, places: Sequence[int]) -> list[Vector]:
        """Return the columns at some places."""
        return [_vector(self._frame.iloc[:, place], self.names[place]) for place in places]


def _vector(series: Any, name: str) -> Vector:
    kind = series.dtype
    if hasattr(kind, "categories"):
        return _coded(series, name)
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


def _coded(series: Any, name: str) -> Vector:
    categories = _vector(series.cat.categories.to_series(), name)
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

    from truerank.io.columnar.arrow_types import ArrowTable

    return ArrowTable(pyarrow.table({name: series.array.__arrow_array__()})).read([0])[0]


def _objects(series: Any, name: str) -> Vector:
    """Return a column of Python objects: text, mostly."""
    values = series.to_list()
    if values and not isinstance(values[0], (str, bytes)):
        inferred = series.infer_objects()
        if inferred.dtype.kind != "O":
            return _vector(inferred, name)
    try:
        return Text([Packed(Ids.pack(values))])
    except (TypeError, AttributeError, UnicodeEncodeError):
        absent = np.flatnonzero(series.isna().to_numpy())
        if len(absent):
            return Text([], int(absent[0]))
        return Text([Packed(Ids.pack([one_id(value, name) for value in values]))])
