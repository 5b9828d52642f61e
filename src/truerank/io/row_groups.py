"""Pieces of a parquet file: stretches of its rows, cut where a topic ends, of which no other row groups are read."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from truerank.data.arrays import Mask, Rows, offsets
from truerank.data.classes import dataclass
from truerank.data.errors import about
from truerank.data.extras import needed
from truerank.data.run import Run
from truerank.io.arrow import ArrowTable
from truerank.io.headers import Declared
from truerank.io.load import as_run
from truerank.io.parquet import refuse_large, refusing_damage
from truerank.io.pieces import RunPiece, TopicOrder
from truerank.io.runs import Named

_LOOKED_AT = 16
"""Row groups that tell whether rows are grouped by topic."""


class RowGroups:
    """A parquet file, row group by row group."""

    def __init__(self, named: Named, path: str | None = None) -> None:
        self.path = os.fspath(named.data) if path is None else path
        parquet = needed("pyarrow.parquet", "a parquet file in pieces")
        with refusing_damage(self.path):
            self._file: Any = parquet.ParquetFile(self.path)
        with about(self.path):
            parts = Declared.of_run(named.options).parts(self._file.schema_arrow.names)
        self.topic, *_ = parts.names
        self.columns = list(dict.fromkeys(parts.names))
        refuse_large(self._file.metadata, self.columns, self.path)
        count = [self._file.metadata.row_group(group).num_rows for group in range(self._file.num_row_groups)]
        self.begin: Rows = offsets(np.array(count, np.intp))

    def __len__(self) -> int:
        return len(self.begin) - 1

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self.begin[-1])

    def topics(self, group: int) -> Any:
        """The topics of the rows of a group."""
        with refusing_damage(self.path):
            return self._file.read_row_group(group, columns=[self.topic], use_threads=False).column(self.topic)

    def read(self, begin: int, end: int) -> Any:
        """Some rows, of the columns that make a run."""
        first = int(np.searchsorted(self.begin, begin, side="right")) - 1
        last = int(np.searchsorted(self.begin, end, side="left"))
        with refusing_damage(self.path):
            table = self._file.read_row_groups(list(range(first, last)), columns=self.columns, use_threads=False)
        return table.slice(begin - int(self.begin[first]), end - begin)

    def is_grouped(self) -> bool:
        """Whether the rows of a topic seem to stand together, by a look at some groups."""
        order = TopicOrder()
        some = np.unique(np.linspace(0, len(self) - 1, min(len(self), _LOOKED_AT)).astype(int)).tolist()
        return all(order.goes_on(_heads(self.topics(group))) for group in some)

    def cuts(self, rows: int) -> Iterator[int]:
        """Rows where topics begin, about so many apart, in the row groups where that many end."""
        last = 0
        for group in range(1, len(self)):
            if int(self.begin[group + 1]) - last <= rows:
                continue
            before, here = self.topics(group - 1), self.topics(group)
            new = np.flatnonzero(~_same(here, before[-1]))
            if len(new) and int(self.begin[group]) + int(new[0]) > last:
                last = int(self.begin[group]) + int(new[0])
                yield last


def _same(topics: Any, value: Any) -> Mask:
    compute = needed("pyarrow.compute", "a parquet file in pieces")
    same: Mask = np.asarray(compute.fill_null(compute.equal(topics, value), False))
    return same


def _heads(topics: Any) -> Iterator[Any]:
    """The topic of each stretch of rows that have the same."""
    codes = topics.combine_chunks().dictionary_encode()
    codes = codes if hasattr(codes, "indices") else codes.chunk(0)
    numbers = np.asarray(codes.indices.fill_null(-1))
    names = codes.dictionary.to_pylist()
    changes = np.ones(len(numbers), np.bool_)
    np.not_equal(numbers[1:], numbers[:-1], out=changes[1:])
    yield from (names[number] for number in numbers[changes].tolist() if number >= 0)


@dataclass(frozen=True, eq=False)
class RowRange(RunPiece):
    """A stretch of the rows of a parquet file."""

    begin: int = 0
    end: int = 0

    def read(self) -> Run:
        """The run of the topics in these rows."""
        return run_of(self, RowGroups(self).read(self.begin, self.end))


def run_of(named: Named, table: Any) -> Run:
    """Make a run of some rows of a file, as of the whole."""
    options = {key: value for key, value in named.options.items() if key != "form"}
    file = os.fspath(named.data)
    with about(file):
        return as_run(ArrowTable(table, file), named.name, **options)


def row_pieces(named: Named, groups: RowGroups, rows: int) -> list[Named]:
    """A parquet file in stretches of about so many rows, whole topics each."""
    ends: Sequence[int] = [0, *groups.cuts(rows), groups.rows]
    return [RowRange(named.name, named.data, named.options, begin, end) for begin, end in pairwise(ends)]
