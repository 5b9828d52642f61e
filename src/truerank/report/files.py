"""Files that appear under their names only when they are complete."""

from __future__ import annotations

import os
from pathlib import Path


def put(data: bytes, out: str | os.PathLike[str]) -> None:
    """Write a file under a temporary name beside its place, then move it there; devices and pipes as they are."""
    path = Path(os.path.realpath(out))
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(out)) from None
    finally:
        part.unlink(missing_ok=True)
