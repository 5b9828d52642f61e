"""Lines of a file into columns: chunks of text are split, hashed and parsed side by side, straight into place.

What is wrong with a line is raised, or collected where the caller gives ``Faults`` to collect it in.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from truerank.data.arrays import Array, Bytes, Floats, Ints, Keys, Rows, offsets
from truerank.data.classes import dataclass
from truerank.data.decimals import MARGIN, decimals
from truerank.data.errors import InputError, Origin
from truerank.data.ids import COMPACT, Ids, LongIdError, hashed
from truerank.data.parallel import parallel
from truerank.data.printing import counted, shown
from truerank.data.stated_ranks import Ranks
from truerank.data.subtopics import Subtopics
from truerank.io.encoding import NOTHING_ODD, NOWHERE, SHOWN, Oddities, Spots, begin_of, oddities, refuse_foreign
from truerank.io.lines import NEWLINE, Fields, count_lines, cut, fields
from truerank.io.source import Source
from truerank.io.topic_numbers import Segments, Topics, changes, join_segments

CHUNK = 1 << 21
"""Small enough for a chunk and its fields to stay in a processor's cache, large enough for numpy's calls to pay."""

_PADDING = 8
_KEPT = 16 << 20


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layout:
    """What the columns of a kind of file are, and how a line that does not have them is refused.

    >>> qrels = Layout(kind="qrels", columns=("topic", "iteration", "document", "grade"), ids=(2,), number=3)
    >>> print(qrels.malformed(3, Origin(), 0))
    3 columns where qrels have 4 (topic iteration document grade); add what is missing
    """

    kind: str
    columns: tuple[str, ...]
    ids: tuple[int, ...]
    """Columns that hold document ids."""
    number: int | None = None
    """The column that holds a number."""
    topic: int = 0
    """The column that holds the topic."""
    more: bool = False
    """Whether a line may have further columns."""
    numeric: int | None = None
    """A column that is a number, by which an id with a space in it is found out where further columns are allowed."""
    tag: int | None = None
    """The last column, which says nothing of the line: a line that lacks it is read where faults are collected."""
    alike: dict[int, str] = field(default_factory=dict)
    """What a line with another number of columns looks like."""

    @property
    def holds(self) -> str:
        """What the numbers are; "nothing" where there are none."""
        return "nothing" if self.number is None else self.columns[self.number]

    @property
    def wanted(self) -> tuple[int, ...]:
        """The columns that are read."""
        return (self.topic, *self.ids) if self.number is None else (self.topic, *self.ids, self.number)

    def malformed(self, count: int, origin: Origin, offset: int) -> InputError:
        """Return the error for a line with so many columns."""
        expected = len(self.columns)
        if count in self.alike:
            remedy = f"these look like {self.alike[count]}: give {self.kind} here"
        else:
            remedy = "add what is missing" if count < expected else "remove what is too much, as a space inside an id"
        return origin.error(
            f"{counted(count, 'column')} where {self.kind} {'has' if self.kind[:2] == 'a ' else 'have'} "
            f"{expected} ({' '.join(self.columns)}); {remedy}",
            offset,
        )

    def not_a_number(self, text: bytes, origin: Origin, offset: int) -> InputError:
        """Return the error for a field that is not a finite number."""
        name = self.columns[self.number or 0]
        return origin.error(f"the {name} is {shown(text)}; give a finite number", offset)

    def empty(self, origin: Origin) -> InputError:
        """Return the error for a file without lines."""
        return origin.error(f"the file holds no lines; give {self.kind} with lines of: {' '.join(self.columns)}")


@dataclass(slots=True)
class Faults:
    """What is wrong with the lines of a file: given to a reader, it is filled, and the reader goes on.

    Places are byte offsets in the text. A score, grade or rank that is no number is NaN among those that were read.
    """

    malformed: dict[int, int] = field(default_factory=dict)
    """Columns of each line that has too few, or too many to know which is which; the others are read."""
    wide: Spots = NOWHERE
    """Lines with more columns than they need."""
    untagged: Spots = NOWHERE
    """Lines without a tag."""
    tags: dict[bytes, Spots] = field(default_factory=dict)
    """Where each tag occurs."""
    oddities: Oddities = NOTHING_ODD

    def add(self, other: Faults) -> None:
        """Take over what is wrong further down."""
        self.malformed |= other.malformed
        self.wide += other.wide
        self.untagged += other.untagged
        for tag, spots in other.tags.items():
            self.tags[tag] = self.tags.get(tag, NOWHERE) + spots
        self.oddities += other.oddities


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Rows as they come, of a file, a table or Python data. Rows of one topic that follow one another are a segment."""

    topics: list[bytes]
    segment: Ints
    """Number of each segment's topic."""
    bounds: Rows | None
    """Segment s holds the rows bounds[s] to bounds[s + 1] - 1; None where each row is a segment."""
    ids: list[Ids]
    """Documents; behind them, where two of them are compared, the second ones, and then maybe their relation."""
    number: Floats
    """What each document has; empty where it has nothing, and where documents are compared."""
    origin: Origin
    key: Keys | None = None
    """``ids[0].keys()``, where these are known already."""
    holds: str = "score"
    """What the numbers are: "score", "rank", "grade", or "nothing" where documents are listed best first."""
    rank: Ranks | None = None
    """A rank for each row, where there are ranks beside the scores."""
    subtopics: Subtopics | None = None
    """What of its topic each judgment is about, where that is said."""
    prefers: bool = False
    """Whether two documents are compared."""
    notes: tuple[str, ...] = ()
    """What was guessed or made up."""
    lowest_first: bool = False
    """Whether low scores are best, where nothing else is declared."""
    numbered: bool = False
    """Whether rows are told by their numbers, as those of a table are."""

    def error(self, message: str, row: int) -> InputError:
        """Return the error to raise about a row."""
        if self.numbered:
            message = f"row {row} (the first is 0): {message}"
        return self.origin.error(message, int(self.ids[0].start[row]))


