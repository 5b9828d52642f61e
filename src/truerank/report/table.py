"""The one structure that results are laid out in, whatever format they end up in."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import NamedTuple, TypeAlias

from truerank.data.classes import dataclass
from truerank.data.printing import counted, percent, shortened, visible
from truerank.report.digits import p_number, rounded
from truerank.report.letters import raised

DIGITS = 4
"""Decimals of a number that a person reads."""
_FORMS: dict[str, Callable[[float, int], str]] = {
    "share": lambda value, _: percent(value),
    "signed": lambda value, digits: rounded(value, digits, sign=True),
    "p": lambda value, _: p_number(value),
    "short": lambda value, _: f"{value:.1f}",
}


class Bounded(NamedTuple):
    """A number with the bounds it lies in."""

    value: float
    low: float
    high: float


class Rounded(NamedTuple):
    """A number with as many decimals as it is worth, and what stands above it."""

    value: float
    digits: int
    marks: str = ""
    """Letters of a superscript."""


Cell: TypeAlias = "str | int | float | Bounded | Rounded | None"
"""A float is rounded for people and not for programs; None is a cell that has nothing to say."""


@dataclass(frozen=True)
class Column:
    """What a column holds."""

    name: str
    number: bool = False
    """Numbers are aligned to the right."""
    whole: bool = False
    """Not to be broken into lines."""
    best: str = ""
    """"high" or "low" where one end is the better one, and the best cell is to stand out."""
    head: str = ""
    """What people see above it, where that is not its name."""
    form: str = ""
    """How people see its numbers: as a "share" in per cent, "signed", as a "p" value, or "short" with one decimal."""
    meaning: str = ""
    """What it holds, in a line."""
    key: str = ""
    """What there is to know to read it, which stands below a table that has it."""
    minor: int = 0
    """How soon it is left out where a screen is too narrow; the largest goes first."""
    type: str = "str"
    """What is in its cells: "str", "int", "float" or "bool"."""
    over: str = ""
    """What becomes of it over several collections: it has a "mean", it is the "key" that tells rows apart, as text is
    unless it is told otherwise, or "none" of these."""
    summary: str = ""
    """Of ids, what a row has instead that sums up others: data frames of whole numbers have nothing there."""

    @property
    def is_key(self) -> bool:
        """Whether it tells rows of a collection apart."""
        return self.over == "key" or (not self.over and self.type == "str" and not self.number)

    @property
    def title(self) -> str:
        """What people see above it."""
        return f"{self.head or self.name}"


@dataclass(frozen=True)
class Table:
    """Columns and rows, with what there is to say about them.

    >>> table = Table((Column("run"), Column("AP", number=True, best="high")), (("a", 0.25), ("b", 0.5)))
    >>> table.text(), table.best()
    ([['a', '0.2500'], ['b', '0.5000']], {(1, 1)})
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    """How the numbers came about."""
    key: str = ""
    """What there is to know to read it, beside what its columns tell."""
    notes: tuple[str, ...] = ()
    """What a reader should know about them."""
    lead: tuple[str, ...] = ()
    """What a reader should know beforehand."""
    hidden: str = ""
    """Which rows are not among them, and how to see them."""
    digits: int | None = None
    """Decimals of numbers, where that is not left to their worth."""
    significant: int | None = None
    """Digits of numbers that programs read at most, where that is limited."""
    blocks: tuple[int, ...] = ()
    """How many rows belong together, such as those of a collection, where they are not all of one kind."""
    words: tuple[str, ...] = ()
    """Lines that plain text has in place of columns and rows, where a page reads better than a table."""
    verdict: str = ""
    """The sentence that answers the question. A table that has one is an answer block: nothing else stands above it,
    and below it what is worth knowing and the method."""
    spoken: bool = False
    """Whether the verdict says all that it has, so that only programs and LaTeX need it."""
    worth: tuple[str, ...] = ()
    """What is worth knowing, a line each."""
    more: str = ""
    """How many other notes there are, and how to see them."""
    after: tuple[str, ...] = ()
    """Lines that stand below all of that, for people."""

    @property
    def keys(self) -> str:
        """What there is to know to read the table and the columns that it has.

        >>> Table((Column("run"), Column("in", key="in: documents that entered")), (), key="best first").keys
        'best first; in: documents that entered'
        """
        return "; ".join(filter(None, (self.key, *(column.key for column in self.columns))))

    @property
    def below(self) -> str:
        """What stands below it in one: how the numbers came about, how to read them, and what is not shown."""
        return "; ".join(filter(None, (self.caption, self.keys, self.hidden)))

    @property
    def drawn(self) -> bool:
        """Whether its columns and rows are shown to people."""
        return bool(self.columns) and not (self.spoken and self.digits is None)

    @property
    def method(self) -> str:
        """How the numbers came about, and how to read them."""
        return "; ".join(filter(None, (self.caption, self.keys if self.drawn else "")))

    def text(self, *, marked: bool = True) -> list[list[str]]:
        """The cells as people read them, with or without what stands above numbers."""
        return [
            [
                shown(cell, column.form, marked=marked, digits=self.digits)
                for column, cell in zip(self.columns, row, strict=True)
            ]
            for row in self.rows
        ]

    def by(self, name: str, *, lowest: bool = False) -> Table:
        """The table with its rows sorted by a column, the highest first or the lowest; what is not known comes last.

        >>> Table((Column("run"), Column("loss", number=True)), (("a", 0.5), ("b", 0.25))).by("loss", lowest=True).rows
        (('b', 0.25), ('a', 0.5))
        """
        [place] = (at for at, column in enumerate(self.columns) if column.name == name)

        def merit(row: tuple[Cell, ...]) -> tuple[bool, float]:
            value = number(row[place])
            return (True, 0.0) if math.isnan(value) else (False, value if lowest else -value)

        return replace(self, rows=tuple(sorted(self.rows, key=merit)))

    def visible(self) -> Table:
        """The table as it can be shown to people: names in it are somebody else's text."""
        return replace(
            self,
            columns=tuple(replace(each, head=visible(each.title), key=visible(each.key)) for each in self.columns),
            rows=tuple(tuple(visible(cell) if isinstance(cell, str) else cell for cell in row) for row in self.rows),
            caption=visible(self.caption),
            key=visible(self.key),
            notes=tuple(map(visible, self.notes)),
            lead=tuple(map(visible, self.lead)),
            words=tuple(map(visible, self.words)),
            verdict=visible(self.verdict),
            worth=tuple(map(visible, self.worth)),
            after=tuple(map(visible, self.after)),
        )

    def cells(self, written: Callable[[str, bool, str], str]) -> list[list[str]]:
        """The cells as a format has them, ``written`` of the text, whether it is to stand out, and what to raise."""
        best = self.best()
        return [
            [
                written(text, (row, place) in best, cell.marks if isinstance(cell, Rounded) else "")
                for place, (cell, text) in enumerate(zip(self.rows[row], texts, strict=True))
            ]
            for row, texts in enumerate(self.text(marked=False))
        ]

    def best(self) -> set[tuple[int, int]]:
        """Rows and columns of the cells that stand out; cells that read alike stand out together, or not at all."""
        ends = [*accumulate(self.blocks or (len(self.rows),), initial=0)]
        return {cell for begin, end in pairwise(ends) for cell in self._best(range(begin, end))}

    def _best(self, rows: range) -> set[tuple[int, int]]:
        found = set()
        for place, column in enumerate(self.columns):
            cells = {row: self.rows[row][place] for row in rows}
            values = {row: value for row, cell in cells.items() if not math.isnan(value := number(cell))}
            if not column.best or not values:
                continue
            top = max(values, key=lambda row: values[row] if column.best == "high" else -values[row])
            alike = {row for row in values if _value(cells[row], self.digits) == _value(cells[top], self.digits)}
            if len(alike) < len(rows):
                found |= {(row, place) for row in alike}
        return found

    def flat(self) -> Table:
        """The table with bounds in columns of their own, for programs."""
        bounded = [any(isinstance(row[place], Bounded) for row in self.rows) for place in range(len(self.columns))]
        columns = [
            part
            for column, split in zip(self.columns, bounded, strict=True)
            for part in ([column, *_ends(column)] if split else [column])
        ]
        rows = [
            [part for cell, split in zip(row, bounded, strict=True) for part in (_parts(cell) if split else [cell])]
            for row in self.rows
        ]
        return replace(self, columns=tuple(columns), rows=tuple(tuple(row) for row in rows))


