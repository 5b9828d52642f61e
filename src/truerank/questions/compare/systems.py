"""Which runs are of one system: seeds of a model, restarts, submissions of a configuration."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import translate
from typing import Any

import numpy as np

from truerank.data.arrays import Rows
from truerank.data.errors import InputError
from truerank.io.runs import Named

FORMS = "write NAME=PATTERN as in 'dense=dense-seed*', or a pattern with {} for the name as in '{}-seed*'"


@dataclass(frozen=True, eq=False)
class Systems:
    """The names of systems, and the system that each run is of."""

    names: tuple[str, ...]
    number: Rows

    @property
    def sizes(self) -> list[int]:
        """Runs of each system."""
        return [int(size) for size in np.bincount(self.number)]


def systems_of(runs: Sequence[Named], given: Any) -> Systems | None:
    """The systems that runs are of, by patterns of their names or files; a run that none is about is a system itself.

    None where nothing is given. ``given`` is a pattern, several, or a dict from names to patterns or to runs.

    >>> found = systems_of([Named(name, None) for name in ("dense-s1", "bm25", "dense-s2")], "{}-s*")
    >>> found.names, found.number.tolist()
    (('dense', 'bm25'), [0, 1, 0])
    """
    if given is None or (not isinstance(given, (str, Mapping)) and not [*given]):
        return None
    owners: list[str | None] = [None] * len(runs)
    for text, rule in _rules(given):
        matched = False
        for at, run in enumerate(runs):
            name = rule(run)
            if name is None:
                continue
            matched = True
            if owners[at] not in (None, name):
                raise InputError(f"run {run.name!r} is of two systems, {owners[at]!r} and {name!r}; name it once")
            owners[at] = name
        if not matched:
            every = ", ".join(run.name for run in runs)
            raise InputError(f"system {text!r} has no run; there are {every:.200}")
    names = [owner or run.name for owner, run in zip(owners, runs, strict=True)]
    for owner, run in zip(owners, runs, strict=True):
        if owner is None and names.count(run.name) > 1:
            raise InputError(f"{run.name!r} is a run and a system of others; give the system another name")
    every_name = tuple(dict.fromkeys(names))
    place = {name: at for at, name in enumerate(every_name)}
    return Systems(every_name, np.array([place[name] for name in names], dtype=np.intp))


def _rules(given: Any) -> Iterable[tuple[str, Any]]:
    """Each pattern, and what says of a run the system it makes it one of, or None."""
    if isinstance(given, Mapping):
        for name, patterns in given.items():
            some = [patterns] if isinstance(patterns, str) else [*patterns]
            yield str(name), _named(str(name), [*map(str, some)])
        return
    for text in [given] if isinstance(given, str) else given:
        name, equals, pattern = str(text).partition("=")
        if equals and name and pattern and "{}" not in str(text):
            yield str(text), _named(name, [pattern])
        elif str(text).count("{}") == 1:
            yield str(text), _inside(str(text))
        else:
            raise InputError(f"system {text!r} is not understood; {FORMS}")


def _named(name: str, patterns: Sequence[str]) -> Any:
    wanted = [re.compile(translate(pattern)) for pattern in patterns]
    return lambda run: name if any(one.match(known) for one in wanted for known in _names_of(run)) else None


def _inside(pattern: str) -> Any:
    before, after = (
        translate(part).removeprefix("(?s:").removesuffix(r")\Z").removesuffix(r")\z") for part in pattern.split("{}")
    )
    wanted = re.compile(rf"(?s:{before}(.+?){after})\Z")

    def of(run: Named) -> str | None:
        found = next(filter(None, map(wanted.match, _names_of(run))), None)
        return None if found is None else found[1]

    return of


def _names_of(run: Named) -> list[str]:
    """What patterns are compared with: the name of a run, and of its file with and without the folder."""
    if not isinstance(run.data, (str, os.PathLike)):
        return [run.name]
    path = os.fspath(run.data)
    return [run.name, os.path.basename(path), path]
