"""The one thing that an engine can do: a piece of work on each of some tasks. Here, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any, Protocol

from truerank.data.errors import InputError
from truerank.data.parallel import Ahead, processors

PAYS = 1.0
"""Seconds of work from which on it pays to start processes for it."""


class Task(Protocol):
    """Something to be looked at, which is small enough to be sent to where that is done."""

    @property
    def is_light(self) -> bool:
        """Whether it is a small file: it may be read while another is in memory, and sent by its name."""
        ...

    @property
    def runs(self) -> Sequence[Any]:
        """What it is about."""
        ...

    def from_anywhere(self) -> Any:
        """The same for whoever works in another folder."""
        ...


class Work(Protocol):
    """What is done with a task: it is read and then looked at. Work is sent to others once, and tasks one by one."""

    def read(self, task: Any) -> Any:
        """What there is to look at."""
        ...

    def score_run(self, task: Any, data: Any) -> Any:
        """What is found in it."""
        ...


class Executor(Protocol):
    """Does work on tasks."""

    processes: int
    """How many share the memory of this machine, this one not counted."""
    shares_memory: bool
    """Whether what the work holds is still there when it is done."""
    sees_disk: bool
    """Whether what is written to the disk of this machine can be read where the work is done."""
    cuts_at: int | None
    """Bytes of memory from which on a run is cut, however much there is."""

    def run(self, work: Work, tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """The number of each task with what was found in it, as they are done.

        What is raised is what the first task in order raises that fails, once all before it are done.
        """
        ...


class Here:
    """This process, whose threads share the work on each task; a light one is read while the last is looked at."""

    processes = 0
    shares_memory = True
    sees_disk = True

    def __init__(self, cuts_at: int | None = None) -> None:
        self.cuts_at = cuts_at

    def run(self, work: Work, tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """One after the other."""
        reading: Ahead[Any] | None = None
        for place, task in enumerate(tasks):
            data = work.read(task) if reading is None else reading.result()
            following = tasks[place + 1] if place + 1 < len(tasks) else None
            reading = _ahead(work, following) if following is not None and following.is_light else None
            yield place, work.score_run(task, data)


def _ahead(work: Work, task: Any) -> Ahead[Any]:
    return Ahead(lambda: work.read(task))


class WherePays:
    """This process; and others for light tasks that would keep it busy for long."""

    processes = 0
    shares_memory = True
    sees_disk = True
    cuts_at: int | None = None

    def run(self, work: Work, tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """The first two here, which tell how long the others take."""
        here = Here()
        if len(tasks) < 4 or processors() < 2 or not all(task.is_light for task in tasks):
            yield from here.run(work, tasks)
            return
        yield from here.run(work, tasks[:1])
        begun = perf_counter()
        yield 1, work.score_run(tasks[1], work.read(tasks[1]))
        rest: Any = here
        if (perf_counter() - begun) * (len(tasks) - 2) > PAYS:
            from truerank.track.engines.processes import Processes, Unsendable

            rest = Processes(None)
            try:
                rest.send(work, len(tasks) - 2)
            except (Unsendable, InputError, OSError):
                # Nobody asked for them, and it can be done without.
                rest = here
        for place, found in rest.run(work, tasks[2:]):
            yield place + 2, found
