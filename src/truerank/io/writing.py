"""Files that appear under their names only when they are complete."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress


def put(data: bytes | Iterable[bytes], path: str | os.PathLike[str]) -> None:
    """Write a file under a temporary name beside its place, then move it there; devices and pipes as they are.

    A link goes on pointing where it did, and whoever has the old file open, or mapped into memory, keeps the old one.

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
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None


def _replace(pieces: Iterable[bytes], place: str) -> None:
    # The name is short, since that of the file may be as long as names can be.
    part = os.path.join(os.path.dirname(place), f".{os.urandom(8).hex()}.part")
    try:
        with open(part, "xb") as file:
            file.writelines(pieces)
        if os.path.exists(place):
            # A file that may not be written is not to be replaced either, and one that is private stays so.
            open(place, "ab").close()
            os.chmod(part, os.stat(place).st_mode & 0o7777)
        os.replace(part, place)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(part)
