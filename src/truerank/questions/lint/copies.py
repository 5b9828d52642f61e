"""A copy of a file beside it, with some of its lines dropped or written anew."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

import numpy as np

from truerank.data.arrays import Array, Bytes, Rows
from truerank.data.errors import InputError
from truerank.io.compression import compressed, compression
from truerank.io.encoding import begin_of
from truerank.io.lines import NEWLINE
from truerank.io.source import stem
from truerank.io.writing import put


def copy_path(path: str) -> str:
    """What the copy of a file is called.

    >>> copy_path("runs/bm25.run.gz"), copy_path("qrels")
    ('runs/bm25.fixed.run.gz', 'qrels.fixed')
    """
    folder, name = os.path.split(path)
    bare = stem(path)
    return os.path.join(folder, f"{bare}.fixed{name[len(bare) :]}")


class Lines:
    """The lines of a text by number, from 0; edits are made by line."""

    def __init__(self, text: Bytes) -> None:
        self.text = text
        ends = np.flatnonzero(text == NEWLINE) + 1
        self._end = ends if not text.size or (len(ends) and ends[-1] == text.size) else np.append(ends, text.size)
        self._first = begin_of(text)

    def of(self, places: Array | list[int]) -> Rows:
        """The lines that contain some bytes."""
        found: Rows = np.searchsorted(self._end, np.asarray(places, dtype=np.int64), side="right")
        return found

    def fields(self, line: int) -> tuple[list[bytes], bytes]:
        """The fields of a line, and what to put between them."""
        begin = int(self._end[line - 1]) if line else self._first
        data = self.text[begin : int(self._end[line])].tobytes()
        return data.split(), b"\t" if b"\t" in data else b" "

    def edited(self, edits: Mapping[int, bytes | None]) -> bytes:
        """The text without a byte order mark and with each edited line replaced, or left out where it is None."""
        return b"".join(self._pieces(edits))

    def _pieces(self, edits: Mapping[int, bytes | None]) -> Iterator[bytes]:
        done = self._first
        for line in sorted(edits):
            begin = max(int(self._end[line - 1]) if line else 0, self._first)
            yield self.text[done:begin].tobytes()
            yield edits[line] or b""
            done = int(self._end[line])
        rest = self.text[done:].tobytes()
        yield rest
        if rest and not rest.endswith(b"\n"):
            yield b"\n"


def write_copy(path: str, data: bytes, *, force: bool = False) -> str:
    """Write the copy of a file, compressed as the file is; it appears when it is complete."""
    target = copy_path(path)
    if os.path.exists(target) and not force:
        raise InputError("this copy is there already; remove it, or overwrite it with --force (force=True)", target)
    with open(path, "rb") as original:
        packed = compressed(data, compression(original.read(16)))
    put(packed, target)
    return target
