"""An answer about several collections: their tables one below the other, what some of them lack, and their mean."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any

from truerank.data.errors import InputError
from truerank.data.notes import Code, Note, urgent_first
from truerank.report.answer import VERSION, Answer, better_ends, method_line, raw_table
from truerank.report.rows import TYPED, Row, documents, jsonable
from truerank.report.signature import adjustable
from truerank.report.table import Bounded, Cell, Column, Rounded, Table, number

if TYPE_CHECKING:
    from truerank.report.plots.chart import Plot

MEAN = "mean"
"""What stands in the place of a collection where there is the mean over all of them: none can be called so."""
COLLECTION = Column("collection", whole=True, meaning=f'the collection; "{MEAN}" for the mean over collections')
COUNT = Column(
    "collections", number=True, type="int", meaning="of a mean, the collections that have it", minor=1, over="none"
)
LACKING = Code(
    "TR121",
    "what some of several collections do not have, so that means are over the others",
    "{cells} of {every:row} {cells:is|are} missing in one of {collections} {which}, and empty; {means:mean} "
    "{means:is|are} over fewer {which} than others",
)

_Place = tuple[str, int]
"""A column by its name, and which of those that are called so it is."""
_ALL = 10**12
"""As many rows as there are."""


class SeveralCollections(Answer):
    """The answers of a question for several collections, or for several groups of topics.

    Tables, records, JSON and notes are about all of them. Everything else is that of the first: ``found["bm25"]["AP"]``
    and the attributes that its answer has; ``found.collections`` has each by name. Figures are drawn side by side.
    """

    answers: tuple[Any, ...]
    """The answers for the single ones, all of the same question."""
    apart: str = COLLECTION.name
    """What they are: a collection, or a group."""

    def __post_init__(self) -> None:
        first = self.answers[0]
        known = ("question", "sheets", "files", "described", "notices")
        vars(self).update({name: getattr(first, name) for name in known})

    @cached_property
    def collections(self) -> Mapping[str, Any]:
        """The answer for each collection, by name."""
        return {one.collection: one for one in self.answers}

    # What is that of the first.

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "answers" not in vars(self) or hasattr(type(self), name):
            # Copies are made without any; and what fails here is not to be answered by the first.
            raise AttributeError(name)
        found = getattr(self.answers[0], name)
        if any(file.figure and name == (file.of or option) for option, file in self.files.items()):
            return self._side_by_side(name, found)
        return found

    def __getitem__(self, name: Any) -> Any:
        return self.answers[0][name]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.answers[0])

    def __len__(self) -> int:
        return len(self.answers[0])

    def __bool__(self) -> bool:
        return bool(self.answers[0])

    def usual(self) -> str:
        return str(self.answers[0].usual())

    def caption(self, show: str) -> str:
        return str(self.answers[0].caption(show))

    @property
    def form(self) -> str:
        return str(self.answers[0].form)

    def options(self, *, whole: bool = False) -> set[str]:
        found: set[str] = self.answers[0].options(whole=whole)
        return found

    def _facts(self) -> dict[str, Any]:
        found: dict[str, Any] = self.answers[0]._facts()
        return found

    # What is about all of them.

    @property
    def exit_code(self) -> int:
        """The highest of all: what was asked has to be so in each of them."""
        return max(int(one.exit_code) for one in self.answers)

    def closing(self, block: str = "") -> list[str]:
        return labelled(self._each(lambda one: one.closing(block)))

    def verdict(self, show: str) -> str:
        """What answers the question for each; once where it is the same for all."""
        if self.sheets[show].spans:
            return ""
        return " ".join(labelled(self._each(lambda one: filter(None, [one.verdict(show)]))))

    def lead(self, show: str) -> Iterable[str]:
        return () if self.sheets[show].spans else labelled(self._each(lambda one: one.lead(show)))

    def notes(self, show: str | None = None, quiet: Collection[str] = (), *, whole: bool = False) -> tuple[Note, ...]:
        """What there is to say of each collection, which is named, and of all."""
        name = self.kind(show)
        if self.sheets[name].spans:
            each = self._each(lambda one: [note for note in one.notices if note.code not in quiet])
            of_all = [*(self._around(name) if whole else ()), *self.own_notes(name)]
        else:
            each = self._each(lambda one: one.notes(name, quiet, whole=whole))
            of_all = [*joined(self._each(lambda one: one.whole_layout(name)), head=self.apart).notes]
        notes = (*(note for note in of_all if note.code not in quiet), *labelled(each))
        return tuple(urgent_first(note if isinstance(note, Note) else Note(note) for note in notes))

    def layout(self, show: str, **options: Any) -> Table:
        """The tables that people see of each, one below the other, and the means."""
        if self.sheets[show].spans:
            return better_ends(super().layout(show, **options), getattr(self.answers[0], "wanted", ()))
        tables = self._each(lambda one: one.layout(show, **options))
        whole = None
        if any(table.hidden for _, table in tables):
            whole = self._each(lambda one: one.layout(show, **{**options, "top": _ALL}))
        below = [
            (name, table.caption or method_line(one.caption(show)))
            for (name, table), one in zip(tables, self.answers, strict=True)
        ]
        return replace(
            for_people(joined(tables, whole, head=self.apart).table, len(tables)),
            caption=captions(below),
            key=captions([(name, table.key) for name, table in tables]),
            hidden=next((table.hidden for _, table in tables if table.hidden), ""),
            lead=tuple(labelled((name, table.lead) for name, table in tables)),
        )

    def whole_layout(self, show: str, **options: Any) -> Table:
        """The tables that programs read of each, one below the other, and the means."""
        if self.sheets[show].spans:
            return super().whole_layout(show)
        return joined(self._each(lambda one: one.whole_layout(show, **options)), head=self.apart).table

    def _in_columns(self, show: str) -> tuple[Sequence[Column], Sequence[Sequence[Any]]]:
        if self.sheets[show].spans:
            return super()._in_columns(show)
        kind = self.sheets[show].row
        table = joined(self._each(lambda one: raw_table(one.rows(show), kind, brief=False)), head=self.apart).table
        return table.columns, table.rows

    def to_dict(self, *, quiet: Collection[str] = ()) -> dict[str, Any]:
        """Everything, in the terms of JSON: rows with their collection, and the means of each sheet."""
        sheets: dict[str, Any] = {}
        means: dict[str, list[dict[str, Any]]] = {}
        for name, sheet in self.sheets.items():
            if not sheet.json:
                continue
            if sheet.spans:
                sheets[name] = documents(self.rows(name), sheet.row)
                continue
            each = [(one.collection, documents(one.rows(name), sheet.row)) for one in self.answers]
            sheets[name] = [{self.apart: of, **row} for of, rows in each for row in rows]
            means[name] = jsonable(mean_documents(sheet.row, each, self.apart))
        notes = dict.fromkeys(note for show in self.sheets for note in self.notes(show, whole=True))
        every = urgent_first(dict.fromkeys((*notes, *self.notices)))
        return {
            "version": VERSION,
            "question": self.question,
            **self._block(quiet),
            **self._facts(),
            f"{self.apart}s": [{self.apart: name, **facts} for name, facts in self._each(lambda one: one._facts())],
            **sheets,
            "means": means,
            "notes": [jsonable(note.as_dict()) for note in every if note.code not in quiet],
        }

    def _each(self, of: Callable[[Any], Any]) -> list[tuple[str, Any]]:
        """Something of each answer, with the name of its collection."""
        return [(one.collection, of(one)) for one in self.answers]

    def _side_by_side(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        """What draws the figure of each collection, side by side."""

        @wraps(method)
        def draw(*args: Any, **given: Any) -> Plot:
            if any(isinstance(value, Answer) for value in (*args, *given.values())):
                raise InputError("another answer is drawn beside that of one collection; draw collections one by one")
            from truerank.report.plots.panels import beside

            return beside(self._each(lambda one: getattr(one, name)(*args, **given)))

        return adjustable(draw)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}: {one!r}' for name, one in self.collections.items())})"


@dataclass(frozen=True, eq=False)
class Joined:
    """A table of several collections, and what is to be said of it."""

    table: Table
    notes: tuple[Note, ...] = ()


def joined(
    named: Sequence[tuple[str, Table]],
    whole: Sequence[tuple[str, Table]] | None = None,
    *,
    head: str = COLLECTION.name,
) -> Joined:
    """Tables of collections one below the other; and, where a column has a mean, rows of that.

    Rows of collections belong together that have the same cells in the columns that tell rows apart. What a collection
    does not have is a row with empty cells. Means are of the ``whole`` tables, where those that are ``named`` have but
    the first rows; ``head`` is what tells tables apart, collections or groups.

    >>> columns = (Column("run"), Column("AP", number=True, type="float", over="mean"))
    >>> one, other = Table(columns, (("x", 0.5), ("y", 0.25))), Table(columns, (("x", 0.25),))
    >>> found = joined([("med", one), ("cran", other)])
    >>> [row for row in found.table.rows if row[0] != "med"]
    [('cran', None, 'x', 0.25), ('cran', None, 'y', None), ('mean', 2, 'x', 0.375), ('mean', 1, 'y', 0.25)]
    >>> found.notes[0]
    '1 of 4 rows is missing in one of 2 collections, and empty; 1 mean is over fewer collections than others'
    """
    columns, blocks = _aligned(named)
    heads = [*columns.values()]
    keys = [at for at, head in enumerate(heads) if head.is_key]
    averaged = [at for at, head in enumerate(heads) if head.over == "mean"]
    parts = {name: [*rows] for (name, _), rows in zip(named, blocks, strict=True)}
    if not averaged or not keys:
        return Joined(_stacked(heads, parts, None, {}, head))
    everything = blocks if whole is None else _aligned(whole, columns)[1]
    by_key = [{tuple(row[at] for at in keys): row for row in rows} for rows in everything]
    if any(len(found) < len(rows) for found, rows in zip(by_key, everything, strict=True)):
        # Rows that nothing tells apart have no counterparts elsewhere.
        return Joined(_stacked(heads, parts, None, {}, head))
    shown = dict.fromkeys(tuple(row[at] for at in keys) for rows in blocks for row in rows)
    missing, means, short = 0, [], 0
    for key in shown:
        there = [found[key] for found in by_key if key in found]
        short += len(there) < len(named)
        row: list[Cell] = [None] * len(heads)
        for at, cell in zip(keys, key, strict=True):
            row[at] = cell
        for (name, _), found in zip(named, by_key, strict=True):
            if key not in found:
                missing += 1
                if whole is None:
                    parts[name].append(tuple(row))
        for at in averaged:
            row[at] = average([one[at] for one in there])
        means.append((len(there), tuple(row)))
    notes: tuple[Note, ...] = ()
    if missing:
        every = len(shown) * len(named)
        notes = (LACKING(cells=missing, every=every, collections=len(named), means=short, which=f"{head}s"),)
    return Joined(_stacked(heads, parts, means, {at: heads[at] for at in averaged}, head), notes)


def _aligned(
    named: Sequence[tuple[str, Table]], columns: Mapping[_Place, Column] | None = None
) -> tuple[dict[_Place, Column], list[list[tuple[Cell, ...]]]]:
    """All columns that a table has, and the rows of each table under these."""
    places = [_places(table) for _, table in named]
    every: dict[_Place, Column] = dict(columns or {})
    for own, (_, table) in zip(places, named, strict=True):
        for place, head in zip(own, table.columns, strict=True):
            if every.setdefault(place, head).title != head.title:
                # What is said above it is true of one collection only.
                every[place] = replace(every[place], head="")
    blocks = []
    for own, (_, table) in zip(places, named, strict=True):
        at = {place: index for index, place in enumerate(own)}
        picked = [at.get(place) for place in every]
        blocks.append([tuple(None if one is None else row[one] for one in picked) for row in table.rows])
    return every, blocks


def _places(table: Table) -> list[_Place]:
    seen: dict[str, int] = {}
    found = []
    for column in table.columns:
        seen[column.name] = seen.get(column.name, 0) + 1
        found.append((column.name, seen[column.name]))
    return found


def _stacked(
    heads: Sequence[Column],
    parts: Mapping[str, Sequence[tuple[Cell, ...]]],
    means: Sequence[tuple[int, tuple[Cell, ...]]] | None,
    averaged: Mapping[int, Column],
    head: str,
) -> Table:
    whose, count = _heads(head)
    if means is None:
        rows = tuple((name, *row) for name, some in parts.items() for row in some)
        return Table((whose, *heads), rows, blocks=tuple(map(len, parts.values())))
    # The mean of whole numbers is none.
    told = [replace(head, type="float") if at in averaged else head for at, head in enumerate(heads)]
    rows = tuple((name, None, *row) for name, some in parts.items() for row in some)
    rows += tuple((MEAN, count, *row) for count, row in means)
    return Table((whose, count, *told), rows, blocks=(*map(len, parts.values()), len(means)))


def _heads(head: str) -> tuple[Column, Column]:
    """The columns that name what tables are of, and count what a mean is over."""
    if head == COLLECTION.name:
        return COLLECTION, COUNT
    return (
        replace(COLLECTION, name=head, meaning=f'the {head}; "{MEAN}" for the mean over {head}s'),
        replace(COUNT, name=f"{head}s", meaning=f"of a mean, the {head}s that have it"),
    )


def for_people(table: Table, collections: int) -> Table:
    """Without the column that says how many collections a mean is over, where that is all of them."""
    _, count = _heads(table.columns[0].name)
    if count not in table.columns or any(row[1] not in (None, collections) for row in table.rows):
        return table
    columns = (table.columns[0], *table.columns[2:])
    return replace(table, columns=columns, rows=tuple((row[0], *row[2:]) for row in table.rows))


def average(cells: Sequence[Any]) -> Any:
    """The mean of what is known: of numbers, of bounds, of lists of numbers as far as all go; None where nothing is.

    >>> average([0.5, 1.0, None]), average([float("nan")]), average([Bounded(0.5, 0, 1), Bounded(0.7, 0.5, 1)])
    (0.75, nan, Bounded(value=0.6, low=0.25, high=1.0))
    >>> average([[1.0, 2.0, 3.0], [3.0, 4.0]])
    [2.0, 3.0]
    """
    there = [cell for cell in cells if cell is not None]
    if not there:
        return None
    if all(isinstance(cell, Bounded) for cell in there):
        return Bounded(*(average(ends) for ends in zip(*there, strict=True)))
    if all(isinstance(cell, list) for cell in there):
        return [average(values) for values in zip(*there)]  # noqa: B905
    if any(isinstance(cell, Rounded) for cell in there):
        digits = min(cell.digits for cell in there if isinstance(cell, Rounded))
        return Rounded(average([number(cell) for cell in there]), digits)
    known = [value for value in map(number, there) if not math.isnan(value)]
    return math.fsum(known) / len(known) if known else math.nan


def mean_documents(
    kind: type[Row], named: Sequence[tuple[str, Sequence[Mapping[str, Any]]]], head: str = COLLECTION.name
) -> list[dict[str, Any]]:
    """The means of rows in the terms of JSON: what tells rows apart, how many collections have it, and the means."""
    keys = [one.column_name for one in kind.described.values() if one.is_key and not one.for_people]
    averaged = [one for one in kind.described.values() if one.over == "mean" and not one.for_people]
    if not averaged or not keys:
        return []
    by_key: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for _, rows in named:
        own = [tuple(row[key] for key in keys) for row in rows]
        if len({*own}) < len(own):
            return []
        for key, row in zip(own, rows, strict=True):
            by_key.setdefault(key, []).append(row)
    return [
        dict(zip(keys, key, strict=True))
        | {name: rows[0][name] for name in (TYPED,) if name in rows[0]}
        | {f"{head}s": len(rows)}
        | {name: average([row.get(name) for row in rows]) for name in _names(kind, rows)}
        for key, rows in by_key.items()
    ]


def _names(kind: type[Row], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The columns that have a mean; those of numbers by name are known by what rows have."""
    told = [one for one in kind.described.values() if not one.for_people]
    single = {one.column_name for one in told if one.kind != "numbers"}
    spread = [one for one in told if one.kind == "numbers"]
    found = [one.column_name for one in told if one.over == "mean" and one.kind != "numbers"]
    for name in dict.fromkeys(name for row in rows for name in row if name not in single):
        # The pattern that says most of the name is the one that made it.
        fitting = [one for one in spread if _fits(name, one.spread)]
        if fitting and max(fitting, key=lambda one: len(one.spread)).over == "mean":
            found.append(name)
    return found


