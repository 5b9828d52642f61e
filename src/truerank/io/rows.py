"""Python data laid out as rows, and rows as columns.

A document never costs a step of Python bytecode: ids are joined, lengths and numbers taken by numpy, types looked at as
a set.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from itertools import chain, compress
from operator import itemgetter
from typing import Any

import numpy as np

from truerank.data.arrays import Floats, Ints, offsets
from truerank.data.classes import dataclass
from truerank.data.errors import InputError, Origin
from truerank.data.given_ids import NumberId
from truerank.data.ids import Ids, one_id
from truerank.data.printing import brief
from truerank.io.columns import Columns, Faults
from truerank.io.headers import ColumnRoles, Declared
from truerank.io.judgments import REMEDY, is_sign
from truerank.io.records import SAMPLES, as_records, field_names, getter, list_names, parts_of, unnamed
from truerank.io.retrievers import retrieved

_FIELDS = {
    "run": "(query_id, doc_id, score)",
    "qrels": "(query_id, doc_id, relevance)",
    "preferences": "(query_id, better, worse), or all of (query_id, document, relation, document)",
}
_KINDS = {"run": "a run", "qrels": "qrels", "preferences": "preferences"}

Line = Callable[[int], int]


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Documents with their values; the rows bounds[s] to bounds[s + 1] - 1 belong to topics[s]."""

    topics: Sequence[Any]
    bounds: Any
    docs: Sequence[Any]
    value: Sequence[Any] | None
    """None where documents are listed without values."""
    is_rank: bool = False
    """Whether values are ranks, the first of which is best."""
    notes: tuple[str, ...] = ()
    line: Line | None = None
    """Tells in which line of a file a row stands."""
    prefers: bool = False
    """Whether values are documents that those of the rows are better than."""
    lowest_first: bool = False
    """Whether low scores are best, where nothing else is declared."""
    relation: Sequence[Any] | None = None
    """Which of the two documents of a row is better, where the first need not be."""
    subtopic: Sequence[Any] | None = None
    """What of its topic each row is about, where that is said."""

    def topic(self, row: int) -> Any:
        """Return the topic of a row."""
        return self.topics[int(np.searchsorted(self.bounds, row, side="right")) - 1]

    def error(self, message: str, row: int) -> InputError:
        """Return the error to raise about a row."""
        return InputError(message, None, self.line(row) if self.line else None)


def from_mapping(data: Mapping[Any, Any], declared: Declared) -> Rows:
    """Lay out {topic: {doc: value}}, {topic: [doc, ...]}, {topic: [(doc, value), ...]} or {topic: [record, ...]}.

    >>> rows = from_mapping({"q1": {"d1": 2, "d2": 0}}, Declared("run"))
    >>> rows.docs, rows.value
    (['d1', 'd2'], [2, 0])
    """
    topics = list(data)
    if set(map(type, topics)) == {str}:
        # The order that a run has; arranging finds nothing to move.
        topics.sort()
    return from_lists(topics, [data[topic] for topic in topics], declared)


def from_lists(topics: Sequence[Any], lists: Sequence[Any], declared: Declared) -> Rows:
    """Lay out the documents of each topic, given as dicts or as lists."""
    for topic, documents in zip(topics, lists, strict=True):
        _refuse_other(topic, documents, declared)
    lists = [_in_order(documents) for documents in lists]
    found = retrieved(lists, declared)
    if found is not None:
        plain = from_lists(topics, found.lists, replace(declared, columns=None))
        return replace(plain, lowest_first=found.lowest_first, notes=found.notes)
    bounds = offsets(np.fromiter(map(len, lists), np.intp, len(lists)))
    if any(isinstance(documents, Mapping) for documents in lists):
        unnamed(declared)
    if lists and all(isinstance(documents, Mapping) for documents in lists):
        docs = list(chain.from_iterable(lists))
        return Rows(topics, bounds, docs, list(chain.from_iterable([documents.values() for documents in lists])))
    if any(isinstance(documents, Mapping) for documents in lists):
        raise InputError("some topics hold a dict and some a list; give one kind")
    items = list(chain.from_iterable(lists))
    if items:
        declared = declared.fitting(field_names(items[0], declared))
    parts = parts_of(items[0], declared, listed=True) if items else None
    if parts is not None:
        return _by_name(items, parts, Rows(topics, bounds, [], None, prefers=declared.prefers))
    paired = sum(issubclass(kind, tuple | list) for kind in map(type, items))
    if not paired:
        return Rows(topics, bounds, items, None)
    if declared.prefers and paired == len(items) and set(map(len, items)) == {3}:
        return _compared(items, Rows(topics, bounds, [], None))
    if paired < len(items) or set(map(len, items)) != {2}:
        raise InputError("a list mixes documents with other things; give documents alone, or pairs (document, number)")
    return Rows(topics, bounds, list(map(itemgetter(0), items)), list(map(itemgetter(1), items)))


