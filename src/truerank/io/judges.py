"""Judgments that are more than one number: by several judges, with probabilities over grades, or with a confidence."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np

from truerank.data.arrays import Floats, distinct
from truerank.data.chances import Chances, chances, first_wrong, normal
from truerank.data.classes import dataclass
from truerank.data.errors import InputError, Origin, about
from truerank.data.judges import Judges
from truerank.data.printing import brief, named, shown
from truerank.data.qrels import Preferences, Qrels
from truerank.data.reading import refuse_no_names
from truerank.io.columns import Columns
from truerank.io.forms import form_of
from truerank.io.headers import PROBABILITY, Declared, names_of, plain, recognise
from truerank.io.judgments import qrels_from
from truerank.io.load import Unread, as_qrels, is_columnar, is_file, opened
from truerank.io.parquet import is_parquet, open_parquet
from truerank.io.records import as_records, is_record, list_names
from truerank.io.rows import Line, Rows, columns_of
from truerank.io.runs import matching
from truerank.io.source import Source, is_stream, open_source, stem
from truerank.io.trec import read_judgments

WHO = ("judge", "judge_id", "assessor", "assessor_id", "annotator", "annotator_id", "rater", "rater_id", "worker_id")
"""Names of a column that says who judged."""
SPREAD = ("probabilities", "probability", "probs", "distribution", "grade_probabilities", "label_probabilities")
"""Names of a field with the probabilities of all grades, as a list from grade 0 on or by grade."""
CONFIDENCE = ("confidence", "label_confidence", "judge_confidence")
_PARTS = ("judge", "judges", "confidence", "probabilities")
"""What columns= may name beside topic, doc and grade."""
_SEVERAL = "+"
"""Stands between the names of several columns."""


def as_judges(
    data: Any,
    *,
    columns: Mapping[str, Any] | None = None,
    probabilities: bool = False,
    form: str | None = None,
    given: str | None = None,
) -> Judges:
    """Return judges by name, whatever they are given as.

    ``data`` is a dict from names to judgments, a list of files (also as "NAME=FILE"), a folder, or a table whose rows
    hold what several judges said: one column per judge, or a column that says who judged. Without names, a judge is
    called after the file. Judgments are what ``read_qrels`` takes, and besides

    - probabilities over grades: columns p0, p1, p2, ..., or a field ``probabilities`` with a list or a dict
    - a label with the judge's confidence, a number from 0 to 1: the rest is spread evenly over the other grades

    ``columns`` says which columns hold what, where their names do not: topic, doc and grade, and besides judge,
    confidence, judges and probabilities, the last two as a list or as "a+b". ``probabilities`` declares that grades are
    probabilities of relevance, which a fraction is not by itself. ``given`` is the judge that is meant where none is
    chosen.

    >>> as_judges({"ann": {"q1": {"d1": 2, "d2": 0}}, "bot": {"q1": {"d1": 1}}})
    Judges(ann, bot: 1 topics, 2 pairs, 1 judged by all)
    >>> as_judges([{"qid": "q1", "docid": "d1", "ann": 2, "bot": 1}]).grades.tolist()
    [[2.0], [1.0]]
    >>> as_judges([{"qid": "q1", "docid": "d1", "p0": 0.25, "p1": 0.75}])["judge"].chance.tolist()
    [[0.25, 0.75]]
    """
    refuse_no_names(columns)
    how = _How(dict(columns or {}), probabilities, form)
    if isinstance(data, (list, tuple)) and len(data) == 1 and is_file(data[0]) and "=" not in os.fspath(data[0]):
        # One of a list is what it would be alone: a folder, say, or a table with several judges.
        [data] = data
    if isinstance(data, Judges):
        return data if given is None else replace(data, given=given)
    if isinstance(data, Mapping) and is_by_judge(data):
        return Judges.of([(str(name), _only(name, _judges_in(one, how))) for name, one in data.items()], given=given)
    files = _files(data)
    if files is None:
        with about(os.fspath(data) if isinstance(data, (str, os.PathLike)) else None):
            return Judges.of(_judges_in(data, how).items(), given=given)
    _refuse_twice(files)
    return Judges.of([(name, _only(name, _judges_in(file, how))) for name, file in files], given=given)


read_judges = as_judges
"""Its public name: what reads a file also takes Python data."""


def as_judgments(data: Any, *, several: bool = False) -> Qrels | Judges:
    """Return what scores are to be made with: judgments, or judges where there are some by name.

    Topics that were asked for are for ``asked_topics``: what is made of several judges is made of all that they judged.
    A table is looked at for judges and probabilities only where it is told that it may have ``several`` of either, or
    its columns are said: what else stands in a file of grades is left alone.

    >>> as_judgments({"q1": {"d1": 2}}), as_judgments({"ann": {"q1": {"d1": 2}}}).names
    (Qrels(1 topics, 1 judgments), ('ann',))
    """
    options: Mapping[str, Any] = {}
    if isinstance(data, Unread):
        data, options = data.data, data.options
    if isinstance(data, (Judges, Qrels)) and not {*options} - {"topics"}:
        return data
    further, columns = options.get("judge"), options.get("columns")
    probabilities = bool(options.get("probabilities"))
    if further:
        return _with_further(data, further, columns, probabilities)
    declared = probabilities or any(part in (columns or {}) for part in _PARTS)
    by_judge = isinstance(data, Mapping) and is_by_judge(data)
    if several or declared or by_judge or _files(data) is not None:
        found = as_judges(data, columns=columns, probabilities=probabilities)
        return found if by_judge or len(found) > 1 else found.each[0]
    return as_qrels(data, columns=columns)


def asked_topics(data: Any) -> Any:
    """The topics that count, of judgments that are to be read; None where all do."""
    return data.options.get("topics") if isinstance(data, Unread) else None


def _with_further(data: Any, further: Any, columns: Mapping[str, Any] | None, probabilities: bool) -> Judges:
    """Judgments with those of further judges, by name; where none is chosen, the first ones count."""
    pairs = [*(further.items() if isinstance(further, Mapping) else further)]
    name = stem(os.fspath(data)) if isinstance(data, (str, os.PathLike)) and not is_stream(data) else "qrels"
    first = as_judges(data, columns=columns, probabilities=probabilities)
    if len(first) > 1:
        return Judges.of([*zip(first.names, first.each, strict=True), *_further(pairs, columns, probabilities)])
    return Judges.of([(name, first.each[0]), *_further(pairs, columns, probabilities)], given=name)


def _further(
    pairs: Sequence[tuple[Any, Any]], columns: Mapping[str, Any] | None, probabilities: bool
) -> Iterator[tuple[str, Qrels]]:
    how = _How(dict(columns or {}), probabilities, None)
    for name, data in pairs:
        yield str(name), _only(name, _judges_in(data, how))


def is_by_judge(data: Mapping[Any, Any]) -> bool:
    """Whether a dict is of judges by name, rather than of topics.

    >>> is_by_judge({"ann": {"q1": {"d1": 2}}}), is_by_judge({"q1": {"d1": 2}}), is_by_judge({"ann": "ann.qrels"})
    (True, False, True)
    """
    values = [*data.values()]
    return bool(values) and all(map(_is_judgments, values))


def _is_judgments(one: Any) -> bool:
    if isinstance(one, (Qrels, Judges, str, os.PathLike)) or is_columnar(one) or hasattr(one, "read"):
        return True
    inside = next(iter(one.values()), None) if isinstance(one, Mapping) else None
    if isinstance(inside, Mapping):
        return True
    # A list of numbers with a point are probabilities of a document; other lists are documents of a topic.
    return isinstance(inside, (list, tuple, set)) and not _is_spread(inside)


def _is_spread(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and any(isinstance(one, float) for one in value)


def is_judges_file(data: Any) -> bool:
    """Whether a path stands for several judges: a folder."""
    return isinstance(data, (str, os.PathLike)) and not is_stream(data) and os.path.isdir(data)


def _files(data: Any) -> list[tuple[str, str]] | None:
    """The files of several judges, by name; None where data are judgments themselves."""
    if is_judges_file(data):
        return [(stem(path), path) for path in matching(data)]
    if isinstance(data, (list, tuple)) and data and all(isinstance(one, (str, os.PathLike)) for one in data):
        return [named_file(one) for one in data]
    return None


def files_of_judges(data: Any) -> list[str]:
    """The files that judges are in; none where they are in memory.

    >>> files_of_judges(["people=nist.gz", "model.gz"]), files_of_judges({"people": "nist.gz"}), files_of_judges({})
    (['nist.gz', 'model.gz'], ['nist.gz'], [])
    """
    given = [*data.values()] if isinstance(data, Mapping) else data
    found = _files([one for one in given if isinstance(one, (str, os.PathLike))] if isinstance(given, list) else given)
    return [path for _, path in found or ()]


def named_file(given: str | os.PathLike[str]) -> tuple[str, str]:
    """A judge's name and file, of "NAME=FILE" or of a path alone.

    >>> named_file("people=qrels/nist.gz"), named_file("qrels/nist.gz")
    (('people', 'qrels/nist.gz'), ('nist', 'qrels/nist.gz'))
    """
    path = os.fspath(given)
    name, sign, file = path.partition("=")
    if sign and name and file and os.sep not in name and not os.path.exists(path):
        return name, file
    return stem(path), path


def _refuse_twice(files: Sequence[tuple[str, str]]) -> None:
    known: dict[str, str] = {}
    for name, file in files:
        if name in known:
            raise InputError(
                f"the judge {name!r} is given twice, first by {known[name]}; give each judge a name of its own, as in "
                "NAME=FILE",
                file,
            )
        known[name] = file


def _only(name: Any, found: dict[str, Qrels]) -> Qrels:
    if len(found) > 1:
        raise InputError(
            f"what is given as the judge {name!r} holds several ({named([*found], most=8)}); give it without a name"
        )
    return next(iter(found.values()))


@dataclass(frozen=True, eq=False)
class _How:
    """What a caller declares of judgments."""

    columns: dict[str, Any]
    probability: bool
    form: str | None

    @property
    def ids(self) -> dict[str, str]:
        return {part: name for part, name in self.columns.items() if part not in _PARTS}

    def several(self, part: str) -> list[str]:
        value = self.columns.get(part, [])
        return value.split(_SEVERAL) if isinstance(value, str) else [*map(str, value)]


@dataclass(frozen=True, eq=False)
class _JudgeTable:
    """Rows whose parts have names, column by column."""

    columns: Mapping[str, Sequence[Any]]
    line: Line | None = None
    file: str | None = None
    name: str = "judge"
    notes: list[str] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        return [*self.columns]

    def error(self, message: str, row: int) -> InputError:
        if self.line is None:
            message = f"row {row} (the first is 0): {message}"
        return InputError(message, self.file, self.line(row) if self.line else None)


def _judges_in(data: Any, how: _How) -> dict[str, Qrels]:
    """The judges of one file or of one piece of Python data."""
    if isinstance(data, Judges):
        return dict(zip(data.names, data.each, strict=True))
    if isinstance(data, Qrels):
        return {"judge": _declared(data, how)}
    if is_file(data) and not (isinstance(data, (str, os.PathLike)) and is_parquet(data)):
        data = open_source(data)
    name = data.stem or "judge" if isinstance(data, Source) else "judge"
    file = data.name if isinstance(data, Source) else None
    with about(file):
        table = _table_of(data, how)
        if table is None:
            return {name: _plain(data, how)}
        return _from_table(table, how)


def _table_of(data: Any, how: _How) -> _JudgeTable | None:
    """Data whose rows name their parts; None for TREC files, dicts of topics and the like, which hold one grade."""
    if isinstance(data, Source):
        form = how.form or form_of(data, Declared("qrels", how.ids))
        if form == "csv":
            from truerank.io.csv_text import CsvTable

            text = CsvTable(data, Declared("qrels", how.ids))
            return _JudgeTable(text.read(text.names), text.line, data.name, data.stem or "judge")
        if form == "json":
            from truerank.io.json_text import read_json

            documents, line = read_json(data)
            return _of_records(documents, line, data.name, data.stem or "judge")
        if form == "parquet":
            return _of_frame(open_parquet(data.text.tobytes(), file=data.name), data.name, data.stem or "judge")
        return None
    if isinstance(data, (str, os.PathLike)):
        return _of_frame(open_parquet(os.fspath(data)), os.fspath(data), stem(os.fspath(data)))
    if is_columnar(data):
        return _of_frame(data, None, "judge")
    return _of_records(data, None, None, "judge")


def _of_records(data: Any, line: Line | None, file: str | None, name: str) -> _JudgeTable | None:
    if isinstance(data, Mapping) and not is_record(data, Declared("qrels")):
        return _of_nested(data, file, name)
    rows = [data] if isinstance(data, Mapping) else data
    if not isinstance(rows, (list, tuple)) or not rows or not all(isinstance(row, Mapping) for row in rows):
        return None
    rows = as_records(list(rows), "qrels")
    nested = list_names(rows[0], Declared("qrels"))
    if nested is not None:
        topic, documents = nested
        lines = [place for place, row in enumerate(rows) for _ in _listed(row, documents, place, line)]
        rows = [{**one, topic: row[topic]} for row in rows for one in row[documents]]
        line = None if line is None else _through(line, lines)
    names = [*dict.fromkeys(part for row in rows for part in row if isinstance(part, str))]
    return _JudgeTable({part: [row.get(part) for row in rows] for part in names}, line, file, name)


def _through(line: Line, rows: list[int]) -> Line:
    return lambda row: line(rows[row])


def _listed(row: Mapping[str, Any], name: str, place: int, line: Line | None) -> Sequence[Any]:
    documents = row.get(name)
    if not isinstance(documents, list) or not all(isinstance(one, Mapping) for one in documents):
        said = f"{name!r} is no list of records; give each document its id and what was judged"
        raise InputError(said, None, line(place) if line else None)
    return documents


def _of_nested(data: Mapping[Any, Any], file: str | None, name: str) -> _JudgeTable | None:
    """Probabilities as {topic: {document: [p0, p1, ...]}}; None for grades."""
    inside = next(iter(data.values()), None)
    first = next(iter(inside.values()), None) if isinstance(inside, Mapping) else None
    if not _is_spread(first):
        return None
    rows = [(topic, doc, one) for topic, docs in data.items() for doc, one in docs.items()]
    topics, docs, values = ([*column] for column in zip(*rows, strict=True))
    return _JudgeTable({"topic": topics, "doc_id": docs, SPREAD[0]: values}, None, file, name)


def _of_frame(data: Any, file: str | None, name: str) -> _JudgeTable:
    from truerank.io.frames import FrameTable, PandasTable, PolarsTable, open_table
    from truerank.io.vectors import Numbers, ids_of, joined_parts

    table: FrameTable = open_table(data)
    if isinstance(table, PandasTable):
        return _JudgeTable(
            {column: data.iloc[:, place].tolist() for place, column in enumerate(table.names)}, None, file, name
        )
    if isinstance(table, PolarsTable):
        frame = data.collect() if hasattr(data, "collect") else data
        return _JudgeTable({column: frame.get_column(column).to_list() for column in table.names}, None, file, name)
    read = table.read(range(len(table.names)))
    columns = {
        column: joined_parts(one.parts).tolist()
        if isinstance(one, Numbers) and one.missing is None
        else ids_of(one, column)[0].tolist()
        for column, one in zip(table.names, read, strict=True)
    }
    return _JudgeTable(columns, None, file, name)


def _from_table(table: _JudgeTable, how: _How) -> dict[str, Qrels]:
    """What the columns of a table say: who judged, several judges side by side, probabilities, or a grade."""
    if "relation" in how.columns or Declared("qrels", how.ids).fitting(table.names).prefers:
        raise InputError("these are preferences between documents, and judges are compared by grades; give qrels")
    who = how.columns.get("judge") or next((name for name in table.names if plain(name) in WHO), None)
    if who is not None:
        _there(table, who, "judge")
        return {name: _one(part, how) for name, part in _by_judge(table, who).items()}
    judges = how.several("judges")
    if not judges and not _graded(table, how) and not _spread(table, how):
        judges = _values(table, how)
    if judges:
        found, ids = {}, _ids(table, how)
        for name in judges:
            _there(table, name, "judge")
            found[name] = _grades(table, ids, name)
        return found
    return {table.name: _one(table, how)}


def _one(table: _JudgeTable, how: _How) -> Qrels:
    """The judgments of one judge: probabilities, a label with or without confidence, or both."""
    spread = _spread(table, how)
    if spread:
        return _probable(table, how, spread)
    qrels = _labels(table, how)
    sure = how.columns.get("confidence") or next((name for name in table.names if plain(name) in CONFIDENCE), None)
    if sure is None:
        return _declared(qrels, how)
    _there(table, sure, "confidence")
    return _confident(table, how, sure)


def _graded(table: _JudgeTable, how: _How) -> bool:
    return "grade" in how.columns or bool(names_of("grade", table.names))


def _spread(table: _JudgeTable, how: _How) -> list[str]:
    """The columns with the probabilities of grades, or the one that has all of them."""
    declared = how.several("probabilities")
    for name in declared:
        _there(table, name, "probabilities")
    by_name = [name for name in table.names if plain(name) in SPREAD and _holds_spread(table.columns[name])]
    by_grade = [name for name in table.names if PROBABILITY.fullmatch(plain(name))]
    return declared or by_name[:1] or (by_grade if len(by_grade) > 1 else [])


def _holds_spread(values: Sequence[Any]) -> bool:
    return any(isinstance(value, (list, tuple, Mapping)) for value in values)


def _values(table: _JudgeTable, how: _How) -> list[str]:
    """Columns of numbers that are neither topic nor document: each is a judge."""
    ids = _ids(table, how)
    return [name for name, values in table.columns.items() if name not in ids and _are_numbers(values)]


def _are_numbers(values: Sequence[Any]) -> bool:
    filled = [value for value in values if not _blank(value)]
    return bool(filled) and all(map(_is_number, filled))


def _is_number(value: Any) -> bool:
    if isinstance(value, str):
        try:
            return math.isfinite(float(value))
        except ValueError:
            return False
    return isinstance(value, (int, float, np.number))


def _blank(value: Any) -> bool:
    """Whether nothing was judged: an empty cell, null, or NaN."""
    return value is None or value == "" or (isinstance(value, float) and math.isnan(value))


def _ids(table: _JudgeTable, how: _How) -> tuple[str, str]:
    """The columns of topics and of documents."""
    known = {part: name for part, name in how.ids.items() if part in ("topic", "doc")}
    found = recognise([*table.names, "\0"], "qrels", {**known, "grade": "\0"})
    return found["topic"], found["doc"]


def _there(table: _JudgeTable, name: str, part: str) -> None:
    if name not in table.columns:
        raise InputError(f"there is no column {name!r} for the {part}; there are {named(table.names, most=12)}")


def _by_judge(table: _JudgeTable, who: str) -> dict[str, _JudgeTable]:
    """The rows of each judge, in the order in which they first come."""
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(table.columns[who]):
        if _blank(name):
            raise table.error(f"there is nothing in column {who!r}, which says who judged; give every row a value", row)
        rows.setdefault(name.decode() if isinstance(name, bytes) else str(name), []).append(row)
    return {
        name: replace(
            table,
            columns={part: [values[row] for row in some] for part, values in table.columns.items() if part != who},
            line=None if table.line is None else _through(table.line, some),
            name=name,
        )
        for name, some in rows.items()
    }


def _grades(table: _JudgeTable, ids: tuple[str, str], value: str) -> Qrels:
    """The judgments in a column of grades; rows without one were not judged."""
    return _qrels(table, *ids, table.columns[value], f"grade in column {value!r}")


def _labels(table: _JudgeTable, how: _How) -> Qrels:
    """The judgments in the one column of grades."""
    return _grades(table, _ids(table, how), recognise(table.names, "qrels", how.ids)["grade"])


def _qrels(table: _JudgeTable, topic: str, doc: str, values: Sequence[Any], what: str) -> Qrels:
    kept = [row for row, value in enumerate(values) if not _blank(value)]
    if not kept:
        raise InputError(f"there is no {what}; give at least one", table.file)
    topics, docs = table.columns[topic], table.columns[doc]
    for name, column in ((topic, topics), (doc, docs)):
        empty = next((row for row in kept if _blank(column[row])), None)
        if empty is not None:
            raise table.error(f"there is nothing in column {name!r}; give every row a value", empty)
    rows = Rows(
        [topics[row] for row in kept],
        np.arange(len(kept) + 1),
        [docs[row] for row in kept],
        [_float(table, row, values[row], what) for row in kept],
        line=None if table.line is None else _through(table.line, kept),
    )
    return qrels_from(columns_of(rows, Declared("qrels"), table.file))


def _float(table: _JudgeTable, row: int, value: Any, what: str) -> float:
    if _is_number(value) and math.isfinite(float(value)):
        return float(value)
    raise table.error(f"the {what} is {brief(value)}; give a finite number", row)


def _probable(table: _JudgeTable, how: _How, spread: list[str]) -> Chances:
    """Probabilities over grades; a label beside them is kept as the grade."""
    topic, doc = _ids(table, how)
    if len(spread) == 1 and _holds_spread(table.columns[spread[0]]):
        levels, matrix = _unpacked(table, spread[0])
    else:
        levels = np.array([_level(name, place) for place, name in enumerate(spread)])
        matrix = np.array(
            [
                [
                    _float(table, row, value, f"probability in column {name!r}")
                    for row, value in enumerate(table.columns[name])
                ]
                for name in spread
            ]
        ).T
    wrong = first_wrong(matrix)
    if wrong is not None:
        said = ", ".join(f"{one:g}" for one in matrix[wrong])
        raise table.error(
            f"the probabilities of document {brief(_spelt(table.columns[doc][wrong]))} of topic "
            f"{brief(_spelt(table.columns[topic][wrong]))} are {said}, which add up to {matrix[wrong].sum():g}; "
            "give each grade a probability from 0 to 1, all together 1",
            wrong,
        )
    matrix = normal(matrix)
    each = [_qrels(table, topic, doc, column.tolist(), "probability") for column in matrix.T]
    labels = _labels(table, how).grade if _graded(table, how) else None
    if labels is not None and len(labels) != len(each[0]):
        labels = None  # Some have none.
    chance = np.column_stack([one.grade for one in each])
    return chances(each[0], np.broadcast_to(levels, chance.shape), chance, labels=labels)


def _level(name: str, place: int) -> float:
    found = PROBABILITY.fullmatch(plain(name))
    return float(found[1]) if found else float(place)


def _unpacked(table: _JudgeTable, name: str) -> tuple[Floats, Floats]:
    """Probabilities that stand in one field: a list from grade 0 on, or a dict by grade."""
    values = table.columns[name]
    levels: dict[float, int] = {}
    rows: list[dict[float, float]] = []
    for row, value in enumerate(values):
        pairs = value.items() if isinstance(value, Mapping) else enumerate(value or ()) if _listlike(value) else None
        if pairs is None or not value:
            raise table.error(f"the {name} are {brief(value)}; give a list from grade 0 on, or an object by grade", row)
        rows.append(
            {
                _float(table, row, grade, f"grade in {name!r}"): _float(table, row, one, f"probability in {name!r}")
                for grade, one in pairs
            }
        )
        for grade in rows[-1]:
            levels.setdefault(grade, len(levels))
    order = sorted(levels)
    return np.array(order), np.array([[one.get(grade, 0.0) for grade in order] for one in rows])


def _listlike(value: Any) -> bool:
    return isinstance(value, (list, tuple))


def _confident(table: _JudgeTable, how: _How, name: str) -> Qrels:
    """Labels with the judge's confidence in each; what is left is spread evenly over the other grades."""
    topic, doc = _ids(table, how)
    label = recognise(table.names, "qrels", how.ids)["grade"]
    judged = [not _blank(value) for value in table.columns[label]]
    sure = np.ones(len(judged))
    for row in np.flatnonzero(judged).tolist():
        value = table.columns[name][row]
        one = _float(table, row, value, f"confidence in column {name!r}")
        if not 0 <= one <= 1:
            raise table.error(f"the confidence in column {name!r} is {brief(value)}; give a number from 0 to 1", row)
        sure[row] = one
    found = _grades(table, (topic, doc), label)
    certain = _qrels(table, topic, doc, np.where(judged, sure, np.nan).tolist(), f"confidence in column {name!r}").grade
    return confident(found, certain)


