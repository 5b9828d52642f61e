"""One entrance for everything that a run or judgments may be given as."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from truerank.data.classes import dataclass
from truerank.data.errors import InputError, about
from truerank.data.preferences import settled
from truerank.data.printing import brief
from truerank.data.qrels import Preferences, Qrels
from truerank.data.run import Run
from truerank.io.columns import Columns, Faults
from truerank.io.datasets import dataset_rows, is_dataset, named_dataset
from truerank.io.direction import negated, run_from
from truerank.io.elastic import body, from_response, from_search, is_recorded, is_response
from truerank.io.forms import form_of, refuse_unknown
from truerank.io.headers import Declared, topic_name
from truerank.io.judgments import preferences_from, qrels_from
from truerank.io.parquet import is_parquet, open_parquet
from truerank.io.places import from_places, is_placed
from truerank.io.records import is_record
from truerank.io.rows import Line, Rows, columns_of, from_mapping, from_rows
from truerank.io.source import Source, is_stream, open_source, stem
from truerank.io.trec import read_judgments, read_list, read_preferences, read_run

# Tables, CSV and JSON are imported where they are read: most runs are none of these, and would wait for them.
if TYPE_CHECKING:
    from truerank.io.chunks import Chunks
    from truerank.io.frames import FrameTable

_BY_RANK = {"rank": "rank"}


@dataclass(frozen=True, eq=False)
class Unread:
    """Judgments with the options that they are to be read with, when they are needed."""

    data: Any
    options: Mapping[str, Any]


def as_run(
    data: Any,
    name: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    higher_is_better: bool | None = None,
    chunks: Chunks | None = None,
    aggregate: str = "max",
    topic_ids: Sequence[Any] | None = None,
    doc_ids: Sequence[Any] | None = None,
    form: str | None = None,
) -> Run:
    """Return a run, whatever it is given as.

    ``data`` is a Run, a path, "-", an open file, a dict, rows, a data frame, a data set of ir_datasets or its id, or
    what a search engine, a vector store, a retriever or a model returns.

    - ``columns`` says which columns hold what, where their names do not: {"topic": ..., "doc": ..., "score": ...};
      "rank" instead of "score" orders documents by rank
    - ``higher_is_better=False`` says that scores are distances, the lowest of which is best
    - ``chunks`` merges chunks into documents: a separator (the document is what precedes the last one), a dict from
      chunks to documents, or a function; ``aggregate`` says what a document's score is, of the scores of its chunks:
      "max", "first" (in the input) or "sum"
    - ``topic_ids`` and ``doc_ids`` are ids for data that have none: of the rows and columns of a matrix of scores,
      dense or sparse; of the rows and the documents of nearest neighbours (faiss's ``(D, I)``); of responses or lists,
      one a topic
    - ``form`` of a file, where its first lines do not tell: "trec", "list", "csv", "json", "letor" or "parquet"

    >>> as_run({"q1": {"d1": 0.5}}, "bm25")
    Run('bm25', 1 topics, 1 documents)
    >>> as_run([[0.5, 0.25]], topic_ids=["q1"], doc_ids=["d1", "d2"]).ranking("q1")
    [('d1', 0.5), ('d2', 0.25)]
    >>> as_run({"q1": {"d1#0": 0.5, "d1#7": 0.75}}, chunks="#").ranking("q1")
    [('d1', 0.75)]
    """
    if aggregate != "max" and chunks is None:
        raise InputError(f"aggregate={aggregate!r} is for chunks; say how they are named, as in chunks='#'")
    run = _run(data, name, Declared("run", columns, higher_is_better, topic_ids, doc_ids), form)
    if chunks is None:
        return run
    from truerank.io.chunks import merged

    return merged(run, chunks, aggregate)


def _run(data: Any, name: str | None, declared: Declared, form: str | None) -> Run:
    higher = declared.higher_is_better
    if isinstance(data, Run):
        _refuse_options(declared, form)
        run = data if name in (None, data.name) else replace(data, name=name)
        return negated(run) if higher is False else run
    with opened(data, declared, form) as found:
        if isinstance(found.data, Columns):
            return run_from(found.data, name or found.name or "run", higher)
        # The rank of a TREC file has its column, which needs no header line to be named by.
        by_rank = found.form == "trec" and declared.columns == _BY_RANK
        if not by_rank:
            _refuse_columns(declared)
        if found.form == "list":
            return read_list(found.data, name, higher)
        return read_run(found.data, name, higher_is_better=higher, by_rank=by_rank)


def as_qrels(
    data: Any,
    *,
    columns: Mapping[str, str] | None = None,
    topic_ids: Sequence[Any] | None = None,
    doc_ids: Sequence[Any] | None = None,
    form: str | None = None,
    topics: Any = None,
) -> Qrels:
    """Return judgments, whatever they are given as: Qrels, or what a run may be given as; options as for a run.

    Three columns without a header line are preferences. ``topics`` are those that count: one, several, "401,403", or
    "@FILE" with one on each line.

    >>> as_qrels({"q1": ["d1"]})
    Qrels(1 topics, 1 judgments)
    """
    if isinstance(data, Unread):
        other = next((name for name in data.options if name not in ("columns", "topics")), None)
        if other is not None:
            raise InputError(f"{other}= is for judgments that scores are made with, and these are taken as they are")
        options = {"columns": columns, "topic_ids": topic_ids, "doc_ids": doc_ids, "form": form, "topics": topics}
        return as_qrels(data.data, **{**options, **data.options})
    if topics is not None:
        from truerank.io.topic_selection import select_topics

        return select_topics(as_qrels(data, columns=columns, topic_ids=topic_ids, doc_ids=doc_ids, form=form), topics)
    declared = Declared("qrels", columns, None, topic_ids, doc_ids)
    if isinstance(data, Qrels):
        _refuse_options(declared, form)
        return data
    with opened(data, declared, form) as found:
        if isinstance(found.data, Columns):
            return preferences_from(found.data) if found.data.prefers else qrels_from(found.data)
        _refuse_columns(declared)
        return read_judgments(found.data)


def as_preferences(
    data: Any, *, columns: Mapping[str, str] | None = None, form: str | None = None, repeated: str = "each"
) -> Preferences:
    """Return preferences, whatever they are given as: Preferences, or what qrels may be given as.

    A row names a topic, the better document and the worse one; or a topic, two documents and their relation, which is
    the better one, a sign (>, < or =, also between the two), or -1 where the first is better, 1 where the second is,
    and 0. ``columns`` has topic, better and worse, or topic, first, second and relation.

    ``repeated`` says what several judgments of two documents count as: "each" of them, each that is different "once",
    or the one of the "majority", a tie where there is none.

    >>> as_preferences([("q1", "d2", "d1")])
    Preferences(1 topics, 1 preferences)
    >>> as_preferences([("q1", "d2", ">", "d1"), ("q1", "d2", "=", "d3")])
    Preferences(1 topics, 1 preferences, 1 ties)
    """
    if isinstance(data, Unread):
        found = as_preferences(data.data, columns=columns, form=form, repeated=repeated)
        if data.options.get("topics") is None:
            return found
        from truerank.io.topic_selection import select_topics

        some = select_topics(found, data.options["topics"])
        assert isinstance(some, Preferences)
        return some
    declared = Declared("preferences", columns)
    if isinstance(data, Preferences):
        _refuse_options(declared, form)
        return settled(data, repeated)
    return settled(_preferences(data, declared, form), repeated)


def _preferences(data: Any, declared: Declared, form: str | None) -> Preferences:
    with opened(data, declared, form) as found:
        if isinstance(found.data, Columns):
            return preferences_from(found.data)
        _refuse_columns(declared)
        return read_preferences(found.data)


def _refuse_options(declared: Declared, form: str | None) -> None:
    declared.refuse_places()
    if declared.columns or form is not None:
        option = "columns" if declared.columns else "form"
        raise InputError(f"{option}= says how to read data, and these are read already; leave it out")


def _refuse_columns(declared: Declared) -> None:
    declared.refuse_places()
    if declared.columns:
        raise InputError(
            f"columns= names columns of a header line, and this file has none such as "
            f"{', '.join(map(repr, declared.columns.values()))}; check the names, or leave them out"
        )


@dataclass(frozen=True, eq=False)
class Opened:
    """Data to make a run or judgments of."""

    data: Columns | Source
    """Columns, or text that stands in the columns of a TREC file or of a list."""
    name: str | None = None
    form: str = ""
    """How the text is written: "trec" or "list"."""


@contextmanager
def opened(data: Any, declared: Declared, form: str | None = None, *, faults: Faults | None = None) -> Iterator[Opened]:
    """Open data; what is refused inside is said of the file that they come from, if they come from one.

    With ``faults``, what is wrong with single rows of Python data is not refused.

    >>> with opened({"q1": {"d1": 0.5}}, Declared("run")) as found:
    ...     found.data.ids[0].tolist()
    [b'd1']
    """
    data = named_dataset(data) or data
    if form is not None:
        refuse_unknown(form)
        if not is_file(data):
            raise InputError(f"form={form!r} is for files, and this is a {type(data).__name__}; leave it out")
    file: list[str] = []
    try:
        yield _from_file(data, declared, form, file) if is_file(data) else Opened(_columns(data, declared, faults))
    except InputError as error:
        raise error.about(next(iter(file), None)) from None


def _columns(data: Any, declared: Declared, faults: Faults | None) -> Columns:
    if is_columnar(data):
        from truerank.io.frames import open_table

        return _from_table(open_table(data), declared)
    if is_dataset(data):
        declared.refuse_places()
        return columns_of(from_rows(dataset_rows(data, declared.kind), declared), declared, faults=faults)
    data = body(data)
    # An array without dimensions is one number.
    alone = isinstance(data, np.ndarray) and not data.ndim
    if is_placed(data) or (isinstance(data, Iterable) and not isinstance(data, bytes) and not alone):
        return columns_of(_laid_out(data, declared), declared, faults=faults)
    what = {"run": "a run", "qrels": "qrels", "preferences": "preferences"}[declared.kind]
    value = {"run": "score", "qrels": "grade", "preferences": "worse document"}[declared.kind]
    refused = InputError if alone else TypeError
    raise refused(
        f"{what} cannot be made of {'an array without dimensions' if alone else type(data).__name__}; "
        f'give a path, "-", an open file, a dict, a data frame, or rows of (topic, document, {value})'
    )


def _laid_out(data: Mapping[Any, Any] | Iterable[Any], declared: Declared, line: Line | None = None) -> Rows:
    """Lay out Python data, whichever form they have."""
    if is_placed(data) or declared.topic_ids is not None or declared.doc_ids is not None:
        return from_places(data, declared)
    if not isinstance(data, Mapping):
        if isinstance(data, list) and data and is_recorded(data[0]):
            return _recorded(data, declared, line)
        return from_rows(data, declared, line)
    if is_response(data):
        return from_response(data, declared)
    return from_rows([data], declared, line) if is_record(data, declared) else from_mapping(data, declared)


def _recorded(rows: list[Any], declared: Declared, line: Line | None) -> Rows:
    """Lay out records of a topic and the response to its search."""
    topics = []
    for place, row in enumerate(rows):
        name = topic_name([*row], declared.columns) if is_recorded(row) else None
        if name is None:
            raise InputError(
                f'{brief(row)} is no record such as {{"query_id": "q1", "response": {{...}}}}; give each a topic and a '
                "search response",
                None,
                line(place) if line else None,
            )
        topics.append(row[name])
    # What names the topic is told by now.
    return from_search(topics, [row["response"] for row in rows], declared)


def _from_table(table: FrameTable, declared: Declared) -> Columns:
    from truerank.io.frames import columns_from_table

    with about(table.file):
        return columns_from_table(table, declared)


def _from_file(data: Any, declared: Declared, form: str | None, file: list[str]) -> Opened:
    if isinstance(data, (str, os.PathLike)) and form in (None, "parquet") and not is_stream(data):
        path = os.fspath(data)
        if form == "parquet" or is_parquet(path):
            file.append(path)
            return Opened(_from_table(open_parquet(path), declared), stem(path))
    source = open_source(data)
    file.append(source.name)
    form = form or form_of(source, declared)
    if form == "csv":
        from truerank.io.csv_text import read_csv

        declared.refuse_places()
        return Opened(read_csv(source, declared), source.stem)
    if form == "json":
        from truerank.io.json_text import read_json

        documents, line = read_json(source)
        if not isinstance(documents, (Mapping, list)):
            raise InputError(
                f"the file holds a {type(documents).__name__}; give an object of topics, or a list of rows"
            )
        rows = _laid_out(documents, declared, line)
        return Opened(columns_of(rows, declared, source.name), source.stem)
    if form == "letor":
        from truerank.io.letor import read_letor

        declared.refuse_places()
        return Opened(columns_of(read_letor(source, declared), declared, source.name), source.stem)
    if form == "parquet":
        table = open_parquet(source.text.tobytes(), file=source.name)
        return Opened(_from_table(table, declared), source.stem)
    return Opened(source, source.stem, form)


def is_columnar(data: Any) -> bool:
    """Whether data are a table of columns, such as a data frame."""
    if isinstance(data, (str, Mapping, list, tuple)):
        return False
    from truerank.io.frames import is_table

    return is_table(data)


def is_file(data: Any) -> bool:
    """Whether data are a path, "-" or an open file."""
    return isinstance(data, (str, os.PathLike, Source)) or (hasattr(data, "read") and not is_columnar(data))
