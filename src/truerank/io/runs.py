"""Which runs a caller means: one, several, or several by name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Any

from truerank.data.errors import InputError
from truerank.data.run import Run
from truerank.io.load import as_run


def as_runs(runs: Any) -> dict[str, Run]:
    """Read runs: a single one, a list of them, or a dict from names to them.

    Equal names of files are told apart by their folders.

    >>> list(as_runs({"bm25": {"q1": {"d1": 1.0}}, "dense": {"q1": ["d1"]}}))
    ['bm25', 'dense']
    >>> list(as_runs({"q1": {"d1": 1.0}}))
    ['run']
    """
    if isinstance(runs, Mapping) and _by_name(runs):
        return {str(name): as_run(run, str(name)) for name, run in runs.items()}
    if not isinstance(runs, (list, tuple)) or not all(_is_run(run) for run in runs):
        found = as_run(runs)
        return {found.name: found}
    if not runs:
        raise InputError("no run given; name at least one")
    prepared = [as_run(run) for run in runs]
    names = _told_apart([run.name for run in prepared], runs)
    return dict(zip(names, prepared, strict=True))


def _is_run(data: object) -> bool:
    """Whether a member of a list is a run of its own, not a row of one."""
    return isinstance(data, (Run, str, os.PathLike, Mapping)) or hasattr(data, "read")


def _by_name(runs: Mapping[Any, Any]) -> bool:
    """Whether a dict maps names to runs, rather than topics to documents."""
    for value in runs.values():
        if isinstance(value, (Run, str, os.PathLike)) or hasattr(value, "read"):
            return True
        if isinstance(value, Mapping) and value:
            return isinstance(next(iter(value.values())), (Mapping, list, tuple))
        if value:
            return False
    return False


def _told_apart(names: list[str], sources: Iterable[object]) -> list[str]:
    given = [
        "/".join(PurePath(os.fspath(source)).parts[-2:]) if names.count(name) > 1 and _is_path(source) else name
        for name, source in zip(names, sources, strict=True)
    ]
    used: dict[str, int] = {}
    for name in given:
        used[name] = used.get(name, 0) + 1
    seen: dict[str, int] = {}
    apart = []
    for name in given:
        seen[name] = seen.get(name, 0) + 1
        apart.append(f"{name}#{seen[name]}" if used[name] > 1 else name)
    return apart


def _is_path(source: object) -> bool:
    return isinstance(source, (str, os.PathLike))
