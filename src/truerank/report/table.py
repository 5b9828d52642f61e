"""The one structure that results are laid out in, whatever format they end up in."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

DIGITS = 4
"""Decimals of a number that a person reads."""


class Bounded(NamedTuple):
    """A number with the bounds it lies in."""

    value: float
    low: float
    high: float


Cell: TypeAlias = "str | int | float | Bounded | None"
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
    notes: tuple[str, ...] = ()
    """What a reader should know about them."""
    document: Callable[[], object] | None = None
    """Makes the JSON form, of results that have one of their own."""

    def text(self) -> list[list[str]]:
        """The cells as people read them."""
        return [[shown(cell) for cell in row] for row in self.rows]

    def best(self) -> set[tuple[int, int]]:
        """Rows and columns of the cells that stand out; cells that read alike stand out together, or not at all."""
        found = set()
        for place, column in enumerate(self.columns):
            cells = {row: cells[place] for row, cells in enumerate(self.rows)}
            values = {row: value for row, cell in cells.items() if not math.isnan(value := number(cell))}
            if not column.best or not values:
                continue
            top = max(values.values()) if column.best == "high" else min(values.values())
            alike = {row for row, value in values.items() if shown(value) == shown(top)}
            if len(alike) < len(self.rows):
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


def shown(cell: Cell) -> str:
    """A cell as people read it.

    >>> shown(0.41), shown(12), shown(Bounded(0.5, 0.25, 1.0)), shown(float("nan")), shown(None)
    ('0.4100', '12', '0.5000 [0.2500, 1.0000]', 'undefined', '')
    """
    if cell is None:
        return ""
    if isinstance(cell, Bounded):
        return f"{shown(cell.value)} [{shown(cell.low)}, {shown(cell.high)}]"
    if isinstance(cell, float):
        return "undefined" if math.isnan(cell) else f"{cell:.{DIGITS}f}"
    return str(cell)


def number(cell: Cell) -> float:
    """The number in a cell; NaN where there is none."""
    value = cell.value if isinstance(cell, Bounded) else cell
    return float(value) if isinstance(value, (int, float)) else math.nan


def _ends(column: Column) -> list[Column]:
    return [replace(column, name=f"{column.name}.{end}", best="") for end in ("low", "high")]


def _parts(cell: Cell) -> list[Cell]:
    return [*cell] if isinstance(cell, Bounded) else [cell, None, None]
