"""A table made to fit a screen: nothing is broken inside a number or a word, and what is left out is named."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

from truerank.data.printing import counted
from truerank.report.table import Table

GAP = 2
"""Blanks between columns."""
SENTENCE = 28
"""Columns that a sentence is not made narrower than, if it is longer."""
LONG_NAME, SHORT_NAME = 32, 12
"""Columns of a name that is cut before anything is left out, and that none is cut below."""
CUT = "…"


class Fitted(NamedTuple):
    """A table that fits, and how wide its columns are."""

    table: Table
    widths: list[int]
    folds: list[bool]
    """Which columns have sentences, to be broken into lines between words."""
    unseen: str = ""
    """What does not show, in a line."""


def fitted(table: Table, width: int) -> Fitted:
    """A table in so many columns of a screen.

    Sentences are broken into lines, and long names cut; where that is not enough, columns are left out: minor ones
    first, then from the right, but never the first one.

    >>> from truerank.report.table import Column
    >>> first = (Column("run"), Column("AP", number=True))
    >>> columns = (*first, Column("tied", number=True, minor=1), Column("P", number=True))
    >>> found = fitted(Table(columns, (("bm25", 0.5, 0.1, 0.25),)), 22)
    >>> [column.name for column in found.table.columns], found.unseen
    (['run', 'AP', 'P'], 'not shown here: tied')
    >>> fitted(Table((Column("run"),), (("a-very-long-name-of-a-run",),)), 16).table.rows
    (('a-very-l…f-a-run',),)
    """
    texts = table.text()
    wide = [max((cell_len(row[place]) for row in texts), default=0) for place in range(len(table.columns))]
    folds = [
        not column.number and not column.whole and wide[place] > SENTENCE and any(" " in row[place] for row in texts)
        for place, column in enumerate(table.columns)
    ]
    titles = [max(each, cell_len(column.title)) for each, column in zip(wide, table.columns, strict=True)]
    broken = _together(titles, [*range(len(titles))]) > width
    heads = [max(map(cell_len, column.title.split()), default=0) for column in table.columns]
    natural = [max(each, head) for each, head in zip(wide, heads, strict=True)] if broken else titles
    least = [
        each if column.number else max(min(each, SENTENCE if fold else LONG_NAME), head)
        for each, head, fold, column in zip(natural, heads, folds, table.columns, strict=True)
    ]
    kept = list(range(len(table.columns)))
    while len(kept) > 1 and _together(least, kept) > width:
        kept.remove(_least_worth(table, kept, folds))
    widths = _shared([least[place] for place in kept], [natural[place] for place in kept], width)
    cut = [not table.columns[place].number and not folds[place] for place in kept]
    widths = _cut(widths, cut, width)
    left_out = [column.title for place, column in enumerate(table.columns) if place not in kept]
    shorter = any(new < natural[place] for place, new, may in zip(kept, widths, cut, strict=True) if may)
    smaller = replace(
        table,
        columns=tuple(
            replace(table.columns[place], head=_broken(table.columns[place].title, new))
            for place, new in zip(kept, widths, strict=True)
        ),
        rows=tuple(
            tuple(
                _shortened(cell, new) if may and isinstance(cell := row[place], str) else row[place]
                for place, new, may in zip(kept, widths, cut, strict=True)
            )
            for row in table.rows
        ),
    )
    return Fitted(smaller, widths, [folds[place] for place in kept], _unseen(left_out, cut=shorter))


def _together(widths: list[int], kept: list[int]) -> int:
    return sum(widths[place] for place in kept) + GAP * (len(kept) - 1)


def _least_worth(table: Table, kept: list[int], folds: list[bool]) -> int:
    """The column to leave out next; what is told in words is dearer than a number."""
    return max(kept[1:], key=lambda place: (table.columns[place].minor, not folds[place], place))


def _shared(least: list[int], natural: list[int], width: int) -> list[int]:
    """Widths that use the room there is: what is left over goes to those that could be wider, from the right."""
    widths = [*least]
    spare = width - sum(widths) - GAP * (len(widths) - 1)
    for place in reversed(range(len(widths))):
        more = max(0, min(spare, natural[place] - widths[place]))
        widths[place] += more
        spare -= more
    return widths


def _cut(widths: list[int], may: list[bool], width: int) -> list[int]:
    """Widths with names cut, the longest first, as far as that is of use."""
    over = sum(widths) + GAP * (len(widths) - 1) - width
    widths = [*widths]
    while over > 0:
        longest = max((place for place, one in enumerate(may) if one), key=lambda place: widths[place], default=None)
        if longest is None or widths[longest] <= SHORT_NAME:
            break
        widths[longest] -= 1
        over -= 1
    return widths


def _shortened(name: str, width: int) -> str:
    """A name without its middle, where it is too long: what tells names apart is at their ends."""
    if cell_len(name) <= width:
        return name
    tail = (width - 1) // 2
    return f"{set_cell_size(name, width - 1 - tail).rstrip()}{CUT}{name[len(name) - tail :]}"


def _broken(title: str, width: int) -> str:
    """A title in lines that are no wider than the column, unless a word is."""
    lines: list[str] = []
    for word in title.split(" "):
        if lines and cell_len(lines[-1]) + 1 + cell_len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return "\n".join(lines)


def _unseen(columns: list[str], *, cut: bool) -> str:
    named = ", ".join(" ".join(title.split()) for title in columns[:4])
    more = f" and {counted(len(columns) - 4, 'more column')}" if len(columns) > 4 else ""
    return "; ".join([*([f"not shown here: {named}{more}"] if columns else []), *(["names are cut"] if cut else [])])
