"""The files that trec_eval reads, and what each version of it makes of them."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from truerank.compat.trec_eval.parameters import decimal, whole
from truerank.data.arrays import Array, Bytes, Floats, Rows, offsets, spans
from truerank.data.classes import dataclass
from truerank.data.errors import InputError, Origin, RepeatedError
from truerank.data.grouping import group
from truerank.data.ids import Ids, text
from truerank.data.printing import shown
from truerank.data.qrels import Qrels, collect
from truerank.data.run import Run
from truerank.data.ties import before, tie_groups
from truerank.io.columns import Layout, read_columns
from truerank.io.lines import NEWLINE, line_number, text_lines, words
from truerank.io.source import Readable, open_source
from truerank.io.trec import QRELS, read_run

GROUPED_QRELS = Layout(
    kind="qrels with groups",
    columns=("topic", "group", "document", "grade"),
    ids=(2, 1),
    number=3,
    alike={3: "pairs of preferences", 5: "grouped preferences", 6: "a run"},
)
WHOLE_QRELS = replace(QRELS, ids=(*QRELS.ids, 3))
WHOLE_GROUPED_QRELS = replace(GROUPED_QRELS, ids=(*GROUPED_QRELS.ids, 3))
"""Layouts that keep the text of grades too, since trec_eval reads only the digits that it begins with."""

ZScores = dict[tuple[str, str], tuple[float, float]]
"""Mean and standard deviation by topic and measure."""

_STEP = 1 << 24


class ZScoresError(InputError):
    """A file of means and deviations that cannot be read; trec_eval exits 255 for it."""


def run_of(path: str, version: int) -> Run:
    """The run; version 9 knows neither standard input nor comments."""
    _refuse_stream(path, version)
    run = read_run(path, nil_once=True)
    _refuse_comments(run.docs.buffer, path, version)
    return run


def first_documents(run: Run, depth: int, precision: str) -> Run:
    """The first ``depth`` documents of every topic; where a tie is cut, those that sort last by their ids stay.

    >>> from truerank.io.load import as_run
    >>> first_documents(as_run({"q": {"a": 1.0, "b": 1.0, "c": 2.0}}), 2, "float64").ranking("q")
    [('c', 2.0), ('b', 1.0)]
    """
    begin, end = run.offsets[:-1], run.offsets[1:]
    longer = np.flatnonzero(end - begin > depth)
    if not len(longer):
        return run
    keep = np.ones(len(run), bool)
    begin, end = begin[longer], end[longer]
    keep[spans(begin + depth, end - begin - depth)] = False
    if depth:
        first, size = tie_groups(run.score, begin + depth - 1, begin, end, precision)
        rows = spans(first, size)
        place = before(run, rows, np.repeat(first, size), np.repeat(size, size), "docid")
        keep[rows] = place < np.repeat(begin + depth - first, size)
    return run.take(np.flatnonzero(keep), offsets(keep)[run.offsets])


def tag_of(run: Run) -> str:
    """The tag of the last line, which is the run's id."""
    content = run.docs.buffer
    size = 1 << 12
    while True:
        # The first line of a part may be half a line.
        lines = [line.split() for line in content[-size:].tobytes().split(b"\n")][size < len(content) :]
        tags = [line[5] for line in lines if len(line) > 5 and not line[0].startswith(b"#")]
        if tags or size >= len(content):
            return text(tags[-1])
        size *= 16


@dataclass(frozen=True, slots=True, eq=False)
class WholeGrades:
    """Grades as trec_eval reads them, by C's atol: the digits in front, 0 of 0.9 and 1 of 1e5."""

    grade: Floats
    notes: tuple[str, ...] = ()
    """What was cut."""

    @classmethod
    def of(cls, number: Floats, written: Ids) -> WholeGrades:
        """Cut numbers that were read from these texts.

        >>> found = WholeGrades.of(np.array([2.0, 0.9, 1e5]), Ids.pack(["2", "0.9", "1e5"]))
        >>> found.grade.tolist(), found.notes[0][:58]
        ([2.0, 0.0, 1.0], "2 of 3 grades are not written as whole numbers: '0.9' is 0")
        """
        grade = np.trunc(number)
        # An exponent, which is not read either, takes three characters; few texts are that long, and fewer differ.
        long = np.flatnonzero(written.length > 2)
        texts = written.take(long)
        _, first, which = np.unique(texts.keys(), return_index=True, return_inverse=True)
        grade[long] = np.array([float(whole(text(texts[row]))) for row in first.tolist()], np.float64)[which]
        cut = np.flatnonzero(grade != number)
        if not len(cut):
            return cls(grade)
        example = f"{shown(written[int(cut[0])])} is {grade[cut[0]]:g}"
        return cls(
            grade,
            (
                f"{len(cut)} of {len(grade)} grades are not written as whole numbers: {example} to trec_eval, and so "
                "here; truerank evaluate takes grades as they are",
            ),
        )


class NotedQrels(NamedTuple):
    """Qrels, and what is to be said of them."""

    qrels: Qrels
    notes: tuple[str, ...]


