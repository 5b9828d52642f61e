"""Work split over threads: numpy releases the interpreter lock, so blocks of rows run side by side."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from itertools import count
from typing import TYPE_CHECKING, Generic, TypeVar
from weakref import WeakSet

if TYPE_CHECKING:
    from threading import Thread

Task = TypeVar("Task")
Result = TypeVar("Result")

_AT_MOST = 8
THREADS = "TRUERANK_THREADS"
"""The variable of the environment that says how many threads a process may use at once."""
_limits: list[int] = []


def processors() -> int:
    """Return how many threads this process may use at once."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    said = os.environ.get(THREADS, "")
    return min(usable, _AT_MOST, *_limits, *([max(int(said), 1)] if said.isdecimal() else []))


def limit_threads(count: int) -> None:
    """Let this process use no more threads at once: others of its kind share the processors with it."""
    _limits[:] = [max(count, 1)]


def parallel(function: Callable[[Task], Result], tasks: Sequence[Task], threads: int | None = None) -> list[Result]:
    """Return ``[function(task) for task in tasks]``, computed by several threads when there are several tasks.

    Results keep the order of the tasks, and the error raised is that of the first task that failed.

    >>> parallel(abs, [-1, 2, -3], threads=2)
    [1, 2, 3]
    """
    threads = min(len(tasks), processors() if threads is None else threads)
    if threads <= 1:
        return [function(task) for task in tasks]
    results: dict[int, Result] = {}
    errors: dict[int, BaseException] = {}
    turn = count()

    def work() -> None:
        while not errors and (index := next(turn)) < len(tasks):
            try:
                results[index] = function(tasks[index])
            except BaseException as error:  # noqa: PERF203
                errors[index] = error

    workers = [_started(work) for _ in range(threads - 1)]
    work()
    for worker in workers:
        if worker is not None:
            worker.join()
    if errors:
        raise errors[min(errors)]
    return [results[index] for index in range(len(tasks))]


def _started(work: Callable[[], None]) -> Thread | None:
    """Return a thread that does the work; None if the system starts no more of them, as WebAssembly never does."""
    # concurrent.futures would do, but importing it costs more than reading a small run.
    from threading import Thread

    worker = Thread(target=work, daemon=True)
    try:
        worker.start()
    except RuntimeError:
        return None
    return worker


_WORKERS: WeakSet[Thread] = WeakSet()


def is_ahead() -> bool:
    """Whether something is still computed in the background.

    >>> waited_for = Ahead(lambda: 2 + 2).result()
    >>> is_ahead()
    False
    """
    return any(worker.is_alive() for worker in _WORKERS)


class Ahead(Generic[Result]):
    """Something computed in the background from now on, and waited for when it is needed; without threads, then.

    >>> Ahead(lambda: 2 + 2).result()
    4
    """

    def __init__(self, function: Callable[[], Result]) -> None:
        self._found: list[Result] = []
        self._errors: list[BaseException] = []
        self._function = function
        self._worker = _started(self._work)
        if self._worker is not None:
            _WORKERS.add(self._worker)

    def _work(self) -> None:
        try:
            self._found.append(self._function())
        except BaseException as error:
            self._errors.append(error)

    def result(self) -> Result:
        """What was computed; raises what the computation raised."""
        if self._worker is not None:
            self._worker.join()
        elif not (self._found or self._errors):
            self._work()
        if self._errors:
            raise self._errors[0]
        return self._found[0]


def blocks(rows: int, size: int) -> list[slice]:
    """Cut rows into slices of at most the given size.

    >>> blocks(5, 2)
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    return [slice(begin, min(begin + size, rows)) for begin in range(0, rows, size)]


def topic_blocks(offsets: Sequence[int], size: int) -> list[tuple[int, int]]:
    """Cut topics into stretches (first, last) of about ``size`` rows; a longer topic is a stretch of its own.

    >>> topic_blocks([0, 3, 5, 20, 21], 5)
    [(0, 2), (2, 3), (3, 4)]
    """
    result = []
    first = 0
    for topic in range(1, len(offsets)):
        if topic - first > 1 and offsets[topic] - offsets[first] > size:
            result.append((first, topic - 1))
            first = topic - 1
    if len(offsets) > 1:
        result.append((first, len(offsets) - 1))
    return result
