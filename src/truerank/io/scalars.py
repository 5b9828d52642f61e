"""Ids and numbers of Python data as arrays; what is neither is refused by name."""

from __future__ import annotations

import numbers as abstract
from collections.abc import Sequence
from typing import Any

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.ids import Ids
from truerank.io.rows import Rows

_QUICK = {float, int, np.float64, np.float32, np.int64, np.int32}


def one_id(identifier: Any, what: str) -> bytes:
    """Return an id as bytes.

    >>> one_id(7, "topic"), one_id("é", "topic")
    (b'7', b'\\xc3\\xa9')
    """
    if isinstance(identifier, str):
        return identifier.encode("utf-8", "surrogateescape")
    if isinstance(identifier, bytes):
        return bytes(identifier)
    if isinstance(identifier, int | np.integer) and not isinstance(identifier, bool):
        return str(int(identifier)).encode()
    raise InputError(f"{what} {identifier!r:.80} is a {type(identifier).__name__}; give ids as str, bytes or int")


def ids(rows: Rows, docs: Sequence[Any]) -> Ids:
    """Pack document ids."""
    kinds = set(map(type, docs))
    if kinds <= {str} or kinds <= {bytes}:
        return Ids.pack(docs)
    packed = []
    for row, doc in enumerate(docs):
        try:
            packed.append(one_id(doc, "document"))
        except InputError as error:  # noqa: PERF203
            raise InputError(f"topic {rows.topic(row)!r}: {error.message}") from None
    return Ids.pack(packed)


def numbers(rows: Rows, name: str) -> Floats:
    """Return the values as floats; booleans, missing values, text and what is not finite are refused."""
    values = rows.value or []
    kinds = set(map(type, values))
    if kinds <= _QUICK or all(_is_number(kind) for kind in kinds):
        try:
            result = np.fromiter(values, np.float64, len(values))
        except OverflowError:
            result = np.array([_finite(value) for value in values])
        # -0.0 and 0.0 are one score.
        result += 0.0
        wrong = np.flatnonzero(~np.isfinite(result))
    else:
        wrong = np.array([row for row, value in enumerate(values) if not _is_number(type(value))])
    if not len(wrong):
        return result
    row = int(wrong[0])
    raise InputError(
        f"document {rows.docs[row]!r:.80} of topic {rows.topic(row)!r:.80} has the {name} {values[row]!r:.40}; "
        "give a finite number"
    )


def _is_number(kind: type[Any]) -> bool:
    return issubclass(kind, abstract.Real | np.integer | np.floating) and not issubclass(kind, bool)


def _finite(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf")
