"""ir_measures' records, and the files they are read from."""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any, Generic, NamedTuple, TypeAlias, TypeVar

from truerank.data.errors import InputError
from truerank.io.lines import text_lines, words
from truerank.io.source import open_source

if TYPE_CHECKING:
    from truerank.compat.ir_measures.measures import Measure

Record = TypeVar("Record")
Source: TypeAlias = str | os.PathLike[str] | IO[Any]


class Qrel(NamedTuple):
    """A judgment."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


class ScoredDoc(NamedTuple):
    """A retrieved document."""

    query_id: str
    doc_id: str
    score: float


class Metric(NamedTuple):
    """The value of a measure for a topic."""

    query_id: str
    measure: Measure
    value: float


class CalcResults(NamedTuple):
    """A summary over topics, and the value of each."""

    aggregated: Any
    per_query: list[Metric]


class Lines(Generic[Record]):
    """The records of a file in TREC's format.

    ir_measures gives a generator, which is empty when it is read a second time, and its scores are then 0; these
    records can be read again, and a file that is given to the engine as a whole is read by it at once.
    """

    def __init__(self, source: Source, record: Callable[[list[str]], Record], columns: int) -> None:
        if hasattr(source, "read"):
            # An open file has been read after the first time, so its text is kept.
            content = source.read()
            source = content if isinstance(content, str) else content.decode("utf-8", "surrogateescape")
            self._content: str | None = source
        else:
            self._content = source if isinstance(source, str) and "\n" in source else None
        self._path = source
        self._record = record
        self._columns = columns
        self._reading: Iterator[Record] | None = None

    def __iter__(self) -> Iterator[Record]:
        return self._reading or self._read()

    def __next__(self) -> Record:
        self._reading = self._reading or self._read()
        return next(self._reading)

    @property
    def whole(self) -> Source | None:
        """What the engine can read by itself; None once records were taken one by one, or if there are none."""
        if self._reading is not None:
            return None
        if self._content is None:
            return self._path
        return io.StringIO(self._content) if self._content.strip() else None

    def _read(self) -> Iterator[Record]:
        source = open_source(self._path if self._content is None else io.StringIO(self._content))
        text = source.text.tobytes().decode("utf-8", "surrogateescape")
        for number, line in enumerate(text_lines(text), 1):
            fields = words(line)
            if not fields:
                continue
            if len(fields) != self._columns:
                message = f"this line has {len(fields)} columns; a file of this kind has {self._columns}"
                raise InputError(message, source.name, number)
            try:
                yield self._record(fields)
            except ValueError:
                raise InputError(f"{line.strip()!r} has no number where one belongs", source.name, number) from None


def read_trec_qrels(file: Source) -> Lines[Qrel]:
    """Judgments of a path, an open file or text with line breaks.

    >>> list(read_trec_qrels("q1 0 d1 2\\n"))
    [Qrel(query_id='q1', doc_id='d1', relevance=2, iteration='0')]
    """
    return Lines(file, lambda f: Qrel(f[0], f[2], int(f[3]), f[1]), 4)


def read_trec_run(file: Source) -> Lines[ScoredDoc]:
    """Retrieved documents of a path, an open file or text with line breaks.

    >>> list(read_trec_run("q1 Q0 d1 1 0.5 bm25\\n"))
    [ScoredDoc(query_id='q1', doc_id='d1', score=0.5)]
    """
    return Lines(file, lambda f: ScoredDoc(f[0], f[2], float(f[4])), 6)


def deprecated(old: str, new: Callable[..., Any]) -> Callable[..., Any]:
    """A former name, which warns as ir_measures does."""

    def named(*args: Any, **kwargs: Any) -> Any:
        message = f"{old} deprecated in 0.2.0. Please use ir_measures.{new.__name__} instead."
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return new(*args, **kwargs)

    return named


GenericQrel = deprecated("GenericQrel", Qrel)
GenericScoredDoc = deprecated("GenericScoredDoc", ScoredDoc)
parse_trec_qrels = deprecated("parse_trec_qrels", read_trec_qrels)
parse_trec_run = deprecated("parse_trec_run", read_trec_run)
