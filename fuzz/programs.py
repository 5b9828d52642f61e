"""The command line as a program of its own: started anew, or forked from one that has imported it already.

Most of the time of a short program is its imports. A process that is forked after them reads its own standard input,
writes its own output and ends with its own exit code like any other, and is there in a hundredth of the time.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import IO

FLAGS = ("-W", "error::RuntimeWarning")
MOST = 60.0
"""Seconds after which a program does not end."""


class Endless(Exception):
    """A program did not end."""


@dataclass(frozen=True)
class Ended:
    """How a program ended, and what it printed."""

    code: int
    out: str
    err: str


def run(args: Sequence[str], here: Path, content: bytes = b"", how: str = "", *, anew: bool = False) -> Ended:
    """Run the program in a folder with content on its standard input, or in a pipe called ``fifo`` beside it."""
    fifo = here / "fifo"
    if how == "fifo":
        os.mkfifo(fifo)
    read, write = os.pipe()
    with tempfile.TemporaryFile(dir=here) as out, tempfile.TemporaryFile(dir=here) as err:
        try:
            started = (_Anew if anew else _Forked)(args, here, (read, out.fileno(), err.fileno()))
        finally:
            os.close(read)
        if how == "fifo":
            os.close(write)
            writer = Thread(target=_fed_by_name, args=(fifo, content, started), daemon=True)
        else:
            writer = Thread(target=_fed, args=(write, content), daemon=True)
        writer.start()
        try:
            code = started.wait(MOST)
        finally:
            started.kill()
            writer.join()
            fifo.unlink(missing_ok=True)
        return Ended(code, _text(out), _text(err))


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")


def _fed(pipe: int, content: bytes) -> None:
    """Write into a pipe, for as long as anybody reads."""
    with contextlib.suppress(BrokenPipeError), os.fdopen(pipe, "wb", buffering=0) as file:
        while content:
            content = content[file.write(content) :]


def _fed_by_name(fifo: Path, content: bytes, reader: _Anew | _Forked) -> None:
    """Write into a pipe as soon as it is read from: the first line, and the rest a little later."""
    while not reader.ended:
        try:
            pipe = os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.002)
            continue
        os.set_blocking(pipe, True)
        first = content.find(b"\n") + 1
        with contextlib.suppress(BrokenPipeError), os.fdopen(pipe, "wb", buffering=0) as file:
            file.write(content[:first])
            time.sleep(0.01)
            file.write(content[first:])
        return


class _Anew:
    """A program that starts with its imports."""

    def __init__(self, args: Sequence[str], here: Path, streams: tuple[int, int, int]) -> None:
        stdin, stdout, stderr = streams
        self._process = subprocess.Popen(
            [sys.executable, *FLAGS, "-m", "truerank", *args], cwd=here, stdin=stdin, stdout=stdout, stderr=stderr
        )

    @property
    def ended(self) -> bool:
        """Whether it is over."""
        return self._process.poll() is not None

    def wait(self, seconds: float) -> int:
        """Its exit code."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Endless from None

    def kill(self) -> None:
        """End it, if it has not ended."""
        if not self.ended:
            self._process.kill()
            self._process.wait()


class _Forked:
    """A program that is forked from one that has its imports behind it."""

    def __init__(self, args: Sequence[str], here: Path, streams: tuple[int, int, int]) -> None:
        self._server = server()
        request = json.dumps({"args": [*args], "here": str(here)}).encode("utf-8", "surrogateescape")
        socket.send_fds(self._server, [len(request).to_bytes(4, "big")], list(streams))
        self._server.sendall(request)
        self._pid = int.from_bytes(_exactly(self._server, 4), "big")
        self.ended = False

    def wait(self, seconds: float) -> int:
        """Its exit code, negative where a signal ended it."""
        self._server.settimeout(seconds)
        try:
            code = int.from_bytes(_exactly(self._server, 4), "big", signed=True)
        except TimeoutError:
            raise Endless from None
        finally:
            self._server.settimeout(None)
        self.ended = True
        return code

    def kill(self) -> None:
        """End it, if it has not ended."""
        if not self.ended:
            # It is a child of the server, which waits for it: until then its number is nobody else's.
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
            _exactly(self._server, 4)
            self.ended = True


_servers: dict[int, socket.socket] = {}


def server() -> socket.socket:
    """The line to the process that others are forked from, which is started once."""
    if os.getpid() not in _servers:
        ours, theirs = socket.socketpair()
        process = subprocess.Popen(
            [sys.executable, *FLAGS, "-m", "fuzz.programs", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            cwd=Path(__file__).parents[1],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        theirs.close()
        _servers[os.getpid()] = ours
        # It ends when nobody is at the other end of its line.
        atexit.register(process.wait)
        atexit.register(ours.close)
        _exactly(ours, 1)
    return _servers[os.getpid()]


def _exactly(line: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        more = line.recv(size - len(found))
        if not more:
            raise EOFError("nobody is at the other end of the line")
        found += more
    return found


def _serve(line: socket.socket) -> None:
    """Fork a program for each request; return in the child, with its arguments, folder and streams in place."""
    while True:
        head, streams, _, _ = socket.recv_fds(line, 4, 3)
        if not head:
            sys.exit()
        size = head + (_exactly(line, 4 - len(head)) if len(head) < 4 else b"")
        request = json.loads(_exactly(line, int.from_bytes(size, "big")).decode("utf-8", "surrogateescape"))
        pid = os.fork()
        if pid == 0:
            line.close()
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
                os.close(stream)
            os.chdir(request["here"])
            sys.argv = ["truerank", *request["args"]]
            return
        for stream in streams:
            os.close(stream)
        line.sendall(pid.to_bytes(4, "big"))
        line.sendall(_waited(pid, line).to_bytes(4, "big", signed=True))


def _waited(pid: int, line: socket.socket) -> int:
    """The exit code of a program; where nobody is at the other end of the line any more, it is ended."""
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        # Nothing is said while a program runs: what can be read is the end.
        if select.select([line], [], [], 0.002)[0]:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            sys.exit()


def _import_everything() -> None:
    import truerank

    for module in pkgutil.walk_packages(truerank.__path__, "truerank."):
        if module.name != "truerank.__main__":
            importlib.import_module(module.name)
    for library in ("scipy.stats", "ir_datasets", "rich.console"):
        with contextlib.suppress(ImportError):
            importlib.import_module(library)


def _exit_code(end: SystemExit) -> int:
    return end.code if isinstance(end.code, int) else int(end.code is not None)


if __name__ == "__main__":
    from truerank.__main__ import main

    _import_everything()
    gc.freeze()
    wire = socket.socket(fileno=int(sys.argv[1]))
    wire.sendall(b"!")
    _serve(wire)
    try:
        main()
        ended = 0
    except SystemExit as end:
        ended = _exit_code(end)
    except BaseException:
        traceback.print_exc()
        ended = 1
    # Taking everything down that was imported takes longer than most commands, and is left to those that start anew.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(ended)
