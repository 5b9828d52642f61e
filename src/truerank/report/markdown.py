"""A table in Markdown."""

from __future__ import annotations

from truerank.report.table import Table


def render(table: Table) -> str:
    """A pipe table; the best cells are bold.

    >>> from truerank.report.table import Column
    >>> print(render(Table((Column("run"), Column("AP", number=True)), (("bm25", 0.25),))))
    | run | AP |
    |:---|---:|
    | bm25 | 0.2500 |
    """
    lines = [*(part for line in table.lead for part in (escaped(line), ""))]
    lines.append(_line([escaped(column.title) for column in table.columns]))
    lines.append("|" + "|".join("---:" if column.number else ":---" for column in table.columns) + "|")
    lines += map(_line, table.cells(_cell))
    if table.caption:
        lines += ["", f"({escaped(table.caption)})"]
    if table.notes:
        lines += ["", *(f"- {escaped(note)}" for note in table.notes)]
    return "\n".join(lines)


def escaped(text: str) -> str:
    """Text without the signs that Markdown reads as its own, on one line.

    >>> escaped("a|b_c*")
    'a\\\\|b\\\\_c\\\\*'
    """
    for sign in "\\|_*`<":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())


def _cell(text: str, best: bool, letters: str) -> str:
    plain = f"**{escaped(text)}**" if best else escaped(text)
    return plain + (f"<sup>{letters}</sup>" if letters else "")


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
