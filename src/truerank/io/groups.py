"""Groups of topics as people keep them: lines of a topic and its group, a table with a column of them, a dict."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from truerank.data.classes import dataclass
from truerank.data.errors import InputError, about
from truerank.data.ids import one_id, text
from truerank.data.printing import brief
from truerank.io.encoding import BOM, readable
from truerank.io.forms import DELIMITERS, mismatch, split
from truerank.io.frames import is_table, open_table
from truerank.io.headers import topic_name
from truerank.io.json_text import read_json
from truerank.io.parquet import is_parquet, open_parquet
from truerank.io.source import Source, open_source
from truerank.io.vectors import ids_of

LINE = "give each line a topic and its group, as in '401 navigational'"


@dataclass(frozen=True)
class Grouping:
    """The group of each topic that has one."""

    by_topic: Mapping[str, str]
    file: str | None = None
    """Where it was read, so that an error can name it."""


def read_groups(data: Any) -> Grouping:
    """Return the groups of topics, whatever they are given as.

    ``data`` is a dict from topics to groups, pairs of both, a data frame, or a file: lines of a topic and a group, a
    table whose header line names a column of topics and one of groups, parquet, or JSON. Of a table with several other
    columns one is named after the path, as in "topics.tsv:language".

    >>> read_groups({401: "en", "402": "fr"}).by_topic
    {'401': 'en', '402': 'fr'}
    >>> import io
    >>> read_groups(io.StringIO("qid\\tgroup\\nq1\\tlong tail\\n")).by_topic
    {'q1': 'long tail'}
    """
    if isinstance(data, Grouping):
        return data
    if isinstance(data, Mapping):
        return Grouping(_once(data.items(), None))
    if is_table(data):
        return Grouping(_from_table(data, None, None))
    if isinstance(data, (list, tuple)) or (isinstance(data, Iterable) and not _is_file(data)):
        return Grouping(_from_pairs(data, None))
    path, column = _parted(data)
    if isinstance(path, str) and is_parquet(path):
        return Grouping(_from_table(open_parquet(path), column, path), path)
    source = open_source(path)
    with about(source.name):
        return Grouping(_from_text(source, column), source.name)


def _is_file(data: Any) -> bool:
    return isinstance(data, (str, os.PathLike)) or hasattr(data, "read")


def _parted(data: Any) -> tuple[Any, str | None]:
    """A path and the column that is named behind it; a file may have a colon in its name."""
    if not isinstance(data, (str, os.PathLike)):
        return data, None
    path = os.fspath(data)
    before, colon, column = path.rpartition(":")
    if not colon or not before or not column or os.path.exists(path) or not os.path.exists(before):
        return path, None
    return before, column


def _from_text(source: Source, column: str | None) -> dict[str, str]:
    body = readable(source.text)[0].tobytes().removeprefix(BOM).decode("utf-8", "surrogateescape")
    if body.lstrip().startswith(("{", "[")):
        found, line = read_json(source)
        pairs = found.items() if isinstance(found, Mapping) and line is None else found
        return _from_pairs(pairs, source.name, column)
    lines = [(number, line) for number, line in enumerate(body.splitlines(), 1) if line.strip()]
    lines = [(number, line) for number, line in lines if not line.lstrip().startswith("#")]
    if not lines:
        raise InputError(f"the file holds no lines; {LINE}")
    for delimiter in DELIMITERS:
        names = _values(*lines[0], delimiter)
        if len(names) > 1 and topic_name(names) is not None:
            at = [names.index(name) for name in _columns(names, column)]
            rows = ((number, _values(number, line, delimiter)) for number, line in lines[1:])
            return _numbered(_picked(rows, at, len(names)))
    if column is not None:
        raise InputError(f"there is no header line that could name a column {column!r}; begin with one", None, 1)
    # Groups of several words need a mark between them and the topic that is no space.
    marks = [mark for mark in DELIMITERS if all(len(_values(*line, mark)) == 2 for line in lines)]
    if not marks:
        number = next(number for number, line in lines if len(_values(number, line, " ")) != 2)
        raise InputError(
            f"these are not two values; {LINE}, or begin with a header line such as topic,group", None, number
        )
    return _numbered((number, _values(number, line, marks[0])) for number, line in lines)


def _values(number: int, line: str, delimiter: str) -> list[str]:
    try:
        return [value.strip() for value in next(split([line], delimiter), [])]
    except csv.Error as error:
        raise InputError(f"{mismatch(error)}; double each quote inside a value", None, number) from None


def _picked(rows: Iterable[tuple[int, list[str]]], at: Sequence[int], count: int) -> Iterator[tuple[int, list[str]]]:
    for number, values in rows:
        if len(values) != count:
            raise InputError(f"the header line has {count} names, and this one {len(values)} values", None, number)
        yield number, [values[place] for place in at]


def _numbered(rows: Iterable[tuple[int, list[str]]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for number, (topic, group) in rows:
        if not topic or not group:
            raise InputError(f"there is no {'group' if topic else 'topic'}; {LINE}", None, number)
        if found.setdefault(topic, group) != group:
            raise InputError(
                f"topic {brief(topic)} is in group {brief(group)}, and above in {brief(found[topic])}; keep one line",
                None,
                number,
            )
    return found


def _columns(names: Sequence[str], column: str | None) -> tuple[str, str]:
    """The names of the column of topics and of that of groups."""
    topic = topic_name(names)
    if topic is None:
        raise InputError(f"no column of {', '.join(names):.200} is one of topics; call one of them topic")
    if column is not None:
        if column not in names:
            raise InputError(f"there is no column {column!r}; there are {', '.join(names):.200}")
        return topic, column
    others = [name for name in names if name != topic]
    named = [name for name in others if name.lower() in ("group", "cluster")]
    if len(named or others) != 1:
        raise InputError(
            f"the columns are {', '.join(names):.200}; name that of groups behind the path, as in FILE:NAME"
        )
    return topic, (named or others)[0]


def _from_table(data: Any, column: str | None, file: str | None) -> dict[str, str]:
    table = open_table(data)
    with about(file):
        names = _columns(table.names, column)
        topics, groups = (
            [text(one) for one in ids_of(vector, name)[0].tolist()]
            for name, vector in zip(names, table.read([table.names.index(name) for name in names]), strict=True)
        )
    return _once(zip(topics, groups, strict=True), file)


def _from_pairs(data: Any, file: str | None, column: str | None = None) -> dict[str, str]:
    rows = [*data]
    if rows and all(isinstance(row, Mapping) for row in rows):
        names = _columns([*rows[0]], column)
        rows = [tuple(row.get(name) for name in names) for row in rows]
    for row in rows:
        if isinstance(row, (str, bytes)) or not isinstance(row, Sequence) or len(row) != 2 or None in row:
            raise InputError(
                f"{brief(row)} is not a topic and its group; give pairs such as ('401', 'navigational')", file
            )
    return _once(rows, file)


def _once(pairs: Iterable[tuple[Any, Any]], file: str | None) -> dict[str, str]:
    found: dict[str, str] = {}
    for topic, group in pairs:
        name, of = text(one_id(topic, "topic")), str(group)
        if found.setdefault(name, of) != of:
            raise InputError(f"topic {brief(name)} is in two groups, {brief(found[name])} and {brief(of)}", file)
    return found
