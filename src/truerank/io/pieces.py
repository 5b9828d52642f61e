"""Pieces of a run: ranges of a file, each with all rows of its topics, that are read one by one.

A file is cut where a topic ends, which is found by looking at the lines around each cut. That the rows of a topic stand
together is thereby not known of all: whoever puts pieces together has to see that no topic is in two of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from truerank.data.arrays import Bytes
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.parallel import topic_blocks
from truerank.data.run import Run
from truerank.io.forms import delimiter_of, form_of, head_of, split
from truerank.io.headers import Declared
from truerank.io.lines import line_end, words
from truerank.io.load import as_run
from truerank.io.runs import Named
from truerank.io.source import Source, changed, refusing, stem

_HEAD = 1 << 16
_WINDOW = 1 << 18
_PROBES = 64


@dataclass(frozen=True, eq=False)
class RunPiece(Named):
    """Some topics of a run."""

    is_whole: ClassVar[bool] = False

    @property
    def is_light(self) -> bool:
        """Never: it is as large as there is room for."""
        return False


@dataclass(frozen=True, eq=False)
class TopicSlice(RunPiece):
    """Some topics of a run in memory."""

    first: int = 0
    last: int = 0

    def read(self) -> Run:
        """The run of these topics; what was noted when the run was read, is told of once."""
        some: Run = self.data.of_topics(self.first, self.last)
        return replace(some, name=self.name, notes=() if self.first else some.notes)


@dataclass(frozen=True, eq=False)
class TextForm:
    """How the lines of a file are written, as far as it takes to cut it."""

    path: str
    name: str
    """What it is called where something is wrong with it: the path, or that of the file it is a copy of."""
    form: str
    head: bytes = b""
    """The lines that name the columns, which every piece begins with."""
    delimiter: str = " "
    column: int = 0
    """Where the topic stands in a line."""
    known: tuple[int, int] = (0, 0)
    """Size and time of change of the file."""

    @property
    def is_quoted(self) -> bool:
        """Whether values may be in quotes, with an end of line in them."""
        return self.form == "csv" and self.delimiter != " "

    @property
    def body(self) -> int:
        """Where the rows begin."""
        return len(self.head)

    @property
    def size(self) -> int:
        """Bytes in the file."""
        return self.known[0]

    def topic(self, line: bytes) -> str | None:
        """The topic of a line; None for a blank one or a comment."""
        text = line.decode("utf-8", "surrogateescape")
        found = words(text) if not self.is_quoted else next(iter(split([text], self.delimiter)), [])
        blank = not found or (len(found) < 2 and not found[0]) or (found[0].startswith("#") and not self.is_quoted)
        return None if blank or len(found) <= self.column else found[self.column].strip()

    def text(self, begin: int, end: int) -> Bytes:
        """A range of the file, behind the lines that name the columns; a file that has changed is refused."""
        size = end - begin
        text = np.empty(len(self.head) + size, dtype=np.uint8)
        text[: len(self.head)] = np.frombuffer(self.head, np.uint8)
        with refusing(self.path), open(self.path, "rb", buffering=0) as file:
            _fill(file.fileno(), text[len(self.head) :], begin)
            now = os.fstat(file.fileno())
            if hasattr(os, "posix_fadvise"):
                # Nobody reads it again soon: the system need not keep it in place of what somebody does.
                os.posix_fadvise(file.fileno(), begin, size, os.POSIX_FADV_DONTNEED)
        if (now.st_size, now.st_mtime_ns) != self.known:
            raise changed(self.name)
        text.flags.writeable = False
        return text

    def lines_before(self, place: int) -> int:
        """How many lines end before a place in the file; found by reading again, for what is wrong in one of them."""
        count = 0
        with refusing(self.path), open(self.path, "rb") as file:
            while place > 0 and (piece := file.read(min(place, 1 << 20))):
                count += piece.count(b"\n")
                place -= len(piece)
        return count

    def source(self, begin: int, end: int) -> Source:
        """A range of the file as text to read."""
        text = self.text(begin, end)
        if self.is_quoted and np.count_nonzero(text == ord('"')) % 2:
            raise InputError(
                "a value in quotes goes over the end of a line, so that the file cannot be cut; give more memory",
                self.name,
            )
        above = self.head.count(b"\n")
        return Source(self.name, stem(self.name), text, lambda line: self.lines_before(begin) + line - above)


UNKNOWN = TextForm("", "", "")


def _fill(file: int, text: Bytes, place: int) -> None:
    """Read from a place of a file until an array is full, or the file ends."""
    done = 0
    while done < text.size:
        if hasattr(os, "preadv"):
            count = os.preadv(file, [text.data[done:]], place + done)
        else:
            os.lseek(file, place + done, os.SEEK_SET)
            data = os.read(file, min(text.size - done, 1 << 24))
            count = len(data)
            text[done : done + count] = np.frombuffer(data, np.uint8)
        if not count:
            break
        done += count


@dataclass(frozen=True, eq=False)
class TextRange(RunPiece):
    """A range of a file's lines."""

    form: TextForm = UNKNOWN
    begin: int = 0
    end: int = 0

    def from_anywhere(self) -> TextRange:
        """The same for whoever works in another folder."""
        return replace(self, form=replace(self.form, path=os.path.abspath(self.form.path)))

    def read(self) -> Run:
        """The run of the topics in the range."""
        return read_text(self, self.form.source(self.begin, self.end), self.form.form)


