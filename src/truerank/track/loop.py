"""What is done with each run, wherever it is done: it is read, joined with the judgments, and looked at in pieces.

What was found in pieces is put together here, so that only what all of them tell is said of the run.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.notes import Code, Note
from truerank.data.parts import merged
from truerank.data.run import Run
from truerank.io.runs import Named, is_distributed
from truerank.track.engine import Engine
from truerank.track.engines.executor import Executor, Work
from truerank.track.facts import RunPart
from truerank.track.swapped import refuse as refuse_swapped

if TYPE_CHECKING:
    from truerank.io.cutting import Cutting
    from truerank.track.track import Progress, Track

REGROUPED = Code(
    "TR113",
    "a run larger than the memory to use, whose rows are not grouped by topic",
    "{run}: rows are not grouped by topic; they were sorted by it into {files:file} on disk first",
)


class RunTask(NamedTuple):
    """A run by its number, or a piece of it."""

    place: int
    piece: Named

    @property
    def runs(self) -> tuple[Named, ...]:
        """What it is about."""
        return (self.piece,)

    def from_anywhere(self) -> RunTask:
        """The same for whoever works in another folder."""
        return self._replace(piece=self.piece.from_anywhere())

    @property
    def is_light(self) -> bool:
        """Whether it is a small file."""
        return self.piece.is_light


class PieceResult(NamedTuple):
    """What was found in a run or in a piece of it."""

    part: Any
    topics: tuple[bytes, ...] = ()
    """The topics of a piece."""
    empty: Run | None = None
    """The run without any of them; None where this is the whole run."""

    @classmethod
    def of(cls, part: Any, task: RunTask, run: Run) -> PieceResult:
        """With what others have to know of the piece that it was found in."""
        return cls(part) if task.piece.is_whole else cls(part, run.topics, run.empty())


class PieceWork(Work, Protocol):
    """Work on runs, or on pieces of them."""

    def score_run(self, task: RunTask, data: Run) -> PieceResult:
        """What is kept of a run or of a piece of it."""
        ...

    def together(self, pieces: Sequence[PieceResult]) -> Any:
        """What is kept of a run, of what was found in its pieces."""
        ...


@dataclass(frozen=True, eq=False)
class RunWork:
    """``look`` at each run through a lens, and make what it keeps smaller with ``whole``."""

    track: Track
    look_at: Callable[..., Any]
    parameters: Mapping[str, Any]
    whole: Callable[[Any], Any] | None = None
    keep: bool = False
    refuses: bool = True
    """Whether runs are refused that have nothing to do with the judgments."""

    def read(self, task: RunTask) -> Run:
        """The run, or a piece of it."""
        return task.piece.read()

    def score_run(self, task: RunTask, data: Run) -> PieceResult:
        """What is kept of it."""
        lens = self.track.through(data)
        if task.piece.is_whole:
            if self.refuses:
                self.track.refuse(lens.name, lens.run.topics, lens.judged.run_topic < 0)
            if self.keep:
                self.track.kept[task.place] = lens
            return PieceResult.of(self.finished(self.look_at(lens, self.track.measures, **self.parameters)), task, data)
        there = self.track.counts & (lens.judged.run_topic >= 0)
        part = self.look_at(lens.only(np.flatnonzero(there)), self.track.measures, **self.parameters)
        return PieceResult.of(part, task, data)

    def finished(self, part: Any) -> Any:
        """What is kept of a whole run; refused if it looks like judgments, and these like a run."""
        if self.refuses and isinstance(part, RunPart):
            refuse_swapped(self.track.judgments, part.shape, part.run)
        return part if self.whole is None else self.whole(part)

    def together(self, pieces: Sequence[PieceResult]) -> Any:
        """What is kept of a run, of what was found in its pieces."""
        track, judged = self.track, {topic: place for place, topic in enumerate(self.track.judgments.topics)}
        topics = sorted(topic for piece in pieces for topic in piece.topics)
        absent = np.ones(len(judged), np.bool_)
        absent[[judged[topic] for topic in topics if topic in judged]] = False
        empty = pieces[0].empty
        assert empty is not None
        if self.refuses:
            track.refuse(empty.name, topics, absent)
        parts = [piece.part for piece in pieces]
        left = absent & track.counts
        if left.any() and not track.conventions.skips_missing:
            # Judged topics that the run leaves out are in a part of their own, which has no lists.
            lens = track.through(empty).only(np.flatnonzero(left))
            parts.append(self.look_at(lens, track.measures, **self.parameters))
        return self.finished(merged(parts))


class RunPieces:
    """Runs, in pieces that fit into the memory of an engine; these are found when first asked for."""

    def __init__(self, runs: Sequence[Named], engine: Engine) -> None:
        self.runs, self.engine = runs, engine
        self._how: Cutting | None = None
        self._pieces: dict[int, list[Named]] = {}

    @property
    def are_cut(self) -> bool:
        """Whether large runs are looked at in pieces."""
        return self.engine.memory is not None or self.engine.executor.cuts_at is not None

    def of(self, place: int) -> list[Named]:
        """The pieces of a run; the run alone where it is small."""
        if place not in self._pieces:
            self._pieces[place] = self._cutting().pieces(self.runs[place]) if self.are_cut else [self.runs[place]]
        return self._pieces[place]

    def again(self, place: int) -> list[Named]:
        """Other pieces, where the first ones shared topics."""
        self._pieces[place] = self._cutting().by_topic(self.runs[place])
        return self._pieces[place]

    def whole(self, place: int, instead: str = "") -> Named:
        """A run that is to be in memory as a whole; refused where there is no room for it, but maybe for less."""
        if self.engine.memory is not None and len(self.of(place)) > 1:
            raise InputError(
                f"run {self.runs[place].name!r} is looked at as a whole here, and does not fit into "
                f"memory={self.engine.memory!r}; give more{instead}"
            )
        named = self.runs[place]
        # A data frame of Spark cannot be sent, and what is made of it can.
        return Named(named.name, named.read()) if is_distributed(named.data) else named

    def notes(self) -> Iterator[Note]:
        """Which runs had to be sorted first."""
        for run, files in self._how.regrouped if self._how is not None else ():
            yield REGROUPED(run=run, files=files)

    def _cutting(self) -> Cutting:
        if self._how is None:
            self._how = cutting(self.engine.bytes, self.engine.executor)
        return self._how


def each_run(
    work: PieceWork, runs: RunPieces, progress: Progress | None = None, *, executor: Executor | None = None
) -> list[Any]:
    """What is kept of each run, by the engine that the runs have, or by something else that does the work."""
    found: dict[int, Any] = {}
    names = [run.name for run in runs.runs]

    def done(place: int, part: Any) -> None:
        found[place] = part
        if progress is not None:
            progress(names[place], len(found), len(names))

    used = executor or runs.engine.executor
    mixed = _looked_at(work, used, {place: runs.of(place) for place in range(len(names))}, done)
    if mixed:
        # Their rows turned out not to be grouped by topic, and are sorted first.
        _looked_at(work, used, {place: runs.again(place) for place in mixed}, done)
    return [found[place] for place in range(len(names))]


def _looked_at(
    work: PieceWork, executor: Executor, cut: Mapping[int, Sequence[Named]], done: Callable[[int, Any], None]
) -> list[int]:
    """Look at runs in pieces; returned are those of which a topic is in two of them."""
    tasks = [RunTask(place, piece) for place, some in cut.items() for piece in some]
    pieces: dict[int, dict[int, PieceResult]] = {place: {} for place in cut}
    seen: dict[int, set[bytes]] = {place: set() for place in cut}
    mixed: dict[int, None] = {}
    for number, found in executor.run(work, tasks):
        place = tasks[number].place
        if found.empty is None:
            done(place, found.part)
            continue
        if not seen[place].isdisjoint(found.topics):
            mixed[place] = None
        seen[place].update(found.topics)
        pieces[place][number] = found if place not in mixed else found._replace(part=None)
        if len(pieces[place]) == len(cut[place]) and place not in mixed:
            done(place, work.together([piece for _, piece in sorted(pieces.pop(place).items())]))
    return [*mixed]


@dataclass(frozen=True, eq=False)
class PairTask:
    """Two runs by their numbers."""

    one: int
    other: int
    runs: tuple[Named, Named]

    def from_anywhere(self) -> PairTask:
        """The same for whoever works in another folder."""
        one, other = self.runs
        return replace(self, runs=(one.from_anywhere(), other.from_anywhere()))

    @property
    def is_light(self) -> bool:
        """Never: both stay in memory."""
        return False


@dataclass(frozen=True, eq=False)
class PairWork:
    """``look`` at two runs side by side."""

    track: Track
    look_at: Callable[..., Any]
    parameters: Mapping[str, Any]

    def read(self, task: PairTask) -> None:
        """Read those that are not in memory."""
        for place, named in zip((task.one, task.other), task.runs, strict=True):
            if place not in self.track.kept:
                self.track.kept[place] = self.track.through(named.read())

    def score_run(self, task: PairTask, data: None) -> Any:
        """What is kept of both."""
        lenses = self.track.kept[task.one], self.track.kept[task.other]
        return self.look_at(*lenses, self.track.measures, **self.parameters)


SMALLEST = 24 << 20
"""Bytes of memory without which nothing can be looked at."""


def cutting(memory: int | None, executor: Executor) -> Cutting:
    """How runs are cut, to fit into so much memory; without a limit, into pieces as large as the executor wants."""
    # Most runs are small, and those who look at them need not wait for this.
    from truerank.io.cutting import Cutting

    if memory is None:
        return Cutting(executor.cuts_at or 0, writes=executor.sees_disk)
    # Every process has the judgments, and its own copy of the program.
    others = max(executor.processes, 1)
    used = in_use() * (1 + executor.processes)
    room = (memory - used) // others
    if room < SMALLEST:
        raise InputError(
            f"memory of {memory >> 20:,} MB is not enough: {used >> 20:,} MB are in use before a run is read; give "
            f"{(used + SMALLEST * others >> 20) + 1:,}M or more{', or fewer workers' if others > 1 else ''}"
        )
    return Cutting(room, writes=executor.sees_disk)


def in_use() -> int:
    """Bytes of memory that this process has."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        # Elsewhere it is about as much as numpy and a track take.
        return 96 << 20
