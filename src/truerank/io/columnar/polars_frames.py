"""Data frames of polars, lazy ones too: only the columns wanted are collected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from truerank.data.errors import InputError
from truerank.io.columnar.arrow_types import ArrowTable, single
from truerank.io.columnar.vectors import Vector


class PolarsTable:
    """A DataFrame or LazyFrame of polars."""

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
        return [_column(frame, name) for name in names]


def _column(frame: Any, name: str) -> Vector:
    if str(frame.schema[name]).startswith(("Categorical", "Enum")):
        # Before 1.36 polars says of a lone column of categories what it does not keep.
        return ArrowTable(frame.select(name)).read([0])[0]
    return single(frame.get_column(name), name)
