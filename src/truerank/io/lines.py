"""Lines of text, and the fields of lines: where each begins and ends."""

from __future__ import annotations

import re
from collections.abc import Collection

import numpy as np

from truerank.data.arrays import Bytes, Mask, Rows
from truerank.data.classes import dataclass
from truerank.data.parallel import blocks
from truerank.data.stated_ranks import IS_SPACE

SPACE, TAB, NEWLINE, HASH = 32, 9, 10, 35
IS_NUMERIC: Mask = np.isin(np.arange(256), list(b"0123456789+-."))
_BLOCK = 1 << 19
_WORD = re.compile(r"[^ \t\n\r\v\f]+")


def cut(text: Bytes, begin: int, size: int) -> list[tuple[int, int]]:
    """Return (begin, end) of chunks of at least ``size`` bytes that end where a line does.

    >>> cut(np.frombuffer(b"ab\\ncd\\nef", np.uint8), 0, 2)
    [(0, 3), (3, 6), (6, 8)]
    """
    chunks = []
    while begin < text.size:
        end = line_end(text, begin + size - 1)
        chunks.append((begin, end))
        begin = end
    return chunks


def line_end(text: Bytes, position: int) -> int:
    """Return where the line that contains a position ends, its line end included."""
    window = 1 << 12
    while position < text.size:
        found = text[position : position + window].tobytes().find(b"\n")
        if found >= 0:
            return position + found + 1
        position += window
        window *= 2
    return int(text.size)


def line_begin(text: Bytes, position: int) -> int:
    """Return where the line that contains a position begins.

    >>> line_begin(np.frombuffer(b"ab\\ncd\\nef", np.uint8), 4)
    3
    """
    window = 1 << 12
    while position > 0:
        begin = max(0, position - window)
        found = text[begin:position].tobytes().rfind(b"\n")
        if found >= 0:
            return begin + found + 1
        position = begin
        window *= 2
    return 0


def text_lines(text: str) -> list[str]:
    """Return the lines of decoded text, which end at line feeds and nowhere else.

    >>> text_lines("a\\x85b\\r\\n\\nc\\n")
    ['a\\x85b\\r', '', 'c']
    """
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def words(line: str) -> list[str]:
    """Return the fields of a decoded line, between whitespace of ASCII: other spaces are parts of ids, as in bytes.

    >>> words(" q1\\td\\xa01  d2\\r\\n")
    ['q1', 'd\\xa01', 'd2']
    """
    return _WORD.findall(line)


def count_lines(text: Bytes, begin: int, end: int) -> int:
    """Return the number of lines of a chunk, the last with or without a line end."""
    return int(np.count_nonzero(text[begin:end] == NEWLINE)) + int(text[end - 1] != NEWLINE)


def line_number(text: Bytes, offset: int) -> int:
    """Return the number, from 1, of the line that contains a byte offset.

    >>> line_number(np.frombuffer(b"ab\\ncd\\nef", np.uint8), 4)
    2
    """
    return 1 + sum(int(np.count_nonzero(text[:offset][block] == NEWLINE)) for block in blocks(offset, _BLOCK))


@dataclass(frozen=True, slots=True, eq=False)
class Fields:
    """The wanted fields of each line that is neither blank nor a comment, and has as many as it should."""

    lines: int
    start: dict[int, Rows]
    """For each wanted column, where its field begins in each line."""
    end: dict[int, Rows]
    count: Rows | None = None
    """How many columns each line has; None where all have as many as they should."""
    malformed: Rows | None = None
    """The other lines, in order: where each begins, and how many columns it has."""

    def without(self, rows: Rows) -> Fields:
        """Take some of the lines for malformed after all."""
        assert self.count is not None
        keep = np.ones(self.lines, dtype=np.bool_)
        keep[rows] = False
        wrong = np.column_stack([self.start[0][rows], self.count[rows]])
        every = wrong if self.malformed is None else np.concatenate([self.malformed, wrong])
        return Fields(
            self.lines - len(rows),
            {column: start[keep] for column, start in self.start.items()},
            {column: end[keep] for column, end in self.end.items()},
            self.count[keep],
            every[np.argsort(every[:, 0], kind="stable")],
        )


def fields(
    text: Bytes,
    columns: int,
    wanted: Collection[int],
    *,
    fewest: int | None = None,
    more: bool = False,
    numeric: int | None = None,
) -> Fields:
    """Split text that ends in a newline.

    Lines have so many columns; where ``fewest`` is given, they may have less of them, and those that they lack are
    empty; with ``more`` they may have more. A line that does must begin its column ``numeric`` like a number: otherwise
    an id has a space in it.

    >>> found = fields(np.frombuffer(b"q1 d1\\n\\n# note\\nq1\\td22\\r\\nq2\\n", np.uint8), 2, [1])
    >>> found.start[1].tolist(), found.end[1].tolist(), found.malformed.tolist()
    ([3, 17], [5, 20], [[22, 1]])
    """
    return _regular(text, columns, wanted) or _general(text, columns, wanted, fewest or columns, more, numeric)


def _regular(text: Bytes, columns: int, wanted: Collection[int]) -> Fields | None:
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
    line = np.zeros(lines, dtype=np.intp)
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
    space = IS_SPACE[text]
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


def _general(
    text: Bytes, columns: int, wanted: Collection[int], fewest: int, more: bool, numeric: int | None
) -> Fields:
    """Split lines with any whitespace, blank lines, comments, and other numbers of columns."""
    found = tokens(text)
    first, count = found.first, found.count
    bad = count < fewest
    longer = np.flatnonzero(count > columns)
    if not more:
        bad[longer] = True
    elif numeric is not None:
        bad[longer] |= ~IS_NUMERIC[text[found.start[first[longer] + numeric]]]
    malformed = None
    if bad.any():
        malformed = np.column_stack([found.start[first[bad]], count[bad]])
        first, count = first[~bad], count[~bad]
    start, end = {}, {}
    for column in wanted:
        token = first + column if column < fewest else first + np.minimum(column, count - 1)
        start[column], end[column] = found.start[token], found.end[token]
        if column >= fewest:
            start[column] = np.where(count > column, start[column], end[column])
    return Fields(len(first), start, end, count, malformed)
