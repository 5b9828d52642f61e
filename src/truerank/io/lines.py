"""Text cut at line ends into chunks."""

from __future__ import annotations

import re

import numpy as np

from truerank.data.arrays import Bytes
from truerank.data.parallel import blocks

NEWLINE = 10
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
