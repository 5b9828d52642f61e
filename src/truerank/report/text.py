"""A table as aligned plain text."""

from __future__ import annotations

from truerank.report.table import Table


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
    first = [*table.lead, ""] if table.lead else []
    below = [*([f"({table.below})"] if table.below else []), *(f"note: {note}" for note in table.notes)]
    body = table.words or (_aligned(table) if table.columns else ())
    if below and body:
        below.insert(0, "")
    return "\n".join([*first, *body, *below])


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
