"""Runs and judgments as they are written, faults and all: for looking at what the readers refuse."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import field, replace
from functools import cached_property
from typing import Any

import numpy as np

from truerank.data.arrays import Array, Floats, Keys, Rows, offsets
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.grouping import group, repeats
from truerank.data.ids import Ids
from truerank.data.qrels import Preferences, Qrels, collect
from truerank.data.run import Run, arrange
from truerank.data.subtopics import Repeats, SecondColumn, by_subtopic
from truerank.io.columns import CHUNK, Columns, Faults, read_columns
from truerank.io.direction import input_order, places
from truerank.io.encoding import NOTHING_ODD, NOWHERE, Oddities, Spots, begin_of, readable
from truerank.io.forms import delimiter_of, head_of, looks_like
from truerank.io.headers import Declared
from truerank.io.lines import line_begin, line_end, line_number
from truerank.io.load import Unread, as_qrels, as_run, is_file, opened
from truerank.io.parquet import is_parquet
from truerank.io.source import Source, open_source
from truerank.io.trec import QRELS, RUN

LAYOUTS = {"run": RUN, "qrels": QRELS}


@dataclass(frozen=True, eq=False)
class Draft:
    """Rows by topic, in the order they were written, and what is wrong around them."""

    name: str
    kind: str
    """"run", "qrels" or "preferences"."""
    topics: tuple[bytes, ...]
    """Distinct, in bytewise order."""
    offsets: Rows
    docs: Ids
    key: Keys
    number: Floats
    """Scores or grades; NaN where unreadable, and for preferences."""
    unreadable: Rows
    """Rows whose score or grade is not a finite number."""
    rank: Floats | None = None
    """The rank column; NaN where unreadable."""
    source: Source | None = None
    """The file, its text in a readable encoding; None for Python data."""
    foreign: str = ""
    """What the text was before it was made readable."""
    malformed: Mapping[int, int] = field(default_factory=dict)
    wide: Spots = NOWHERE
    untagged: Spots = NOWHERE
    tags: Mapping[bytes, Spots] = field(default_factory=dict)
    oddities: Oddities = NOTHING_ODD
    made: Run | Qrels | None = None
    """What was given, where that was already a run or judgments."""

    def __len__(self) -> int:
        return len(self.number)

    @property
    def file(self) -> str:
        """The name to call it by."""
        return self.name if self.source is None else self.source.name

    @property
    def bom(self) -> bool:
        """Whether the text begins with a byte order mark."""
        return self.source is not None and begin_of(self.source.text) > 0

    def topic_of(self, rows: Rows) -> Rows:
        """The number of each row's topic."""
        found: Rows = np.searchsorted(self.offsets, rows, side="right") - 1
        return found

    @cached_property
    def _repeats(self) -> Repeats:
        """Rows with a number each that hold the same document of a topic, and are about the same subtopic of it."""
        rows, bounds = self._without(self.unreadable)
        found: Rows = rows[repeats(bounds, self.key[rows], self.docs.take(rows))]
        return by_subtopic(found, self._subtopics)

    @property
    def _subtopics(self) -> SecondColumn | None:
        """What judgments are about, where they stand in a TREC file."""
        return SecondColumn(self.docs) if self.kind == "qrels" and self.source and self.made is None else None

    @property
    def pairs(self) -> Rows:
        """Rows (first, later) with a number each that hold the same document of a topic."""
        return self._repeats.pairs

    @property
    def by_subtopic(self) -> int:
        """How many documents are judged for several subtopics."""
        return self._repeats.documents

    @cached_property
    def repeated(self) -> Rows:
        """Rows that are one too many: of the same document all but the best, or of judgments all but the first."""
        chosen: dict[int, int] = {}
        group_of: dict[int, list[int]] = {}
        for first, later in self.pairs.tolist():
            group_of.setdefault(first, [first]).append(later)
            best = chosen.setdefault(first, first)
            if self.kind == "run" and self.number[later] > self.number[best]:
                chosen[first] = later
        spare = [row for first, rows in group_of.items() for row in rows if row != chosen[first]]
        return np.array(sorted(spare), dtype=np.intp)

    @cached_property
    def kept(self) -> Rows:
        """Rows that can be scored together."""
        return self._without(np.concatenate([self.unreadable, self.repeated]))[0]

    def run(self) -> Run | None:
        """The run made of the rows that can be scored; None where there are none."""
        if isinstance(self.made, Run) or not len(self.kept):
            return self.made if isinstance(self.made, Run) else None
        return self.ranked(self.number)

    def ranked(self, score: Floats) -> Run:
        """The run with another score for each row."""
        rows, bounds = self._without(np.concatenate([self.unreadable, self.repeated]))
        some = np.flatnonzero(np.diff(bounds))
        topics = [self.topics[topic] for topic in some.tolist()]
        return arrange(
            self.name,
            topics,
            np.append(bounds[some], bounds[-1]),
            self.docs.take(rows),
            score[rows],
            key=self.key[rows],
        )

    def qrels(self) -> Qrels | None:
        """The judgments made of the rows that can be read; of contradictory ones the first."""
        if isinstance(self.made, Qrels) or not len(self.kept):
            return self.made if isinstance(self.made, Qrels) else None
        rows, bounds = self._without(np.concatenate([self.unreadable, self.repeated]))
        subtopics = None if self._subtopics is None else self._subtopics.take(rows)
        return collect(self.topics, bounds, self.docs.take(rows), self.number[rows], subtopics=subtopics)

    def _without(self, rows: Rows) -> tuple[Rows, Rows]:
        """The other rows, and the offsets of topics among them."""
        if not len(rows):
            return np.arange(len(self)), self.offsets
        keep = np.ones(len(self), bool)
        keep[rows] = False
        return np.flatnonzero(keep), offsets(keep)[self.offsets]

    def line(self, place: int) -> tuple[int, bytes]:
        """The number and the text of the line that contains a byte of the file."""
        assert self.source is not None
        text = self.source.text
        return line_number(text, place), text[line_begin(text, place) : line_end(text, place)].tobytes().rstrip(b"\r\n")


