"""A ranking from a file: items with scores, or a list of items."""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Iterator, Sequence
from typing import Any

from truerank.data.errors import InputError, about
from truerank.data.printing import counted
from truerank.io.encoding import BOM, refuse_foreign
from truerank.io.forms import DELIMITERS, mismatch, split
from truerank.io.source import Readable, open_source

_RUN = 6
"""Values in a line of a run, as TREC has it."""
_Line = tuple[int, list[str]]
"""The number of a line, and its values."""


def given_ranking(given: Any, column: str | None = None) -> Any:
    """A ranking as it is given, or read from the file that a path names."""
    return read_ranking(given, column) if isinstance(given, (str, os.PathLike)) else given


def chosen_columns(columns: str | Sequence[str]) -> tuple[str | None, str | None]:
    """The columns of both files, of one name for both or one for each."""
    names = [columns] if isinstance(columns, str) else [*columns]
    if len(names) > 2:
        raise InputError(f"there are {len(names)} columns of scores for two files; give one, or one for each file")
    return (names[0], names[-1]) if names else (None, None)


def read_ranking(source: Readable, column: str | None = None) -> dict[str, float] | list[str]:
    """Read an item and its score a line, or an item a line, best first.

    Tabs, commas, semicolons or spaces stand between the values. Below a header line there may be several scores, as in
    what ``truerank evaluate --format tsv`` writes, and ``column`` says which; a file without one has nothing to choose.

    >>> read_ranking(io.StringIO("run,AP,P@10\\nbm25,0.25,0.4\\ndense,0.31,0.4\\n"), "AP")
    {'bm25': 0.25, 'dense': 0.31}
    >>> read_ranking(io.StringIO("dense\\nbm25\\n"))
    ['dense', 'bm25']
    """
    opened = open_source(source)
    refuse_foreign(opened)
    text = opened.text.tobytes().removeprefix(BOM).decode("utf-8", "surrogateescape")
    if text.lstrip()[:1] in ("{", "["):
        raise InputError("this looks like JSON; give scores as tsv or csv, such as --format tsv writes", opened.name)
    with about(opened.name):
        try:
            return _ranking(text, column)
        except csv.Error as error:
            raise InputError(f"{mismatch(error)}; double each quote inside a value") from None


def _ranking(text: str, column: str | None) -> dict[str, float] | list[str]:
    delimiter = _delimiter(text)
    lines = list(_lines(text, delimiter)) if delimiter else [(n, [line.strip()]) for n, line in _filled(text)]
    if not lines:
        raise InputError("the file holds no lines; give an item a line, best first, or an item and its score")
    if delimiter is None:
        _once(lines)
        return [values[0] for _, values in lines]
    place, width = 1, 2
    number, head = lines[0]
    if not any(map(_is_number, head[1:])):
        place, width, lines = _chosen(head, column, number), len(head), lines[1:]
        if not lines:
            raise InputError("there is nothing below the header line; add rows", None, number)
    for number, values in lines:
        if len(values) != width:
            raise InputError(_ragged(values), None, number)
    _once(lines)
    return {values[0]: _score(values[place], number) for number, values in lines}


def _filled(text: str) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())


def _lines(text: str, delimiter: str) -> Iterator[_Line]:
    for number, values in enumerate(split(io.StringIO(text, newline=""), delimiter), 1):
        if any(value.strip() for value in values):
            yield number, [value.strip() for value in values]


def _delimiter(text: str) -> str | None:
    """What separates an item from its scores, told by the line below a header line; None for a list of items."""
    first, *below = [line.rstrip("\r") for (_, line), _ in zip(_filled(text), range(2), strict=False)] or [""]
    for mark in DELIMITERS:
        values = next(split(below or [first], mark))
        if len(values) > 1 and _is_number(values[-1]):
            return mark
    return next((mark for mark in DELIMITERS if mark in first.strip()), None)


def _chosen(head: list[str], column: str | None, line: int) -> int:
    names = head[1:]
    known = ", ".join(map(repr, names))
    if column is None and len(names) > 1:
        raise InputError(f"there are several columns of scores; choose one with --column: {known}", None, line)
    if column is not None and column not in names:
        raise InputError(f"there is no column {column!r}; choose one of {known}", None, line)
    return 1 if column is None else head.index(column, 1)


def _once(lines: list[_Line]) -> None:
    seen: dict[str, int] = {}
    for number, values in lines:
        if seen.setdefault(values[0], number) != number:
            first = f"first on line {seen[values[0]]}"
            raise InputError(f"{values[0]!r:.80} is listed twice ({first}); give it one line", None, number)


def _score(text: str, line: int) -> float:
    if not _is_number(text) or not math.isfinite(float(text)):
        raise InputError(f"the score is {text!r:.80}; give a finite number, or leave the item out", None, line)
    return float(text)


def _ragged(values: list[str]) -> str:
    count = counted(len(values), "value")
    if len(values) == _RUN:
        return f"{count} in this line, as a run has; give by_topic= to compare runs"
    return f"{count} in this line; give an item and its score, or begin with a header line that names every column"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    # Python takes 1_000 for a number, which nobody else does.
    return "_" not in text
