"""Runs and judgments from rows.

A document never costs a step of Python bytecode: ids are joined, lengths and numbers taken by numpy, types looked at as
a set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from truerank.data.arrange import arrange
from truerank.data.errors import InputError, Origin
from truerank.data.ids import Ids
from truerank.data.prefer import prefer
from truerank.data.qrels import Preferences, Qrels, collect
from truerank.data.run import Run
from truerank.io.declared import Declared
from truerank.io.direction import LISTED, NEGATED, RANKED, listed, refuse_listed
from truerank.io.elastic import from_response, is_response
from truerank.io.records import is_record
from truerank.io.relations import REMEDY, outcomes
from truerank.io.rows import Line, Rows, from_mapping, from_rows
from truerank.io.scalars import ids, numbers, one_id


def laid_out(data: Mapping[Any, Any] | Iterable[Any], declared: Declared, line: Line | None = None) -> Rows:
    """Lay out Python data, whichever form they have."""
    if not isinstance(data, Mapping):
        return from_rows(data, declared, line)
    if is_response(data):
        return from_response(data, declared)
    return from_rows([data], declared, line) if is_record(data, declared) else from_mapping(data, declared)


def run_from(rows: Rows, declared: Declared, name: str = "run", file: str | None = None) -> Run:
    """Make a run of rows.

    >>> data = {"q1": {"d1": 0.5, "d2": 2}}
    >>> run_from(laid_out(data, Declared("run")), Declared("run")).ranking("q1")
    [('d2', 2.0), ('d1', 0.5)]
    """
    topics, segment = _topics(rows, "a run")
    docs = ids(rows, rows.docs)
    notes = rows.notes
    if rows.value is None:
        refuse_listed(declared.higher_is_better)
        score, notes = np.zeros(len(docs)), (*notes, LISTED)
    elif rows.is_rank:
        refuse_listed(declared.higher_is_better)
        score, notes = 0.0 - numbers(rows, "rank"), (*notes, RANKED)
    elif declared.higher_is_better is False:
        score, notes = 0.0 - numbers(rows, "score"), (*notes, NEGATED)
    else:
        score = numbers(rows, "score")
    origin = _origin(rows, docs, file)
    run = arrange(name, topics, rows.bounds, docs, score, segment=segment, origin=origin, reuse=True)
    return replace(listed(run) if rows.value is None else run, notes=notes)


def qrels_from(rows: Rows, file: str | None = None) -> Qrels:
    """Make judgments of rows; documents without a grade are relevant.

    >>> qrels_from(laid_out([("q1", "d1", 2), ("q1", "d2", 0)], Declared("qrels"))).grade.tolist()
    [2.0, 0.0]
    """
    topics, segment = _topics(rows, "qrels")
    docs = ids(rows, rows.docs)
    grade = numbers(rows, "grade") if rows.value is not None else np.ones(len(docs))
    qrels = collect(topics, rows.bounds, docs, grade, segment=segment, origin=_origin(rows, docs, file))
    return replace(qrels, notes=rows.notes)


def preferences_from(rows: Rows, file: str | None = None) -> Preferences:
    """Make preferences of rows, whose values are the worse documents, or the second ones where a relation is given.

    >>> preferences_from(laid_out([("q1", "d2", "d1")], Declared("preferences"))).pairs.tolist()
    [[0, 1]]
    >>> preferences_from(laid_out([("q1", "d2", "<", "d1")], Declared("preferences"))).pairs.tolist()
    [[1, 0]]
    """
    topics, segment = _topics(rows, "preferences")
    if rows.value is None:
        raise InputError("there are documents without others to prefer them to; give pairs (better, worse)")
    first, second = ids(rows, rows.docs), ids(rows, rows.value)
    outcome, said = (None, ()) if rows.relation is None else outcomes(first, second, _relation(rows), rows.error)
    found = prefer(topics, rows.bounds, first, second, outcome, segment=segment, origin=_origin(rows, first, file))
    return replace(found, notes=(*rows.notes, *said))


def _relation(rows: Rows) -> Ids:
    """Relations as text; 1.0 is 1."""
    given = [int(one) if isinstance(one, float) and one.is_integer() else one for one in rows.relation or []]
    for kind in set(map(type, given)):
        if not issubclass(kind, str | bytes | int | np.integer) or kind is bool:
            row = next(row for row, one in enumerate(given) if type(one) is kind)
            raise rows.error(f"the relation of two documents is {given[row]!r:.80}; {REMEDY}", row)
    return ids(rows, given)


def _topics(rows: Rows, kind: str) -> tuple[list[bytes], Any]:
    """Return distinct topic ids as bytes, and the topic of each segment; 7 and "7" are one topic."""
    if not rows.topics:
        raise InputError(f"there are no rows; give {kind} with at least one topic")
    try:
        distinct = dict.fromkeys(rows.topics)
    except TypeError:
        raise InputError("a topic is not a str, bytes or int; give ids of these types") from None
    number: dict[bytes, int] = {}
    place = {topic: number.setdefault(one_id(topic, "topic"), len(number)) for topic in distinct}
    segment = np.fromiter(map(place.__getitem__, rows.topics), np.int64, len(rows.topics))
    return list(number), segment


def _origin(rows: Rows, docs: Ids, file: str | None) -> Origin:
    """Say where a document stands by its place in the packed ids, which are in the order of the rows."""
    line = rows.line
    if line is None:
        return Origin(file)
    start = docs.start.copy()
    return Origin(file, lambda offset: line(int(np.searchsorted(start, offset))))
