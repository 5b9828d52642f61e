"""CSV, TSV and the like: values under a header line, separated by tabs, commas, semicolons or spaces.

Most such files are as simple as TREC files, and read as those are; the others are taken apart with care.
"""

from __future__ import annotations

import csv
import io
import math
from array import array
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from truerank.data.errors import InputError
from truerank.data.printing import counted
from truerank.io.columns import Columns, Layout, read_columns
from truerank.io.encoding import BOM
from truerank.io.forms import DELIMITERS, delimiter_of, head_of, mismatch, split
from truerank.io.headers import Declared
from truerank.io.rows import Rows, columns_of
from truerank.io.source import Source

_BATCH = 1 << 16
_TRUTH = {"true": 1.0, "false": 0.0}
_EXAMPLE = {
    "run": "query_id,doc_id,score",
    "qrels": "query_id,doc_id,relevance",
    "preferences": "query_id,better,worse",
}


def read_csv(source: Source, declared: Declared) -> Columns:
    """Read a file whose first line names its columns.

    >>> from truerank.io.source import open_source
    >>> columns = read_csv(open_source(io.StringIO("qid;docno;score\\nq1;d1;0.5")), Declared("run"))
    >>> columns.topics, columns.ids[0].tolist(), columns.number.tolist()
    ([b'q1'], [b'd1'], [0.5])
    """
    return _simple(source, declared) or columns_of(_rows(source, declared), declared, source.name)


def _simple(source: Source, declared: Declared) -> Columns | None:
    """Read lines as those of a TREC file are read, which takes a fraction of the time.

    None where that may not be what they say: values with quotes or spaces, empty ones, and whatever is to be refused.
    """
    head = head_of(source)
    delimiter = delimiter_of(head, declared)
    if delimiter is None:
        return None
    names = head.values(delimiter)
    if declared.fitting(names).prefers:
        return None
    parts = declared.parts(names)
    text = source.text.tobytes().removeprefix(BOM).split(b"\n", head.number)
    body = text[-1] if len(text) > head.number else b""
    if not _is_plain(body, delimiter):
        return None
    if delimiter not in " \t":
        body = body.replace(delimiter.encode(), b"\t")
    # Blank lines for those above, so that lines keep their numbers.
    lines = np.frombuffer(b"\n" * head.number + body, np.uint8)
    layout = Layout(
        kind="a table",
        columns=tuple(names),
        ids=tuple(names.index(name) for name in (parts.doc, parts.subtopic) if name is not None),
        number=names.index(str(parts.value)),
        topic=names.index(str(parts.topic)),
    )
    try:
        columns = read_columns(replace(source, text=lines), layout)
    except InputError:
        return None
    docs, *subtopics = columns.ids
    return replace(columns, ids=[docs], subtopics=next(iter(subtopics), None), holds=parts.holds, notes=parts.notes)


def _is_plain(body: bytes, delimiter: str) -> bool:
    """Whether whitespace and delimiters mean the same to a reader of TREC files, to whom two are like one."""
    mark = delimiter.encode()
    strange = [] if delimiter == " " else [b'"', b" ", b"\v", b"\f", mark * 2, b"\n" + mark, mark + b"\n", mark + b"\r"]
    if delimiter not in " \t":
        strange.append(b"\t")
    ends = (b"#",) if delimiter == " " else (b"#", mark)
    return not (
        any(each in body for each in (b"\n#", *strange))
        or body.startswith(ends)
        or body.endswith(ends)
        or body.count(b"\r") != body.count(b"\r\n")
    )


def _rows(source: Source, declared: Declared) -> Rows:
    """Take lines apart value by value."""
    table = CsvTable(source, declared)
    declared = declared.fitting(table.names)
    parts = declared.parts(table.names)
    ids = [str(parts.topic), parts.doc]
    if declared.prefers:
        ids.append(str(parts.value))
    if parts.relation is not None:
        ids.append(parts.relation)
    columns = table.read([*ids, str(parts.value), *filter(None, [parts.subtopic])])
    for name in ids:
        if "" in columns[name]:
            message = f"there is nothing in column {name!r}; give every row a value"
            raise InputError(message, None, table.line(columns[name].index("")))
    value: Any = columns[str(parts.value)]
    if not declared.prefers:
        value = table.numbers(value, parts.holds)
    return Rows(
        columns[ids[0]],
        np.arange(len(value) + 1),
        columns[ids[1]],
        value,
        parts.holds == "rank",
        parts.notes,
        table.line,
        prefers=declared.prefers,
        relation=None if parts.relation is None else columns[parts.relation],
        subtopic=None if parts.subtopic is None else columns[parts.subtopic],
    )


