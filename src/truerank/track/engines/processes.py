"""Several processes: each takes the next task when it is done with one.

They are started as programs of their own, since a fork of a process with threads may hang, and a process that imports
the caller's script again may run it again.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import weakref
from collections.abc import Iterator, Sequence
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any

from truerank.data.errors import InputError
from truerank.data.parallel import processors
from truerank.track.engines import worker
from truerank.track.engines.executor import Work


class Unsendable(Exception):
    """Work that other processes cannot do, as that with a function which only the caller's script has."""


class WorkerError(RuntimeError):
    """A worker that failed in a way which only its words tell of."""


class Processes:
    """A number of processes, started when there is work, which stay for more of it."""

    shares_memory = False
    sees_disk = True
    cuts_at: int | None = None

    def __init__(self, workers: int | None) -> None:
        self.processes = workers or processors()
        self._workers: list[_Worker] = []

    def send(self, work: Work, tasks: int) -> None:
        """Start processes, no more than there are tasks, and give them the work; Unsendable where they cannot do it."""
        try:
            content = pickle.dumps(work, pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            raise Unsendable(str(error)) from None
        threads = max(1, processors() // self.processes)
        while len(self._workers) < min(self.processes, tasks):
            self._workers.append(_Worker(threads))
        try:
            for each in self._workers:
                each.put(worker.WORK, content)
            for each in self._workers:
                each.begin(work)
        except BaseException:
            self.close()
            raise

    def run(self, work: Work, tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """Tasks go to whoever is free."""
        try:
            few = len(self._workers) < min(self.processes, len(tasks))
            if few or any(each.work is not work for each in self._workers):
                self.send(work, len(tasks))
        except Unsendable as error:
            raise InputError(
                f"other processes cannot do this ({error}); put your own functions into a module beside your script "
                "or on PYTHONPATH (workers import nothing from the current folder), or choose engine='here'"
            ) from None
        answers: SimpleQueue[tuple[int, _Worker, bytes, bytes]] = SimpleQueue()
        left = iter(enumerate(tasks))
        busy: set[int] = set()
        failed: dict[int, BaseException] = {}

        def give(each: _Worker) -> None:
            place, task = next(left, (None, None))
            if place is not None and not failed:
                busy.add(place)
                each.ask(place, pickle.dumps(task, pickle.HIGHEST_PROTOCOL), answers)

        finished = False
        try:
            for each in self._workers:
                give(each)
            while busy:
                place, each, kind, content = answers.get()
                busy.discard(place)
                if kind == worker.DONE:
                    if not failed or place < min(failed):
                        yield place, pickle.loads(content)
                    give(each)
                else:
                    failed[place] = error_of(kind, content)
            finished = not failed
        finally:
            if not finished:
                # Some may still be at work on what nobody waits for.
                self.close()
        if failed:
            raise failed[min(failed)]

    def close(self) -> None:
        """End the processes."""
        for each in self._workers:
            each.end()
        self._workers = []


def error_of(kind: bytes, content: bytes) -> BaseException:
    """What a message tells of that is not about a task that was done."""
    if kind == worker.FAILED:
        error: BaseException = pickle.loads(content)
        return error
    return WorkerError(content.decode("utf-8", "replace"))


SAFE_PATH = ["-P"] if sys.version_info >= (3, 11) else []
"""Keeps Python from putting the current folder on the path of imports; Python 3.10 has no such option."""
_PROGRAM = f"import sys; sys.path[:] = sys.argv[2:]; from {worker.__name__} import main; main()"
"""Sets the path before anything is imported: a module called signal may be in the current folder, from anybody."""


def import_path() -> list[str]:
    """Folders that workers import from: those of this process, without the current one, which Python calls ""."""
    return [*dict.fromkeys(os.path.abspath(each) for each in sys.path if each)]


class _Worker:
    """A process that works, and the pipes to it."""

    def __init__(self, threads: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, *SAFE_PATH, "-c", _PROGRAM, str(threads), *import_path()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.work: Work | None = None
        # Also where nobody ends it: at the end of the program, or when the engine is gone.
        self.end = weakref.finalize(self, _ended, self._process)

    def put(self, kind: bytes, content: bytes) -> None:
        """Write to it; what it does not read because it is gone shows when it does not answer."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            worker.put(self._process.stdin, kind, content)

    def take(self) -> tuple[bytes, bytes]:
        """Read from it; refused where it is gone."""
        assert self._process.stdout is not None
        try:
            return worker.take(self._process.stdout)
        except EOFError:
            code = self._process.wait()
            raise InputError(f"a worker ended ({_why(code)}); try fewer workers, or engine='here'") from None

    def begin(self, work: Work) -> None:
        """Wait until it has the work."""
        kind, content = self.take()
        if kind != worker.DONE:
            raise Unsendable(str(error_of(kind, content)).strip().splitlines()[-1])
        self.work = work

    def ask(self, place: int, content: bytes, answers: SimpleQueue[Any]) -> None:
        """Give it a task; its answer comes in the queue."""

        def wait() -> None:
            self.put(worker.TASK, content)
            try:
                answer = self.take()
            except InputError as error:
                answer = worker.failure(error)
            answers.put((place, self, *answer))

        Thread(target=wait, daemon=True).start()


def _why(code: int) -> str:
    return f"signal {-code}, perhaps for want of memory" if code < 0 else f"exit code {code}"


def _ended(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):
            if pipe is not None:
                pipe.close()
    process.wait()
