"""Judgments and runs in the forms that ir_measures takes: records, files, dicts and data frames."""

from __future__ import annotations

import inspect
import io
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import IO, TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np

from truerank.compat.subtopics import plain
from truerank.data.errors import InputError
from truerank.data.ids import Ids, text
from truerank.data.qrels import Qrels
from truerank.data.run import Run, arrange
from truerank.io.lines import text_lines, words
from truerank.io.load import as_qrels, as_run
from truerank.io.source import open_source

if TYPE_CHECKING:
    from truerank.compat.ir_measures.measures import Measure

Record = TypeVar("Record")
Source: TypeAlias = str | os.PathLike[str] | IO[Any]

FIELDS = {"qrels": ("query_id", "doc_id", "relevance"), "run": ("query_id", "doc_id", "score")}


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


class RecordLines(Generic[Record]):
    """The records of a file in TREC's format.

    ir_measures gives a generator, which is empty when it is read a second time, and its scores are then 0; these
    records can be read again, and a file that is given to the engine as a whole is read by it at once.
    """

    def __init__(self, source: Source, record: Callable[[list[str]], Record], columns: int) -> None:
        if hasattr(source, "read"):
            # An open file has been read after the first time, so its text is kept.
            content = source.read()
            source = content if isinstance(content, str) else text(content)
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
        for number, line in enumerate(text_lines(text(source.text.tobytes())), 1):
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


def read_trec_qrels(file: Source) -> RecordLines[Qrel]:
    """Judgments of a path, an open file or text with line breaks.

    >>> list(read_trec_qrels("q1 0 d1 2\\n"))
    [Qrel(query_id='q1', doc_id='d1', relevance=2, iteration='0')]
    """
    return RecordLines(file, lambda f: Qrel(f[0], f[2], int(f[3]), f[1]), 4)


def read_trec_run(file: Source) -> RecordLines[ScoredDoc]:
    """Retrieved documents of a path, an open file or text with line breaks.

    >>> list(read_trec_run("q1 Q0 d1 1 0.5 bm25\\n"))
    [ScoredDoc(query_id='q1', doc_id='d1', score=0.5)]
    """
    return RecordLines(file, lambda f: ScoredDoc(f[0], f[2], float(f[4])), 6)


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
    return None if table is None else plain(as_qrels(table), "ir_measures")


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
    if isinstance(data, RecordLines):
        whole = data.whole
        data = list(data) if whole is None else whole
    if isinstance(data, Qrels | Run | str | os.PathLike) or hasattr(data, "read"):
        return data
    if _is_frame(data):
        _refuse_without(kind, "DataFrame missing columns", list(data.columns))
        return data[list(FIELDS[kind])] if len(data) else None
    return (data if isinstance(data, Mapping) else rows_of(data, kind)) or None


def rows_of(data: Any, kind: str) -> list[Any]:
    """The rows of a table, a dict of dicts or records, once it is sure that they are of this kind."""
    wanted = FIELDS[kind]
    if isinstance(data, Mapping):
        return [(topic, doc, value) for topic, documents in data.items() for doc, value in documents.items()]
    if _is_frame(data):
        _refuse_without(kind, "DataFrame missing columns", list(data.columns))
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
        _refuse_without(kind, "namedtuple iter missing fields", list(names))
    return rows


def _is_frame(data: Any) -> bool:
    return hasattr(data, "columns") and hasattr(data, "shape")


def _refuse_without(kind: str, what: str, found: list[str]) -> None:
    missing = [name for name in FIELDS[kind] if name not in found]
    if missing:
        raise InputError(f"unknown {kind} format: {what}: {missing} (found {found})")


class Converter:
    """Rows in any form that ir_measures takes, which may be read more than once."""

    kind: ClassVar[str]
    record: ClassVar[type[Any]]

    def __init__(self, data: Any, strict: bool = True) -> None:
        # Something else than rows is refused when rows are asked for, as in ir_measures.
        self._data = list(data) if isinstance(data, Iterator) else data

    def as_namedtuple_iter(self) -> Iterator[Any]:
        """Records."""
        for row in rows_of(self._data, self.kind):
            yield row if getattr(row, "_fields", ()) else self.record(*row)

    def as_dict_of_dict(self) -> dict[str, dict[str, Any]]:
        """Documents with their values, by topic."""
        topics: dict[str, dict[str, Any]] = {}
        for row in self.as_namedtuple_iter():
            topics.setdefault(row.query_id, {})[row.doc_id] = getattr(row, FIELDS[self.kind][-1])
        return topics

    def as_pd_dataframe(self) -> Any:
        """A DataFrame."""
        return import_module("pandas").DataFrame(list(self.as_namedtuple_iter()), columns=list(self.record._fields))


class QrelsConverter(Converter):
    """Judgments in any form.

    >>> QrelsConverter([Qrel("q1", "d1", 1)]).as_dict_of_dict()
    {'q1': {'d1': 1}}
    """

    kind = "qrels"
    record = Qrel


class RunConverter(Converter):
    """A run in any form.

    >>> list(RunConverter({"q1": {"d1": 0.5}}).as_namedtuple_iter())
    [ScoredDoc(query_id='q1', doc_id='d1', score=0.5)]
    """

    kind = "run"
    record = ScoredDoc

    def as_sorteddict(self) -> dict[str, list[Any]]:
        """Records by topic, best first.

        >>> RunConverter({"q1": {"d1": 0.5, "d2": 0.7}}).as_sorteddict()["q1"][0].doc_id
        'd2'
        """
        topics: dict[str, list[Any]] = {}
        for row in self.as_namedtuple_iter():
            topics.setdefault(row.query_id, []).append(row)
        return {topic: sorted(rows, key=lambda row: -row.score) for topic, rows in topics.items()}