def from_rows(data: Iterable[Any], declared: Declared, line: Line | None = None) -> Rows:
    """Lay out rows (topic, doc, value), rows whose parts have names, or a record with a list for each topic.

    >>> from_rows(iter([("q1", "d1", 0.5)]), Declared("run")).value
    [0.5]
    >>> from_rows([{"qid": "q1", "hits": [{"docid": "d1"}, {"docid": "d2"}]}], Declared("run")).docs
    ['d1', 'd2']
    """
    rows = data.tolist() if isinstance(data, np.ndarray) and data.ndim == 2 else list(_in_order(data))
    rows = as_records(rows, declared.kind)
    laid_out = Rows([], np.arange(len(rows) + 1), [], None, line=line)
    if not rows:
        return laid_out
    nested = list_names(rows[0], declared)
    if nested is not None:
        topics, lists = (_column(rows, rows[0], name, laid_out) for name in nested)
        lists = [_inner(documents) for documents in lists]
        found = from_lists(topics, lists, declared)
        bounds = found.bounds
        # Contexts of ragas without ids are told apart by what they say.
        texts = ("texts of contexts are taken for their ids",) if nested[1] in SAMPLES[declared.kind][1:] else ()
        return replace(
            found,
            notes=(*found.notes, *texts),
            line=None if line is None else lambda row: line(int(np.searchsorted(bounds, row, "right")) - 1),
        )
    fitting = declared.fitting(field_names(rows[0], declared))
    parts = parts_of(rows[0], fitting)
    if parts is not None:
        laid_out = replace(laid_out, prefers=fitting.prefers)
        topic = _column(rows, rows[0], str(parts.topic), laid_out)
        return _by_name(rows, parts, replace(laid_out, topics=topic))
    if not all(issubclass(kind, tuple | list) for kind in set(map(type, rows))):
        row = next(row for row, fields in enumerate(rows) if not isinstance(fields, tuple | list))
        raise laid_out.error(f"a row is not a tuple; give rows of {_FIELDS[declared.kind]}", row)
    if declared.prefers and set(map(len, rows)) == {4}:
        return _compared([row[1:] for row in rows], replace(laid_out, topics=list(map(itemgetter(0), rows))))
    if set(map(len, rows)) != {3}:
        row = next(row for row, fields in enumerate(rows) if len(fields) != 3)
        said = f"a row has {len(rows[row])} fields: {brief(rows[row])}; give rows of {_FIELDS[declared.kind]}"
        if isinstance(data, np.ndarray):
            said += ", or topic_ids= and doc_ids= for a matrix"
        raise laid_out.error(said, row)
    topic, docs, value = (list(map(itemgetter(place), rows)) for place in range(3))
    return replace(laid_out, topics=topic, docs=docs, value=value)


def _by_name(rows: list[Any], parts: ColumnRoles, laid_out: Rows) -> Rows:
    """Take documents and values out of rows by the names of their parts."""
    docs = _column(rows, rows[0], parts.doc, laid_out)
    value = None if parts.value is None else _column(rows, rows[0], parts.value, laid_out)
    relation = None if parts.relation is None else _column(rows, rows[0], parts.relation, laid_out)
    subtopic = None
    if parts.subtopic is not None:
        # Nobody needs it, so that rows may lack it.
        with suppress(InputError):
            subtopic = _column(rows, rows[0], parts.subtopic, laid_out)
    return replace(
        laid_out,
        docs=docs,
        value=value,
        is_rank=parts.holds == "rank",
        notes=parts.notes,
        relation=relation,
        subtopic=subtopic,
    )


