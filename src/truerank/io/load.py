"""One entrance for everything a run or judgments may be given as."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from truerank.data.qrels import Preferences, Qrels
from truerank.data.run import Run
from truerank.io.tables import preferences_from, qrels_from, run_from
from truerank.io.trec import read_judgments, read_preferences, read_run


def as_run(data: Any, name: str | None = None) -> Run:
    """Return a run, whatever it is given as: a Run, a path, "-", an open file, a dict or rows.

    >>> as_run({"q1": {"d1": 0.5}}, "bm25")
    Run('bm25', 1 topics, 1 documents)
    """
    if isinstance(data, Run):
        return data if name in (None, data.name) else replace(data, name=name)
    if _is_file(data):
        return read_run(data, name)
    if _is_table(data):
        return run_from(data, name or "run")
    raise TypeError(f"a run cannot be made of {type(data).__name__}; {_accepted('score')}")


def as_qrels(data: Any) -> Qrels:
    """Return judgments, whatever they are given as: Qrels, a path, "-", an open file, a dict or rows.

    A file with three columns holds preferences.

    >>> as_qrels({"q1": ["d1"]})
    Qrels(1 topics, 1 judgments)
    """
    if isinstance(data, Qrels):
        return data
    if _is_file(data):
        return read_judgments(data)
    if _is_table(data):
        return qrels_from(data)
    raise TypeError(f"qrels cannot be made of {type(data).__name__}; {_accepted('grade')}")


def as_preferences(data: Any) -> Preferences:
    """Return preferences, whatever they are given as: Preferences, a path, "-", an open file, a dict or rows.

    >>> as_preferences([("q1", "d2", "d1")])
    Preferences(1 topics, 2 judgments)
    """
    if isinstance(data, Preferences):
        return data
    if _is_file(data):
        return read_preferences(data)
    if _is_table(data):
        return preferences_from(data)
    raise TypeError(f"preferences cannot be made of {type(data).__name__}; {_accepted('worse document')}")


def _is_file(data: Any) -> bool:
    return isinstance(data, str | os.PathLike) or hasattr(data, "read")


def _is_table(data: Any) -> bool:
    return isinstance(data, Mapping) or (isinstance(data, Iterable) and not isinstance(data, bytes | Run | Qrels))


def _accepted(value: str) -> str:
    return f'give a path, "-", an open file, a dict, or rows of (topic, document, {value})'
