"""Fields of lines: where each begins and ends in a chunk of text."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Bytes, Mask, Rows

SPACE, TAB, NEWLINE, HASH = 32, 9, 10, 35
_IS_SPACE: Mask = np.isin(np.arange(256), list(b" \t\n\r\v\f"))
IS_NUMERIC: Mask = np.isin(np.arange(256), list(b"0123456789+-."))


@dataclass(frozen=True, slots=True, eq=False)
class Fields:
    """The wanted fields of each line that is neither blank nor a comment."""

    lines: int
    start: dict[int, Rows]
    """For each wanted column, where its field begins in each line."""
    end: dict[int, Rows]
    malformed: tuple[int, int] | None = None
    """Where the first line with the wrong number of columns begins, and how many it has; no line after it is read."""


def fields(
    text: Bytes, columns: int, wanted: Collection[int], *, more: bool = False, numeric: int | None = None
) -> Fields:
    """Split text that ends in a newline; ``more`` allows lines to have more columns than that.

    A line with more of them must begin its column ``numeric`` like a number: otherwise an id has a space in it.

    >>> found = fields(np.frombuffer(b"q1 d1\\n\\n# note\\nq1\\td22\\r\\n", np.uint8), 2, [1])
    >>> found.start[1].tolist(), found.end[1].tolist()
    ([3, 17], [5, 20])
    """
    return regular(text, columns, wanted) or _general(text, columns, wanted, more, numeric)


def regular(text: Bytes, columns: int, wanted: Collection[int]) -> Fields | None:
    """Split lines of single-spaced fields, where the ends of all fields form a table; None if they do not."""
    separates = text <= SPACE
    if separates[0] or (separates[1:] & separates[:-1]).any():
        return None
    ends = np.flatnonzero(separates)
    lines = len(ends) // columns
    plain = _count(text, SPACE)
    if plain + lines != len(ends):
        plain += _count(text, TAB)
    # All separators are spaces or tabs, but for one newline a line.
    if len(ends) != lines * columns or plain + lines != len(ends):
        return None
    table = ends.reshape(lines, columns)
    line = np.zeros(lines, dtype=np.int64)
    np.add(table[:-1, -1], 1, out=line[1:])
    if (text[table[:, -1]] != NEWLINE).any() or (text[line] == HASH).any():
        return None
    start = {column: table[:, column - 1] + 1 if column else line for column in wanted}
    return Fields(lines, start, {column: table[:, column].copy() for column in wanted})


def _count(text: Bytes, byte: int) -> int:
    return int(np.count_nonzero(text == byte))


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """Stretches without whitespace, and the lines they stand in; blank lines and comments are left out."""

    start: Rows
    end: Rows
    first: Rows
    """The first token of each line."""
    count: Rows
    """How many tokens each line has."""


def tokens(text: Bytes) -> Tokens:
    """Split text that ends in a newline at any whitespace, however many columns its lines have.

    >>> found = tokens(np.frombuffer(b"q1 d1\\n\\n# note\\nq1\\td22 x\\r\\n", np.uint8))
    >>> found.count.tolist(), found.start[found.first].tolist()
    ([2, 3], [0, 14])
    """
    space = _IS_SPACE[text]
    inside = ~space
    begins = inside.copy()
    begins[1:] &= space[:-1]
    ends = space.copy()
    ends[1:] &= inside[:-1]
    ends[0] = False
    start, end = np.flatnonzero(begins), np.flatnonzero(ends)
    newline = np.flatnonzero(text == NEWLINE)
    first = np.searchsorted(start, np.concatenate([[0], newline[:-1] + 1]))
    count = np.diff(first, append=len(start))
    content = np.flatnonzero(count > 0)
    content = content[text[start[first[content]]] != HASH]
    return Tokens(start, end, first[content], count[content])


def _general(text: Bytes, columns: int, wanted: Collection[int], more: bool, numeric: int | None) -> Fields:
    """Split lines with any whitespace, blank lines, comments and further columns."""
    found = tokens(text)
    first = found.first
    bad = (found.count < columns) if more else (found.count != columns)
    longer = np.flatnonzero(found.count > columns)
    if more and numeric is not None and len(longer):
        bad[longer] |= ~IS_NUMERIC[text[found.start[first[longer] + numeric]]]
    wrong = np.flatnonzero(bad)
    malformed = None
    if len(wrong):
        malformed = int(found.start[first[wrong[0]]]), int(found.count[wrong[0]])
        first = first[: wrong[0]]
    start = {column: found.start[first + column] for column in wanted}
    return Fields(len(first), start, {column: found.end[first + column] for column in wanted}, malformed)
