"""A table on a terminal."""

from __future__ import annotations

from typing import Literal

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from truerank.report import text
from truerank.report.table import Table

LONGEST = 2000
"""Rows past which plain text is printed, which needs no measuring of cells."""


def show(table: Table, console: Console) -> None:
    """Print a table, or its words; the best cells are bold, notes stand below."""
    if len(table.rows) > LONGEST:
        _as_it_is(text.render(table), console)
        return
    table = table.visible()
    for line in table.lead:
        console.print(Text(line))
    if table.lead:
        console.print()
    if table.words:
        _as_it_is("\n".join(table.words), console)
    else:
        console.print(_drawn(table))
    if table.caption or table.notes:
        console.print()
    if table.caption:
        console.print(Text(table.caption, style="dim"))
    for note in table.notes:
        console.print(Text.assemble(("note: ", "yellow"), note))


def _as_it_is(lines: str, console: Console) -> None:
    console.print(lines, markup=False, highlight=False, soft_wrap=True)


def _drawn(table: Table) -> RichTable:
    drawn = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True, padding=(0, 1))
    for column in table.columns:
        side: Literal["left", "right"] = "right" if column.number else "left"
        drawn.add_column(Text(column.title), justify=side, overflow="fold", no_wrap=column.whole)
    best = table.best()
    for row, cells in enumerate(table.text()):
        drawn.add_row(*(Text(t, style="bold green" if (row, p) in best else "") for p, t in enumerate(cells)))
    return drawn
