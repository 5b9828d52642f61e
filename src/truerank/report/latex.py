"""A table in LaTeX, for the package booktabs: it compiles as pasted, no wider than a page of the class article."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from truerank.data.printing import visible
from truerank.report.table import Column, Rounded, Table

WIDTH, HEIGHT = 330.0, 480.0
"""Points of a line and a page: those of the class article, less the indentation of a paragraph and the headings."""
SENTENCE = 20
"""Characters from which on text may be broken into lines."""
FEW = 2
"""Lines of a row that are no reason for smaller type."""
NARROWEST = 8.0
"""Widths of the letter M that a column of sentences is not made narrower than."""


@dataclass(frozen=True)
class _Size:
    """A size of type: its command, the width of the letter M in points, the gap at each side of a column, its lines."""

    command: str
    em: float
    gap: float
    line: float

    def around(self, tabular: list[str]) -> list[str]:
        """A tabular in this size."""
        if not self.command:
            return tabular
        begin = rf"{{{self.command}\setlength{{\tabcolsep}}{{{self.gap:g}pt}}%"
        return [begin, *tabular[:-1], tabular[-1] + "}"]


_SIZES = (
    _Size("", 10, 6, 12),
    _Size(r"\small", 9.25, 4, 11),
    _Size(r"\footnotesize", 8.5, 3, 9.5),
    _Size(r"\scriptsize", 7.97, 2.5, 8),
)
_SIGNS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "[": "{[}",
    "]": "{]}",
    "<": "$<$",
    ">": "$>$",
    "|": r"\textbar{}",
    '"': "''",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}
_NUMBER = r"(?:\d[\d,]*(?:\.\d+)?|\.\d+)"
_SPECIAL = re.compile(
    rf"""(?P<interval>\[[-+]?{_NUMBER},\ [-+]?{_NUMBER}\])
    | (?P<power>(?<![\w.])[-+]?{_NUMBER}e[-+]?\d+(?!\w))
    | (?P<relation>[<>]=?\ ?[-+]?{_NUMBER})
    | (?P<signed>(?<![\w.)\]-])[-+]{_NUMBER}(?![\w-]))
    | (?P<option>(?<![\w-])--[a-z][\w-]*)
    | (?P<opening>(?<![\w.])"(?=\S))""",
    re.VERBOSE,
)
"""What is set otherwise than sign by sign: numbers with a sign, options, and quotes that open."""
_DECIMAL = re.compile(r"(?:< )?[-+]?(?=[\d.])[\d,]*(\.\d+|)%?")
"""A number, and what stands behind its point."""
_BREAKS = re.compile(r"\\_|/")
_BREAK = r"\g<0>\\allowbreak{}"
"""Where long names in text may be broken."""
_WIDTHS = {
    sign: width
    for signs, width in (
        ("!',.:;_`il", 0.28),
        ("fj-I()[]rst", 0.39),
        ("cez? ", 0.47),
        ("$*/0123456789agoJkqvxy", 0.53),
        ("Sbdhnpu", 0.56),
        ("ZLFEPBCT", 0.72),
        ("AHNRUVXYDGKOQw&", 0.78),
        ("#%m+<>=~^", 0.84),
        ("MW", 1.03),
    )
    for sign in signs
}
"""Widths of Computer Modern, in those of the letter M."""


def render(table: Table) -> str:
    r"""A tabular; the best cells are bold, what there is to know stands in comments.

    >>> from truerank.report.table import Column
    >>> print(render(Table((Column("run"), Column("AP", number=True)), (("my_run", -0.25),))))
    \begin{tabular}{lr}
    \toprule
    run & AP \\
    \midrule
    my\_run & $-0.2500$ \\
    \bottomrule
    \end{tabular}
    """
    body: list[str] = []
    unseen = ""
    if table.columns:
        fitting, unseen = _fitting(table)
        # What is longer than a page is several tables.
        body = ["\n\n\\medskip\n\\noindent\n".join(fitting.tabulars())]
    elif table.words:
        body = [escaped(line) for line in table.words]
    said = [*_said(table), *([unseen] if unseen else [])]
    return "\n".join([*(f"% {visible(' '.join(line.split()))}" for line in said), *body])


def _said(table: Table) -> list[str]:
    if table.verdict:
        return [*filter(None, (table.verdict, table.hidden, *table.worth, table.more, table.method))]
    return [*table.lead, *([table.below] * bool(table.below)), *table.notes]


