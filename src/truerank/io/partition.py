"""Rows that are not grouped by topic, sorted on disk: files that each have all rows of some topics, in their order."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from truerank.data.arrays import Bytes, Ints, Rows, spans
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.extras import needed
from truerank.data.ids import Ids, hashed
from truerank.data.run import Run
from truerank.io.lines import NEWLINE, tokens
from truerank.io.pieces import UNKNOWN, RunPiece, TextForm, read_text
from truerank.io.row_groups import RowGroups, run_of
from truerank.io.runs import Named
from truerank.io.source import Source, stem

_CHUNK = 1 << 22
MOST = 200
"""Files that are open at a time."""


@dataclass(frozen=True, eq=False)
class TextBucket(RunPiece):
    """All lines of some topics, in a file of their own."""

    form: TextForm = UNKNOWN
    """The form of the whole file."""
    path: str = ""
    bucket: int = 0
    buckets: int = 1

    def from_anywhere(self) -> TextBucket:
        """The same for whoever works in another folder."""
        return replace(self, form=replace(self.form, path=os.path.abspath(self.form.path)))

    def read(self) -> Run:
        """The run of these topics."""
        text = np.fromfile(self.path, dtype=np.uint8)
        text = np.concatenate([np.frombuffer(self.form.head, np.uint8), text])
        text.flags.writeable = False
        above = self.form.head.count(b"\n")
        source = Source(self.form.name, stem(self.form.name), text, lambda line: self.line(line - above))
        return read_text(self, source, self.form.form)

    def line(self, number: int) -> int:
        """The number in the whole file of a line of this one, found by reading all again."""
        before = self.form.head.count(b"\n")
        for text in _chunks(self.form):
            line, bucket = _buckets(text, self.form, self.buckets)
            mine = np.flatnonzero(bucket == self.bucket)
            if len(mine) >= number:
                return before + 1 + int(np.count_nonzero(text[: int(line[mine[number - 1]])] == NEWLINE))
            number -= len(mine)
            before += int(np.count_nonzero(text == NEWLINE))
        return before


@dataclass(frozen=True, eq=False)
class RowBucket(RunPiece):
    """All rows of some topics of a parquet file, in a file of their own."""

    path: str = ""

    def read(self) -> Run:
        """The run of these topics."""
        groups = RowGroups(self, self.path)
        return run_of(self, groups.read(0, groups.rows))


def text_partition(named: Named, form: TextForm, buckets: int, folder: str) -> list[Named]:
    """Write the lines of a file to so many files by topic."""
    buckets = min(buckets, MOST)
    paths = [os.path.join(folder, f"{bucket}.txt") for bucket in range(buckets)]
    with ExitStack() as stack:
        files = [stack.enter_context(open(path, "wb")) for path in paths]
        for text in _chunks(form):
            line, bucket = _buckets(text, form, buckets)
            order = np.argsort(bucket, kind="stable")
            begin = line[order]
            newline = np.flatnonzero(text == NEWLINE)
            size = newline[np.searchsorted(newline, begin)] + 1 - begin
            moved = text[spans(begin, size)]
            ends = np.cumsum(np.bincount(bucket, size[np.argsort(order)], minlength=buckets)).astype(np.intp)
            for file, first, last in zip(files, [0, *ends[:-1].tolist()], ends.tolist(), strict=True):
                if last > first:
                    file.write(moved[first:last].data)
    return [
        TextBucket(named.name, named.data, named.options, form, path, bucket, buckets)
        for bucket, path in enumerate(paths)
        if os.path.getsize(path)
    ]


def _chunks(form: TextForm) -> Iterator[Bytes]:
    """The rows of a file, some whole lines at a time, each with its end."""
    left, place = b"", form.body
    while place < form.size:
        end = min(place + _CHUNK, form.size)
        data = left + form.text(place, end)[len(form.head) :].tobytes()
        place = end
        cut = data.rfind(b"\n") + 1 if place < form.size else len(data)
        whole, left = data[:cut], data[cut:]
        if whole:
            yield np.frombuffer(whole if whole.endswith(b"\n") else whole + b"\n", np.uint8)


def _buckets(text: Bytes, form: TextForm, buckets: int) -> tuple[Rows, Ints]:
    """Where each line begins that is neither blank nor a comment, and the bucket of its topic."""
    if form.is_quoted:
        begin, start, length = _separated(text, form)
    else:
        found = tokens(text)
        # A line that is too short is refused when it is read.
        at = found.first + np.minimum(form.column, found.count - 1)
        begin, start = found.start[found.first], found.start[at]
        length = found.end[at] - start
    key = hashed(text, start, length)
    bucket = ((key >> np.uint64(32)) * np.uint64(buckets)) >> np.uint64(32)
    return begin, bucket.astype(np.uint8 if buckets <= 256 else np.intp)


def _separated(text: Bytes, form: TextForm) -> tuple[Rows, Rows, Rows]:
    """Lines and their topics, where values are separated by a mark."""
    if (text == ord('"')).any():
        raise InputError(
            "rows are not grouped by topic, and values in quotes cannot be sorted; sort the file by topic", form.name
        )
    mark = ord(form.delimiter)
    newline = np.flatnonzero(text == NEWLINE)
    begin = np.concatenate([[0], newline[:-1] + 1])
    end = newline - (text[np.maximum(newline - 1, 0)] == ord("\r"))
    full = np.flatnonzero(end > begin)
    begin, end = begin[full], end[full]
    marks = np.append(np.flatnonzero(text == mark), text.size)
    first = np.searchsorted(marks, begin)
    start = begin if not form.column else marks[np.minimum(first + form.column - 1, len(marks) - 1)] + 1
    stop = np.minimum(marks[np.minimum(first + form.column, len(marks) - 1)], end)
    start = np.minimum(start, end)
    return begin, start, np.maximum(stop - start, 0)


def row_partition(named: Named, groups: RowGroups, buckets: int, folder: str) -> list[Named]:
    """Write the rows of a parquet file to so many files by topic."""
    buckets = min(buckets, MOST)
    arrow = needed("pyarrow", "a parquet file in pieces")
    parquet = needed("pyarrow.parquet", "a parquet file in pieces")
    paths = [os.path.join(folder, f"{bucket}.parquet") for bucket in range(buckets)]
    known: dict[Any, int] = {}
    writers: dict[int, Any] = {}
    try:
        for group in range(len(groups)):
            table = groups.read(int(groups.begin[group]), int(groups.begin[group + 1]))
            bucket = _bucket_of_rows(table.column(groups.topic), buckets, known)
            for number in np.unique(bucket).tolist():
                some = table.take(arrow.array(np.flatnonzero(bucket == number)))
                if number not in writers:
                    writers[number] = parquet.ParquetWriter(paths[number], some.schema)
                writers[number].write_table(some)
    finally:
        for writer in writers.values():
            writer.close()
    return [RowBucket(named.name, named.data, named.options, paths[number]) for number in sorted(writers)]


def _bucket_of_rows(topics: Any, buckets: int, known: dict[Any, int]) -> Ints:
    codes = topics.combine_chunks().dictionary_encode()
    codes = codes if hasattr(codes, "indices") else codes.chunk(0)
    number = partial(_number, buckets=buckets, known=known)
    # What is missing is refused when it is read.
    table = np.array([*map(number, codes.dictionary.to_pylist()), 0], np.intp)
    found: Ints = table[np.asarray(codes.indices.fill_null(len(table) - 1))]
    return found


def _number(topic: Any, *, buckets: int, known: dict[Any, int]) -> int:
    if topic not in known:
        key = Ids.pack([topic if isinstance(topic, (str, bytes)) else str(topic)]).keys()[0]
        known[topic] = ((int(key) >> 32) * buckets) >> 32
    return known[topic]
