"""Runs and judgments from Python data: dicts of dicts or lists, and rows.

A document never costs a step of Python bytecode: ids are joined, lengths and numbers taken by numpy, types looked at as
a set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from truerank.data.arrange import arrange
from truerank.data.errors import InputError
from truerank.data.qrels import Preferences, Qrels, collect, prefer
from truerank.data.run import Run
from truerank.io.rows import Rows, from_mapping, from_rows
from truerank.io.scalars import ids, numbers, one_id


def run_from(data: Mapping[Any, Any] | Iterable[Any], name: str = "run") -> Run:
    """Make a run of {topic: {doc: score}}, {topic: [doc, ...]} best first, {topic: [(doc, score), ...]} or rows.

    Rows are (topic, doc, score), or objects with the fields query_id, doc_id and score. Ids are str, bytes or int.

    >>> run_from({"q1": {"d1": 0.5, "d2": 2}}).ranking("q1")
    [('d2', 2.0), ('d1', 0.5)]
    >>> run_from({"q1": ["d1", "d2"]}).ranking("q1")
    [('d1', 2.0), ('d2', 1.0)]
    """
    rows = from_mapping(data, ranked=True) if isinstance(data, Mapping) else from_rows(data, "score")
    topics, segment = _topics(rows, "a run")
    score = numbers(rows, "score") if rows.value is not None else _from_ranks(rows)
    return arrange(name, topics, rows.bounds, ids(rows, rows.docs), score, segment=segment, reuse=True)


def qrels_from(data: Mapping[Any, Any] | Iterable[Any]) -> Qrels:
    """Make judgments of {topic: {doc: grade}}, {topic: [relevant doc, ...]} or rows.

    Rows are (topic, doc, grade), or objects with the fields query_id, doc_id and relevance.

    >>> qrels_from([("q1", "d1", 2), ("q1", "d2", 0)]).grade.tolist()
    [2.0, 0.0]
    """
    rows = from_mapping(data, ranked=False) if isinstance(data, Mapping) else from_rows(data, "relevance")
    topics, segment = _topics(rows, "qrels")
    grade = numbers(rows, "grade") if rows.value is not None else np.ones(len(rows.docs))
    return collect(topics, rows.bounds, ids(rows, rows.docs), grade, segment=segment)


def preferences_from(data: Mapping[Any, Any] | Iterable[Any]) -> Preferences:
    """Make preferences of rows (topic, better doc, worse doc), or of {topic: [(better, worse), ...]}.

    >>> preferences_from([("q1", "d2", "d1")]).pairs.tolist()
    [[0, 1]]
    """
    if isinstance(data, Mapping):
        data = [(topic, *pair) for topic, pairs in data.items() for pair in pairs]
    rows = from_rows(data, "worse")
    topics, segment = _topics(rows, "preferences")
    return prefer(topics, rows.bounds, ids(rows, rows.docs), ids(rows, rows.value or []), segment=segment)


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


def _from_ranks(rows: Rows) -> Any:
    """Return n for the first of n documents, down to 1 for the last."""
    count = np.diff(rows.bounds)
    ends = np.repeat(rows.bounds[1:], count)
    return (ends - np.arange(len(rows.docs))).astype(np.float64)