def escaped(text: str) -> str:
    r"""Text as LaTeX sets it: no sign that it reads as its own, real minus signs, quotes in pairs, options to copy.

    A bracket after a line break would be an argument.

    >>> print(escaped("50%_[x]"))
    50\%\_{[}x{]}
    >>> print(escaped('"a" is 0.5 lower, [-0.25, 0.75], p < .001; see --show pairs'))
    ``a'' is 0.5 lower, $[-0.25, 0.75]$, p $< .001$; see \texttt{-{}-show} pairs
    """
    parts, begin = [], 0
    text = visible(text)
    for found in _SPECIAL.finditer(text):
        parts += [_literally(text[begin : found.start()]), _set(found)]
        begin = found.end()
    return "".join([*parts, _literally(text[begin:])])


def typewriter(text: str) -> str:
    r"""What is to be copied letter by letter, such as a command.

    >>> print(typewriter("truerank compare --test t"))
    \texttt{truerank compare -{}-test t}
    """
    literal = "".join(sign if sign in '<>|"' else _SIGNS.get(sign, sign) for sign in visible(text))
    return rf"\texttt{{{literal.replace('--', '-{}-')}}}"


def _literally(text: str) -> str:
    return "".join(_SIGNS.get(sign, sign) for sign in text)


def _set(found: re.Match[str]) -> str:
    text = found[0]
    if found["opening"]:
        return "``"
    if found["option"]:
        return typewriter(text)
    if found["power"]:
        base, exponent = text.split("e")
        return rf"${base}\cdot 10^{{{int(exponent)}}}$"
    text = re.sub(r",(?=\d)", "{,}", text.replace("<=", r"\le ").replace(">=", r"\ge "))
    return f"${text}$"


@dataclass(frozen=True)
class _Cells:
    """A column as LaTeX has it."""

    column: Column
    head: list[str]
    """What stands above it, in lines."""
    cells: list[str]
    marks: list[str]
    """What is raised behind each cell."""
    texts: list[str]
    """The cells as plain text."""
    wraps: float = 0
    """Points that its text is broken into; 0 for a column that is as wide as its cells."""

    @classmethod
    def of(cls, table: Table, place: int) -> _Cells:
        """A column of a table, its numbers aligned on the decimal point."""
        column, best = table.columns[place], {row for row, at in table.best() if at == place}
        texts = [row[place] for row in table.text(marked=False)]
        cells = [_bold(text) if row in best else escaped(text) for row, text in enumerate(texts)]
        if column.number:
            found = [_DECIMAL.fullmatch(text) for text in texts]
            ends = [one[1] for one in found if one]
            most = max(map(len, ends), default=0)
            for row, one in enumerate(found):
                if one and len(one[1]) < most:
                    missing = "." * (not one[1]) + "0" * (most - max(len(one[1]), 1))
                    cells[row] += rf"\phantom{{{missing}}}"
        marks = [cell.marks if isinstance(cell := row[place], Rounded) else "" for row in table.rows]
        return cls(column, [column.title], cells, marks, texts)

    @property
    def inside(self) -> float:
        """The width of its cells, in those of the letter M."""
        bold = 1.15 if self.column.best else 1
        return max(map(_width, self.texts), default=0) * bold + max(map(_width, self.marks), default=0) * 0.75

    @property
    def widest(self) -> float:
        """Its width."""
        return max(self.inside, *map(_width, self.head))

    @property
    def folds(self) -> bool:
        """Whether it has text that may be broken into lines."""
        return not self.column.number and any(len(text) > SENTENCE for text in self.texts)

    @property
    def form(self) -> str:
        """How it is declared."""
        if self.wraps:
            return f"p{{{self.wraps:.0f}pt}}"
        return ("r" if self.column.number else "l") + "@{}l" * any(self.marks)

    def cell(self, row: int) -> str:
        """A cell; where marks are raised they have a column of their own, so that numbers stay aligned."""
        if self.wraps:
            return rf"\raggedright {_BREAKS.sub(_BREAK, self.cells[row])}" if self.cells[row] else ""
        raised = rf"\textsuperscript{{{self.marks[row]}}}" if self.marks[row] else ""
        return f"{self.cells[row]} & {raised}".rstrip() if any(self.marks) else self.cells[row]

    def title(self, line: int, lines: int) -> str:
        """A line of its head, which stands at the bottom of so many lines."""
        above = lines - len(self.head)
        text = escaped(self.head[line - above]) if line >= above else ""
        return rf"\multicolumn{{2}}{{{'c' if self.column.number else 'l'}}}{{{text}}}" if any(self.marks) else text

    def broken(self) -> _Cells:
        """The same with its head in lines no wider than its cells, unless a word is."""
        lines: list[str] = []
        for word in self.column.title.split():
            if lines and _width(f"{lines[-1]} {word}") <= self.inside:
                lines[-1] += f" {word}"
            else:
                lines.append(word)
        return replace(self, head=lines or [""])


