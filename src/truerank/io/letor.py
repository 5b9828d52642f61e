"""Files of learning to rank (LETOR, SVMlight): a grade, the topic as ``qid:``, features, and maybe a comment."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from truerank.data.errors import InputError
from truerank.data.printing import shown
from truerank.io.compression import compression, decompressed_pieces
from truerank.io.encoding import BOM
from truerank.io.headers import Declared
from truerank.io.rows import Rows
from truerank.io.source import Source

_LINE = re.compile(rb"\s*(\S+)\s+qid:(\S+)([^#]*)(?:#(.*))?$", re.DOTALL)
_NAMED = re.compile(rb"\bdocid\s*=\s*(\S+)")
_WORD = re.compile(rb"\s*(\S+)\s*$")
_FEATURES = re.compile(rb"\s*[-+]?[\d.]+(?:[eE][-+]?\d+)?\s+qid:\S+\s+\d+:\S+")
_HEAD = 1 << 12
BY_ROW = "documents have no ids: they are called by their row, the first of which is 0"


class LetorLine(NamedTuple):
    """A document, with its parts as they are written."""

    number: int
    """Of the line, from 1 on."""
    grade: bytes
    topic: bytes
    features: bytes
    comment: bytes | None


def letor_lines(source: Source) -> Iterator[LetorLine]:
    """The lines that hold a document; the others are empty, or a comment."""
    for number, line in enumerate(source.text.tobytes().removeprefix(BOM).split(b"\n"), 1):
        if not line.strip() or line.lstrip().startswith(b"#"):
            continue
        found = _LINE.match(line)
        if found is None:
            raise InputError(f"{shown(line)} has no grade and qid; give lines such as 2 qid:10 1:0.5", None, number)
        yield LetorLine(number, *found.groups())


def read_letor(source: Source, declared: Declared) -> Rows:
    """Lay out grades as judgments, or the feature that ``columns={"score": "25"}`` names as the scores of a run.

    A document's id is what the comment has after ``docid =``, or the comment if that is one word, or the row.

    >>> import io
    >>> from truerank.io.source import open_source
    >>> text = "2 qid:10 1:0.5 # docid = a\\n0 qid:10 2:1 # docid = b"
    >>> rows = read_letor(open_source(io.StringIO(text)), Declared("qrels"))
    >>> rows.docs, rows.value
    ([b'a', b'b'], [2.0, 0.0])
    """
    feature = _feature(declared)
    topics: list[bytes] = []
    docs: list[bytes | None] = []
    values: list[float] = []
    filled: list[int] = []
    for number, grade, topic, features, comment in letor_lines(source):
        topics.append(topic)
        docs.append(doc_of(comment))
        values.append(number_of(grade, "grade", number) if feature is None else _value(features, feature, number))
        filled.append(number)
    return _rows(topics, docs, values, filled, feature)


def _rows(
    topics: list[bytes], docs: list[bytes | None], values: list[float], filled: list[int], feature: bytes | None
) -> Rows:
    notes = [] if feature is None else [f"scores are feature {feature.decode()}"]
    refuse_some(docs, filled)
    ids: list[Any] = docs
    if docs and all(doc is None for doc in docs):
        ids = [*range(len(docs))]
        notes.append(BY_ROW)
    return Rows(topics, np.arange(len(ids) + 1), ids, values, notes=tuple(notes), line=filled.__getitem__)


def refuse_some(docs: Sequence[bytes | None], lines: Sequence[int]) -> None:
    """Refuse documents some of which have ids."""
    if None in docs and any(doc is not None for doc in docs):
        line = lines[docs.index(None)]
        raise InputError("this document has no id, and others have; give each one, as in # docid = GX1", None, line)


def has_features(path: str | os.PathLike[str]) -> bool:
    """Whether a file that may be compressed begins with such lines; what cannot be read does not."""
    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD)
        if compression(head[:16]) is not None:
            head = next(decompressed_pieces(os.fspath(path)), b"")[:_HEAD]
    except (OSError, ValueError, InputError):
        return False
    if b" qid:" not in head and b"\tqid:" not in head:
        return False
    lines = (
        line for line in head.removeprefix(BOM).split(b"\n") if line.strip() and not line.lstrip().startswith(b"#")
    )
    return _FEATURES.match(next(lines, b"")) is not None


def _feature(declared: Declared) -> bytes | None:
    if declared.kind == "preferences":
        raise InputError("these are grades, and no preferences; give them as qrels")
    columns = dict(declared.columns or {})
    feature = columns.pop("score", None) if declared.kind == "run" else None
    if columns:
        raise InputError("columns= of a file with qid: names the feature that is the score; leave the others out")
    if declared.kind == "run" and feature is None:
        raise InputError(
            "this file has features and no scores; read them all with read_features, name one, as in "
            "read_run(..., columns={'score': '25'}) "
            "(--columns score=25), or give what a model predicts: read_run(scores, topic_ids=..., doc_ids=...)"
        )
    return None if feature is None else str(feature).encode()


def doc_of(comment: bytes | None) -> bytes | None:
    """The id that a comment gives a document."""
    if comment is None:
        return None
    found = _NAMED.search(comment) or _WORD.match(comment)
    return found[1] if found else None


def _value(features: bytes, feature: bytes, line: int) -> float:
    """The value of a feature, 0 where it is left out."""
    for pair in features.split():
        name, _, value = pair.partition(b":")
        if name == feature:
            return number_of(value, "feature", line)
    return 0.0


def number_of(text: bytes, what: str, line: int) -> float:
    """The number that a text is, or an error that names the line."""
    try:
        return float(text)
    except ValueError:
        raise InputError(f"the {what} is {shown(text)}; give a finite number", None, line) from None
