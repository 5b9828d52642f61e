"""Files that appear under their names only when they are complete."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from pathlib import Path


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
            _replace(pieces, Path(os.path.realpath(path)))
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None


def _replace(pieces: Iterable[bytes], place: Path) -> None:
    # The name is short, since that of the file may be as long as names can be.
    part = place.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with part.open("xb") as file:
            file.writelines(pieces)
        if place.exists():
            # A file that may not be written is not to be replaced either, and one that is private stays so.
            place.open("ab").close()
            part.chmod(place.stat().st_mode & 0o7777)
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)
