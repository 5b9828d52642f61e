"""A table as aligned plain text."""

from __future__ import annotations

from truerank.report.table import Table


def render(table: Table) -> str:
    """Columns two spaces apart, under a line of their names.

    >>> from truerank.report.table import Column
    >>> print(render(Table((Column("run"), Column("AP", number=True)), (("bm25", 0.25),), notes=("one",))))
    run       AP
    ----  ------
    bm25  0.2500
    <BLANKLINE>
    note: one
    """
    lines = [[column.title for column in table.columns], *table.text()]
    widths = [max(len(line[place]) for line in lines) for place in range(len(table.columns))]
    lines.insert(1, ["-" * width for width in widths])
    aligned = [
        "  ".join(
            cell.rjust(width) if column.number else cell.ljust(width)
            for cell, width, column in zip(line, widths, table.columns, strict=True)
        ).rstrip()
        for line in lines
    ]
    below = [f"({table.caption})"] * bool(table.caption) + [f"note: {note}" for note in table.notes]
    first = [*table.lead, ""] if table.lead else []
    return "\n".join([*first, *aligned, *([""] * bool(below)), *below])
