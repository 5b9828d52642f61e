"""A table as text that programs read: tab or comma separated, numbers as they are unless fewer digits are asked for."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable

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
    """Comma-separated values; text that a spreadsheet would take for a formula has an apostrophe before it.

    >>> from truerank.report.table import Column
    >>> print(csv_(Table((Column("run"), Column("gain")), (("=1+1", -0.5), ("-run_1", 2)))))
    run,gain
    '=1+1,-0.5
    -run_1,2
    """
    return _delimited(table, ",", _no_formula)


class _Lines(io.StringIO):
    """Ends lines in a line feed, though what has a carriage return in it is in quotes, as it is between such ends."""

    def write(self, line: str) -> int:
        return super().write(line.removesuffix("\r\n") + "\n")


def _delimited(table: Table, delimiter: str, name: Callable[[str], str] = str) -> str:
    flat = table.flat()
    text = _Lines()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow([name(f"{column.name}") for column in flat.columns])
    writer.writerows([_written(cell, name, flat) for cell in row] for row in flat.rows)
    return text.getvalue().removesuffix("\n")


def _written(cell: Cell, name: Callable[[str], str], table: Table) -> str:
    cell = cell.value if isinstance(cell, Rounded) else cell
    if isinstance(cell, str):
        return name(cell)
    if isinstance(cell, float):
        if table.digits is not None:
            return f"{cell:.{table.digits}f}"
        return repr(cell if table.significant is None else float(f"{cell:.{table.significant}g}"))
    return "" if cell is None else str(cell)


_FORMULA = re.compile(r"[\s\0]*[=+\-@\uff1d\uff0b\uff0d\uff20]")
"""How a formula begins; the last four are wide forms of the others, which some spreadsheets take for them."""
_WORD = re.compile(r"[+\-@]?[\w.-]*")
"""A number, or an id such as -aB3_x and @name, of which nothing can be computed that would do something."""


def _no_formula(text: str) -> str:
    return f"'{text}" if _FORMULA.match(text) and not _WORD.fullmatch(text) else text
