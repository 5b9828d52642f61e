"""A table in Markdown."""

from __future__ import annotations

import re

from truerank.data.printing import visible
from truerank.report.table import Table

_SIGNS = re.compile(r"[\\|_*`<~$]|\](?=[(\[:])|&(?=[#A-Za-z0-9])")
"""Brackets are left alone, as around intervals, where nothing comes after them that makes a link."""
_BLANK = "\t\n\r"


def render(table: Table) -> str:
    """A pipe table; the best cells are bold.

    >>> from truerank.report.table import Column
    >>> print(render(Table((Column("run"), Column("AP", number=True)), (("bm25", 0.25),))))
    | run | AP |
    |:---|---:|
    | bm25 | 0.2500 |
    """
    if table.verdict:
        return _block(table)
    lines = [*(part for line in table.lead for part in (escaped(line), "")), *_rows(table)]
    if table.below:
        lines += [*([""] if table.columns else []), f"({escaped(table.below)})"]
    if table.notes:
        lines += ["", *(f"- {escaped(note)}" for note in table.notes)]
    return "\n".join(lines)


def _rows(table: Table) -> list[str]:
    if not table.drawn:
        return []
    return [
        _line([escaped(column.title) for column in table.columns]),
        "|" + "|".join("---:" if column.number else ":---" for column in table.columns) + "|",
        *map(_line, table.cells(_cell)),
    ]


def _block(table: Table) -> str:
    """The answer block: the verdict, the table, what is worth knowing and the method."""
    worth = [f"- {escaped(line)}" for line in (*table.worth, *filter(None, [table.more]))]
    parts = [[f"**{escaped(table.verdict)}**"], _rows(table), [escaped(table.hidden)], worth, [escaped(table.method)]]
    parts += [[f"    {line}" for line in table.after]]
    return "\n\n".join("\n".join(lines) for lines in parts if any(lines))


def escaped(text: str) -> str:
    r"""Text without the signs that Markdown reads as its own, on one line: no link, image, emphasis, formula or tag.

    >>> print(escaped("a|b_c*"), escaped("![seen](http://x)"), escaped("0.5 [0.4, 0.6]"))
    a\|b\_c\* ![seen\](http://x) 0.5 [0.4, 0.6]
    """
    return " ".join(visible(_SIGNS.sub(r"\\\g<0>", text), keep=_BLANK).split())


def _cell(text: str, best: bool, letters: str) -> str:
    plain = f"**{escaped(text)}**" if best else escaped(text)
    return plain + (f"<sup>{letters}</sup>" if letters else "")


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