def read_columns(
    source: Source,
    layout: Layout,
    *,
    faults: Faults | None = None,
    chunk: int = CHUNK,
    threads: int | None = None,
) -> Columns:
    """Read a file; refused with file and line: a wrong number of columns, a number that is none, no lines at all.

    With ``faults`` the first two are not refused but collected there, and only a file without lines is refused.

    >>> import io
    >>> from truerank.io.source import open_source
    >>> qrels = Layout(kind="qrels", columns=("topic", "iteration", "document", "grade"), ids=(2,), number=3)
    >>> text, faults = io.StringIO("q1 0 d1 2\\nq1 0\\nq1 0 d2 high"), Faults()
    >>> read_columns(open_source(text), qrels, faults=faults).number.tolist(), faults.malformed
    ([2.0, nan], {10: 2})
    """
    text = source.text
    origin = Origin(source.name, source.line)
    refuse_foreign(source)
    pieces = cut(text, begin_of(text), chunk)
    room = offsets(np.array(parallel(lambda piece: count_lines(text, *piece), pieces, threads), dtype=np.intp))
    settle_allocator()
    tasks = [(*piece, row) for piece, row in zip(pieces, room[:-1].tolist(), strict=True)]
    collects = faults is not None
    try:
        table = _ColumnTable(layout, text, int(room[-1]), origin, np.uint16, collects)
        parts = parallel(lambda task: table.fill(*task), tasks, threads)
    except LongIdError:
        table = _ColumnTable(layout, text, int(room[-1]), origin, np.intp, collects)
        parts = parallel(lambda task: table.fill(*task), tasks, threads)
    if faults is not None:
        for _, wrong in parts:
            faults.add(wrong)
    if not any(segments.rows or wrong.malformed for segments, wrong in parts):
        raise layout.empty(origin)
    return table.columns([segments for segments, _ in parts], room)


