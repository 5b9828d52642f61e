"""Which runs a caller means: one, several, or several by name."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from truerank.data.errors import InputError
from truerank.data.run import Run
from truerank.io.load import as_run
from truerank.io.source import stem


@dataclass(frozen=True, eq=False)
class Named:
    """A run by name, read when asked for: so that many large ones need not be in memory together."""

    name: str
    data: Any

    def read(self) -> Run:
        """The run."""
        return as_run(self.data, self.name)


def named_runs(runs: Any) -> list[Named]:
    """The runs that a caller means: a single one, a list of them, or a dict from names to them.

    Equal names are told apart by their folders, or by number.

    >>> [run.name for run in named_runs({"bm25": {"q1": {"d1": 1.0}}, "dense": {"q1": ["d1"]}})]
    ['bm25', 'dense']
    >>> [run.name for run in named_runs({"q1": {"d1": 1.0}})]
    ['run']
    >>> [run.name for run in named_runs(["a/bm25.run", "b/bm25.run.gz"])]
    ['a/bm25.run', 'b/bm25.run.gz']
    """
    if isinstance(runs, Mapping) and _by_name(runs):
        return [Named(str(name), run if _is_path(run) and run != "-" else as_run(run)) for name, run in runs.items()]
    several = isinstance(runs, (list, tuple)) and all(_is_run(run) for run in runs)
    if several and not runs:
        raise InputError("no run given; name at least one")
    sources = [_named(run) for run in (runs if several else [runs])]
    names = _told_apart(sources)
    return [Named(name, source.data) for name, source in zip(names, sources, strict=True)]


def _named(run: Any) -> Named:
    if _is_path(run) and run != "-":
        return Named(stem(os.fspath(run)), run)
    # A stream or a table has its name inside, if it has one.
    found = as_run(run)
    return Named(found.name, found)


def _is_run(data: object) -> bool:
    """Whether a member of a list is a run of its own, not a row of one."""
    if isinstance(data, Mapping):
        return any(isinstance(value, (Mapping, list, tuple)) for value in data.values())
    return isinstance(data, (Run, str, os.PathLike)) or hasattr(data, "read")


def _by_name(runs: Mapping[Any, Any]) -> bool:
    """Whether a dict maps names to runs, rather than topics to documents."""
    for value in runs.values():
        if isinstance(value, (list, tuple)):
            # Rows have a topic, a document and a score; documents may come with a score.
            if len(value):
                return isinstance(value[0], Mapping) or (isinstance(value[0], tuple) and len(value[0]) > 2)
        elif isinstance(value, Mapping):
            if value:
                return isinstance(next(iter(value.values())), (Mapping, list, tuple))
        else:
            return True
    return False


def _told_apart(sources: list[Named]) -> list[str]:
    names = [source.name for source in sources]
    longer = [
        _with_folder(os.fspath(source.data)) if names.count(name) > 1 and _is_path(source.data) else name
        for name, source in zip(names, sources, strict=True)
    ]
    return [
        f"{name}#{longer[: place + 1].count(name)}" if longer.count(name) > 1 else name
        for place, name in enumerate(longer)
    ]


def _with_folder(path: str) -> str:
    folder, name = os.path.split(os.path.abspath(path))
    return f"{os.path.basename(folder)}/{name}"


def _is_path(source: object) -> bool:
    return isinstance(source, (str, os.PathLike))
