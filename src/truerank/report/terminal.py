"""A table on a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Literal

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from truerank.data.notes import LINES, Note
from truerank.data.printing import visible, wrapped
from truerank.report import text
from truerank.report.fitting import Fitted, fitted
from truerank.report.table import Table, more_notes

LONGEST = 2000
"""Rows past which plain text is printed, which needs no measuring of cells."""
NOTE = "note: "


def show(table: Table, console: Console, *, notes: bool = False) -> None:
    """Print a table as wide as the screen, or its words; the best cells are bold, and a few lines stand below.

    What is said is broken between words, and never cut. A table without a verdict has the first few notes below it,
    in brief where they have a shorter form; all of them in full where ``notes`` are asked for.
    """
    if len(table.rows) > LONGEST:
        _as_it_is(text.render(table), console)
        return
    if table.verdict:
        _block(table.visible(), console)
        return
    said, how = [_line(note, full=notes) for note in table.notes], _line(table.caption, full=notes)
    lead = [_line(line, full=notes) for line in table.lead]
    table = table.visible()
    for line in lead:
        console.print(Text(wrapped(line, console.width)))
    if lead:
        console.print()
    key, unseen = _body(table, console)
    below = [*filter(None, (how, key, table.hidden, unseen))]
    if (table.words or table.columns) and (below or said):
        console.print()
    for line in _together(below, console.width):
        console.print(Text(line, style="dim"))
    few = said if notes else said[:LINES]
    for note in few:
        lines = textwrap.fill(note, console.width - len(NOTE), break_long_words=False, break_on_hyphens=False)
        console.print(Text.assemble((NOTE, "yellow"), lines.replace("\n", "\n" + " " * len(NOTE))))
    if len(few) < len(said):
        console.print(Text(more_notes(len(said) - len(few)), style="dim"))


def _block(table: Table, console: Console) -> None:
    """The answer block: the verdict, the table, what is worth knowing and the method."""
    console.print(Text(wrapped(table.verdict, console.width), style="bold"))
    if table.words or table.drawn:
        console.print()
    key, unseen = _body(table, console)
    for line in _together([*filter(None, (table.hidden, unseen))], console.width):
        console.print(Text(line, style="dim"))
    if table.worth or table.more:
        console.print()
    for line in table.worth:
        console.print(Text(text.bullet(line, console.width)))
    if table.more:
        console.print(Text(f"    {table.more}", style="dim"))
    method = "; ".join(filter(None, (table.caption, key)))
    if method:
        console.print(Text(wrapped(method, console.width), style="dim"))
    if table.after:
        console.print()
    for line in table.after:
        console.print(Text(wrapped(line, console.width)))


def _body(table: Table, console: Console) -> tuple[str, str]:
    """Print the words, or columns and rows; what there is to know to read what shows, and what does not show."""
    if table.words:
        for line in table.words:
            console.print(Text(wrapped(line, console.width)))
    elif table.drawn:
        fit = fitted(table, console.width)
        console.print(_drawn(fit))
        return fit.table.keys, f"{fit.unseen}; --format tsv has everything" if fit.unseen else ""
    return "" if table.columns else table.key, ""


def _line(said: str, *, full: bool) -> str:
    """What is said, as a screen has it."""
    if not isinstance(said, Note) or full:
        return visible(said)
    see = f"; see {said.command}" if said.brief and said.command else ""
    return visible(f"{said.brief or said}{see}")


def _together(parts: Sequence[str], width: int) -> Iterator[str]:
    """Parts in lines, where those that fit into one share it; one that is longer than a line is broken elsewhere."""
    line = ""
    for part in parts:
        joined = f"{line}; {part}" if line else part
        if line and cell_len(joined) > width:
            yield line
            joined = part
        line = joined
    if line:
        yield line


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
