"""What a table is, whichever library made it: columns with names, read when it is known which ones are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from truerank.io.columnar.vectors import Vector


@runtime_checkable
class Table(Protocol):
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
    return hasattr(kind, "__arrow_c_stream__") or _library(kind) is not None or isinstance(data, Table)


def open_table(data: Any) -> Table:
    """Return a table whose columns are not read yet."""
    if isinstance(data, Table):
        return data
    library = _library(type(data))
    if library == "pandas":
        from truerank.io.columnar.pandas_frames import PandasTable

        return PandasTable(data)
    if library == "polars":
        from truerank.io.columnar.polars_frames import PolarsTable

        return PolarsTable(data)
    from truerank.io.columnar.arrow_types import ArrowTable

    return ArrowTable(data)


def _library(kind: type) -> str | None:
    """Return the library of a data frame, told by name: asking for its type would import it."""
    for each in kind.__mro__:
        library = each.__module__.partition(".")[0]
        if library in ("pandas", "polars") and each.__name__ in ("DataFrame", "LazyFrame"):
            return library
    return None
