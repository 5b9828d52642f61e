"""A table in HTML: as a page, or as a part of one."""

from __future__ import annotations

from html import escape

from truerank.data.printing import visible
from truerank.report.table import Table

_STYLE = """
.truerank { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.truerank caption { caption-side: bottom; color: #666; font-size: 90%; padding-top: .5em; text-align: left; }
.truerank th, .truerank td { padding: .2em .8em; text-align: left; }
.truerank th { border-bottom: 1px solid; }
.truerank .number { text-align: right; }
.truerank-verdict { font-weight: 600; }
.truerank-method { color: #666; font-size: 90%; }
"""


def render(table: Table) -> str:
    """A page that stands alone."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>truerank</title>\n'
        f"</head>\n<body>\n{fragment(table)}\n</body>\n</html>"
    )


def fragment(table: Table) -> str:
    """The table alone, with its style; the best cells are strong.

    >>> from truerank.report.table import Column
    >>> print(fragment(Table((Column("run"),), (("<a>",),))).partition("</style>")[2])
    <BLANKLINE>
    <table class="truerank">
    <thead><tr><th>run</th></tr></thead>
    <tbody>
    <tr><td>&lt;a&gt;</td></tr>
    </tbody>
    </table>
    """
    kinds = [' class="number"' if column.number else "" for column in table.columns]
    head = "".join(f"<th{kind}>{escaped(c.title)}</th>" for kind, c in zip(kinds, table.columns, strict=True))
    lines = [f"<style>{_STYLE}</style>"]
    below = table.below
    if table.verdict:
        lines.append(f'<p class="truerank-verdict">{escaped(table.verdict)}</p>')
        below = table.hidden
    else:
        lines += [f"<p>{escaped(line)}</p>" for line in table.lead]
    if table.verdict and not table.drawn:
        return "\n".join([*lines, *_below(table)])
    lines.append('<table class="truerank">')
    lines += [f"<caption>{escaped(below)}</caption>"] * bool(below)
    lines += [f"<thead><tr>{head}</tr></thead>", "<tbody>"]
    for cells in table.cells(_cell):
        row = "".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(kinds, cells, strict=True))
        lines.append(f"<tr>{row}</tr>")
    lines += ["</tbody>", "</table>"]
    if table.verdict:
        lines += _below(table)
    elif table.notes:
        lines += ["<ul>", *(f"<li>{escaped(note)}</li>" for note in table.notes), "</ul>"]
    return "\n".join(lines)


def _below(table: Table) -> list[str]:
    """What is worth knowing, and the method."""
    worth = [f"<li>{escaped(line)}</li>" for line in (*table.worth, *filter(None, [table.more]))]
    method = [f'<p class="truerank-method">{escaped(table.method)}</p>'] if table.method else []
    after = ["<pre>", *map(escaped, table.after), "</pre>"] if table.after else []
    return [*(["<ul>", *worth, "</ul>"] if worth else []), *method, *after]


def escaped(text: str) -> str:
    r"""Text that a page shows as it is.

    >>> print(escaped("<b>\x00"))
    &lt;b&gt;\x00
    """
    return escape(visible(text))


def _cell(text: str, best: bool, letters: str) -> str:
    plain = f"<strong>{escaped(text)}</strong>" if best else escaped(text)
    return plain + (f"<sup>{escaped(letters)}</sup>" if letters else "")