@dataclass(frozen=True)
class _Fitting:
    """Columns in a size of type."""

    columns: Sequence[_Cells]
    size: _Size

    @property
    def width(self) -> float:
        """Points from side to side."""
        inside = sum(one.wraps or one.widest * self.size.em for one in self.columns)
        return inside + 2 * self.size.gap * len(self.columns)

    @property
    def lines(self) -> list[int]:
        """Lines that each row takes."""
        texts = zip(*(one.texts for one in self.columns), strict=True)
        wraps = [one.wraps for one in self.columns]
        return [max(_lines(text, wide, self.size) for text, wide in zip(row, wraps, strict=True)) for row in texts]

    @property
    def deepest(self) -> int:
        """Lines of its highest row."""
        return max(self.lines, default=1)

    @property
    def height(self) -> float:
        """Points from the first row to the last."""
        return sum(self.lines) * self.size.line

    def folded(self) -> _Fitting:
        """The same with text broken into the room that there is."""
        wide = {place: one.widest * self.size.em for place, one in enumerate(self.columns) if one.folds}
        room = WIDTH - self.width + sum(wide.values())
        columns = [*self.columns]
        # The narrow ones first: what they do not need is left to the others.
        for left, place in zip(range(len(wide), 0, -1), sorted(wide, key=lambda place: wide[place]), strict=True):
            share = min(wide[place], max(room / left, NARROWEST * self.size.em))
            room -= share
            if share < wide[place]:
                columns[place] = replace(columns[place], wraps=share)
        return replace(self, columns=columns)

    def tabulars(self) -> list[str]:
        """Tables that are no longer than a page each."""
        head = [" & ".join(line) for line in self._head()]
        end = r" \tabularnewline" if self.columns[-1].wraps else r" \\"
        pages: list[list[str]] = []
        room = 0.0
        for row, high in enumerate(self.lines):
            if not pages or room < high:
                pages.append([])
                room = HEIGHT / self.size.line - len(head) - 3
            pages[-1].append(" & ".join(one.cell(row) for one in self.columns))
            room -= high
        return [
            "\n".join(
                self.size.around(
                    [
                        rf"\begin{{tabular}}{{{''.join(one.form for one in self.columns)}}}",
                        r"\toprule",
                        *(line + end for line in head),
                        r"\midrule",
                        *(line + end for line in page),
                        r"\bottomrule",
                        r"\end{tabular}",
                    ]
                )
            )
            for page in pages or [[]]
        ]

    def _head(self) -> list[list[str]]:
        lines = max(len(one.head) for one in self.columns)
        return [[one.title(line, lines) for one in self.columns] for line in range(lines)]


def _fitting(table: Table) -> tuple[_Fitting, str]:
    """The columns as large as fits in few lines: with heads and then text broken, then smaller, then fewer of them.

    What is left out is named.
    """
    every = [_Cells.of(table, place) for place in range(len(table.columns))]
    kept = [*range(len(every))]
    while True:
        columns = [every[place] for place in kept]
        broken = [one.broken() for one in columns]
        tried = [_Fitting(columns, _SIZES[0]), _Fitting(broken, _SIZES[0])]
        tried += [_Fitting(broken, size).folded() for size in _SIZES]
        fits = [one for one in tried if one.width <= WIDTH + 0.5]
        if fits or len(kept) == 1:
            found = next((one for one in fits if one.deepest <= FEW), None)
            found = found or min(fits, key=lambda one: one.height, default=tried[-1])
            left_out = [one.column.title for place, one in enumerate(every) if place not in kept]
            return found, f"not shown: {', '.join(left_out)}" if left_out else ""
        kept.remove(max(kept[1:], key=lambda place: (table.columns[place].minor, not every[place].folds, place)))


def _bold(text: str) -> str:
    sign = f"${text[0]}$" if text[:1] in ("+", "-") else ""
    return rf"\textbf{{{sign}{escaped(text[1:] if sign else text)}}}"


def _width(text: str) -> float:
    """The width of text, in those of the letter M."""
    return sum(_WIDTHS.get(sign, 0.78) for sign in text)


def _lines(text: str, wraps: float, size: _Size) -> int:
    """Lines that a cell takes."""
    return math.ceil(1.1 * _width(text) * size.em / wraps) if wraps and text else 1