def _fits(name: str, spread: str) -> bool:
    before, _, after = spread.partition("{}")
    return name.startswith(before) and name.endswith(after)


def labelled(named: Iterable[tuple[str, Iterable[str]]]) -> list[str]:
    """What is said of each collection, with its name; once and without a name where it is said of all."""
    parts = [(name, [*notes]) for name, notes in named]
    everywhere = {note for note in parts[0][1] if all(note in notes for _, notes in parts)} if parts else set()
    found: list[str] = []
    for name, notes in parts:
        for note in notes:
            if note not in everywhere:
                found.append(note.about(name) if isinstance(note, Note) else f"{name}: {note}")
            elif note not in found:
                found.append(note)
    return found


def captions(named: Sequence[tuple[str, str]]) -> str:
    """The captions of tables in one: what they count is said of each, what they mean once.

    >>> captions([("med", "9 runs, 30 topics; shares of lists"), ("cran", "7 runs, 9 topics; shares of lists")])
    'med: 9 runs, 30 topics; cran: 7 runs, 9 topics; shares of lists'
    """
    parts = [(name, *text.partition("; ")) for name, text in named if text]
    if not parts:
        return ""
    tails = {tail for *_, tail in parts}
    if len(tails) > 1:
        return "; ".join(f"{name}: {text}" for name, text in named if text)
    return "; ".join(filter(None, (*(f"{name}: {head}" for name, head, *_ in parts), tails.pop())))
