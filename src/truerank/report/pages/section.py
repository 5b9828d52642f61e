"""A section of a page: sentences, tables and figures, whatever format they end up in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

from truerank.report.table import Column

LEVELS = 8
"""Colours of a heat map, from the worst to the best value."""


class Link(NamedTuple):
    """A text that leads to another place of the page."""

    text: str
    to: str
    """The id of the place."""


class Strip(NamedTuple):
    """A value with its interval, drawn on the scale that all rows of the column share."""

    value: float
    low: float
    high: float
    kind: str = ""
    """"better", "worse", "best", or "ranks" for a band of possible ranks."""


class Shade(NamedTuple):
    """A text on a colour, or in one."""

    text: str
    level: int | None = None
    """From 0 to ``LEVELS`` - 1; None where there is no value."""
    kind: str = ""
    """"better", "worse", "best" or "quiet", in the colour of that."""


class Shades(NamedTuple):
    """Colours beside each other: a row of a heat map that has no room for numbers."""

    levels: tuple[int | None, ...]


PageCell: TypeAlias = "str | int | Link | Strip | Shade | Shades | None"
"""What a cell of a page can hold; numbers come as the text that people read."""


@dataclass(frozen=True, kw_only=True)
class Listing:
    """A table of a page."""

    name: str
    """Its id."""
    caption: str
    """What it shows, in a sentence."""
    columns: tuple[Column, ...]
    rows: Sequence[Sequence[PageCell]]
    measure: str = ""
    """The measure it is about; "" where it is about all."""
    of: str = ""
    """"run" or "topic": what the first column with that name finds its rows by."""
    scales: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """For columns of strips, the ends of the scale."""
    zero: bool = False
    """Whether the scale of strips has a line at 0."""
    dense: bool = False
    """Whether cells stand close together, as in a heat map."""
    sortable: bool = True
    main: str = ""
    """Of the table that the page is about, what its bars are: "differences" or "ranks"."""
    ticks: Sequence[float] = ()
    """Of strips, the values that the scale names."""
    few: int = 0
    """Rows that are shown until all are asked for; 0 for all."""
    by: tuple[str, bool] = ("", False)
    """The column that rows are sorted by, and whether its highest value comes first."""
    below: str = ""
    """A line below it: what is not shown, how to read it."""
    legend: tuple[str, str] | None = None
    """What the colours at either end of a heat map mean."""
    data: Mapping[str, object] = field(default_factory=dict)
    """What a script needs to show it in another way: of another baseline, or what is pointed at."""


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A figure: SVG whose colours are those of the page, and a sentence for those who do not see it."""

    svg: str
    said: str
    measure: str = ""


@dataclass(frozen=True, kw_only=True)
class Words:
    """Sentences of a measure."""

    lines: tuple[str, ...]
    measure: str = ""
    kind: str = ""
    """"method" for how numbers came about."""


@dataclass(frozen=True, kw_only=True)
class Headline:
    """The answer by a measure, in large type, and one sentence more."""

    text: str
    detail: str = ""
    measure: str = ""


@dataclass(frozen=True, kw_only=True)
class WorthKnowing:
    """What a reader should know about the answer: a few lines, and the others."""

    lines: tuple[str, ...]
    more: tuple[str, ...] = ()
    measure: str = ""


@dataclass(frozen=True, kw_only=True)
class Folded:
    """A part that is opened when it is wanted: a topic."""

    name: str
    """Its id, by which it is linked to."""
    title: str
    blocks: tuple[Block, ...]
    of: str = ""
    """"topic", where it is found by its topic."""
    key: str = ""
    """What it is found by."""
    command: str = ""


Block: TypeAlias = "Listing | Picture | Words | WorthKnowing | Folded"


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of a page, which a question gives."""

    name: str
    """Its id."""
    title: str
    blocks: tuple[Block, ...]
    commands: tuple[str, ...] = ()
    """What says more about it."""
    folded: bool = False
    """Whether a reader opens it."""


def within(section: Section, place: str, title: str) -> Section:
    """The same section as one of several of its kind on a page: its parts have places of their own, and so have links.

    >>> within(Section(name="depth", title="Depth", blocks=()), "c2", "med").title
    'med: Depth'
    """
    return replace(
        section,
        name=f"{place}-{section.name}",
        title=f"{title}: {section.title}",
        blocks=tuple(_within(block, place) for block in section.blocks),
    )


def _within(block: Block, place: str) -> Block:
    if isinstance(block, Folded):
        inside = tuple(_within(one, place) for one in block.blocks)
        return replace(block, name=f"{place}-{block.name}", blocks=inside)
    if isinstance(block, Listing):
        rows = [
            [cell._replace(to=f"{place}-{cell.to}") if isinstance(cell, Link) else cell for cell in row]
            for row in block.rows
        ]
        return replace(block, name=f"{place}-{block.name}", rows=rows)
    return block


def level(value: float, low: float, high: float) -> int | None:
    """The colour of a value on a scale; None where it is undefined.

    >>> level(0.0, 0, 1), level(0.5, 0, 1), level(1.0, 0, 1), level(1.0, 1, 0), level(float("nan"), 0, 1)
    (0, 4, 7, 0, None)
    """
    if value != value or low == high:
        return None if value != value else 0
    share = (value - low) / (high - low)
    return min(LEVELS - 1, max(0, int(share * LEVELS)))
