"""What retrievers return: documents of LangChain, with or without scores, and nodes of LlamaIndex.

They are known by their attributes. The id of a document is the one that its metadata have under a known name, or else
its own; ``columns={"doc": NAME}`` chooses another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from truerank.data.arrays import offsets
from truerank.data.errors import InputError
from truerank.data.printing import brief, counted
from truerank.io.direction import lowest_first
from truerank.io.headers import NAMES, Declared, names_of, plain


class RetrievedLists(NamedTuple):
    """Documents of each topic, with what was found out on the way."""

    lists: list[Any]
    lowest_first: bool
    notes: tuple[str, ...]


class _Shape(NamedTuple):
    """How a retriever's result is taken apart."""

    document: Callable[[Any], Any]
    """What has metadata."""
    score: Callable[[Any], Any] | None
    own: str
    """The attribute that is its own id."""
    directed: bool
    """Whether high scores are always best."""


def retrieved(lists: Sequence[Any], declared: Declared) -> RetrievedLists | None:
    """Lists of (id, score) or of ids, made of what retrievers return; None for anything else.

    >>> from types import SimpleNamespace as Document
    >>> found = [Document(page_content="...", metadata={"doc_id": name}, id=None) for name in "ab"]
    >>> retrieved([[(found[0], 0.9), (found[1], 0.4)]], Declared("run")).lists
    [[('a', 0.9), ('b', 0.4)]]
    """
    items = [item for documents in lists if isinstance(documents, list | tuple) for item in documents]
    shape = _shape(items[0]) if items else None
    if shape is None:
        return None
    for item in items:
        if _shape(item) != shape:
            raise InputError(f"a list mixes what retrievers return with other things: {brief(item)}; give one kind")
    documents = [shape.document(item) for item in items]
    ids, notes = _ids(documents, shape, declared)
    scores = None if shape.score is None else [shape.score(item) for item in items]
    if scores is not None and all(score is None for score in scores):
        scores = None
    bounds = offsets(np.fromiter(map(len, lists), np.intp, len(lists)))
    low = False
    if scores is not None and not shape.directed and declared.kind == "run" and declared.higher_is_better is None:
        low, said = lowest_first(_floats(scores), bounds)
        notes += said
    made: list[Any] = []
    left = 0
    for begin, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        rows = range(begin, end)
        if scores is not None:
            # The best chunk of a document stands for it; equal scores leave the one that came first.
            sign = 1 if low or declared.higher_is_better is False else -1
            rows = sorted(rows, key=lambda row: sign * scores[row] if _is_number(scores[row]) else 0.0)  # type: ignore[assignment]
        best = {ids[row]: row for row in reversed(rows)}
        kept = sorted(best.values())
        left += end - begin - len(kept)
        made.append([ids[row] for row in kept] if scores is None else [(ids[row], scores[row]) for row in kept])
    if left:
        notes += (f"left out {counted(left, 'chunk')} of documents that a better one stands for",)
    return RetrievedLists(made, low, notes)


def _shape(item: Any) -> _Shape | None:
    if type(item) is tuple and len(item) == 2 and _is_document(item[0]):
        return _PAIR
    if _is_document(item):
        return _ALONE
    node = getattr(item, "node", None)
    if node is not None and hasattr(item, "score") and _is_node(node):
        return _SCORED
    return _NODE if _is_node(item) else None


def _is_document(item: Any) -> bool:
    return isinstance(getattr(item, "metadata", None), Mapping) and hasattr(item, "page_content")


def _is_node(item: Any) -> bool:
    return isinstance(getattr(item, "metadata", None), Mapping) and hasattr(item, "node_id")


def _first(item: Any) -> Any:
    return item[0]


def _second(item: Any) -> Any:
    return item[1]


def _itself(item: Any) -> Any:
    return item


def _node(item: Any) -> Any:
    return item.node


def _score(item: Any) -> Any:
    return item.score


_PAIR = _Shape(_first, _second, "id", directed=False)
_ALONE = _Shape(_itself, None, "id", directed=False)
_SCORED = _Shape(_node, _score, "node_id", directed=True)
_NODE = _Shape(_itself, None, "node_id", directed=True)


def _ids(documents: list[Any], shape: _Shape, declared: Declared) -> tuple[list[Any], tuple[str, ...]]:
    given = dict(declared.columns or {})
    name = given.pop("doc", None)
    if given:
        raise InputError(
            f"columns= says where the {next(iter(given))} is, and in what retrievers return it names the document, "
            'as in columns={"doc": "source"}'
        )
    if name is not None:
        return _named(documents, name), ()
    keys = names_of("doc", [key for key in documents[0].metadata if isinstance(key, str)])
    known = [key for key in keys if plain(key) in NAMES["doc"][0]]
    if len(known) > 1:
        raise InputError(
            f"metadata have both {' and '.join(map(repr, known))}; say which is the document, "
            f'as in columns={{"doc": {known[0]!r}}}'
        )
    if known:
        return _named(documents, known[0]), (f"read {known[0]!r} of the metadata for the document, going by the name",)
    own = [getattr(each, shape.own, None) for each in documents]
    if any(each is None for each in own):
        there = ", ".join(repr(key) for key in documents[0].metadata) or "nothing"
        raise InputError(
            f'a document has no id; say which of its metadata is, as in columns={{"doc": "source"}} (there is {there})'
        )
    more = getattr(documents[0], "ref_doc_id", None)
    also = '; ref_doc_id is what it is a part of: columns={"doc": "ref_doc_id"}' if more is not None else ""
    return own, (f"read {shape.own!r} for the document{also}",)


def _named(documents: list[Any], name: str) -> list[Any]:
    found = [each.metadata.get(name, getattr(each, name, None)) for each in documents]
    if any(each is None for each in found):
        there = ", ".join(repr(key) for key in documents[found.index(None)].metadata) or "nothing"
        raise InputError(f"a document has no {name!r}; its metadata have {there}: give it to each, or choose another")
    return found


def _floats(scores: list[Any]) -> Any:
    return np.array([float(score) if _is_number(score) else np.nan for score in scores])


def _is_number(score: Any) -> bool:
    return isinstance(score, int | float | np.number) and not isinstance(score, bool)