def read_text(named: Named, source: Source, form: str) -> Run:
    """Read a part of a file as the whole would be."""
    return as_run(source, named.name, **{**named.options, "form": form})


def text_form(named: Named, path: str) -> TextForm | None:
    """How the lines of a file are written, which may be a copy of the run; None where it cannot be cut, as JSON."""
    with refusing(path), open(path, "rb") as file:
        found = os.fstat(file.fileno())
        start = file.read(_HEAD)
    text = np.frombuffer(start, np.uint8)
    name = os.fspath(named.data)
    source = Source(name, stem(name), text)
    declared = Declared.of_run(named.options)
    form = named.options.get("form") or form_of(source, declared)
    plain = TextForm(path, name, form, known=(found.st_size, found.st_mtime_ns))
    if form in ("trec", "list"):
        return plain
    delimiter = delimiter_of(head_of(source), declared) if form == "csv" else None
    if delimiter is None:
        return None
    head = head_of(source)
    names, place = head.values(delimiter), 0
    for _ in range(head.number):
        place = line_end(text, place)
    column = names.index(str(declared.parts(names).topic))
    return replace(plain, head=start[:place], delimiter=delimiter, column=column)


def text_pieces(named: Named, form: TextForm, size: int) -> list[Named]:
    """A file in ranges of at least so many bytes, each of which ends where a topic does."""
    found: list[Named] = []
    begin = form.body
    with refusing(form.path), open(form.path, "rb") as file:
        while begin < form.size:
            end = _topic_end(file, form, begin + size) if begin + size < form.size else form.size
            found.append(TextRange(named.name, named.data, named.options, form, begin, end))
            begin = end
    return found


def _topic_end(file: Any, form: TextForm, place: int) -> int:
    """Where the next topic begins behind a place."""
    file.seek(place)
    place += len(file.readline())
    topic = None
    for line in file:
        found = form.topic(line)
        if found is not None:
            if topic is not None and found != topic:
                return place
            topic = found
        place += len(line)
    return form.size


def is_grouped(form: TextForm) -> bool:
    """Whether the rows of a topic seem to stand together, by a look at some places."""
    seen = TopicOrder()
    with refusing(form.path), open(form.path, "rb") as file:
        step = max((form.size - form.body) // _PROBES, _WINDOW)
        for place in range(form.body, form.size, step):
            file.seek(place)
            if place > form.body:
                file.readline()
            topics = (form.topic(line) for line in file.readlines(_WINDOW // 4))
            if not seen.goes_on(topic for topic in topics if topic is not None):
                return False
    return True


class TopicOrder:
    """Topics in the order of rows, some of which were left out: none may come again after another."""

    def __init__(self) -> None:
        self._seen: set[Any] = set()
        self._last: Any = None

    def goes_on(self, topics: Iterable[Any]) -> bool:
        """Whether what follows has no topic that ended before."""
        for topic in topics:
            if topic == self._last:
                continue
            if topic in self._seen:
                return False
            self._seen.add(topic)
            self._last = topic
        return True


def topic_slices(named: Named, run: Run, rows: int) -> list[Named]:
    """A run in memory in slices of about so many rows."""
    found = topic_blocks(run.offsets.tolist(), max(rows, 1))
    return [TopicSlice(named.name, run, {}, first, last) for first, last in found]
