"""The other side of ``processes``: takes work and tasks from its input, and writes what is found to its output."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import traceback
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any

WORK, TASK = b"W", b"T"
DONE, FAILED, BROKEN = b"D", b"F", b"B"


def put(stream: IO[bytes], kind: bytes, content: bytes) -> None:
    """Write a message: its kind, its length, and itself."""
    stream.write(kind + len(content).to_bytes(8, "little"))
    stream.write(content)
    stream.flush()


def take(stream: IO[bytes]) -> tuple[bytes, bytes]:
    """Read a message; an EOFError where there are no more."""
    head = stream.read(9)
    if len(head) < 9:
        raise EOFError
    size = int.from_bytes(head[1:], "little")
    content = stream.read(size)
    if len(content) < size:
        raise EOFError
    return head[:1], content


def failure(error: Exception) -> tuple[bytes, bytes]:
    """A message that tells of an error: itself, or in words what cannot be sent."""
    try:
        content = pickle.dumps(error)
        pickle.loads(content)
    except Exception:
        return BROKEN, traceback.format_exc().encode("utf-8", "replace")
    return FAILED, content


def answered(work: Any, task: Any) -> tuple[bytes, bytes]:
    """What comes of work on a task, as a message."""
    try:
        return DONE, pickle.dumps(work.score_run(task, work.read(task)), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        return failure(error)


def listen(source: IO[bytes], messages: SimpleQueue[tuple[bytes, bytes]]) -> None:
    """Put messages in a queue; end this process, whatever it is doing, when whoever asks for the work is gone."""
    try:
        while True:
            messages.put(take(source))
    except EOFError:
        os._exit(0)


def main() -> None:
    """Work on what the input asks for, until it ends."""
    # Whoever is interrupted ends its workers; an interrupt from the keyboard reaches all of them at once.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source, target = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # What libraries print is not to be taken for a message.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    from truerank.data.parallel import limit_threads

    limit_threads(int(sys.argv[1]))
    messages: SimpleQueue[tuple[bytes, bytes]] = SimpleQueue()
    Thread(target=listen, args=(source, messages), daemon=True).start()
    work: Any = None
    while True:
        kind, content = messages.get()
        try:
            if kind == WORK:
                work = pickle.loads(content)
                put(target, DONE, b"")
                continue
            task = pickle.loads(content)
            answer = answered(work, task)
        except Exception as error:
            answer = failure(error)
        try:
            put(target, *answer)
        except BrokenPipeError:
            return
