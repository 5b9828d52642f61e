"""Several collections: judgments with the runs that go with them, and what collections are called."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from truerank.data.errors import InputError
from truerank.io.load import Unread
from truerank.io.runs import Named, matching, with_options
from truerank.io.source import stem


class Collection(NamedTuple):
    """Judgments and the runs that go with them."""

    name: str
    qrels: Any
    runs: Any


def collections(
    qrels: Any, runs: Any, also: Mapping[str, tuple[Any, Any]] | Iterable[tuple[Any, Any]] = (), name: str = ""
) -> list[Collection]:
    """A collection and others beside it, by name or as pairs of judgments and runs.

    Those without a name have that of the file of their judgments or, where these are named alike, of its folder.

    >>> [one.name for one in collections("a/qrels.txt", [], [("b/qrels.txt", {"x": {"q": ["d"]}})])]
    ['a', 'b']
    """
    named = isinstance(also, Mapping)
    others = [*also.values()] if isinstance(also, Mapping) else [*also]
    judgments = [qrels, *(each for each, _ in others)]
    known = [name, *(also if named else [""] * len(others))]
    names = [one or other for one, other in zip(known, names_of(judgments), strict=True)]
    each_runs = [runs, *(_found(each) for _, each in others)]
    for one in names:
        if names.count(one) > 1:
            raise InputError(f"two collections are called {one!r}; give the first one another name")
    return [Collection(*one) for one in zip(names, judgments, each_runs, strict=True)]


def _found(runs: Any) -> Any:
    """The runs of a folder or a pattern, which may be told how to read them."""
    if isinstance(runs, Named) and isinstance(runs.data, str):
        return with_options(matching(runs.data), runs.options)
    return matching(runs) if isinstance(runs, str) else runs


def names_of(judgments: Iterable[Any]) -> list[str]:
    """What collections are called: by the files of their judgments or, where these are named alike, by their folders.

    >>> names_of(["trec8/qrels.txt", "med.txt"]), names_of(["trec8/qrels.txt", "med/qrels.txt"]), names_of([{}, {}])
    (['qrels', 'med'], ['trec8', 'med'], ['collection#1', 'collection#2'])
    """
    data = [each.data if isinstance(each, Unread) else each for each in judgments]
    paths = [os.fspath(each) if isinstance(each, (str, os.PathLike)) else None for each in data]
    for name in (stem, lambda path: os.path.basename(os.path.dirname(os.path.abspath(path)))):
        names = ["collection" if path is None else name(path) for path in paths]
        if len({*names}) == len(names):
            return names
    return [f"{name}#{place}" for place, name in enumerate(names, 1)]