class _ColumnTable:
    """Columns with room for every line of a file, which chunks fill independently of one another."""

    def __init__(
        self, layout: Layout, text: Bytes, rows: int, origin: Origin, length: type[Any], collects: bool
    ) -> None:
        self.layout, self.text, self.origin, self.collects = layout, text, origin, collects
        self.topics = Topics()
        position = np.uint32 if text.size < 1 << 32 else np.intp
        self.start = [np.empty(rows, dtype=position) for _ in layout.ids]
        self.length = [np.empty(rows, dtype=length) for _ in layout.ids]
        self.key = np.empty(rows, dtype=np.uint64)
        self.number = np.empty(rows if layout.number is not None else 0, dtype=np.float64)
        self.rank = np.empty(rows if collects and layout.tag is not None else 0, dtype=np.float64)
        self.spare: list[Bytes] = []

    def fill(self, begin: int, end: int, row: int) -> tuple[Segments, Faults]:
        """Read text[begin:end] into the rows from ``row`` on; return its segments, and what is wrong, if collected.

        The text is copied into a buffer with a margin, so that words may be read past its ends.
        """
        size = end - begin
        buffer = self.spare.pop() if self.spare else np.zeros(0, dtype=np.uint8)
        if buffer.size < MARGIN + size + 1 + _PADDING:
            buffer = np.zeros(MARGIN + size + 1 + _PADDING, dtype=np.uint8)
        buffer[MARGIN : MARGIN + size] = self.text[begin:end]
        if buffer[MARGIN + size - 1] != NEWLINE:
            buffer[MARGIN + size] = NEWLINE
            size += 1
        found, number, rank = self._checked(buffer, self._split(buffer[MARGIN : MARGIN + size]), begin)
        rows = slice(row, row + found.lines)
        self.number[rows], self.rank[rows] = number, rank
        padded = buffer[MARGIN:]
        for index, column in enumerate(self.layout.ids):
            start, length = found.start[column], found.end[column] - found.start[column]
            self.start[index][rows] = start + begin
            self.length[index][rows] = length
            if self.length[index].itemsize == 2 and int(length.max(initial=0)) >= COMPACT:
                raise LongIdError
            if not index:
                self.key[rows] = hashed(padded, start, length)
        start, length = found.start[self.layout.topic], found.end[self.layout.topic] - found.start[self.layout.topic]
        head = np.flatnonzero(changes(padded, start, length))
        segments = Segments(found.lines, head, self.topics.number(Ids(padded, start[head], length[head])))
        faults = self._faults(padded, found, begin, end) if self.collects else Faults()
        self.spare.append(buffer)
        return segments, faults

    def columns(self, parts: list[Segments], room: Rows) -> Columns:
        """Close the gaps that blank lines and comments left, and join the segments that chunks cut."""
        filled = offsets(np.array([part.rows for part in parts], dtype=np.intp))
        rows = int(filled[-1])
        if rows < int(room[-1]):
            for array in (*self.start, *self.length, self.key, self.number, self.rank):
                _close(array, filled, room)
        segment, bounds = join_segments(parts)
        ids = [
            Ids(self.text, start[:rows], length[:rows]) for start, length in zip(self.start, self.length, strict=True)
        ]
        return Columns(
            self.topics.names(),
            segment,
            bounds,
            ids,
            self.number[:rows],
            self.origin,
            self.key[:rows],
            self.layout.holds,
            rank=self.rank[:rows] if len(self.rank) else None,
        )

    def _split(self, text: Bytes) -> Fields:
        layout, wanted, fewest = self.layout, self.layout.wanted, len(self.layout.columns)
        if self.collects and layout.tag is not None and layout.numeric is not None:
            wanted, fewest = (*wanted, layout.numeric, layout.tag), layout.tag
        return fields(text, len(layout.columns), wanted, fewest=fewest, more=layout.more, numeric=layout.numeric)

    def _checked(self, buffer: Bytes, found: Fields, begin: int) -> tuple[Fields, Floats, Floats]:
        """The fields of lines that can be read, their numbers, and where all is collected their ranks."""
        number, bad = np.zeros(0), np.zeros(0, dtype=np.intp)
        if self.layout.number is not None:
            number, bad = _numbers(buffer, found, self.layout.number)
        if not self.collects:
            self._refuse(buffer, found, bad, begin)
            return found, number, number[:0]
        number[bad] = np.nan
        if self.layout.tag is None or self.layout.numeric is None:
            return found, number, number[:0]
        rank, bad = _numbers(buffer, found, self.layout.numeric)
        rank[bad] = np.nan
        if found.count is not None:
            # A line that is one column short lacks its tag if the last two are numbers, and otherwise something else.
            lacking = np.flatnonzero((found.count < len(self.layout.columns)) & (np.isnan(number) | np.isnan(rank)))
            if len(lacking):
                found, number, rank = found.without(lacking), np.delete(number, lacking), np.delete(rank, lacking)
        return found, number, rank

    def _refuse(self, buffer: Bytes, found: Fields, bad: Rows, begin: int) -> None:
        """Raise what is wrong with the first line of a chunk that has something wrong with it."""
        place = None if found.malformed is None else int(found.malformed[0, 0])
        if len(bad) and self.layout.number is not None:
            start, end = found.start[self.layout.number][bad[0]], found.end[self.layout.number][bad[0]]
            if place is None or start < place:
                field = buffer[MARGIN + start : MARGIN + end].tobytes()
                raise self.layout.not_a_number(field, self.origin, begin + int(start))
        if place is not None and found.malformed is not None:
            raise self.layout.malformed(int(found.malformed[0, 1]), self.origin, begin + place)

    def _faults(self, chunk: Bytes, found: Fields, begin: int, end: int) -> Faults:
        faults = Faults(oddities=oddities(self.text, begin, end))
        if found.malformed is not None:
            faults.malformed = {begin + place: count for place, count in found.malformed.tolist()}
        if self.layout.tag is not None:
            place = found.start[self.layout.ids[0]] + begin
            if found.count is not None:
                wide = np.flatnonzero(found.count > len(self.layout.columns))
                faults.wide = Spots(len(wide), tuple(place[wide[:SHOWN]].tolist()))
            faults.tags = _tags(chunk, found.start[self.layout.tag], found.end[self.layout.tag], place)
            faults.untagged = faults.tags.pop(b"", NOWHERE)
        return faults


