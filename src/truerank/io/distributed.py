"""Data frames of Spark, whose rows are on many machines: which columns make a run, and rows of whole topics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from truerank.data.classes import dataclass
from truerank.data.run import Run
from truerank.io.headers import Declared
from truerank.io.load import as_run
from truerank.io.pieces import RunPiece
from truerank.io.runs import Named

ROWS = 1 << 20
"""Rows that are looked at at a time."""


def frame_columns(named: Named) -> list[str]:
    """The columns of a data frame that make a run, that of topics first."""
    parts = Declared.of_run(named.options).parts(named.data.columns)
    return list(dict.fromkeys(parts.names))


@dataclass(frozen=True, eq=False)
class FramePiece(RunPiece):
    """Rows of some topics, as a table of Arrow."""

    def read(self) -> Run:
        """The run of these topics."""
        return as_run(self.data, self.name, **self.options)


def topic_batches(batches: Iterator[Any], topic: str, rows: int = ROWS) -> Iterator[Any]:
    """Tables of at least so many rows, of batches that are sorted by topic: no topic is in two of them."""
    import pyarrow  # type: ignore[import-untyped]
    import pyarrow.compute as compute  # type: ignore[import-untyped]

    waiting: list[Any] = []
    for batch in batches:
        waiting.append(batch)
        if sum(each.num_rows for each in waiting) < rows:
            continue
        table = pyarrow.Table.from_batches(waiting)
        column = table.column(topic)
        last = np.flatnonzero(np.asarray(compute.equal(column, column[-1])))
        if len(last) and last[0]:
            yield table.slice(0, int(last[0]))
            waiting = table.slice(int(last[0])).to_batches()
    table = pyarrow.Table.from_batches(waiting) if waiting else None
    if table is not None and table.num_rows:
        yield table
