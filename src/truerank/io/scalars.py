"""Ids and numbers of Python data as arrays; what is neither is refused by name."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from itertools import compress
from typing import Any

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.ids import Ids
from truerank.io.rows import Rows


def one_id(identifier: Any, what: str) -> bytes:
    """Return an id as bytes.

    >>> one_id(7, "topic"), one_id("é", "topic")
    (b'7', b'\\xc3\\xa9')
    """
    if isinstance(identifier, str):
        try:
            return identifier.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            raise InputError(f"{what} {identifier!r:.80} has half a character in it; mend the id") from None
    if isinstance(identifier, bytes):
        return bytes(identifier)
    if isinstance(identifier, int | np.integer) and not isinstance(identifier, bool):
        return str(int(identifier)).encode()
    raise InputError(f"{what} {identifier!r:.80} is a {type(identifier).__name__}; give ids as str, bytes or int")


def ids(rows: Rows, docs: Sequence[Any]) -> Ids:
    """Pack document ids."""
    try:
        return Ids.pack(docs)
    except (TypeError, AttributeError, UnicodeEncodeError):
        return Ids.pack([_doc_id(rows, row, doc) for row, doc in enumerate(docs)])


def _doc_id(rows: Rows, row: int, doc: Any) -> bytes:
    try:
        return one_id(doc, "document")
    except InputError as error:
        raise rows.error(f"topic {rows.topic(row)!r}: {error.message}", row) from None


def numbers(rows: Rows, name: str) -> Floats:
    """Return the values as floats; missing values, text, what is not finite and booleans but for grades are refused."""
    values = rows.value or []
    try:
        result = np.array(array("d", values))
    except (TypeError, OverflowError):
        result = np.array([_number(value) for value in values])
    # -0.0 and 0.0 are one score.
    result += 0.0
    wrong = ~np.isfinite(result)
    # True and False pass for 1 and 0, which they are as grades; only these numbers need a look at their type.
    if name != "grade" and {bool, np.bool_} & set(
        map(type, compress(values, ((result == 0) | (result == 1)).tolist()))
    ):
        wrong |= [isinstance(value, bool | np.bool_) for value in values]
    if not wrong.any():
        return result
    row = int(np.flatnonzero(wrong)[0])
    raise rows.error(
        f"document {rows.docs[row]!r:.80} of topic {rows.topic(row)!r:.80} has the {name} {values[row]!r:.40}; "
        "give a finite number",
        row,
    )


def _number(value: Any) -> float:
    """Return a number as a float, NaN for what is not a number or too large to be one."""
    try:
        return float(array("d", [value])[0])
    except (TypeError, OverflowError):
        return math.nan
