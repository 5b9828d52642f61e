"""Files that appear under their names only when they are complete."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # pragma: no cover
    fcntl = None  # type: ignore[assignment]

_PART = re.compile(r"\.truerank-[0-9a-f]{16}\.part")
_UNKNOWN_TO_IT = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP)
"""What a file system answers that cannot lock, or cannot wait until data are safe, rather than that it failed."""


def put(data: bytes | Iterable[bytes], path: str | os.PathLike[str]) -> None:
    """Write a file under a temporary name beside its place, then move it there; devices and pipes as they are.

    A link goes on pointing where it did, and whoever has the old file open, or mapped into memory, keeps the old one.
    What a writer that was killed has left in the folder is removed.

    >>> put([b"q1 0 d1 1\\n", b"q1 0 d2 0\\n"], os.devnull)
    """
    pieces = (data,) if isinstance(data, bytes) else data
    try:
        # Asked of the path itself: where /dev/stdout is a pipe, what it leads to has no name.
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as file:
                file.writelines(pieces)
        else:
            _replace(pieces, os.path.realpath(path))
    except OSError as error:
        raise _about(error, path) from None


def add(data: bytes, path: str | os.PathLike[str]) -> None:
    """Add to the end of a file: all of it, or nothing; others may add to it at the same time.

    >>> add(b"### Scores\\n", os.devnull)
    """
    try:
        with open(path, "ab", buffering=0) as file:
            _locked(file)
            size = os.fstat(file.fileno()).st_size
            # A single write: whoever is killed has added everything or nothing.
            written = file.write(data)
            try:
                while written < len(data):
                    written += file.write(data[written:])
                if os.path.isfile(path):
                    _safe(file)
            except OSError:
                with suppress(OSError):
                    os.ftruncate(file.fileno(), size)
                raise
    except OSError as error:
        raise _about(error, path) from None


def _about(error: OSError, path: str | os.PathLike[str]) -> OSError:
    """The error, about the file that was asked for."""
    return error if error.errno is None else OSError(error.errno, error.strerror, os.fspath(path))


def _replace(pieces: Iterable[bytes], place: str) -> None:
    folder = os.path.dirname(place)
    _remove_abandoned(folder)
    part, file = _begun(folder)
    try:
        with file:
            file.writelines(pieces)
            if os.path.exists(place):
                # A file that may not be written is not to be replaced either, and one that is private stays so.
                open(place, "ab").close()
                os.chmod(part, os.stat(place).st_mode & 0o7777)
            file.flush()
            # After a power failure the name must not lead to a file whose data never arrived.
            _safe(file)
            if fcntl is not None:
                # While it is locked: an unlocked one may be taken for abandoned.
                os.replace(part, place)
        if fcntl is None:
            # Where there are no such locks, what is open cannot be moved.
            os.replace(part, place)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(part)


def _begun(folder: str) -> tuple[str, BinaryIO]:
    """A new file that is locked as long as it is open, and its name."""
    while True:
        # The name is short, since that of the file may be as long as names can be.
        part = os.path.join(folder, f".truerank-{os.urandom(8).hex()}.part")
        file = open(part, "xb")  # noqa: SIM115
        try:
            _locked(file)
        except BaseException:
            file.close()
            os.unlink(part)
            raise
        # Before it was locked, somebody may have taken it for abandoned.
        if os.path.exists(part):
            return part, file
        file.close()


def _remove_abandoned(folder: str) -> None:
    """Remove files whose writers are gone: those of others are locked until they have their names."""
    if fcntl is None:
        return
    with suppress(OSError):
        for name in filter(_PART.fullmatch, os.listdir(folder)):
            part = os.path.join(folder, name)
            with suppress(OSError), open(part, "r+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.unlink(part)


def _locked(file: BinaryIO) -> None:
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError as error:
            if error.errno not in (*_UNKNOWN_TO_IT, errno.ENOLCK):
                raise


def _safe(file: BinaryIO) -> None:
    """Wait until the data are where a power failure does not reach them."""
    try:
        os.fsync(file.fileno())
    except OSError as error:
        if error.errno not in _UNKNOWN_TO_IT:
            raise
