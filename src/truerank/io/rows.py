"""Python data laid out as rows: topics, documents and values in lists of equal length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter, itemgetter
from typing import Any

import numpy as np

from truerank.data.arrays import offsets
from truerank.data.errors import InputError

_NAMES = {
    "score": ("query_id", "doc_id", "score"),
    "relevance": ("query_id", "doc_id", "relevance"),
    "worse": ("query_id", "better", "worse"),
}


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Documents with their values; the rows bounds[s] to bounds[s + 1] - 1 belong to topics[s]."""

    topics: Sequence[Any]
    bounds: Any
    docs: Sequence[Any]
    value: Sequence[Any] | None
    """None where documents are listed without values."""

    def topic(self, row: int) -> Any:
        """Return the topic of a row."""
        return self.topics[int(np.searchsorted(self.bounds, row, side="right")) - 1]


def from_mapping(data: Mapping[Any, Any], *, ranked: bool) -> Rows:
    """Lay out {topic: {doc: value}}, {topic: [doc, ...]} or {topic: [(doc, value), ...]}.

    ``ranked`` says that the order of a list matters, so that a set will not do.

    >>> rows = from_mapping({"q1": {"d1": 2, "d2": 0}}, ranked=True)
    >>> rows.docs, rows.value
    (['d1', 'd2'], [2, 0])
    """
    topics = list(data)
    if set(map(type, topics)) == {str}:
        # The order that a run has; arranging finds nothing to move.
        topics.sort()
    lists = [data[topic] for topic in topics]
    for topic, documents in zip(topics, lists, strict=True):
        _refuse_other(topic, documents, ranked)
    bounds = offsets(np.fromiter(map(len, lists), np.int64, len(lists)))
    if all(isinstance(documents, Mapping) for documents in lists):
        docs = list(chain.from_iterable(lists))
        return Rows(topics, bounds, docs, list(chain.from_iterable([documents.values() for documents in lists])))
    if any(isinstance(documents, Mapping) for documents in lists):
        raise InputError("some topics hold a dict and some a list; give one kind")
    items = list(chain.from_iterable(lists))
    paired = sum(issubclass(kind, tuple | list) for kind in map(type, items))
    if not paired:
        return Rows(topics, bounds, items, None)
    if paired < len(items) or set(map(len, items)) != {2}:
        raise InputError("a list mixes documents with other things; give documents alone, or pairs (document, number)")
    return Rows(topics, bounds, list(map(itemgetter(0), items)), list(map(itemgetter(1), items)))


def from_rows(data: Iterable[Any], value: str) -> Rows:
    """Lay out (topic, doc, value) rows; fields are taken by name where rows have them.

    >>> from_rows(iter([("q1", "d1", 0.5)]), "score").value
    [0.5]
    """
    rows = list(data)
    names = _NAMES[value]
    getters: list[Callable[[Any], Any]] = [itemgetter(0), itemgetter(1), itemgetter(2)]
    if rows and isinstance(rows[0], Mapping):
        getters = [itemgetter(name) for name in names]
    elif rows and all(hasattr(rows[0], name) for name in names):
        getters = [attrgetter(name) for name in names]
    elif set(map(type, rows)) - {tuple, list} and not all(isinstance(row, tuple | list) for row in rows):
        raise InputError(f"a row is not a tuple; give rows of ({', '.join(names)})")
    elif set(map(len, rows)) - {3}:
        row = next(row for row in rows if len(row) != 3)
        raise InputError(f"a row has {len(row)} fields: {row!r:.80}; give rows of ({', '.join(names)})")
    try:
        topics, docs, values = (list(map(getter, rows)) for getter in getters)
    except (KeyError, AttributeError, IndexError, TypeError):
        raise InputError(f"rows differ in their fields; give rows of ({', '.join(names)})") from None
    return Rows(topics, np.arange(len(rows) + 1), docs, values)


def _refuse_other(topic: Any, documents: Any, ranked: bool) -> None:
    if isinstance(documents, Mapping | list | tuple | np.ndarray):
        return
    if isinstance(documents, Set):
        if not ranked:
            return
        raise InputError(f"topic {topic!r} holds a set, which has no order; give a list, best document first")
    raise InputError(
        f"topic {topic!r} holds a {type(documents).__name__}; give a dict of documents with numbers, or a list"
    )
