"""A table on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from truerank.data.notes import Note
from truerank.data.printing import counted, visible, wrapped
from truerank.report import text
from truerank.report.fitting import Fitted, fitted
from truerank.report.table import Table

LONGEST = 2000
"""Rows past which plain text is printed, which needs no measuring of cells."""


NOTES = 3
"""Notes that are printed, unless all are asked for."""
CLAUSE = 0.4
"""Share of a line that a part of a sentence fills at least to stand for it; otherwise it is cut between words."""
MORE = " …"
NOTE = "note: "


def show(table: Table, console: Console, *, notes: bool = False) -> None:
    """Print a table as wide as the screen, or its words; the best cells are bold, and a few lines stand below.

    What is said takes a line each, and is cut between words; all of it in full where ``notes`` are asked for.
    """
    if len(table.rows) > LONGEST:
        _as_it_is(text.render(table), console)
        return
    said, how = [_line(note, full=notes) for note in table.notes], _line(table.caption, full=notes)
    lead = [_line(line, full=notes) for line in table.lead]
    table = table.visible()
    for line in lead:
        console.print(Text(line))
    if lead:
        console.print()
    key, unseen = table.key, ""
    if table.words:
        for line in table.words:
            console.print(Text(wrapped(line, console.width)))
    elif table.columns:
        fit = fitted(table, console.width)
        console.print(_drawn(fit))
        key, unseen = fit.table.keys, fit.unseen
    below = [*filter(None, (how, key, table.hidden, unseen and f"{unseen}; --format tsv has everything"))]
    if (table.words or table.columns) and (below or said):
        console.print()
    for line in _together(below, console.width):
        console.print(Text(line, style="dim"))
    few = said if notes else said[:NOTES]
    cut = False
    for note in few:
        line = note if notes else clipped(note, console.width - len(NOTE))
        cut = cut or line != note or note not in table.notes
        console.print(Text.assemble((NOTE, "yellow"), line))
    if len(few) < len(said):
        console.print(Text(f"+ {counted(len(said) - len(few), 'note')}{', in full' * cut}: --notes", style="dim"))
    elif cut:
        console.print(Text("in full: --notes", style="dim"))


def clipped(sentence: str, width: int) -> str:
    """A sentence in one line: as many of its parts as fit, or of its words, and a sign that there is more.

    >>> clipped("ties move 2 runs; most in bm25", 24), clipped("ties move 2 runs; most in bm25", 12)
    ('ties move 2 runs …', 'ties move …')
    """
    if cell_len(sentence) <= width:
        return sentence
    room = width - len(MORE)
    for ends in (("; ", ": "), (", ", " ("), (" ",)):
        cuts = [at for end in ends for at in _places(sentence, end) if cell_len(sentence[:at]) <= room]
        if cuts and (ends == (" ",) or max(cuts) >= CLAUSE * width):
            return sentence[: max(cuts)] + MORE
    return sentence


def _places(sentence: str, sign: str) -> Iterator[int]:
    at = sentence.find(sign)
    while at >= 0:
        yield at
        at = sentence.find(sign, at + 1)


def _line(said: str, *, full: bool) -> str:
    """What is said, as a screen has it."""
    brief = said.brief if isinstance(said, Note) and not full else ""
    return visible(brief or said)


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
