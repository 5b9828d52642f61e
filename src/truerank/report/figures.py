"""Figures by what they show: the rows of a sheet, and the columns that are names, values and groups of them.

A description knows neither colours nor what draws it; that is ``report/plots/kinds.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

Reads = str | Callable[[Any], Any]
"""A column of a row by its name, or what a function makes of the row."""


@dataclass(frozen=True, kw_only=True)
class FigureAxis:
    """What positions mean; without a domain it goes from the smallest to the largest of what is drawn."""

    title: str
    domain: tuple[float, float] | None = None
    room: float = 0.05
    """Share of that which is left free at both ends."""
    names: tuple[str, ...] = ()
    """What the positions 0, 1, ... are called, if they are no numbers."""
    ticks: tuple[float, ...] | None = None
    titled: bool = True
    nice: bool = False
    """Whether it may grow to round numbers."""
    log: bool = False


@dataclass(frozen=True, kw_only=True)
class IntervalMarks:
    """A line of the panel per row of the sheet: a dot at a value, from its lower to its upper bound a line."""

    name: Reads = "run"
    value: Reads
    low: Reads
    high: Reads
    group: Reads | None = None
    word: Reads | None = None
    """What stands at the end of the row, in the colour of its group; there is no legend then."""
    noun: str = "system"
    zero: bool = False
    """Whether 0 has a dashed line, and is on the axis."""
    width: int = 300
    row: int = 18
    """Pixels of a row."""
    least: int = 0
    """Pixels that a panel has at least."""


@dataclass(frozen=True, kw_only=True)
class BarMarks:
    """A line of the panel per name: a bar from the lower to the upper end of each of its rows, beside each other."""

    name: Reads = "name"
    low: Reads = "low"
    high: Reads = "high"
    group: Reads = "group"
    noun: str = "system"
    """What a name is."""
    kind: str = "group"
    """What a group is."""
    width: int = 420
    row: int = 18
    """Pixels of a row."""


@dataclass(frozen=True, kw_only=True)
class HeatMarks:
    """A cell per row of the sheet, at the places of two of its columns: the higher the value, the darker.

    Axes have the names of rows and columns; the first row is on top.
    """

    column: Reads = "column"
    row: Reads = "row"
    value: Reads = "value"
    text: Reads | None = None
    """What is written in it; without, cells are too small for numbers."""
    called: Reads
    """What a cell is, where it is pointed at."""
    field: str
    """What the value is called there."""
    noun: str
    cell: tuple[float, float]
    """Pixels from left to right and downwards."""
    opposite: bool = False
    """Whether values below 0 have a colour of their own."""


@dataclass(frozen=True, kw_only=True)
class DotMarks:
    """A dot per row of the sheet, by two of its columns."""

    name: Reads = "run"
    x: Reads
    y: Reads
    group: Reads | None = None
    noun: str = "system"
    width: int = 380
    height: int = 280


@dataclass(frozen=True, kw_only=True)
class RangeMarks:
    """A line of the panel per row of the sheet: from an end to the other, thick between two values inside, and points.

    ``points`` are values by what they are called; the mean is a dot, and the others are short upright lines.
    """

    name: Reads = "run"
    worst: Reads
    low: Reads
    mean: Reads
    high: Reads
    best: Reads
    points: Reads
    called: str
    """What the mean is called in the legend."""
    point: str = "order"
    """What a point is, where it is pointed at."""
    noun: str = "system"
    width: int = 380
    row: int = 20


@dataclass(frozen=True, kw_only=True)
class LineMarks:
    """A line per row, through the values of two columns; those without a group are thin and behind the others."""

    name: Reads = "name"
    x: Reads = "x"
    y: Reads = "y"
    group: Reads = "name"
    noun: str = "system"
    dot: str = "system"
    """What a dot on a line is."""
    beside: bool = False
    """Whether names of lines stand beside their ends."""
    width: int = 380
    height: int | Callable[[int], int] = 280
    """Pixels, perhaps by the number of lines."""


Kind = IntervalMarks | RangeMarks | BarMarks | HeatMarks | DotMarks | LineMarks


class Series(NamedTuple):
    """A row of a figure of lines, if no sheet has the values of one in a row."""

    name: str
    x: Sequence[float]
    y: Sequence[float]


class PlacedDot(NamedTuple):
    """A dot on a line of a figure."""

    name: str
    x: float
    y: float
    group: str = ""


@dataclass(frozen=True, kw_only=True)
class FigurePanel:
    """The rows that a panel shows, and its axes; intervals and ranges have one."""

    rows: Sequence[Any]
    x: FigureAxis
    y: FigureAxis | None = None
    title: str = ""
    across: float | None = None
    """A dashed line from side to side."""
    dots: Sequence[PlacedDot] | None = None
    """Dots on lines; None if no line has any."""
    least: float | None = None
    """The value of the lightest cells, where that is not the least of them."""
    second: bool = False
    """Whether cells have the second colour, which is not to be mistaken for the first."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """Panels of one kind."""

    kind: Kind
    panels: Sequence[FigurePanel]
    title: str
    caption: str
    groups: tuple[str, ...] = ()
    """What colours stand for, in the order of the legend; without any there is one colour."""
    legend: str = ""
    """What stands before the groups."""
    aside: str = ""
    """A group that is there for comparison only: grey."""
    opposite: bool = False
    """Whether the first two groups are opposites, and the third neither; otherwise neighbours are shades."""
    in_a_row: int = 6
    """Groups that stand beside each other in the legend."""
    columns: int = 1
    among: tuple[str, ...] = ()
    """All that colours are for, in the order given, so that a run has the same colour in every figure."""
    ranking: tuple[str, ...] = ()
    """The runs that have marks of their own, the best first."""


def read(row: Any, what: Reads) -> Any:
    """What a description reads of a row.

    >>> from types import SimpleNamespace
    >>> row = SimpleNamespace(run="bm25", mean=0.5)
    >>> read(row, "run"), read(row, lambda row: 100 * row.mean)
    ('bm25', 50.0)
    """
    return what(row) if callable(what) else getattr(row, what)