class CsvTable:
    """The names of a header line, and the lines below it."""

    def __init__(self, source: Source, declared: Declared) -> None:
        self.head = head_of(source)
        self.text = source.text.tobytes().removeprefix(BOM).decode("utf-8", "surrogateescape")
        found = delimiter_of(self.head, declared)
        # Where no name is known, what gives the most names tells best which there are.
        self.delimiter = found or max(DELIMITERS, key=lambda mark: len(self.head.values(mark)))
        self.names = self.head.values(self.delimiter)
        example = _EXAMPLE[declared.kind]
        if not self.names:
            raise InputError(f"the file holds no lines; begin it with a header line such as {example}")
        if found is None and self.head.has_number:
            message = f"these look like values without a header line; begin the file with one such as {example}"
            raise InputError(message, None, self.head.number)

    def read(self, names: list[str]) -> dict[str, list[str]]:
        """Return some of the columns."""
        columns: dict[str, list[str]] = {name: [] for name in names}
        # Of several columns of one name the first is meant.
        places = {name: place for place, name in reversed([*enumerate(self.names)])}
        reader = self._reader()
        rows = 0
        try:
            while batch := list(islice(filter(None, reader), _BATCH)):
                if set(map(len, batch)) != {len(self.names)}:
                    batch = [row for row in batch if not _blank(row)]
                    self._refuse_ragged(batch, rows)
                rows += len(batch)
                for name, column in columns.items():
                    place = places[name]
                    column.extend([row[place].strip(" \t") for row in batch])
        except csv.Error as error:
            line = self.head.number + getattr(reader, "line_num", 0)
            raise InputError(f"{mismatch(error)}; double each quote inside a value", None, line) from None
        if not rows:
            raise InputError("there is nothing below the header line; add rows", None, self.head.number)
        return columns

    def line(self, row: int) -> int:
        """The number of the line that a row ends in, found by reading again."""
        reader = self._reader()
        filled = (
            self.head.number + int(getattr(reader, "line_num", place))
            for place, fields in enumerate(reader, 1)
            if not _blank(fields)
        )
        return next(islice(filled, row, None))

    def numbers(self, column: list[str], name: str) -> array[float]:
        """Return values as numbers; what is none is refused with its line."""
        try:
            result = array("d", map(float, column))
        except ValueError:
            result = array("d", [_number(text, name) for text in column])
        wrong = ~np.isfinite(np.array(result))
        # Python takes 1_000 for a number, which no other reader does.
        if "_" in "".join(column):
            wrong |= ["_" in text for text in column]
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            raise InputError(f"the {name} is {column[row]!r:.80}; give a finite number", None, self.line(row))
        return result

    def _reader(self) -> Iterator[list[str]]:
        # A carriage return alone ends a line of CSV, and is whitespace elsewhere.
        stream = io.StringIO(self.text, newline="\n" if self.delimiter == " " else "")
        for _ in range(self.head.number):
            stream.readline()
        return split(stream, self.delimiter)

    def _refuse_ragged(self, batch: list[list[str]], before: int) -> None:
        row = next((row for row, fields in enumerate(batch) if len(fields) != len(self.names)), None)
        if row is not None:
            count = len(batch[row])
            remedy = "give every row a value for each column" if count < len(self.names) else "remove what is too much"
            raise InputError(
                f"{counted(count, 'value')} where the header line has {len(self.names)} names; {remedy}",
                None,
                self.line(before + row),
            )


def _blank(fields: list[str]) -> bool:
    return len(fields) < 2 and not "".join(fields).strip()


def _number(text: str, name: str) -> float:
    try:
        return float(text)
    except ValueError:
        return _TRUTH.get(text.lower(), math.nan) if name == "grade" else math.nan