def confident(labels: Qrels, confidence: Floats) -> Chances:
    """Labels with a probability each, the rest of which is spread evenly over the other grades that there are.

    >>> labels = as_qrels({"q1": {"d1": 2, "d2": 1, "d3": 0}})
    >>> confident(labels, np.array([0.5, 1, 1])).chance.tolist()[0]
    [0.25, 0.25, 0.5]
    """
    levels = distinct(labels.grade)
    if len(levels) == 1 and (confidence < 1).any():
        raise InputError(
            f"all labels are {levels[0]:g}, so that confidence leaves open what else they may be; give probabilities"
        )
    rest = (1 - confidence) / max(len(levels) - 1, 1)
    chance = np.where(labels.grade[:, None] == levels, confidence[:, None], rest[:, None])
    return chances(labels, np.broadcast_to(levels, chance.shape), chance, labels=labels.grade)


def _plain(data: Any, how: _How) -> Qrels:
    """Judgments of one grade each, in any form that ``read_qrels`` knows."""
    if not how.probability:
        return as_qrels(data, columns=how.ids or None, form=how.form)
    with opened(data, Declared("qrels", how.ids or None), how.form) as found:
        if isinstance(found.data, Columns):
            if found.data.prefers:
                raise InputError("these are preferences between documents, and have no probabilities; give qrels")
            return _relevance(qrels_from(found.data), found.data.origin)
        qrels = read_judgments(found.data)
        return _relevance(qrels, Origin(found.data.name, found.data.line))


def _declared(qrels: Qrels, how: _How) -> Qrels:
    return _relevance(qrels, Origin()) if how.probability and not isinstance(qrels, Chances) else qrels


def _relevance(qrels: Qrels, origin: Origin) -> Chances:
    """Grades that were declared to be probabilities of relevance."""
    if isinstance(qrels, Preferences):
        raise InputError("these are preferences between documents, and have no probabilities; give qrels")
    wrong = np.flatnonzero(~((qrels.grade >= 0) & (qrels.grade <= 1)))
    if len(wrong):
        row = int(wrong[0])
        topic = int(np.searchsorted(qrels.offsets, row, side="right")) - 1
        raise origin.error(
            f"document {shown(qrels.docs[row])} of topic {shown(qrels.topics[topic])} has {qrels.grade[row]:g}, which "
            "is no probability of relevance; give numbers from 0 to 1, or leave out that they are probabilities",
            int(qrels.docs.start[row]),
        )
    chance = np.column_stack([1 - qrels.grade, qrels.grade])
    return chances(qrels, np.broadcast_to(np.array([0.0, 1.0]), chance.shape), chance)


def _spelt(identifier: Any) -> Any:
    return identifier.decode("utf-8", "replace") if isinstance(identifier, bytes) else identifier
