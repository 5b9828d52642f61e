"""A table in LaTeX, for the package booktabs."""

from __future__ import annotations

from truerank.data.printing import visible
from truerank.report.table import Table

_SIGNS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "[": "{[}",
    "]": "{]}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}


def render(table: Table) -> str:
    r"""A tabular; the best cells are bold, what there is to know stands in comments.

    >>> from truerank.report.table import Column
    >>> print(render(Table((Column("run"), Column("AP", number=True)), (("my_run", 0.25),))))
    \begin{tabular}{lr}
    \toprule
    run & AP \\
    \midrule
    my\_run & 0.2500 \\
    \bottomrule
    \end{tabular}
    """
    comments = [f"% {visible(' '.join(line.split()))}" for line in _said(table)]
    return "\n".join(
        [
            *comments,
            rf"\begin{{tabular}}{{{''.join('r' if column.number else 'l' for column in table.columns)}}}",
            r"\toprule",
            _line([escaped(column.title) for column in table.columns]),
            r"\midrule",
            *map(_line, table.cells(_cell)),
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def _said(table: Table) -> list[str]:
    if table.verdict:
        return [*filter(None, (table.verdict, table.hidden, *table.worth, table.more, table.method))]
    return [*table.lead, *([table.below] * bool(table.below)), *table.notes]


def escaped(text: str) -> str:
    r"""Text without the signs that LaTeX reads as its own; a bracket after a line break would be an argument.

    >>> print(escaped("50%_[x]"))
    50\%\_{[}x{]}
    """
    return "".join(_SIGNS.get(sign, sign) for sign in visible(text))


def _cell(text: str, best: bool, letters: str) -> str:
    plain = rf"\textbf{{{escaped(text)}}}" if best else escaped(text)
    return plain + (rf"\textsuperscript{{{letters}}}" if letters else "")


def _line(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"
