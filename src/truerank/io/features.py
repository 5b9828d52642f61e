"""Features of documents, from files of learning to rank or arrays, as judgments and a run per feature."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from truerank.data.arrays import Floats, Keys, Rows
from truerank.data.arrays import offsets as offsets_of
from truerank.data.classes import dataclass
from truerank.data.errors import InputError, about
from truerank.data.ids import Ids, one_id
from truerank.data.printing import counted, shown
from truerank.data.qrels import Qrels, collect
from truerank.data.run import Run, arrange
from truerank.io.encoding import refuse_foreign
from truerank.io.letor import BY_ROW, doc_of, letor_lines, number_of, refuse_some
from truerank.io.source import open_source

_UNKNOWN = (b"null", b"nan")
"""Values that LETOR has where a feature is not known."""
_MOST = 1 << 31
"""Values of a matrix that fit into memory."""


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """Documents with grades, topic by topic, and what each feature says of them."""

    topics: tuple[bytes, ...]
    offsets: Rows
    """The documents of topic t are offsets[t] to offsets[t + 1] - 1."""
    docs: Ids
    grades: Floats
    names: tuple[str, ...]
    values: Floats
    """One row per feature, one column per document; NaN where it is not known."""
    by_row: bool
    """Whether documents have no ids of their own."""

    def qrels(self) -> Qrels:
        """The grades; a document without one is not judged."""
        known = np.flatnonzero(~np.isnan(self.grades))
        count = np.diff(np.searchsorted(known, self.offsets))
        qrels = collect(self.topics, offsets_of(count), self.docs.take(known), self.grades[known])
        return replace(qrels, notes=(*qrels.notes, BY_ROW)) if self.by_row else qrels

    def runs(self) -> dict[str, Run]:
        """Each feature as a run, which has the documents that it is known of."""
        return {name: self._run(name, values) for name, values in zip(self.names, self.values, strict=True)}

    def _run(self, name: str, values: Floats) -> Run:
        known = np.flatnonzero(~np.isnan(values))
        if len(known) == len(values):
            return arrange(name, self.topics, self.offsets, self.docs, values, key=self._keys)
        listed = np.diff(np.searchsorted(known, self.offsets))
        topics = [topic for topic, count in zip(self.topics, listed.tolist(), strict=True) if count]
        run = arrange(name, topics, offsets_of(listed[listed > 0]), self.docs.take(known), values[known])
        unknown = counted(len(values) - len(known), "document")
        return replace(run, notes=(*run.notes, f"the feature is not known of {unknown}, which the run lacks"))

    @cached_property
    def _keys(self) -> Keys:
        return self.docs.keys()


def read_features(data: Any) -> tuple[Qrels, dict[str, Run]]:
    """Read features as judgments and one run per feature: ``evaluate(*read_features("train.txt"))``.

    ``data`` is a file of LETOR or SVMlight, a list of them, or (X, grades, topics), as
    ``sklearn.datasets.load_svmlight_file(path, query_id=True)`` gives. X has one row per document; it may be an array,
    a sparse matrix or a data frame, whose columns name the features. A feature that a line of a file leaves out is 0; a
    document that a feature is NULL of, or NaN, is not in its run.

    >>> import io
    >>> qrels, runs = read_features(io.StringIO("2 qid:10 1:0.5 3:1 # a\\n0 qid:10 1:0.25 # b\\n1 qid:9 2:7 # c\\n"))
    >>> qrels, runs["1"].ranking("10")
    (Qrels(2 topics, 3 judgments), [('a', 0.5), ('b', 0.25)])
    >>> qrels, runs = read_features(([[1.0, 5.0], [2.0, 5.0]], [0, 1], ["q1", "q1"]))
    >>> runs["2"].ranking("q1")  # documents go by their row
    [('0', 5.0), ('1', 5.0)]
    """
    table = read_table(data)
    return table.qrels(), table.runs()


def read_table(data: Any) -> FeatureTable:
    """Read features of files or arrays."""
    if isinstance(data, tuple) and len(data) == 3 and not isinstance(data[0], (str, os.PathLike)):
        return _of_arrays(*data)
    files = data if isinstance(data, (list, tuple)) else [data]
    if not files:
        raise InputError("there is no file of features; give at least one")
    return _together([_of_file(file) for file in files])


@dataclass(frozen=True, eq=False)
class _FeatureLines:
    """The lines of a file, before documents of a topic stand together."""

    file: str
    topics: list[bytes]
    docs: list[bytes] | None
    """None where documents have no ids."""
    grades: Floats
    document: Rows
    """The row of each value."""
    feature: Rows
    value: Floats


def _of_file(file: Any) -> _FeatureLines:
    source = open_source(file)
    refuse_foreign(source)
    topics: list[bytes] = []
    docs: list[bytes | None] = []
    grades: list[float] = []
    texts: list[bytes] = []
    numbers: list[int] = []
    with about(source.name):
        for number, grade, topic, features, comment in letor_lines(source):
            topics.append(topic)
            docs.append(doc_of(comment))
            grades.append(number_of(grade, "grade", number))
            texts.append(features)
            numbers.append(number)
        if not topics:
            raise InputError("the file has no lines such as 2 qid:10 1:0.5; give a file of LETOR or SVMlight")
        refuse_some(docs, numbers)
        values = np.array(grades)
        if not np.isfinite(values).all():
            bad = int(np.flatnonzero(~np.isfinite(values))[0])
            raise InputError(f"the grade is {values[bad]}; give a finite number", None, numbers[bad])
        count = np.array([features.count(b":") for features in texts])
        pairs = _pairs(texts, int(count.sum()))
        if pairs is None:
            pairs = _pairs_by_line(texts, numbers)
        _refuse_pairs(pairs, count, numbers)
    document = np.repeat(np.arange(len(texts)), count)
    known = [doc for doc in docs if doc is not None] or None
    return _FeatureLines(source.name, topics, known, values, document, pairs[:, 0].astype(np.intp), pairs[:, 1])


def _pairs(texts: list[bytes], count: int) -> Floats | None:
    """Numbers of features and their values, all lines at once; None where something is no number."""
    joined = b" ".join(texts).replace(b":", b" ").decode("latin-1")
    if not joined.strip():
        return np.zeros((0, 2)) if not count else None
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            found = np.fromstring(joined, np.float64, sep=" ")
        except (DeprecationWarning, ValueError):
            return None
    return found.reshape(-1, 2) if len(found) == 2 * count else None


def _pairs_by_line(texts: list[bytes], numbers: list[int]) -> Floats:
    """The same with a look at each value, which finds the line that something is wrong with."""
    found: list[tuple[float, float]] = []
    for features, line in zip(texts, numbers, strict=True):
        for pair in features.split():
            name, colon, value = pair.partition(b":")
            if not colon or not name.isdigit():
                raise InputError(f"{shown(pair)} is no feature; give its number and value, as in 3:0.25", None, line)
            known = float("nan") if value.lower() in _UNKNOWN else number_of(value, f"feature {int(name)}", line)
            found.append((float(name), known))
    return np.array(found).reshape(-1, 2)


def _refuse_pairs(pairs: Floats, count: Rows, numbers: list[int]) -> None:
    feature, value = pairs.T
    line = np.repeat(np.array(numbers, np.intp), count)
    bad = np.flatnonzero((feature != np.floor(feature)) | (feature < 0) | (feature >= _MOST) | np.isinf(value))
    if len(bad):
        one, at = bad[0], int(line[bad[0]])
        if np.isinf(value[one]):
            raise InputError(f"feature {feature[one]:g} is infinite; give a finite number, or NULL", None, at)
        raise InputError(f"{feature[one]:g} is no number of a feature; give 1, 2, ..., as in 3:0.25", None, at)
    order = np.lexsort((feature, line))
    twice = np.flatnonzero((np.diff(line[order]) == 0) & (np.diff(feature[order]) == 0))
    if len(twice):
        one = order[twice[0]]
        raise InputError(f"feature {feature[one]:g} has two values; keep one of them", None, int(line[one]))


def _together(files: Sequence[_FeatureLines]) -> FeatureTable:
    seen: dict[bytes, str] = {}
    for one in files:
        for topic in dict.fromkeys(one.topics):
            if topic in seen:
                raise InputError(
                    f"topic {shown(topic)} is in {seen[topic]}, too; give each topic in one file", one.file
                )
            seen[topic] = one.file
    place = {topic: number for number, topic in enumerate(seen)}
    number = np.array([place[name] for one in files for name in one.topics])
    first = np.cumsum([0, *(len(one.topics) for one in files)])
    known = np.unique(np.concatenate([one.feature for one in files]))
    if not len(known):
        raise InputError("no line has a feature; give lines such as 2 qid:10 1:0.5", files[0].file)
    _refuse_size(len(known), len(number), files[0].file)
    values = np.zeros((len(known), len(number)))
    for one, begin in zip(files, first.tolist(), strict=False):
        values[np.searchsorted(known, one.feature), begin + one.document] = one.value
    names = tuple(str(feature) for feature in known.tolist())
    docs = Ids.pack([doc for one in files for doc in one.docs or _by_row(len(one.topics))])
    grades = np.concatenate([one.grades for one in files])
    by_row = any(one.docs is None for one in files)
    return _grouped(FeatureTable((*place,), number, docs, grades, names, values, by_row))


def _by_row(count: int) -> list[bytes]:
    return [b"%d" % row for row in range(count)]


def _of_arrays(matrix: Any, grades: Any, topic_ids: Any) -> FeatureTable:
    names = [str(name) for name in matrix.columns] if hasattr(matrix, "columns") else None
    if hasattr(matrix, "to_numpy"):
        matrix = matrix.to_numpy()
    if hasattr(matrix, "toarray"):
        _refuse_size(matrix.shape[1], matrix.shape[0], None)
        matrix = matrix.toarray()
    try:
        values, grade = np.asarray(matrix, np.float64), np.asarray(grades, np.float64)
    except (TypeError, ValueError):
        raise InputError("features and grades are numbers; give (X, grades, topics)") from None
    topics = [one_id(topic, "topic") for topic in np.asarray(topic_ids).tolist()]
    if values.ndim != 2 or grade.shape != (len(values),) or len(topics) != len(values) or not values.size:
        raise InputError(
            f"X has the shape {values.shape}, and there are {counted(grade.size, 'grade')} and "
            f"{counted(len(topics), 'topic')}; give a row of X, a grade and a topic for each document"
        )
    if np.isinf(values).any() or np.isinf(grade).any():
        raise InputError("a feature or a grade is infinite; give finite numbers, and NaN where one is not known")
    place: dict[bytes, int] = {}
    number = np.array([place.setdefault(topic, len(place)) for topic in topics])
    known = tuple(names or map(str, range(1, values.shape[1] + 1)))
    docs = Ids.pack(_by_row(len(number)))
    return _grouped(FeatureTable((*place,), number, docs, grade, known, values.T, by_row=True))


def _grouped(table: FeatureTable) -> FeatureTable:
    """Documents of a topic side by side, where ``offsets`` has the topic of each."""
    topic = table.offsets
    order = np.argsort(topic, kind="stable")
    apart = bool((np.diff(topic) < 0).any())
    return replace(
        table,
        offsets=offsets_of(np.bincount(topic, minlength=len(table.topics))),
        docs=table.docs.take(order) if apart else table.docs,
        grades=table.grades[order] if apart else table.grades,
        values=np.ascontiguousarray(table.values[:, order] if apart else table.values),
    )


def _refuse_size(features: int, documents: int, file: str | None) -> None:
    if features * documents > _MOST // 8:
        raise InputError(
            f"{features:,} features of {documents:,} documents do not fit into memory as a matrix; keep the features "
            f"that matter, fewer than {_MOST // 8 // max(documents, 1):,}",
            file,
        )
