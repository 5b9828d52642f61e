"""Folders for temporary files: gone when what they belong to is gone, or when the program ends.

A process that is killed leaves its folder behind. The next process that needs such a folder removes it: a folder that
is in use has a locked file in it.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

try:
    import fcntl
except ImportError:  # pragma: no cover
    fcntl = None  # type: ignore[assignment]

_PREFIX, _LOCK = "truerank-", ".lock-"
_removals: list[weakref.finalize[Any, Any]] = []
"""What removes each folder that is still there."""


def folder_for(owner: object) -> str:
    """A new folder that only this user can read; it goes when its owner does."""
    _remove_abandoned()
    while True:
        path = tempfile.mkdtemp(prefix=_PREFIX)
        lock = _locked(path)
        # Before it was locked, somebody may have taken it for abandoned.
        if os.path.isdir(path):
            break
    _removals[:] = [each for each in _removals if each.alive]
    _removals.append(weakref.finalize(owner, _remove, path, lock))
    return path


def remove_all() -> None:
    """Remove all folders, where the program ends without taking itself apart."""
    for each in _removals:
        each()


def _remove(path: str, lock: int | None) -> None:
    shutil.rmtree(path, ignore_errors=True)
    if lock is not None:
        os.close(lock)


def _locked(path: str) -> int | None:
    """The open file that says that the folder is in use; None where there are no such locks."""
    if fcntl is None:
        return None
    lock = None
    with suppress(OSError):
        lock = os.open(_lock_of(path), os.O_CREAT | os.O_RDWR, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


def _lock_of(path: str) -> str:
    # Machines may share a folder without seeing the locks of one another.
    return os.path.join(path, _LOCK + os.uname().nodename)


def _remove_abandoned() -> None:
    if fcntl is None:
        return
    for path in _folders():
        with suppress(OSError):
            lock = os.open(_lock_of(path), os.O_RDWR)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(lock)


def _folders() -> Iterator[str]:
    """Folders of this user that are called as these are."""
    with suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.startswith(_PREFIX) and entry.is_dir(follow_symlinks=False):
                with suppress(OSError):
                    if entry.stat(follow_symlinks=False).st_uid == os.geteuid():
                        yield entry.path