def _compared(rows: list[Any], laid_out: Rows) -> Rows:
    """Take rows (first, second, relation) or (first, sign, second) apart."""
    docs, value, relation = (list(map(itemgetter(place), rows)) for place in range(3))
    if all(map(is_sign, value)):
        value, relation = relation, value
    return replace(laid_out, docs=docs, value=value, relation=relation)


def _column(rows: list[Any], first: Any, name: str, laid_out: Rows) -> list[Any]:
    take = getter(first, name)
    try:
        return list(map(take, rows))
    except (KeyError, AttributeError, IndexError, TypeError, ValueError):
        row = next(row for row, fields in enumerate(rows) if not _has(fields, take))
        raise laid_out.error(f"rows differ in their fields: one has no {name!r}; give it to every row", row) from None


def _has(fields: Any, take: Callable[[Any], Any]) -> bool:
    try:
        take(fields)
    except (KeyError, AttributeError, IndexError, TypeError, ValueError):
        return False
    return True


def _inner(documents: Any) -> Any:
    """A search response has its hits one level further in."""
    hits = documents.get("hits") if isinstance(documents, Mapping) else None
    return hits if isinstance(hits, list) else documents


def _in_order(documents: Any) -> Any:
    """A set as a list in bytewise order of ids, for its own order differs from one start of Python to the next."""
    return sorted(documents, key=_place) if isinstance(documents, Set) else documents


def _place(item: Any) -> tuple[bytes, str]:
    identifier = item[0] if isinstance(item, tuple) and item else item
    # Half a character has a place as well; it is refused later, by name.
    spelt = identifier if isinstance(identifier, bytes) else str(identifier).encode("utf-8", "surrogatepass")
    return spelt, repr(item)


def _refuse_other(topic: Any, documents: Any, declared: Declared) -> None:
    if isinstance(documents, Mapping | list | tuple) or (isinstance(documents, np.ndarray) and documents.ndim):
        return
    if isinstance(documents, Set):
        if declared.kind == "qrels":
            return
        raise InputError(f"topic {brief(topic)} holds a set, which has no order; give a list, best document first")
    raise InputError(
        f"topic {brief(topic)} holds a {type(documents).__name__}; give a dict of documents with numbers, or a list"
    )


def columns_of(rows: Rows, declared: Declared, file: str | None = None, *, faults: Faults | None = None) -> Columns:
    """Pack rows into columns; with ``faults``, a value that is no number is NaN instead of refused.

    >>> data = [("q1", "d1", 0.5), ("q1", "d2", None)]
    >>> columns_of(from_rows(data, Declared("run")), Declared("run"), faults=Faults()).number.tolist()
    [0.5, nan]
    """
    prefers = rows.prefers or declared.prefers
    # What a file has is text, and ids of both kinds are.
    topics, segment = _topics(rows, "preferences" if prefers else declared.kind, numbers=file is None)
    if prefers and rows.value is None:
        raise InputError("there are documents without others to prefer them to; give pairs (better, worse)")
    packed = [_ids(rows, rows.docs, numbers=file is None)]
    holds = "rank" if rows.is_rank else "grade" if declared.kind == "qrels" else "score"
    number: Floats = np.zeros(0)
    if prefers:
        packed += [
            _ids(rows, column, numbers=file is None) for column in (rows.value, _relation(rows)) if column is not None
        ]
    elif rows.value is None:
        holds = "nothing"
    else:
        number = _numbers(rows, holds, faults)
    origin = _origin(rows, packed[0], file)
    return Columns(
        topics,
        segment,
        rows.bounds,
        packed,
        number,
        origin,
        holds=holds,
        subtopics=None if rows.subtopic is None else Ids.pack([*map(str, rows.subtopic)]),
        prefers=prefers,
        notes=rows.notes,
        lowest_first=rows.lowest_first,
    )


