"""One entrance for everything that may be looked at before it is trusted: files, Python data, runs and judgments."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.grouping import group
from truerank.data.ids import Ids
from truerank.data.qrels import Preferences, Qrels
from truerank.data.run import Run
from truerank.io.headers import NAMES, plain
from truerank.io.lines import line_end
from truerank.io.load import as_qrels, as_run
from truerank.io.relations import is_sign
from truerank.io.scalars import one_id
from truerank.io.source import Source, open_source
from truerank.io.tolerant.text import readable
from truerank.io.tolerant.written import Draft, read_draft

_HEAD = 1 << 16
_OTHERS = (b"{", b"[", b"PAR1", b"ARROW1")
"""How JSON, Parquet and Arrow files begin."""
_KINDS = {4: "qrels", 5: "run", 6: "run", 7: "run"}
"""What files are, by the columns that most of their first lines have; a run may lack its tag, or have a column more."""


def draft_run(data: Any, name: str | None = None) -> Draft:
    """Return a run as it is written, whatever it is given as.

    >>> draft_run({"q1": {"d1": float("nan"), "d2": 1.0}}).unreadable.tolist()
    [0]
    """
    return _draft(data, "run", name)


def draft_qrels(data: Any) -> Draft:
    """Return judgments as they are written, whatever they are given as.

    >>> draft_qrels([("q1", "d1", 1), ("q1", "d1", 0)]).pairs.tolist()
    [[0, 1]]
    """
    return _draft(data, "qrels", None)


def looks_like(source: Source) -> str:
    """Tell whether lines are those of a "run" or of "qrels", by their columns; "" where they are neither."""
    lines = _first_lines(source)
    columns = Counter(map(len, lines))
    if not lines or any(map(is_sign, lines[0][2:])):
        return ""  # Nothing, or preferences.
    return _KINDS.get(columns.most_common(1)[0][0], "")


def _first_lines(source: Source) -> list[list[bytes]]:
    """The fields of the first lines; none where the text is binary or JSON."""
    text = readable(source.text)[0]
    head = text[: line_end(text, _HEAD)].tobytes().removeprefix(b"\xef\xbb\xbf")
    if head.count(0) * 8 > len(head) or head.lstrip().startswith(_OTHERS):
        return []
    return [line.split() for line in head.split(b"\n") if line.strip() and not line.lstrip().startswith(b"#")]


def _is_headed(source: Source) -> bool:
    """Whether the first line names columns."""
    known = {name for tiers in NAMES.values() for tier in tiers for name in tier}
    first = next(iter(_first_lines(source)), [])
    return sum(plain(name.decode("utf-8", "replace")) in known for name in first) > 1


def _draft(data: Any, kind: str, name: str | None) -> Draft:
    if isinstance(data, Draft):
        return data if name in (None, data.name) else replace(data, name=str(name))
    if isinstance(data, str | os.PathLike) and data != "-" and not os.path.exists(data):
        return _made(_strict(kind)(data), None, name)  # The id of a data set, or a mistake.
    if isinstance(data, Source | str | os.PathLike) or hasattr(data, "read"):
        source = data if isinstance(data, Source) else open_source(data)
        if looks_like(source) != kind:
            # Other kinds of files are read as everywhere, and what is wrong with them is said as everywhere.
            return _made(_strict(kind)(_again(source)), source, name)
        if _is_headed(source):
            with suppress(InputError):
                return _made(_strict(kind)(_again(source)), source, name)
        return read_draft(source, kind, name)
    if isinstance(data, Iterator):
        data = list(data)
    try:
        made = _strict(kind)(data)
    except InputError as error:
        return _from_rows(data, kind, name, error)
    return _made(made, None, name)


def _strict(kind: str) -> Callable[..., Run | Qrels]:
    return as_run if kind == "run" else as_qrels


def _again(source: Source) -> Any:
    """The file, or a stream that was read once, to be read by another reader."""
    if os.path.exists(source.name):
        return source.name
    import io

    return io.BytesIO(source.text.tobytes())


def _made(made: Run | Qrels, source: Source | None, name: str | None) -> Draft:
    """A run or judgments that a reader has accepted."""
    if isinstance(made, Run):
        order = np.arange(len(made))
        if made.arrival is not None:
            order = np.lexsort((made.arrival, np.repeat(np.arange(len(made.topics)), np.diff(made.offsets))))
        docs, key, number = made.docs.take(order), made.key[order], made.score[order]
        kind = "run"
    else:
        docs, key, number = made.docs, made.key, made.grade
        kind = "preferences" if isinstance(made, Preferences) else "qrels"
    called = name or (made.name if isinstance(made, Run) else source.name if source else "qrels")
    return Draft(
        called, kind, made.topics, made.offsets, docs, key, number, np.zeros(0, np.int64), made=made, source=source
    )


def _from_rows(data: Any, kind: str, name: str | None, refused: InputError) -> Draft:
    """Lay out Python data that a reader has refused; what is no dict of dicts and no list of rows stays refused."""
    rows = [(one_id(topic, "topic"), one_id(doc, "document"), value) for topic, doc, value in _rows(data, refused)]
    if not rows:
        raise refused
    numbers: dict[bytes, int] = {}
    segment = [numbers.setdefault(topic, len(numbers)) for topic, _, _ in rows]
    names, bounds, move = group(list(numbers), None, segment)
    docs = Ids.pack([doc for _, doc, _ in rows])
    start, length, number = docs.start, docs.length, _numbers([value for _, _, value in rows])
    if move is not None:
        move([start, length, number])
    docs = Ids(docs.buffer, start, length)
    wrong = np.flatnonzero(np.isnan(number))
    return Draft(name or ("run" if kind == "run" else "qrels"), kind, names, bounds, docs, docs.keys(), number, wrong)


def _rows(data: Any, refused: InputError) -> Iterator[tuple[Any, Any, Any]]:
    if isinstance(data, Mapping):
        for topic, documents in data.items():
            if not isinstance(documents, Mapping | list | tuple):
                raise refused
            pairs = [*documents.items()] if isinstance(documents, Mapping) else [*documents]
            if all(isinstance(one, str | bytes | int) for one in pairs):
                pairs = [(doc, len(pairs) - place) for place, doc in enumerate(pairs)]
            yield from ((topic, *pair) for pair in pairs if _is_row(pair, 2, refused))
        return
    if not isinstance(data, list | tuple):
        raise refused
    yield from (row for row in data if _is_row(row, 3, refused))


def _is_row(row: Any, fields: int, refused: InputError) -> bool:
    if isinstance(row, tuple | list) and len(row) == fields:
        return True
    raise refused


def _numbers(values: list[Any]) -> Floats:
    number = np.array([_number(value) for value in values], dtype=np.float64) + 0.0
    number[~np.isfinite(number)] = np.nan
    return number


def _number(value: Any) -> float:
    if not isinstance(value, Real) or isinstance(value, bool | np.bool_):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.nan
