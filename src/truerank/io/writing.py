"""Files that appear under their names only when they are complete; what is open already is written to, not replaced."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # pragma: no cover
    fcntl = None  # type: ignore[assignment]

_DESCRIPTORS = re.compile(r"/dev/fd|/proc/(\d+)(?:/task/\d+)?/fd")
"""Folders whose files are those that a process has open."""
_NUMBER = re.compile("[0-9]{1,9}")
_PART = re.compile(r"\.truerank-[0-9a-f]{16}\.part")
_UNKNOWN_TO_IT = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP)
"""What a file system answers that cannot lock, or cannot wait until data are safe, rather than that it failed."""


def put(data: bytes | Iterable[bytes], path: str | os.PathLike[str]) -> None:
    """Write a file under a temporary name beside its place, then move it there.

    A link goes on pointing where it did, and whoever has the old file open, or mapped into memory, keeps the old one.
    Devices and pipes are written as they are; so are files that are open already, such as /dev/stdout, where they were
    written last. What a writer that was killed has left in the folder is removed.

    >>> put([b"q1 0 d1 1\\n", b"q1 0 d2 0\\n"], os.devnull)
    """
    pieces = (data,) if isinstance(data, bytes) else data
    try:
        # Asked of the path itself: where /dev/stdout is a pipe, what it leads to has no name.
        opened = _opened(path)
        if opened is not None or (os.path.exists(path) and not os.path.isfile(path)):
            with opened or open(path, "wb") as file:
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
        opened = _opened(path)
        if opened is not None:
            with opened:
                opened.write(data)
            return
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


def _opened(path: str | os.PathLike[str]) -> BinaryIO | None:
    """A file that is open already, to be written where it was written last; None for any other.

    It would not do to open it again: that begins at its beginning, and what others write to it after this would go over
    what was written here.
    """
    number = _descriptor(os.fspath(path))
    if number is None:
        return None
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):
            stream.flush()
    return os.fdopen(os.dup(number), "wb") if isinstance(number, int) else open(number, "ab")


def _descriptor(path: str) -> int | str | None:
    """The number of a file that this process has open, or the name of one that another has; None for any other."""
    place = path
    # A link may lead there by way of others, and beyond it to a name that is like any other.
    for _ in range(40):
        folder, name = os.path.split(place)
        folder = os.path.realpath(folder)
        place = os.path.join(folder, name)
        if _NUMBER.fullmatch(name) and (found := _DESCRIPTORS.fullmatch(folder)):
            return int(name) if found[1] in (None, str(os.getpid())) else place
        if not os.path.islink(place):
            break
        place = os.path.join(folder, os.readlink(place))
    with suppress(OSError):
        known = os.stat(path)
        for number in (1, 2) if stat.S_ISREG(known.st_mode) else ():
            with suppress(OSError):
                if os.path.samestat(known, os.fstat(number)):
                    return number
    return None


def _about(error: OSError, path: str | os.PathLike[str]) -> OSError:
    """The error, about the file that was asked for."""
    return error if error.errno is None else OSError(error.errno, error.strerror, os.fspath(path))


def _replace(pieces: Iterable[bytes], place: str) -> None:
    folder = os.path.dirname(place)
    _remove_abandoned(folder)
    # What replaces a private file is private from its first byte on.
    part, file = _begun(folder, 0o600 if os.path.exists(place) else 0o666)
    try:
        with file:
            file.writelines(pieces)
            if os.path.exists(place):
                # A file that may not be written is not to be replaced either, and the new one has its permissions.
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


def _begun(folder: str, mode: int) -> tuple[str, BinaryIO]:
    """A new file that is locked as long as it is open, and its name."""
    while True:
        # The name is short, since that of the file may be as long as names can be.
        part = os.path.join(folder, f".truerank-{os.urandom(8).hex()}.part")
        file = open(part, "xb", opener=lambda name, flags: os.open(name, flags, mode))  # noqa: SIM115
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
