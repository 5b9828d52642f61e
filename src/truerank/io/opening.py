"""What data are, as far as that can be told before they are read: rows, a table of columns, or text in columns."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from truerank.data.errors import InputError
from truerank.io.datasets import dataset_rows, is_dataset, named_dataset
from truerank.io.declared import Declared
from truerank.io.elastic import body
from truerank.io.forms import form_of, refuse_unknown
from truerank.io.rows import from_rows
from truerank.io.source import Source, open_source, stem
from truerank.io.tables import laid_out


@dataclass(frozen=True, eq=False)
class Opened:
    """Data to make a run or judgments of."""

    data: Any
    """Rows, columns with their names, text in the columns of a TREC file or of a list, or a table."""
    form: str
    """ "rows", "columns", "trec", "list" or "table"."""
    file: str | None = None
    name: str | None = None


@contextmanager
def opened(data: Any, declared: Declared, form: str | None = None) -> Iterator[Opened]:
    """Open data; what is refused inside is said of the file that they come from, if they come from one.

    >>> with opened({"q1": {"d1": 0.5}}, Declared("run")) as found:
    ...     found.form, found.data.docs
    ('rows', ['d1'])
    """
    data = named_dataset(data) or data
    if form is not None:
        refuse_unknown(form)
        if not is_file(data):
            raise InputError(f"form={form!r} is for files, and this is a {type(data).__name__}; leave it out")
    file: list[str] = []
    try:
        yield _opened(data, declared, form, file)
    except InputError as error:
        if error.file is None and file:
            raise type(error)(error.message, file[0], error.line) from None
        raise


def _opened(data: Any, declared: Declared, form: str | None, file: list[str]) -> Opened:
    if is_file(data):
        return _from_file(data, declared, form, file)
    if is_columnar(data):
        return Opened(data, "table")
    if is_dataset(data):
        return Opened(from_rows(dataset_rows(data, declared.kind), declared), "rows")
    data = body(data)
    if isinstance(data, Iterable) and not isinstance(data, bytes):
        return Opened(laid_out(data, declared), "rows")
    what = {"run": "a run", "qrels": "qrels", "preferences": "preferences"}[declared.kind]
    value = {"run": "score", "qrels": "grade", "preferences": "worse document"}[declared.kind]
    raise TypeError(
        f"{what} cannot be made of {type(data).__name__}; "
        f'give a path, "-", an open file, a dict, a data frame, or rows of (topic, document, {value})'
    )


def _from_file(data: Any, declared: Declared, form: str | None, file: list[str]) -> Opened:
    if isinstance(data, (str, os.PathLike)) and data != "-" and form in (None, "parquet"):
        from truerank.io.columnar.parquet import is_parquet, open_parquet

        if form == "parquet" or is_parquet(data):
            path = os.fspath(data)
            file.append(path)
            return Opened(open_parquet(path), "table", path, stem(path))
    source = open_source(data)
    file.append(source.name)
    form = form or form_of(source, declared)
    if form == "csv":
        from truerank.io.plain import read_plain

        plain = read_plain(source, declared)
        if plain is not None:
            return Opened(plain, "columns", source.name, source.stem)
        from truerank.io.delimited import read_delimited

        return Opened(read_delimited(source, declared), "rows", source.name, source.stem)
    if form == "json":
        from truerank.io.json_text import read_json

        documents, line = read_json(source)
        if not isinstance(documents, (Mapping, list)):
            raise InputError(
                f"the file holds a {type(documents).__name__}; give an object of topics, or a list of rows"
            )
        return Opened(laid_out(documents, declared, line), "rows", source.name, source.stem)
    if form == "parquet":
        from truerank.io.columnar.parquet import open_parquet

        return Opened(open_parquet(source.text.tobytes(), file=source.name), "table", source.name, source.stem)
    return Opened(source, form, source.name, source.stem)


def is_columnar(data: Any) -> bool:
    """Whether data are a table of columns, such as a data frame."""
    if isinstance(data, (str, Mapping, list, tuple)):
        return False
    from truerank.io.columnar.table import is_table

    return is_table(data)


def is_file(data: Any) -> bool:
    """Whether data are a path, "-" or an open file."""
    return isinstance(data, (str, os.PathLike, Source)) or (hasattr(data, "read") and not is_columnar(data))
