"""A table on a terminal."""

from __future__ import annotations

from typing import Literal

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from truerank.report import text
from truerank.report.fitting import Fitted, fitted
from truerank.report.table import Table

LONGEST = 2000
"""Rows past which plain text is printed, which needs no measuring of cells."""


NOTES = 3
"""Notes that are printed, unless all are asked for."""


def show(table: Table, console: Console, *, notes: bool = False) -> None:
    """Print a table as wide as the screen, or its words; the best cells are bold, some or all notes stand below."""
    if len(table.rows) > LONGEST:
        _as_it_is(text.render(table), console)
        return
    table = table.visible()
    for line in table.lead:
        console.print(Text(line))
    if table.lead:
        console.print()
    unseen = ""
    if table.words:
        for line in table.words:
            console.print(Text(line))
    elif table.columns:
        fit = fitted(table, console.width)
        console.print(_drawn(fit))
        unseen = fit.unseen
    if (table.words or table.columns) and (table.caption or table.notes or unseen):
        console.print()
    if table.caption:
        console.print(Text(table.caption, style="dim"))
    if unseen:
        console.print(Text(f"{unseen}; a wider screen or --format tsv has everything", style="dim"))
    few = table.notes if notes or len(table.notes) <= NOTES + 1 else table.notes[:NOTES]
    for note in few:
        console.print(Text.assemble(("note: ", "yellow"), note))
    if len(few) < len(table.notes):
        console.print(Text(f"+ {len(table.notes) - len(few)} notes: --notes", style="dim"))


def _as_it_is(lines: str, console: Console) -> None:
    console.print(lines, markup=False, highlight=False, soft_wrap=True)


def _drawn(fit: Fitted) -> RichTable:
    drawn = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True, padding=(0, 1))
    for column, width, folds in zip(fit.table.columns, fit.widths, fit.folds, strict=True):
        side: Literal["left", "right"] = "right" if column.number else "left"
        drawn.add_column(Text(column.title), justify=side, overflow="fold", no_wrap=not folds, width=width)
    best = fit.table.best()
    for row, cells in enumerate(fit.table.text()):
        drawn.add_row(*(Text(t, style="bold green" if (row, p) in best else "") for p, t in enumerate(cells)))
    return drawn
