"""Data whose topics and documents have places instead of ids: matrices of scores, nearest neighbours, lists in a row.

What they stand for is told by ``topic_ids`` and ``doc_ids``: rows of a matrix are topics, its columns are documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from truerank.data.arrays import Floats, offsets
from truerank.data.errors import InputError
from truerank.data.ids import one_id
from truerank.data.printing import brief, counted
from truerank.io.direction import lowest_first
from truerank.io.elastic import NAMELESS, from_search, responses_of
from truerank.io.headers import Declared
from truerank.io.records import unnamed
from truerank.io.rows import Rows, from_lists

_NAMED = "these have topics of their own: topic_ids= and doc_ids= are for data that have none; leave them out"


def is_placed(data: Any) -> bool:
    """Whether data have places instead of topics, whatever is told of them.

    >>> is_placed((np.zeros((1, 2), np.float32), np.zeros((1, 2), np.intp))), is_placed({"q1": {"d1": 0.5}})
    (True, False)
    """
    return is_whole(data) or bool(responses_of(data))


def is_whole(data: Any) -> bool:
    """Whether data are a whole run of places, whatever stands beside them."""
    return is_sparse(data) or _neighbours(data) is not None or is_batch(data)


def is_sparse(data: Any) -> bool:
    """Whether data are a sparse matrix, as scipy has them."""
    return hasattr(data, "tocoo") and len(getattr(data, "shape", ())) == 2


def is_batch(data: Any) -> bool:
    """Whether a dict holds lists of ids for one query after the other, as Chroma returns them."""
    ids = data.get("ids") if isinstance(data, Mapping) else None
    aside = {"distances", "documents", "metadatas", "embeddings", "uris", "data", "included"}
    return _is_lists(ids) and bool({*data} - {"ids"}) and {*data} - {"ids"} <= aside


def from_places(data: Any, declared: Declared) -> Rows:
    """Lay out data of places, with the ids that are told.

    >>> told = Declared("run", topic_ids=["q1", "q2"], doc_ids=["a", "b"])
    >>> from_places(np.array([[0.5, 0.25], [1.0, np.nan]]), told).docs
    ['a', 'b', 'a']
    >>> from_places([["b", "a"], ["a"]], Declared("run", topic_ids=["q1", "q2"])).docs
    ['b', 'a', 'a']
    """
    if declared.kind == "preferences":
        raise InputError("there are no preferences in a matrix; give rows of (topic, better, worse)")
    found = _neighbours(data)
    if found is not None:
        return _from_neighbours(*found, declared)
    if is_sparse(data):
        return _from_sparse(data, declared)
    if is_batch(data):
        return _from_batch(data, declared)
    if searched := responses_of(data):
        if declared.topic_ids is None:
            raise InputError(NAMELESS)
        _refuse_docs(declared)
        return from_search(_topics(len(searched), declared, "responses"), searched, declared)
    if isinstance(data, Mapping):
        raise InputError(_NAMED)
    if declared.doc_ids is not None:
        return _from_dense(data, declared)
    return _from_lists(data, declared)


def _from_lists(data: Any, declared: Declared) -> Rows:
    lists = list(data)
    if not all(isinstance(each, list | tuple | Mapping | np.ndarray) for each in lists):
        raise InputError("topic_ids= are for lists, one a topic, or with doc_ids= for a matrix; give one of these")
    return from_lists(_topics(len(lists), declared, "lists"), lists, declared)


def _from_dense(data: Any, declared: Declared) -> Rows:
    """Lay out a matrix of scores, or scores side by side with topics and documents."""
    unnamed(declared)
    try:
        values = np.asarray(data, np.float64)
    except (TypeError, ValueError):
        raise InputError("doc_ids= are for a matrix of numbers, and these are none; leave them out") from None
    if values.ndim == 1:
        topics = _topics(len(values), declared, "scores")
        docs = _docs(len(values), declared, "scores")
        return Rows(topics, np.arange(len(values) + 1), docs, values.tolist())
    if values.ndim != 2:
        raise InputError(f"the scores have {values.ndim} dimensions; give a matrix of topics and documents")
    topics, docs = _topics(len(values), declared, "rows"), _docs(values.shape[1], declared, "columns")
    # What a system must not retrieve is commonly masked by the lowest of all scores.
    there = ~(np.isnan(values) | (values == -np.inf))
    left = values.size - int(np.count_nonzero(there))
    said = (f"{counted(left, 'cell')} of NaN or -inf {'is' if left == 1 else 'are'} no retrieved document",)
    columns = np.nonzero(there)[1].tolist()
    return Rows(
        topics,
        offsets(there.sum(axis=1)),
        [docs[column] for column in columns],
        values[there].tolist(),
        notes=said if left else (),
    )


def _from_sparse(data: Any, declared: Declared) -> Rows:
    unnamed(declared)
    topics, docs = _topics(data.shape[0], declared, "rows"), _docs(data.shape[1], declared, "columns")
    cells = data.tocoo()
    row, column = np.asarray(cells.row), np.asarray(cells.col)
    order = np.lexsort((column, row))
    row, column, value = row[order], column[order], np.asarray(cells.data)[order]
    if (twice := np.flatnonzero((np.diff(row) == 0) & (np.diff(column) == 0))).size:
        place = int(twice[0])
        raise InputError(f"the cell ({row[place]}, {column[place]}) is there twice; call sum_duplicates() first")
    return Rows(
        topics,
        offsets(np.bincount(row, minlength=len(topics))),
        [docs[place] for place in column.tolist()],
        value.tolist(),
        notes=("cells that the sparse matrix does not store are documents that are not there",),
    )


def _neighbours(data: Any) -> tuple[Any, Any] | None:
    """Scores and numbers of documents of a search for neighbours, in either order; None for other data."""
    if not isinstance(data, tuple) or len(data) != 2:
        return None
    if any(isinstance(each, str | bytes | list | tuple | Mapping) or not hasattr(each, "shape") for each in data):
        return None
    one, other = map(np.asarray, data)
    if one.ndim != 2 or one.shape != other.shape:
        return None
    kinds = one.dtype.kind, other.dtype.kind
    if kinds[0] == "f" and kinds[1] in "iu":
        return one, other
    return (other, one) if kinds[1] == "f" and kinds[0] in "iu" else None


def _from_neighbours(score: Any, number: Any, declared: Declared) -> Rows:
    """Lay out distances or similarities with the numbers of documents; -1 stands for no document."""
    unnamed(declared)
    topics = _topics(len(number), declared, "rows")
    there = number >= 0
    found, values = number[there].tolist(), score[there].astype(np.float64)
    bounds = offsets(there.sum(axis=1))
    if declared.doc_ids is not None:
        docs = _written(_listed(declared.doc_ids, "doc_ids", "documents"))
        if found and max(found) >= len(docs):
            raise InputError(f"there is a document {max(found)}, and doc_ids= has {len(docs)}; give an id to each")
        found = [docs[each] for each in found]
    else:
        found = _written(found)
    return _directed(Rows(topics, bounds, found, values.tolist()), values, declared)


def _from_batch(data: Mapping[str, Any], declared: Declared) -> Rows:
    unnamed(declared)
    _refuse_docs(declared)
    ids, distances = data["ids"], data.get("distances")
    topics = _topics(len(ids), declared, "lists")
    bounds = offsets(np.fromiter(map(len, ids), np.intp, len(ids)))
    docs = [each for found in ids for each in found]
    if distances is None:
        return Rows(topics, bounds, docs, None)
    values = [each for found in distances for each in found]
    if [*map(len, ids)] != [*map(len, distances)]:
        raise InputError("'ids' and 'distances' are not equally long; give the result as it was returned")
    low = declared.higher_is_better is None and declared.kind == "run"
    said = ("'distances' are those of Chroma",) if low else ()
    return Rows(topics, bounds, docs, values, lowest_first=low, notes=said)


def _directed(rows: Rows, values: Floats, declared: Declared) -> Rows:
    """Rows with the direction of their scores, which their order shows where it is not declared."""
    if declared.kind != "run" or declared.higher_is_better is not None:
        return rows
    low, said = lowest_first(values, rows.bounds)
    return Rows(rows.topics, rows.bounds, rows.docs, rows.value, lowest_first=low, notes=said)


def _topics(count: int, declared: Declared, what: str) -> list[Any]:
    if declared.topic_ids is None:
        raise InputError(
            f"{counted(count, what[:-1])} and no topics; say which topic each is of, in this order: topic_ids=[...]"
        )
    return _ids(declared.topic_ids, "topic_ids", count, what)


def _docs(count: int, declared: Declared, what: str) -> list[Any]:
    if declared.doc_ids is None:
        raise InputError(f"{counted(count, what[:-1])} and no documents; name them in this order: doc_ids=[...]")
    return _written(_ids(declared.doc_ids, "doc_ids", count, what))


def _written(docs: Iterable[Any]) -> list[Any]:
    """Whole numbers as they are written, once for each document, where each of its rows would take longer."""
    return [one_id(doc, "document") if type(doc) is int else doc for doc in docs]


def _listed(given: Any, option: str, what: str) -> list[Any]:
    if isinstance(given, str | bytes) or not isinstance(given, Iterable) or getattr(given, "ndim", 1) != 1:
        raise InputError(f"{option}={brief(given)} is no list of ids; give one for each of the {what}")
    return given.tolist() if isinstance(given, np.ndarray) else [*given]


def _ids(given: Any, option: str, count: int, what: str) -> list[Any]:
    ids = _listed(given, option, what)
    if len(ids) != count:
        raise InputError(f"{option}= has {counted(len(ids), 'id')} for {counted(count, what[:-1])}; give one for each")
    return ids


def _refuse_docs(declared: Declared) -> None:
    if declared.doc_ids is not None:
        raise InputError("these name their documents themselves; leave doc_ids= out")


def _is_lists(data: Any) -> bool:
    return isinstance(data, Sequence) and not isinstance(data, str) and all(isinstance(each, list) for each in data)