def draft_run(data: Any, name: str | None = None, **options: Any) -> Draft:
    """Return a run as it is written, whatever it is given as; with options of ``as_run``, as that reads it.

    >>> draft_run({"q1": {"d1": float("nan"), "d2": 1.0}}).unreadable.tolist()
    [0]
    """
    return _draft(data, "run", name, options)


def draft_qrels(data: Any) -> Draft:
    """Return judgments as they are written, whatever they are given as.

    >>> draft_qrels([("q1", "d1", 1), ("q1", "d1", 0)]).pairs.tolist()
    [[0, 1]]
    """
    if isinstance(data, Unread):
        return _draft(data.data, "qrels", None, data.options)
    return _draft(data, "qrels", None, {})


def _draft(data: Any, kind: str, name: str | None, options: Mapping[str, Any]) -> Draft:
    if isinstance(data, Draft):
        return data if name in (None, data.name) else replace(data, name=str(name))
    read: Callable[..., Run | Qrels] = as_run if kind == "run" else as_qrels
    if options:
        # What is told is what a reader needs to know, so that rows are as it has them.
        source = open_source(data) if isinstance(data, (str, os.PathLike)) and os.path.isfile(data) else None
        return _made(read(data, **options), source, name)
    if is_file(data):
        if isinstance(data, str | os.PathLike) and data != "-" and not os.path.exists(data):
            return _made(read(data), None, name)  # The id of a data set, or a mistake.
        source = open_source(data)
        # A parquet file is known by its name too; anything else is not read a second time.
        again = source.name if os.path.isfile(source.name) and is_parquet(source.name) else source
        if looks_like(source) != kind:
            # Other kinds of files are read as everywhere, and what is wrong with them is said as everywhere.
            return _made(read(again), source, name)
        if _is_headed(source, kind):
            with suppress(InputError):
                return _made(read(again), source, name)
        return read_draft(source, kind, name)
    if isinstance(data, Iterator):
        data = list(data)
    try:
        made = read(data)
    except InputError:
        faults = Faults()
        with opened(data, Declared(kind), faults=faults) as found:
            if not isinstance(found.data, Columns) or found.data.prefers:
                raise
            return _from_columns(found.data, kind, name or kind, faults)
    return _made(made, None, name)


def _is_headed(source: Source, kind: str) -> bool:
    """Whether the first line names columns."""
    head = head_of(replace(source, text=readable(source.text)[0]))
    return delimiter_of(head, Declared(kind)) is not None


def read_draft(source: Source, kind: str, name: str | None = None, *, chunk: int = CHUNK) -> Draft:
    """Read a TREC file; refused is only one without lines.

    >>> import io
    >>> from truerank.io.source import open_source
    >>> draft = read_draft(open_source(io.BytesIO(b"q Q0 a 1 nan x\\nq Q0 b 2 0.5 x\\nq Q0")), "run")
    >>> draft.docs.tolist(), draft.unreadable.tolist(), draft.malformed
    ([b'a', b'b'], [0], {30: 2})
    """
    text, foreign = readable(source.text)
    source = replace(source, text=text)
    faults = Faults()
    columns = read_columns(source, LAYOUTS[kind], faults=faults, chunk=chunk)
    tag = min(faults.tags, key=lambda tag: faults.tags[tag].first, default=kind.encode())
    called = name or source.stem or tag.decode("utf-8", "replace")
    return replace(_from_columns(columns, kind, called, faults), source=source, foreign=foreign)


def _from_columns(columns: Columns, kind: str, name: str, faults: Faults) -> Draft:
    """Bring the rows of each topic together, in the order they were written."""
    topics, bounds, move = group(columns.topics, columns.bounds, columns.segment)
    docs, number = columns.ids[0], columns.number
    if columns.holds == "nothing":
        number = np.zeros(len(docs))
    rows: list[Array] = [docs.start, docs.length, docs.keys() if columns.key is None else columns.key, number]
    if isinstance(columns.rank, np.ndarray):
        rows.append(columns.rank)
    if move is not None:
        move(rows)
    start, length, key, number, *ranks = rows
    if columns.holds == "nothing":
        number = places(bounds)
    elif columns.holds == "rank":
        number = 0.0 - number
    unreadable = np.flatnonzero(~np.isfinite(number))
    number[unreadable] = np.nan
    return Draft(
        name=name,
        kind=kind,
        topics=topics,
        offsets=bounds,
        docs=replace(docs, start=start, length=length),
        key=key,
        number=number,
        unreadable=unreadable,
        rank=ranks[0] if ranks else None,
        malformed=faults.malformed,
        wide=faults.wide,
        untagged=faults.untagged,
        tags=faults.tags,
        oddities=faults.oddities,
    )


def _made(made: Run | Qrels, source: Source | None, name: str | None) -> Draft:
    """A run or judgments that a reader has accepted."""
    if isinstance(made, Run):
        order = input_order(made)
        docs, key, number = made.docs.take(order), made.key[order], made.score[order]
        kind = "run"
    else:
        docs, key, number = made.docs, made.key, made.grade
        kind = "preferences" if isinstance(made, Preferences) else "qrels"
    called = name or (made.name if isinstance(made, Run) else source.name if source else "qrels")
    return Draft(
        called, kind, made.topics, made.offsets, docs, key, number, np.zeros(0, np.intp), made=made, source=source
    )
