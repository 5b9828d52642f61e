"""Runs and judgments as they are written, faults and all: for looking at what the readers refuse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from truerank.data.arrange import arrange
from truerank.data.arrays import Array, Floats, Keys, Rows, offsets
from truerank.data.duplicates import repeats
from truerank.data.errors import Origin
from truerank.data.grouping import group
from truerank.data.ids import Ids
from truerank.data.parallel import parallel
from truerank.data.qrels import Qrels, collect
from truerank.data.run import Run
from truerank.io.columns import CHUNK
from truerank.io.layout import QRELS, RUN
from truerank.io.lines import cut, line_end, line_number
from truerank.io.segments import joined
from truerank.io.source import Source
from truerank.io.tolerant.lines import Part, read_part
from truerank.io.tolerant.text import BOM, NOTHING_ODD, NOWHERE, Oddities, Spots, readable
from truerank.io.topics import Topics

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
        return self.source is not None and self.source.text[: len(BOM)].tobytes() == BOM

    def topic_of(self, rows: Rows) -> Rows:
        """The number of each row's topic."""
        found: Rows = np.searchsorted(self.offsets, rows, side="right") - 1
        return found

    @cached_property
    def pairs(self) -> Rows:
        """Rows (first, later) with a number each that hold the same document of a topic."""
        rows, bounds = self._without(self.unreadable)
        found: Rows = rows[repeats(bounds, self.key[rows], self.docs.take(rows))]
        return found

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
        return np.array(sorted(spare), dtype=np.int64)

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
        return collect(self.topics, bounds, self.docs.take(rows), self.number[rows])

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
        begin = place
        while begin and text[begin - 1] != ord("\n"):
            begin -= 1
        return line_number(text, place), text[begin : line_end(text, place)].tobytes().rstrip(b"\r\n")


def read_draft(source: Source, kind: str, name: str | None = None, *, chunk: int = CHUNK) -> Draft:
    """Read a TREC file; refused is only one without lines.

    >>> import io
    >>> from truerank.io.source import open_source
    >>> draft = read_draft(open_source(io.BytesIO(b"q Q0 a 1 nan x\\nq Q0 b 2 0.5 x\\nq Q0")), "run")
    >>> draft.docs.tolist(), draft.unreadable.tolist(), draft.malformed
    ([b'a', b'b'], [0], {30: 2})
    """
    layout = LAYOUTS[kind]
    text, foreign = readable(source.text)
    source = Source(source.name, source.stem, text)
    begin = len(BOM) if text[: len(BOM)].tobytes() == BOM else 0
    topics = Topics()
    parts = parallel(lambda piece: read_part(text, *piece, layout, topics), cut(text, begin, chunk))
    if not any(part.segments.rows or part.malformed for part in parts):
        raise layout.empty(Origin(source.name))
    segment, bounds = joined([part.segments for part in parts])
    names, total, move = group(topics.names(), bounds, segment)
    columns = [np.concatenate(column) for column in _columns(parts)]
    if move is not None:
        move(columns)
    start, length, key, number = columns[:4]
    tags: dict[bytes, Spots] = {}
    for tag, spots in (item for part in parts for item in part.tags.items()):
        tags[tag] = tags.get(tag, NOWHERE) + spots
    return Draft(
        name=name or source.stem or next((tag.decode("utf-8", "replace") for tag in tags), kind),
        kind=kind,
        topics=names,
        offsets=total,
        docs=Ids(text, start, length),
        key=key,
        number=number,
        unreadable=np.flatnonzero(np.isnan(number)),
        rank=columns[4] if len(columns) > 4 else None,
        source=source,
        foreign=foreign,
        malformed={place: count for part in parts for place, count in part.malformed.items()},
        wide=sum((part.wide for part in parts), NOWHERE),
        untagged=sum((part.untagged for part in parts), NOWHERE),
        tags=tags,
        oddities=sum((part.oddities for part in parts), NOTHING_ODD),
    )


def _columns(parts: list[Part]) -> Iterator[list[Array]]:
    yield [part.start for part in parts]
    yield [part.length for part in parts]
    yield [part.key for part in parts]
    yield [part.number for part in parts]
    ranks = [part.rank for part in parts if part.rank is not None]
    if ranks:
        yield [*ranks]
