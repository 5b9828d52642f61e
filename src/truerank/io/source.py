"""Where text comes from: a path, standard input or an open file, compressed or not, as one array of bytes."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import FileIO
from typing import IO, Any, TypeAlias

import numpy as np

from truerank.data.arrays import Bytes
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.io.compression import LIMIT, compression, decompressed, gibibytes
from truerank.io.lines import line_number

_PIECE = 1 << 20
_DEVICES = "/dev/"
"""What stands here is an entrance to a stream, even where a file stands behind it."""


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """Text with the name that errors give it; ``stem`` is the bare file name, None for a stream without one."""

    name: str
    stem: str | None
    text: Bytes
    lines: Callable[[int], int] | None = None
    """The number in the file of each line of the text, where the text is a part of it; both count from 1."""

    def line(self, offset: int) -> int:
        """The number of the line that contains a byte offset of the text."""
        number = line_number(self.text, offset)
        return number if self.lines is None else self.lines(number)


Readable: TypeAlias = str | os.PathLike[str] | IO[Any] | Source


def open_source(source: Readable) -> Source:
    """Read a path, ``"-"`` (standard input) or an open binary or text file, whole and once.

    The text is a copy in memory: what becomes of the file later changes nothing that was read, and a file that changes
    while it is read is refused. gzip, bzip2, xz and zstd are recognised by their first bytes, whatever the file is
    called.

    >>> import io
    >>> open_source(io.BytesIO(b"1 0 d 1")).text.tobytes()
    b'1 0 d 1'
    """
    if isinstance(source, Source):
        return source
    if isinstance(source, str) and source == "-":
        return Source("<stdin>", None, _standard_input())
    if isinstance(source, str | os.PathLike):
        path = os.fspath(source)
        return Source(path, None if path.startswith(_DEVICES) else stem(path), _file(path))
    name = getattr(source, "name", None)
    path = name if isinstance(name, str) else "<stream>"
    with refusing(path):
        content = source.read()
    data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else bytes(content)
    return Source(path, None if path.startswith("<") else stem(path), _plain(data, path))


def is_stream(source: object) -> bool:
    """Whether a path names what can be read only once: "-", a pipe, or a device.

    >>> is_stream("-"), is_stream("/dev/stdin"), is_stream("no such file")
    (True, True, False)
    """
    if not isinstance(source, str | os.PathLike):
        return False
    path = os.fspath(source)
    if path == "-" or path.startswith(_DEVICES):
        return True
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


@contextmanager
def refusing(path: str) -> Iterator[None]:
    """Say of a file what the system says of it when it cannot be read."""
    try:
        yield
    except FileNotFoundError:
        raise InputError("there is no such file; check the path", path) from None
    except OSError as error:
        if os.path.isdir(path):
            message = "this is a directory; give a file in it"
        elif isinstance(error, PermissionError):
            message = "not readable; change its permissions"
        else:
            message = f"not readable ({(error.strerror or str(error)).lower()}); check the path, and the disk it is on"
        raise InputError(message, path) from None


def _file(path: str) -> Bytes:
    with refusing(path), _opened(path) as file:
        known = os.fstat(file.fileno())
        # What the system makes up when it is read, as below /proc, is said to be empty.
        if not stat.S_ISREG(known.st_mode) or not known.st_size:
            return _plain(_to_the_end(file, path), path)
        text = np.empty(known.st_size, dtype=np.uint8)
        whole = _filled(file, text)
        now = os.fstat(file.fileno())
    if not whole or (now.st_size, now.st_mtime_ns) != (known.st_size, known.st_mtime_ns):
        raise changed(path)
    text.flags.writeable = False
    return text if compression(text[:16].tobytes()) is None else _plain(text.data, path)


def changed(path: str) -> InputError:
    """The error for a file that became another one while it was read."""
    return InputError("the file changed while it was read; read it again when it is complete", path)


def _opened(path: str) -> FileIO:
    try:
        return FileIO(path)
    except ValueError:
        # A NUL byte, or half a character.
        shown = path.encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")
        raise InputError("no file can be called this; check the path", shown) from None


def _filled(file: FileIO, text: Bytes) -> bool:
    """Read a file into an array, as many calls as it takes; False where it ends before."""
    done = 0
    while done < text.size:
        count = file.readinto(text.data[done:])
        if not count:
            return False
        done += count
    return True


def _standard_input() -> Bytes:
    # An interpreter that was started without one has none.
    if sys.stdin is None:
        raise InputError("standard input is closed; give a file, or something to read", "<stdin>")
    with refusing("<stdin>"):
        return _plain(_to_the_end(sys.stdin.buffer, "<stdin>"), "<stdin>")


def _to_the_end(stream: Any, name: str) -> bytearray:
    found = bytearray()
    while piece := stream.read(_PIECE):
        found += piece
        if len(found) > LIMIT:
            raise InputError(f"there is no end to it within {gibibytes()}; write it to a file, and give that", name)
    return found


def _plain(data: bytes | bytearray | memoryview, name: str) -> Bytes:
    text = np.frombuffer(decompressed(data, name), dtype=np.uint8)
    text.flags.writeable = False
    return text


def stem(path: str) -> str:
    """Return a file's name without the endings that say how it is stored.

    >>> stem("runs/bm25.k1=0.9.run.gz")
    'bm25.k1=0.9'
    """
    bare, ending = os.path.splitext(os.path.basename(path))
    return stem(bare) if ending.lower() in _ENDINGS else bare + ending


_ENDINGS = {
    *(".gz", ".bz2", ".xz", ".zst", ".zstd"),
    *(".txt", ".run", ".trec", ".tsv", ".res", ".results", ".qrels"),
    *(".csv", ".json", ".jsonl", ".ndjson", ".parquet", ".pq"),
}