def caption(*counts: str, conventions: Mapping[str, object], meaning: str = "") -> str:
    """How many of what, the conventions that are to be named, and what the numbers mean.

    >>> caption("2 runs", "1 topic", conventions={"ties": "best"}, meaning="shares of lists")
    '2 runs, 1 topic, ties best; shares of lists'
    """
    named = ", ".join([*counts, *(f"{axis} {value}" for axis, value in conventions.items())])
    return shortened(f"{named}; {meaning}" if meaning else named, None)


def more_notes(count: int) -> str:
    """How many notes are not shown, and the option that shows them.

    >>> more_notes(2), more_notes(1), more_notes(0)
    ('2 more notes: add --notes', '1 more note: add --notes', '')
    """
    return f"{counted(count, 'more note')}: add --notes" if count else ""


def hidden(seen: int, there: int, what: str, top: int | None = None) -> str:
    """How many rows are shown, and the option that shows all: so many of each kind.

    >>> hidden(20, 66, "pairs"), hidden(5, 5, "pairs"), hidden(40, 132, "pairs", 66)
    ('20 of 66 pairs shown: --top 66', '', '40 of 132 pairs shown: --top 66')
    """
    return f"{seen:,} of {there:,} {what} shown: --top {top or there}" if seen < there else ""


def shown(cell: Cell, form: str = "", *, marked: bool = True, digits: int | None = None) -> str:
    """A cell as people read it, with so many decimals if they are asked for.

    >>> shown(0.41), shown(12), shown(Bounded(0.5, 0.25, 1.0)), shown(float("nan")), shown(None), shown(Rounded(1, 2))
    ('0.4100', '12', '0.5000 [0.2500, 1.0000]', 'undefined', '', '1.00')
    >>> shown(0.41, "share"), shown(0.41, "signed"), shown(0.00012, "p"), shown(12.345, "short")
    ('41%', '+0.4100', '.0001', '12.3')
    >>> shown(0.41234, digits=2), shown(Rounded(0.41234, 4), digits=3), shown(0.41234, "signed", digits=1)
    ('0.41', '0.412', '+0.4')
    """
    usual = DIGITS if digits is None else digits
    if cell is None:
        return ""
    if form and isinstance(cell, (int, float)) and not isinstance(cell, bool):
        return "undefined" if math.isnan(cell) else _FORMS[form](float(cell), usual)
    if isinstance(cell, Rounded):
        return rounded(cell.value, cell.digits if digits is None else digits) + raised(cell.marks) * marked
    if isinstance(cell, Bounded):
        value, low, high = (shown(one, digits=digits) for one in cell)
        return f"{value} [{low}, {high}]"
    if isinstance(cell, float):
        return "undefined" if math.isnan(cell) else f"{cell:.{usual}f}"
    return f"{cell}"


def plain(cell: Cell) -> Cell:
    """A cell with a word for true and false."""
    return ("yes" if cell else "no") if isinstance(cell, bool) else cell


def number(cell: Cell) -> float:
    """The number in a cell; NaN where there is none."""
    value = cell.value if isinstance(cell, (Bounded, Rounded)) else cell
    return float(value) if isinstance(value, (int, float)) else math.nan


def _value(cell: Cell, digits: int | None) -> str:
    """The number of a cell as people read it, without anything around it."""
    return shown(cell if isinstance(cell, Rounded) else number(cell), marked=False, digits=digits)


def _ends(column: Column) -> list[Column]:
    return [replace(column, name=f"{column.name}.{end}", best="") for end in ("low", "high")]


def _parts(cell: Cell) -> list[Cell]:
    return [*cell] if isinstance(cell, Bounded) else [cell, None, None]