def qrels_of(path: str, version: int) -> NotedQrels:
    """The judgments; a document that is judged twice is refused, also where both judgments agree."""
    _refuse_stream(path, version)
    source = open_source(path)
    _refuse_comments(source.text, path, version)
    rows = read_columns(source, WHOLE_QRELS)
    docs, written = rows.ids
    whole_grades = WholeGrades.of(rows.number, written)
    qrels = collect(rows.topics, rows.bounds, docs, whole_grades.grade, segment=rows.segment, origin=rows.origin)
    if len(qrels) < len(rows.number):
        raise RepeatedError(f"{len(rows.number) - len(qrels)} judgments stand there twice; keep one of each", path)
    return NotedQrels(qrels, whole_grades.notes)


def _refuse_stream(path: str, version: int) -> None:
    if version < 10 and path == "-":
        raise InputError("trec_eval 9 does not read standard input; name a file, or leave out --version 9")


def _refuse_comments(content: Bytes, path: str, version: int) -> None:
    """Refuse lines that begin with #, in version 9."""
    if version >= 10:
        return
    for begin in range(0, len(content), _STEP):
        marks = np.flatnonzero(content[begin : begin + _STEP] == ord("#")) + begin
        first = marks[(marks == 0) | (content[np.maximum(marks, 1) - 1] == NEWLINE)]
        if len(first):
            line = line_number(content, int(first[0]))
            raise InputError("trec_eval 9 takes no comments; remove the line, or leave out --version 9", path, line)


@dataclass(frozen=True, slots=True, eq=False)
class GroupLines:
    """Judgments by groups: lines in which several people, or one several times, judge the same topic.

    Those of one topic stand together, in the order of the file.
    """

    topics: tuple[bytes, ...]
    """Distinct, in bytewise order."""
    offsets: Rows
    """The lines of topic t are offsets[t] to offsets[t + 1] - 1."""
    docs: Ids
    grade: Floats
    group: list[bytes]
    subgroup: list[bytes]
    """Empty ids where the format has no such column."""
    origin: Origin
    notes: tuple[str, ...] = ()
    """What was made of the grades."""

    def groups(self, topic: int) -> dict[bytes, dict[bytes, Rows]]:
        """Lines of a topic by group and subgroup; groups are in bytewise order."""
        found: dict[bytes, dict[bytes, list[int]]] = {}
        for line in range(int(self.offsets[topic]), int(self.offsets[topic + 1])):
            found.setdefault(self.group[line], {}).setdefault(self.subgroup[line], []).append(line)
        return {
            name: {part: np.array(lines, dtype=np.intp) for part, lines in found[name].items()}
            for name in sorted(found)
        }

    def documents(self) -> Qrels:
        """The documents of each topic, every one once; all have grade 0."""
        return collect(self.topics, self.offsets, self.docs, np.zeros(len(self.docs)))

    def error(self, line: int, problem: str) -> InputError:
        """The error to raise about a line of a group."""
        topic = self.topics[int(np.searchsorted(self.offsets, line, side="right")) - 1]
        where = f"in group {shown(self.group[line])} of topic {shown(topic)} "
        return self.origin.error(where + problem, int(self.docs.start[line]))


def read_lines(source: Readable | GroupLines, layout: Layout) -> GroupLines:
    """Read a file with the columns of ``layout``; lines that were read before are returned as they are.

    >>> import io
    >>> from truerank.io.trec import GROUPED
    >>> lines = read_lines(io.StringIO("q1 ann s1 d1 2\\nq1 bob s1 d1 0\\nq1 ann s1 d2 1"), GROUPED)
    >>> {group: {part: rows.tolist() for part, rows in parts.items()} for group, parts in lines.groups(0).items()}
    {b'ann': {b's1': [0, 2]}, b'bob': {b's1': [1]}}
    """
    if isinstance(source, GroupLines):
        return source
    columns = read_columns(open_source(source), layout)
    names, bounds, move = group(columns.topics, columns.bounds, columns.segment)
    order = np.arange(len(columns.number))
    if move is not None:
        together: list[Array] = [order]
        move(together)
    ids = {layout.columns[column]: each.take(order) for column, each in zip(layout.ids, columns.ids, strict=True)}
    number = columns.number[order]
    grades = WholeGrades.of(number, ids["grade"]) if "grade" in ids else WholeGrades(number)
    return GroupLines(
        topics=names,
        offsets=bounds,
        docs=ids["document"],
        grade=grades.grade,
        group=ids["group"].tolist(),
        subgroup=ids["subgroup"].tolist() if "subgroup" in ids else [b""] * len(order),
        origin=columns.origin,
        notes=grades.notes,
    )


def zscores_of(path: str) -> ZScores:
    """Means and standard deviations: lines of topic, measure, mean and deviation."""
    try:
        content = open_source(path).text.tobytes()
    except InputError as error:
        raise ZScoresError(error.message, error.file, error.line) from None
    found: ZScores = {}
    for number, line in enumerate(text_lines(text(content)), 1):
        fields = words(line)
        if len(fields) != 4:
            columns = f"{len(fields)} columns where there are 4"
            raise ZScoresError(f"{columns}: topic, measure, mean, deviation", path, number)
        found[fields[0], fields[1]] = decimal(fields[2]), decimal(fields[3])
    return found
