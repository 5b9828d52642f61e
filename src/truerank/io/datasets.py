"""Data sets of ir_datasets, as objects or by their ids."""

from __future__ import annotations

import importlib.util
import os
import re
from typing import Any

from truerank.data.errors import InputError

PREFIX = "irds:"

_ITERATORS = {"run": "scoreddocs_iter", "qrels": "qrels_iter"}
_WORDS = {"run": "scored documents, which would be a run", "qrels": "judgments"}
_ID = re.compile(r"[\w.-]+(/[\w.-]+)*")


def is_dataset(data: Any) -> bool:
    """Whether an object is a data set, which gives judgments or scored documents one by one."""
    return any(hasattr(data, name) for name in _ITERATORS.values())


def named_dataset(data: Any) -> Any:
    """The data set that a text names, None where it names none: a file of that name comes first.

    >>> named_dataset("runs/bm25.run") is None
    True
    """
    if not isinstance(data, str):
        return None
    if data.startswith(PREFIX) and not os.path.exists(data):
        if not _installed():
            raise InputError("ir_datasets is not installed; install it to read data sets by their ids", data)
        return _load(data.removeprefix(PREFIX), needed=True)
    if os.path.exists(data) or not _ID.fullmatch(data) or data == "-" or not _installed():
        return None
    return _load(data, needed=False)


def dataset_rows(dataset: Any, kind: str) -> list[Any]:
    """The judgments or scored documents of a data set."""
    name = _name(dataset)
    iterate = getattr(dataset, _ITERATORS.get(kind, ""), None)
    if iterate is None:
        raise InputError(f"data set {name} has no {_WORDS.get(kind, kind)}; name another one")
    try:
        return [*iterate()]
    except Exception as error:
        # A download fails in as many ways as there are places to download from.
        said = str(error).strip().splitlines() or [type(error).__name__]
        raise InputError(
            f"data set {name} could not be read ({said[0]:.200}); see whether ir_datasets can download it"
        ) from error


def _name(dataset: Any) -> str:
    identify = getattr(dataset, "dataset_id", None)
    return repr(identify()) if callable(identify) else f"of type {type(dataset).__name__}"


def _installed() -> bool:
    try:
        return importlib.util.find_spec("ir_datasets") is not None
    except ValueError:
        return False


def _load(name: str, *, needed: bool) -> Any:
    import ir_datasets  # type: ignore[import-untyped]

    try:
        return ir_datasets.load(name)
    except KeyError:
        if needed:
            raise InputError(f"ir_datasets knows no data set {name!r}; check its id") from None
        return None
