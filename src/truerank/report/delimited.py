"""A table as text that programs read: tab or comma separated, numbers unrounded."""

from __future__ import annotations

import csv
import io

from truerank.report.table import Cell, Rounded, Table


def tsv(table: Table) -> str:
    """Tab-separated values.

    >>> from truerank.report.table import Column
    >>> print(tsv(Table((Column("run"), Column("AP")), (("bm25", 1 / 3),))).expandtabs(8))
    run     AP
    bm25    0.3333333333333333
    """
    return _delimited(table, "\t")


def csv_(table: Table) -> str:
    """Comma-separated values."""
    return _delimited(table, ",")


def _delimited(table: Table, delimiter: str) -> str:
    flat = table.flat()
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow([column.name for column in flat.columns])
    writer.writerows([_exact(cell) for cell in row] for row in flat.rows)
    return text.getvalue().rstrip("\n")


def _exact(cell: Cell) -> str:
    cell = cell.value if isinstance(cell, Rounded) else cell
    return "" if cell is None else repr(cell) if isinstance(cell, float) else str(cell)