def _topics(rows: Rows, kind: str, *, numbers: bool) -> tuple[list[bytes], Ints]:
    """Return distinct topic ids as bytes, and the topic of each segment; 7 and "7" are one topic.

    ``numbers`` says whether they may be whole numbers, if all are.
    """
    if not rows.topics:
        raise InputError(f"there are no rows; give {_KINDS[kind]} with at least one topic")
    try:
        distinct = dict.fromkeys(rows.topics)
    except TypeError:
        raise InputError("a topic is not a str, bytes or int; give ids of these types") from None
    ids = [one_id(topic, "topic") for topic in distinct]
    if not (numbers and all(isinstance(one, NumberId) for one in ids)):
        ids = [*map(bytes, ids)]
    number: dict[bytes, int] = {}
    place = {topic: number.setdefault(one, len(number)) for topic, one in zip(distinct, ids, strict=True)}
    segment = np.fromiter(map(place.__getitem__, rows.topics), np.intp, len(rows.topics))
    return list(number), segment


def _relation(rows: Rows) -> list[Any] | None:
    """Relations of documents, which become text; 1.0 is 1."""
    if rows.relation is None:
        return None
    given = [int(one) if isinstance(one, float) and one.is_integer() else one for one in rows.relation]
    for kind in set(map(type, given)):
        if not issubclass(kind, str | bytes | int | np.integer) or kind in (bool, np.timedelta64):
            row = next(row for row, one in enumerate(given) if type(one) is kind)
            raise rows.error(f"the relation of two documents is {brief(given[row])}; {REMEDY}", row)
    return given


def _origin(rows: Rows, docs: Ids, file: str | None) -> Origin:
    """Say where a document stands by its place in the packed ids, which are in the order of the rows."""
    line = rows.line
    if line is None:
        return Origin(file)
    start = docs.start.copy()
    return Origin(file, lambda offset: line(int(np.searchsorted(start, offset))))


def _ids(rows: Rows, docs: Sequence[Any], *, numbers: bool) -> Ids:
    """Pack document ids; ``numbers`` says whether they may be whole numbers, if all are."""
    try:
        found = Ids.pack(docs)
    except (TypeError, AttributeError, UnicodeEncodeError):
        found = _whole_numbers(docs) or Ids.pack([_doc_id(rows, row, doc) for row, doc in enumerate(docs)])
    return found if numbers or not found.numbers else replace(found, numbers=False)


def _whole_numbers(docs: Sequence[Any]) -> Ids | None:
    """Pack ids that are all whole numbers of Python, which need no look one by one; None for others."""
    if set(map(type, docs)) != {int}:
        return None
    try:
        return replace(Ids.pack(list(map(str, docs))), numbers=True)
    except ValueError:
        # One has thousands of digits.
        return None


def _doc_id(rows: Rows, row: int, doc: Any) -> bytes:
    try:
        return one_id(doc, "document")
    except InputError as error:
        raise rows.error(f"topic {brief(rows.topic(row))}: {error.message}", row) from None


def _numbers(rows: Rows, name: str, faults: Faults | None) -> Floats:
    """Return the values as floats; missing values, text, what is not finite and booleans but for grades are refused.

    Where faults are collected, they are NaN.
    """
    values = rows.value or []
    try:
        result = np.array(array("d", values))
    except (TypeError, ValueError, OverflowError):
        result = np.array([_number(value) for value in values])
    # -0.0 and 0.0 are one score.
    result += 0.0
    wrong = ~np.isfinite(result)
    # True and False pass for 1 and 0, which they are as grades; only these numbers need a look at their type.
    if name != "grade" and {bool, np.bool_} & set(
        map(type, compress(values, ((result == 0) | (result == 1)).tolist()))
    ):
        wrong |= [isinstance(value, bool | np.bool_) for value in values]
    if faults is not None:
        result[wrong] = np.nan
    elif wrong.any():
        raise _not_a_number(rows, values, name, int(np.flatnonzero(wrong)[0]))
    return result


def _not_a_number(rows: Rows, values: Sequence[Any], name: str, row: int) -> InputError:
    return rows.error(
        f"document {brief(rows.docs[row])} of topic {brief(rows.topic(row))} has the {name} {brief(values[row], 40)}; "
        "give a finite number",
        row,
    )


def _number(value: Any) -> float:
    """Return a number as a float, NaN for what is not a number or too large to be one."""
    try:
        return float(array("d", [value])[0])
    except (TypeError, ValueError, OverflowError):
        return math.nan
