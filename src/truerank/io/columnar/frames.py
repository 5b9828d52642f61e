"""Runs and judgments from tables: data frames of pandas and polars, Arrow tables, parquet files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from truerank.data.arrange import arrange
from truerank.data.arrays import Floats, spans
from truerank.data.arrays import offsets as offsets_of
from truerank.data.errors import InputError, Origin
from truerank.data.ids import Ids
from truerank.data.prefer import prefer
from truerank.data.qrels import Preferences, Qrels, collect
from truerank.data.run import Run
from truerank.io.columnar.table import Table, open_table
from truerank.io.columnar.vector_ids import ids_of, topics_of
from truerank.io.columnar.vectors import Numbers, Vector, floats_of, joined_parts
from truerank.io.columns import settle_allocator
from truerank.io.declared import Declared, Parts
from truerank.io.direction import NEGATED, RANKED, refuse_listed
from truerank.io.headers import recognise
from truerank.io.relations import REMEDY, outcomes


def run_from_table(
    table: Any, name: str = "run", *, columns: Mapping[str, str] | None = None, higher_is_better: bool | None = None
) -> Run:
    """Make a run of a table with a row for each document.

    ``columns`` says which columns hold the topic, the doc and the score or rank, where their names do not;
    ``higher_is_better=False`` says that scores are distances. Without scores, ranks order the documents.
    """
    with _opened(table) as (opened, origin):
        columns = _by_text(columns)
        parts = Declared("run", columns, higher_is_better).parts(opened.names)
        rank_name = recognise(opened.names, "run", columns).get("rank")
        topic, docs, value, *ranks = _read(opened, parts, *([] if parts.is_rank or rank_name is None else [rank_name]))
        topics, segment, bounds = _topics(topic, "a run")
        score = floats_of(*value)
        notes = parts.notes
        if parts.is_rank:
            refuse_listed(higher_is_better)
            score, notes = np.subtract(0.0, score, out=score), (*notes, RANKED)
        elif higher_is_better is False:
            score, notes = np.subtract(0.0, score, out=score), (*notes, NEGATED)
        (ids, key), rank = ids_of(*docs), None
        if ranks:
            ids, rank = _with_ranks(ids, ranks[0][0])
        # What is moved in place is ours: numbers and the places of ids. The text is not.
        run = arrange(name, topics, bounds, ids, score, segment=segment, key=key, rank=rank, origin=origin, reuse=True)
    return replace(run, notes=notes)


def qrels_from_table(table: Any, *, columns: Mapping[str, str] | None = None) -> Qrels:
    """Make judgments of a table with a row for each; one with the columns better and worse holds preferences."""
    with _opened(table) as (opened, origin):
        columns = _by_text(columns)
        if _has_preferences(opened, columns):
            return _preferences(opened, columns, origin)
        parts = Declared("qrels", columns).parts(opened.names)
        topic, docs, value = _read(opened, parts)
        topics, segment, bounds = _topics(topic, "qrels")
        grade = floats_of(*value, truth=True)
        return replace(
            collect(topics, bounds, ids_of(*docs)[0], grade, segment=segment, origin=origin), notes=parts.notes
        )


def preferences_from_table(table: Any, *, columns: Mapping[str, str] | None = None) -> Preferences:
    """Make preferences of a table with the columns topic, better and worse, or topic, first, second and relation."""
    with _opened(table) as (opened, origin):
        return _preferences(opened, _by_text(columns), origin)


def _preferences(opened: Table, columns: Mapping[str, str] | None, origin: Origin) -> Preferences:
    parts = Declared("preferences", columns).fitting(opened.names).parts(opened.names)
    topic, *docs = _read(opened, parts, *([] if parts.relation is None else [parts.relation]))
    topics, segment, bounds = _topics(topic, "preferences")
    first, second = (ids_of(*column)[0] for column in docs[:2])
    outcome = None
    said: tuple[str, ...] = ()
    if parts.relation is not None:
        outcome, said = outcomes(
            first, second, _whole(*docs[2]), lambda message, row: InputError(f"row {row} (the first is 0): {message}")
        )
    found = prefer(topics, bounds, first, second, outcome, segment=segment, origin=origin)
    return replace(found, notes=(*parts.notes, *said))


def _whole(column: Vector, name: str) -> Ids:
    """Text, or numbers as text: 1.0 is 1."""
    if isinstance(column, Numbers) and column.missing is None and any(part.dtype.kind == "f" for part in column.parts):
        values = floats_of(column, name)
        if not (np.isfinite(values) & (values == np.round(values))).all():
            raise InputError(f"column {name!r} holds numbers that are not whole; {REMEDY}")
        column = Numbers([values.astype(np.int64)])
    return ids_of(column, name)[0]


def _by_text(columns: Mapping[str, str] | None) -> dict[str, str] | None:
    """Return what a caller says of columns, whose names in pandas may be numbers."""
    return None if columns is None else {part: str(name) for part, name in columns.items()}


@contextmanager
def _opened(table: Any) -> Iterator[tuple[Table, Origin]]:
    """Open a table; what is refused inside is said of the file that it comes from, if it comes from one."""
    opened = open_table(table)
    settle_allocator()
    try:
        yield opened, Origin(opened.file)
    except InputError as error:
        raise InputError(error.message, error.file or opened.file, error.line) from None


def _read(opened: Table, parts: Parts, *more: str) -> list[tuple[Vector, str]]:
    """Return the columns that hold the parts of a row, and further ones, each with its name."""
    names = [str(parts.topic), parts.doc, str(parts.value), *more]
    return list(zip(opened.read([opened.names.index(name) for name in names]), names, strict=True))


def _topics(column: tuple[Vector, str], kind: str) -> tuple[list[bytes], Any, Any]:
    if not len(column[0]) and column[0].missing is None:
        raise InputError(f"there are no rows; give {kind} with at least one topic")
    return topics_of(*column)


def _has_preferences(opened: Table, columns: Mapping[str, str] | None) -> bool:
    return Declared("qrels", columns).fitting(opened.names).prefers


def _with_ranks(docs: Ids, column: Vector) -> tuple[Ids, Callable[[Ids], Floats] | None]:
    """Return ids by whose places ranks are found, and what finds them; ranks that are no numbers are left alone."""
    if not isinstance(column, Numbers) or column.missing is not None:
        return docs, None
    if not (docs.start[1:] > docs.start[:-1]).all():
        # Rows share their text, so that its place does not tell them apart: each gets its own, and a byte between.
        length = docs.length.astype(np.int64)
        place = offsets_of(length + 1)
        text = np.zeros(int(place[-1]), dtype=np.uint8)
        text[spans(place[:-1], length)] = docs.buffer[spans(docs.start, length)]
        docs = Ids(text, place[:-1].copy(), docs.length)
    start, values = docs.start.copy(), joined_parts(column.parts)

    def rank(some: Ids) -> Floats:
        found: Floats = values[np.searchsorted(start, some.start)].astype(np.float64)
        return found

    return docs, rank
