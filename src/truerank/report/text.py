"""A table as aligned plain text."""

from __future__ import annotations

from truerank.data.printing import wrapped
from truerank.report.table import Table

WIDTH = 80
"""Columns that sentences are broken into; a table is as wide as it is."""


def render(table: Table) -> str:
    """Columns two spaces apart, under a line of their names; or the words that stand for them.

    >>> from truerank.report.table import Column
    >>> print(render(Table((Column("run"), Column("AP", number=True)), (("bm25", 0.25),), notes=("one",))))
    run       AP
    ----  ------
    bm25  0.2500
    <BLANKLINE>
    note: one
    >>> print(render(Table((), (), words=("AP is 0.25.",))))
    AP is 0.25.
    """
    table = table.visible()
    if table.verdict:
        return "\n".join(_block(table))
    first = [*table.lead, ""] if table.lead else []
    below = [*([f"({table.below})"] if table.below else []), *(f"note: {note}" for note in table.notes)]
    body = table.words or (_aligned(table) if table.columns else ())
    if below and body:
        below.insert(0, "")
    return "\n".join([*first, *body, *below])


def _block(table: Table) -> list[str]:
    """The answer block: the verdict, the table, what is worth knowing and the method."""
    body = [*(table.words or (_aligned(table) if table.drawn else ())), *filter(None, [table.hidden])]
    worth = [*(bullet(line, WIDTH) for line in table.worth), *(["    " + table.more] if table.more else [])]
    return [
        wrapped(table.verdict, WIDTH),
        *(["", *body] if body else []),
        *(["", *worth] if worth else []),
        *([wrapped(table.method, WIDTH)] if table.method else []),
        *(["", *table.after] if table.after else []),
    ]


def bullet(line: str, width: int) -> str:
    """A line of what is worth knowing, broken between words, with its command in one piece.

    >>> print(bullet("Ties move 2 runs.  [truerank ties]", 32))
      - Ties move 2 runs.
        [truerank ties]
    """
    said, mark, command = line.rpartition("  [")
    whole = said + mark + command.replace(" ", "\xa0") if mark and len(command) < width // 2 else line
    return wrapped(f"  - {whole}", width).replace("\xa0", " ")


def _aligned(table: Table) -> list[str]:
    lines = [[column.title for column in table.columns], *table.text()]
    widths = [max(len(line[place]) for line in lines) for place in range(len(table.columns))]
    lines.insert(1, ["-" * width for width in widths])
    return [
        "  ".join(
            cell.rjust(width) if column.number else cell.ljust(width)
            for cell, width, column in zip(line, widths, table.columns, strict=True)
        ).rstrip()
        for line in lines
    ]
