"""Dicts of dicts as arrays, with pytrec_eval's exceptions for what is of another type."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from truerank.data.arrays import Floats, Rows, offsets
from truerank.data.errors import InputError
from truerank.data.ids import Ids, one_id
from truerank.data.printing import shown
from truerank.data.qrels import Qrels, collect
from truerank.data.run import Run, arrange

Lists = Mapping[str, Mapping[str, Any]]

_MOST = float(np.finfo(np.float32).max)


class _Rows(NamedTuple):
    topics: list[bytes]
    """In order."""
    bounds: Rows
    docs: Ids
    value: Floats


def judgments(judged: Lists) -> Qrels:
    """Judgments of whole grades; TypeError for others."""
    refuse_other_ids(judged, "topic")
    rows = _rows(judged, "grade")
    every = chain.from_iterable([grades.values() for grades in judged.values()])
    for kind in set(map(type, every)):
        if not issubclass(kind, int | np.integer):
            raise TypeError(f"a grade is a {kind.__name__}; give whole numbers")
    return collect(rows.topics, rows.bounds, rows.docs, rows.value)


def ranking(lists: Lists) -> Run:
    """A run; scores are compared in single precision, where what is past it is infinite and ties."""
    rows = _rows(lists, "score")
    wrong = np.isnan(rows.value)
    if wrong.any():
        document = shown(rows.docs[int(np.argmax(wrong))])
        raise InputError(f"document {document} has the score nan, which has no place in an order; give a number")
    return arrange(
        "run", rows.topics, rows.bounds, rows.docs, np.clip(rows.value, -_MOST, _MOST, out=rows.value), reuse=True
    )


def refuse_other_ids(ids: Iterable[Any], what: str) -> None:
    """TypeError for ids that are not text."""
    for identifier in ids:
        if not isinstance(identifier, str | bytes):
            raise TypeError(f"{what} {identifier!r:.80} is a {type(identifier).__name__}; give ids as str")


def encoded(topic: str | bytes) -> bytes:
    """The id of a topic as bytes."""
    return one_id(topic, "topic")


def _rows(lists: Lists, name: str) -> _Rows:
    for topic, documents in lists.items():
        if not isinstance(documents, Mapping):
            raise TypeError(f"topic {topic!r:.80} holds a {type(documents).__name__}; give a dict of documents")
    by_id = {encoded(topic): documents for topic, documents in lists.items()}
    topics = sorted(by_id)
    ordered = [by_id[topic] for topic in topics]
    ids = list(chain.from_iterable(ordered))
    try:
        docs = Ids.pack(ids)
    except (TypeError, AttributeError):
        refuse_other_ids(ids, "document")
        raise
    except UnicodeEncodeError:
        docs = Ids.pack([one_id(identifier, "document") for identifier in ids])
    try:
        value = np.array(array("d", chain.from_iterable([documents.values() for documents in ordered])))
    except (TypeError, OverflowError) as error:
        raise TypeError(f"a {name} is not a number ({error}); give numbers") from None
    return _Rows(topics, offsets(np.fromiter(map(len, ordered), np.int64, len(ordered))), docs, value)
