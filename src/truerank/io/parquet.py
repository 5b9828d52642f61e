"""Parquet files, through pyarrow or polars, whichever is there."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, Any

from truerank.data.errors import InputError
from truerank.data.parallel import parallel
from truerank.io.compression import LIMIT, gibibytes
from truerank.io.source import is_stream

if TYPE_CHECKING:
    # Every path is looked at here, and most are no parquet: these would make all of them wait.
    from truerank.io.frames import FrameTable
    from truerank.io.vectors import Vector

MAGIC = b"PAR1"
ENDINGS = (".parquet", ".pq")
ROW = 16
"""Bytes of a row at the least: a number, and where its document is."""
_LIBRARIES = ("pyarrow", "polars")
"""Those that can read parquet, the quicker one first."""


def is_parquet(path: str | os.PathLike[str]) -> bool:
    """Tell by its name or its first bytes whether a file is parquet; nothing is read of a stream, which would lose it.

    >>> is_parquet("runs/bm25.parquet"), is_parquet("no such file")
    (True, False)
    """
    if is_stream(path):
        return False
    if os.fspath(path).lower().endswith(ENDINGS):
        return True
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError):
        return False


def open_parquet(
    source: str | os.PathLike[str] | bytes, library: str | None = None, file: str | None = None
) -> FrameTable:
    """Open a parquet file, given by its path or as bytes; of its columns only those wanted are read.

    ``library`` is "pyarrow" or "polars"; by default one that is imported already, or else one that is installed.
    """
    library = library or _library()
    opened = source if isinstance(source, bytes) else os.fspath(source)
    file = opened if isinstance(opened, str) else file
    if library is None:
        raise InputError("a parquet file needs pyarrow or polars; install one: pip install truerank[parquet]", file)
    if isinstance(opened, str):
        _refuse_unreadable(opened)
    with refusing_damage(file):
        return _Pyarrow(opened, file) if library == "pyarrow" else _Polars(opened, file)


def _library() -> str | None:
    ready = [name for name in _LIBRARIES if sys.modules.get(name)]
    return next(iter(ready), None) or next((name for name in _LIBRARIES if _installed(name)), None)


def _installed(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ValueError:
        # Someone has put None in its place, which stands for absent.
        return False


def _refuse_unreadable(file: str) -> None:
    if not os.path.exists(file):
        raise InputError("there is no such file; check the path", file)
    if os.path.isdir(file):
        raise InputError("this is a directory; give a file in it", file)
    if not os.access(file, os.R_OK):
        raise InputError("not readable; change its permissions", file)


def refuse_large(metadata: Any, names: Sequence[str], file: str | None) -> None:
    """Refuse columns of a file that have more than a small file should become."""
    _refuse_large(metadata.num_rows, file, _held(metadata, names))


def _refuse_large(rows: int, file: str | None, held: int = 0) -> None:
    """Refuse more than a small file should become: a row that is repeated takes no room in it."""
    if rows > LIMIT // ROW:
        raise InputError(f"there are {rows:,} rows, and up to {LIMIT // ROW:,} are read; divide the file", file)
    if held > LIMIT:
        raise InputError(f"its columns have more than {gibibytes()}; divide the file", file)


def _held(metadata: Any, names: Sequence[str]) -> int:
    """Bytes of some columns when they are decompressed, as the file says; of all of them, where these are few.

    Columns are asked for only where it matters: where the statistics of one are damaged, pyarrow ends the process.
    """
    groups = [metadata.row_group(index) for index in range(metadata.num_row_groups)]
    every = sum(group.total_byte_size for group in groups)
    if every <= LIMIT:
        return int(every)
    chunks = (group.column(index) for group in groups for index in range(group.num_columns))
    return sum(chunk.total_uncompressed_size for chunk in chunks if chunk.path_in_schema in names)


@contextmanager
def refusing_damage(file: str | None) -> Iterator[None]:
    """Say of a file in a line what a library says of one that it cannot read."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        # Each library has its own exceptions.
        said = str(error).strip().splitlines() or [type(error).__name__]
        what, remedy = "cut short", "write the file again"
        if isinstance(error, MemoryError):
            # A damaged head of a page may ask for any size.
            what, remedy = "larger than memory", f"{remedy}, or divide it"
        raise InputError(f"the parquet data are damaged or {what} ({said[0]}); {remedy}", file) from None


class _Pyarrow:
    def __init__(self, source: str | bytes, file: str | None) -> None:
        import pyarrow.parquet  # type: ignore[import-untyped]

        self.file = file
        self._source = source
        self._metadata: Any = pyarrow.parquet.read_metadata(self._opened())
        self._schema: Any = self._metadata.schema.to_arrow_schema()
        self.names: list[str] = list(self._schema.names)

    def read(self, places: Sequence[int]) -> list[Vector]:
        """Return the columns at some places.

        Stretches of rows are read side by side, since pyarrow itself would read a column from one end to the other;
        and the topic, which comes first, as codes.
        """
        import pyarrow.parquet

        from truerank.io.arrow import ArrowTable

        names = [self.names[place] for place in places]
        refuse_large(self._metadata, names, self.file)

        def part(index: int) -> Any:
            opened = pyarrow.parquet.ParquetFile(self._opened(), metadata=self._metadata, read_dictionary=names[:1])
            return opened.read_row_group(index, columns=names, use_threads=False)

        with refusing_damage(self.file):
            parts = parallel(part, range(self._metadata.num_row_groups))
            table = ArrowTable(pyarrow.concat_tables(parts) if parts else self._schema.empty_table())
        return table.read([table.names.index(name) for name in names])

    def _opened(self) -> Any:
        return BytesIO(self._source) if isinstance(self._source, bytes) else self._source


class _Polars:
    def __init__(self, source: str | bytes, file: str | None) -> None:
        import polars

        from truerank.io.frames import PolarsTable

        self.file = file
        opened = BytesIO(source) if isinstance(source, bytes) else source
        scanned = polars.scan_parquet(opened, glob=False)
        self._rows = int(scanned.select(polars.len()).collect().item())
        self._table = PolarsTable(scanned, file)
        self.names = self._table.names

    def read(self, places: Sequence[int]) -> list[Vector]:
        """Return the columns at some places."""
        _refuse_large(self._rows, self.file)
        with refusing_damage(self.file):
            return self._table.read(places)
