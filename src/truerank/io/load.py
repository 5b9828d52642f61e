"""One entrance for everything a run or judgments may be given as."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from truerank.data.comparisons import settled
from truerank.data.errors import InputError
from truerank.data.qrels import Preferences, Qrels
from truerank.data.run import Run
from truerank.io.declared import Declared
from truerank.io.direction import negated
from truerank.io.from_columns import qrels_from_columns, run_from_columns
from truerank.io.opening import opened
from truerank.io.tables import preferences_from, qrels_from, run_from
from truerank.io.trec import read_judgments, read_preferences, read_run

if TYPE_CHECKING:
    from truerank.io.chunks import Chunks

_BY_RANK = {"rank": "rank"}


def as_run(
    data: Any,
    name: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    higher_is_better: bool | None = None,
    chunks: Chunks | None = None,
    aggregate: str = "max",
    form: str | None = None,
) -> Run:
    """Return a run, whatever it is given as.

    ``data`` is a Run, a path, "-", an open file, a dict, rows, a data frame, or a data set of ir_datasets or its id.

    - ``columns`` says which columns hold what, where their names do not: {"topic": ..., "doc": ..., "score": ...};
      "rank" instead of "score" orders documents by rank
    - ``higher_is_better=False`` says that scores are distances, the lowest of which is best
    - ``chunks`` merges chunks into documents: a separator (the document is what precedes the last one), a dict from
      chunks to documents, or a function; ``aggregate`` says what a document's score is, of the scores of its chunks:
      "max", "first" (in the input) or "sum"
    - ``form`` of a file, where its first lines do not tell: "trec", "list", "csv", "json" or "parquet"

    >>> as_run({"q1": {"d1": 0.5}}, "bm25")
    Run('bm25', 1 topics, 1 documents)
    >>> as_run({"q1": {"d1#0": 0.5, "d1#7": 0.75}}, chunks="#").ranking("q1")
    [('d1', 0.75)]
    """
    if aggregate != "max" and chunks is None:
        raise InputError(f"aggregate={aggregate!r} is for chunks; say how they are named, as in chunks='#'")
    run = _run(data, name, Declared("run", columns, higher_is_better), form)
    if chunks is None:
        return run
    from truerank.io.chunks import merged

    return merged(run, chunks, aggregate)


def _run(data: Any, name: str | None, declared: Declared, form: str | None) -> Run:
    if isinstance(data, Run):
        _refuse_options(declared, form)
        run = data if name in (None, data.name) else replace(data, name=name)
        return negated(run) if declared.higher_is_better is False else run
    with opened(data, declared, form) as found:
        called = name or found.name or "run"
        if found.form == "rows":
            return run_from(found.data, declared, called, found.file)
        if found.form == "columns":
            read, parts = found.data
            higher = declared.higher_is_better
            run = run_from_columns(read, called, is_rank=parts.is_rank, higher_is_better=higher)
            return replace(run, notes=(*parts.notes, *run.notes))
        if found.form == "table":
            from truerank.io.columnar.frames import run_from_table

            higher = declared.higher_is_better
            return run_from_table(found.data, called, columns=declared.columns, higher_is_better=higher)
        if found.form == "list":
            _refuse_columns(declared)
            from truerank.io.lists import read_list

            return read_list(found.data, name, declared.higher_is_better)
        # The rank of a TREC file has its column, which needs no header line to be named by.
        by_rank = declared.columns == _BY_RANK
        if not by_rank:
            _refuse_columns(declared)
        return read_run(found.data, name, higher_is_better=declared.higher_is_better, by_rank=by_rank)


def as_qrels(data: Any, *, columns: Mapping[str, str] | None = None, form: str | None = None) -> Qrels:
    """Return judgments, whatever they are given as: Qrels, or what a run may be given as; options as for a run.

    Three columns without a header line are preferences.

    >>> as_qrels({"q1": ["d1"]})
    Qrels(1 topics, 1 judgments)
    """
    declared = Declared("qrels", columns)
    if isinstance(data, Qrels):
        _refuse_options(declared, form)
        return data
    with opened(data, declared, form) as found:
        if found.form == "rows":
            return (preferences_from if found.data.prefers else qrels_from)(found.data, found.file)
        if found.form == "columns":
            read, parts = found.data
            return replace(qrels_from_columns(read), notes=parts.notes)
        if found.form == "table":
            from truerank.io.columnar.frames import qrels_from_table

            return qrels_from_table(found.data, columns=columns)
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
    declared = Declared("preferences", columns)
    if isinstance(data, Preferences):
        _refuse_options(declared, form)
        return settled(data, repeated)
    return settled(_preferences(data, declared, form), repeated)


def _preferences(data: Any, declared: Declared, form: str | None) -> Preferences:
    with opened(data, declared, form) as found:
        if found.form == "rows":
            return preferences_from(found.data, found.file)
        if found.form == "table":
            from truerank.io.columnar.frames import preferences_from_table

            return preferences_from_table(found.data, columns=declared.columns)
        _refuse_columns(declared)
        return read_preferences(found.data)


def _refuse_options(declared: Declared, form: str | None) -> None:
    if declared.columns or form is not None:
        option = "columns" if declared.columns else "form"
        raise InputError(f"{option}= says how to read data, and these are read already; leave it out")


def _refuse_columns(declared: Declared) -> None:
    if declared.columns:
        raise InputError(
            f"columns= names columns of a header line, and this file has none such as "
            f"{', '.join(map(repr, declared.columns.values()))}; check the names, or leave them out"
        )
