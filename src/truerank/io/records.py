"""Rows whose parts have names: dicts, namedtuples, and objects with attributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from operator import attrgetter, itemgetter
from typing import Any

import numpy as np

from truerank.data.errors import InputError
from truerank.io.headers import COMPARED, EVERY_NAME, KINDS, ColumnRoles, Declared, known, plain, topic_name

Getter = Callable[[Any], Any]

LISTS = {
    "run": (
        "results",
        "hits",
        "docs",
        "documents",
        "passages",
        "ranking",
        "retrieved",
        "contexts",
        "ctxs",
        "candidates",
    ),
    "qrels": (
        "qrels",
        "judgments",
        "judgements",
        "relevant",
        "relevant_docs",
        "docs",
        "documents",
        "passages",
        "candidates",
    ),
    "preferences": ("preferences", "pairs"),
}
"""What the list of a topic's documents is called in a record for each topic."""

SAMPLES = {
    "run": ("retrieved_context_ids", "retrieved_contexts"),
    "qrels": ("reference_context_ids", "reference_contexts"),
    "preferences": (),
}
"""What ragas calls the ids of contexts, or else their texts, in a sample for each topic."""
_QUESTION = "user_input"
_QUERY = "query"
_OF_QUERY = ("qid", "query_id", "id", "topic_id")
"""What RankLLM, Ragnarök and UMBRELA call the topic inside of the query."""

_HIT = {"doc": "_id", "score": "_score"}
"""What search engines call the parts of a hit."""


def field_names(row: Any, declared: Declared) -> list[str]:
    """Names of a row's parts; none for a tuple or a list, whose parts go by their place.

    >>> field_names({"qid": "q1", "docno": "d1", "score": 0.5}, Declared("run"))
    ['qid', 'docno', 'score']
    >>> field_names(("q1", "d1", 0.5), Declared("run"))
    []
    """
    if isinstance(row, Mapping):
        return [name for name in row if isinstance(name, str)]
    if isinstance(row, np.void):
        return [*(row.dtype.names or ())]
    if isinstance(row, (tuple, list)):
        names = [*getattr(row, "_fields", ())]
        # Names that say nothing leave the places.
        return names if known(names) or declared.columns else []
    if isinstance(row, (str, bytes, int, float, np.generic, np.ndarray)) or row is None:
        return []
    fields = getattr(row, "__dataclass_fields__", None)
    if fields is not None:
        return [*fields]
    parts = (*KINDS[declared.kind], *(COMPARED if declared.prefers else ()))
    likely = [name for part in parts for tier in EVERY_NAME[part] for name in tier]
    return [name for name in dict.fromkeys([*likely, *(declared.columns or {}).values()]) if hasattr(row, name)]


def getter(row: Any, name: str) -> Getter:
    """Return what takes a part out of rows like this one."""
    return itemgetter(name) if isinstance(row, (Mapping, np.void)) else attrgetter(name)


def parts_of(row: Any, declared: Declared, *, listed: bool = False) -> ColumnRoles | None:
    """Tell which fields of rows like this one hold what; None where they have no names."""
    names = field_names(row, declared)
    if not names:
        unnamed(declared)
        return None
    if listed and _HIT["doc"] in names and not declared.columns:
        hit = {part: name for part, name in _HIT.items() if name in names and part in KINDS[declared.kind]}
        declared = replace(declared, columns=hit)
    return declared.parts(names, listed=listed)


def unnamed(declared: Declared) -> None:
    """Refuse names for the parts of data that have none."""
    if declared.columns:
        raise InputError("columns= names the parts of rows, and these have no names; leave it out")


def is_record(data: Mapping[Any, Any], declared: Declared) -> bool:
    """Whether a dict is one record, which names its topic, rather than a dict of topics.

    >>> is_record({"qid": "q1", "docs": []}, Declared("run")), is_record({"qid": {"d1": 0.5}}, Declared("run"))
    (True, False)
    """
    if _query_id(data) is not None:
        return True
    topic = topic_name([name for name in data if isinstance(name, str)], declared.columns)
    return topic is not None and isinstance(data[topic], (str, bytes, int, np.generic))


def is_sample(row: Any) -> bool:
    """Whether a row is a sample of ragas, as an object."""
    return hasattr(row, _QUESTION) and hasattr(row, SAMPLES["run"][1]) and not isinstance(row, Mapping)


def _query_id(row: Any) -> str | None:
    """What names the topic in a record whose query is a record itself, beside a list of candidates; None in others."""
    query = row.get(_QUERY) if isinstance(row, Mapping) else None
    if not isinstance(query, Mapping) or not isinstance(row.get("candidates"), (list, tuple)):
        return None
    return next((name for name in _OF_QUERY if name in query), None)


def as_records(rows: list[Any], kind: str) -> list[Any]:
    """Samples of ragas as dicts, and queries that are records themselves by their ids; other rows as they are.

    >>> from types import SimpleNamespace as Sample
    >>> as_records([Sample(user_input="who?", retrieved_contexts=["a text"])], "run")
    [{'user_input': 'who?', 'retrieved_contexts': ['a text']}]
    >>> as_records([{"query": {"qid": "q1", "text": "who?"}, "candidates": [{"docid": "d1", "judgment": 2}]}], "qrels")
    [{'query_id': 'q1', 'candidates': [{'docid': 'd1', 'judgment': 2}]}]
    """
    if rows and (name := _query_id(rows[0])) is not None:
        return [
            {"query_id": row[_QUERY][name], "candidates": row["candidates"]} if _query_id(row) == name else row
            for row in rows
        ]
    if not rows or not all(map(is_sample, rows)):
        return rows
    parts = [{name: getattr(row, name, None) for name in (_QUESTION, *SAMPLES[kind])} for row in rows]
    return [{name: value for name, value in each.items() if value is not None} for each in parts]


def list_names(row: Any, declared: Declared) -> tuple[str, str] | None:
    """Names of the topic and of its list of documents, in a record for each topic; None for other records."""
    if not isinstance(row, Mapping) or not is_record(row, declared):
        return None
    for name in SAMPLES[declared.kind]:
        topic = topic_name(field_names(row, declared), declared.columns)
        if topic is not None and isinstance(row.get(name), (list, tuple)):
            return topic, name
    lists = [
        name
        for name in field_names(row, declared)
        if plain(name) in LISTS[declared.kind] and isinstance(row[name], (list, tuple, Mapping))
    ]
    if len(lists) > 1:
        raise InputError(f"both {' and '.join(map(repr, lists))} could be the topic's documents; keep one of them")
    topic = topic_name(field_names(row, declared), declared.columns)
    return (topic, lists[0]) if lists and topic is not None else None
