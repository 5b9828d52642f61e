"""What people did: which of two lists they preferred, what they clicked, how far they read."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from truerank.data.errors import InputError, about
from truerank.data.printing import brief
from truerank.io.encoding import BOM, refuse_foreign
from truerank.io.forms import DELIMITERS, mismatch, split
from truerank.io.source import open_source

TIES = ("tie", "=", "both", "none", "same")
"""Words for no preference."""
LINES = {
    "preferences": "give each line a topic, two runs and the one preferred or 'tie', as in '401 bm25 dense dense'",
    "clicks": "give each line a topic, a run and the ranks clicked or '-', as in '401 bm25 1,3'",
    "reading": "give each line a topic, a run and how many documents were read, as in '401 bm25 7'",
}
"""What a line of each kind of file is."""
HEADS = {
    "preferences": ("topic", "a", "b", "preferred"),
    "clicks": ("topic", "run", "clicked"),
    "reading": ("topic", "run", "read"),
}
"""What columns are called where there is a header line; 'user' may follow."""


@dataclass(frozen=True)
class Observation:
    """One thing that somebody did with one list, or two."""

    topic: str
    runs: tuple[str, ...]
    """The list, or both."""
    value: Any
    """1 where the first of two lists is preferred, 0 or 0.5 for a tie; ranks that were clicked; documents read."""
    user: str = ""


def observed(kind: str, data: Any) -> list[Observation]:
    """Observations from a file, or from rows in Python.

    >>> observed("preferences", io.StringIO("q1 a b b\\nq1 a c tie\\n"))[1].value
    0.5
    >>> observed("clicks", [("q1", "a", [1, 3]), ("q2", "a", [])])[0].value
    (1, 3)
    """
    rows, name = _rows(kind, data)
    found = [_at_line(kind, row, name, line) for line, row in rows]
    if not found:
        raise InputError(f"there are no {kind}; {LINES[kind]}", name)
    return found


def _at_line(kind: str, row: Sequence[Any], name: str | None, line: int | None) -> Observation:
    with about(name, line):
        return _observation(kind, row)


def _rows(kind: str, data: Any) -> tuple[list[tuple[int | None, Sequence[Any]]], str | None]:
    if isinstance(data, Iterable) and not isinstance(data, (str, bytes)) and not hasattr(data, "read"):
        return [(None, [*row.values()] if isinstance(row, Mapping) else row) for row in data], None
    opened = open_source(data)
    refuse_foreign(opened)
    text = opened.text.tobytes().removeprefix(BOM).decode("utf-8", "surrogateescape")
    try:
        lines = list(_lines(text, kind))
    except csv.Error as error:
        raise InputError(f"{mismatch(error)}; double each quote inside a value", opened.name) from None
    head = [value.strip().lower() for value in lines[0][1]] if lines else []
    wanted = (*HEADS[kind], "user")
    if head[:1] == ["topic"]:
        missing = [name for name in HEADS[kind] if name not in head]
        if missing:
            raise InputError(f"the header line has no {missing[0]!r}; name {', '.join(HEADS[kind])}", opened.name, 1)
        at = [head.index(name) for name in wanted if name in head]
        return [(number, [row[i] for i in at if i < len(row)]) for number, row in lines[1:]], opened.name
    return [(number, row) for number, row in lines], opened.name


def _lines(text: str, kind: str) -> Iterator[tuple[int, list[str]]]:
    filled = [line for line in text.split("\n") if line.strip()]
    if not filled:
        return
    least = len(HEADS[kind])
    # Ranks may have commas between them, so that commas come last.
    marks = ("\t", ";", " ", ",") if kind == "clicks" else DELIMITERS
    mark = next((one for one in marks if len(next(split([filled[0]], one))) >= least), " ")
    for number, values in enumerate(split(io.StringIO(text, newline=""), mark), 1):
        if any(value.strip() for value in values):
            yield number, [value.strip() for value in values]


def _observation(kind: str, row: Sequence[Any]) -> Observation:
    least = len(HEADS[kind])
    if not least <= len(row) <= least + 1:
        raise InputError(f"there are {len(row)} values; {LINES[kind]}, and perhaps a user")
    user = str(row[least]) if len(row) > least else ""
    topic = str(row[0])
    if kind == "preferences":
        one, other, said = (str(value) for value in row[1:4])
        return Observation(topic, (one, other), _preferred(one, other, said), user)
    if kind == "clicks":
        return Observation(topic, (str(row[1]),), _clicked(row[2]), user)
    return Observation(topic, (str(row[1]),), _positive(row[2]), user)


def _preferred(one: str, other: str, said: str) -> float:
    if one == other:
        raise InputError(f"{one!r} is held against itself; {LINES['preferences']}")
    if said == one:
        return 1.0
    if said == other:
        return 0.0
    if said.lower() in TIES:
        return 0.5
    raise InputError(f"{said!r} is neither {one!r} nor {other!r} nor 'tie'; {LINES['preferences']}")


def _clicked(given: Any) -> tuple[int, ...]:
    if not isinstance(given, str):
        values = [given] if isinstance(given, (int, float)) else list(given)
    else:
        values = [] if given.strip() in ("-", "") else re.split(r"[,;\s]+", given.strip())
    ranks = []
    for value in values:
        text = str(value)
        if not text.isdigit() or int(text) < 1:
            raise InputError(f"{brief(text)} is no rank; {LINES['clicks']}")
        ranks.append(int(text))
    return tuple(sorted(set(ranks)))


def _positive(given: Any) -> float:
    try:
        value = float(given)
    except (TypeError, ValueError):
        value = math.nan
    if not 0 < value < math.inf:
        raise InputError(f"{brief(given)} is not a number above 0; {LINES['reading']}")
    return value