def _numbers(buffer: Bytes, found: Fields, column: int) -> tuple[Floats, Rows]:
    """The numbers in a column of a chunk, and which of them are none."""
    return decimals(buffer, found.start[column] + MARGIN, found.end[column] + MARGIN)


def _tags(chunk: Bytes, start: Rows, end: Rows, place: Rows) -> dict[bytes, Spots]:
    """The tags of a chunk; that of a line without one is empty."""
    length = end - start
    key = hashed(chunk, start, length)
    if not len(key):
        return {}
    first, count = np.zeros(1, np.intp), np.array([len(key)])
    if (key != key[0]).any():
        _, first, count = np.unique(key, return_index=True, return_counts=True)
    names = Ids(chunk, start[first], length[first]).tolist()
    return {
        name: Spots(times, (offset,))
        for name, times, offset in zip(names, count.tolist(), place[first].tolist(), strict=True)
    }


def settle_allocator() -> None:
    """Make glibc keep the memory of a chunk for the next chunk.

    It hands freed memory back to the system, and a page asked for again is cleared again: that took half the time of
    reading. Having seen a large block freed, it keeps twice as much; elsewhere this does nothing.
    """
    np.empty(_KEPT, dtype=np.uint8)


def _close(array: Array, filled: Rows, room: Rows) -> None:
    """Move the rows of each chunk to where those of the chunk before end."""
    if not len(array):
        return
    for to, end, begin in zip(filled[:-1].tolist(), filled[1:].tolist(), room[:-1].tolist(), strict=True):
        array[to:end] = array[begin : begin + end - to]
