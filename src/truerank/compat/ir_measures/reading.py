"""Judgments and runs in the forms that ir_measures takes, for the engine."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from truerank.compat.ir_measures.records import Lines
from truerank.data.errors import InputError
from truerank.data.ids import Ids, text
from truerank.data.qrels import Qrels
from truerank.data.run import Run, arrange
from truerank.io.load import as_qrels, as_run

FIELDS = {"qrels": ("query_id", "doc_id", "relevance"), "run": ("query_id", "doc_id", "score")}


class Ranked(NamedTuple):
    """A run, and its topics in the order they came in."""

    run: Run
    order: tuple[str, ...]


def judgments(data: Any) -> Qrels | None:
    """Judgments in any form; None where there are none.

    >>> judgments({"q1": {"d1": 1}}), judgments([])
    (Qrels(1 topics, 1 judgments), None)
    """
    table = _table(data, "qrels")
    return None if table is None else as_qrels(table)


def ranked(data: Any) -> Ranked:
    """A run in any form; one without rows is a run that answers no topic.

    >>> ranked({"q2": {"d1": 0.5}, "q1": {"d2": 0.5}}).order
    ('q2', 'q1')
    """
    table = _table(data, "run")
    run = arrange("run", [], [0], Ids.pack([]), []) if table is None else as_run(table)
    if isinstance(table, Mapping):
        return Ranked(run, tuple(text(topic) if isinstance(topic, bytes) else str(topic) for topic in table))
    if _is_frame(table):
        return Ranked(run, tuple(map(str, dict.fromkeys(list(table["query_id"])))))
    # Documents stand in a buffer as they came; a topic without any says nothing of when it came, and is put last.
    empty = np.diff(run.offsets) == 0
    answered = np.flatnonzero(~empty)
    if len(answered):
        first = np.minimum.reduceat(run.docs.start, run.offsets[answered])
        answered = answered[np.argsort(first, kind="stable")]
    order = [*answered.tolist(), *np.flatnonzero(empty).tolist()]
    return Ranked(run, tuple(text(run.topics[topic]) for topic in order))


def _table(data: Any, kind: str) -> Any:
    """What the engine reads; None where it is empty."""
    if isinstance(data, Lines):
        whole = data.whole
        data = list(data) if whole is None else whole
    if isinstance(data, Qrels | Run | str | os.PathLike) or hasattr(data, "read"):
        return data
    if _is_frame(data):
        _refuse_columns(data, kind)
        return data[list(FIELDS[kind])] if len(data) else None
    return (data if isinstance(data, Mapping) else rows_of(data, kind)) or None


def rows_of(data: Any, kind: str) -> list[Any]:
    """The rows of a table, a dict of dicts or records, once it is sure that they are of this kind."""
    wanted = FIELDS[kind]
    if isinstance(data, Mapping):
        return [(topic, doc, value) for topic, documents in data.items() for doc, value in documents.items()]
    if _is_frame(data):
        _refuse_columns(data, kind)
        return list(zip(*(list(data[name]) for name in wanted), strict=True))
    if not isinstance(data, Iterable) or isinstance(data, bytes):
        raise InputError(
            f"unknown {kind} format: {type(data).__name__}; give a dict of dicts, a DataFrame with the columns "
            f"{', '.join(wanted)}, records such as ir_measures.{'Qrel' if kind == 'qrels' else 'ScoredDoc'}, or a path"
        )
    if inspect.isgenerator(data) and data.gi_frame is None:
        raise InputError(f"the {kind} is a generator that was read to its end before; make a list of it first")
    rows = list(data)
    names = getattr(rows[0], "_fields", ()) if rows else ()
    if names:
        missing = [name for name in wanted if name not in names]
        _refuse(kind, "namedtuple iter missing fields", missing, list(names))
    return rows


def _is_frame(data: Any) -> bool:
    return hasattr(data, "columns") and hasattr(data, "shape")


def _refuse_columns(frame: Any, kind: str) -> None:
    found = list(frame.columns)
    _refuse(kind, "DataFrame missing columns", [name for name in FIELDS[kind] if name not in found], found)


def _refuse(kind: str, what: str, missing: list[str], found: list[str]) -> None:
    if missing:
        raise InputError(f"unknown {kind} format: {what}: {missing} (found {found})")
