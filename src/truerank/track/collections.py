"""Several collections: judgments with the runs that go with them, and what collections are called."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.qrels import Preferences
from truerank.io.datasets import named_dataset
from truerank.io.load import Unread, as_qrels
from truerank.io.runs import Named, apart_from, matching, named_runs, with_options
from truerank.io.source import is_stream, stem
from truerank.track.groups import TopicGroups


class Collection(NamedTuple):
    """Judgments and the runs that go with them."""

    name: str
    qrels: Any
    runs: Any


def collections(
    qrels: Any, runs: Any, also: Mapping[str, tuple[Any, Any]] | Iterable[tuple[Any, Any]] = (), name: str = ""
) -> list[Collection]:
    """A collection and others beside it, by name or as pairs of judgments and runs.

    Those without a name have that of the file of their judgments, which may be given as NAME=FILE, or, where these are
    named alike, of its folder.

    >>> [one.name for one in collections({"q": {"d": 1}}, [], {"med": ({"q": {"d": 0}}, {"x": {"q": ["d"]}})})]
    ['collection', 'med']
    """
    named = isinstance(also, Mapping)
    try:
        others = [(one, other) for one, other in (also.values() if isinstance(also, Mapping) else also)]
    except (TypeError, ValueError):
        raise InputError("also= takes pairs of judgments and runs, or a dict from names to such pairs") from None
    told = [own_name(each) for each in (qrels, *(each for each, _ in others))]
    judgments = [each for _, each in told]
    known = [name, *(also if named else [""] * len(others))]
    names = [given or called for given, (called, _) in zip(known, told, strict=True)]
    unnamed = iter(names_of([each for each, one in zip(judgments, names, strict=True) if not one]))
    names = [one or next(unnamed) for one in names]
    found = [_found(apart_from(each, [own])) for (_, each), own in zip(others, judgments[1:], strict=True)]
    each_runs = [runs, *found]
    for place, one in enumerate(names):
        if names.count(one) > 1:
            raise InputError(f"two collections are called {one!r}; give one another name, as in NAME={one}")
        _refuse_absent(judgments[place])
    return [Collection(*one) for one in zip(names, judgments, each_runs, strict=True)]


def grouped(qrels: Any, runs: Any, group: Any) -> list[Collection]:
    """The topics of each group with the runs, as if they were collections; gains stay relative to the same grade.

    >>> qrels = {"q1": {"a": 1}, "q2": {"a": 2}, "q3": {"b": 1}}
    >>> found = grouped(qrels, {"x": {"q1": ["a"]}}, {"q1": "en", "q2": "fr", "q3": "en"})
    >>> [(one.name, one.qrels.topics, one.qrels.max_grade) for one in found]
    [('en', (b'q1', b'q3'), 2.0), ('fr', (b'q2',), 2.0)]
    """
    from truerank.io.groups import read_groups

    groups = read_groups(group)
    # What can be read only once is read here.
    named, judgments = named_runs(runs), as_qrels(qrels)
    if isinstance(judgments, Preferences):
        raise InputError("preferences are not taken apart by groups; leave out group (--group), or give qrels")
    found = TopicGroups.of(groups, [text(topic) for topic in judgments.topics])
    return [
        Collection(name, judgments.only(np.flatnonzero(found.number == at)), named)
        for at, name in enumerate(found.names)
    ]


def own_name(judgments: Any) -> tuple[str, Any]:
    """The name of judgments that are given as NAME=FILE, and the file; no name of what is given as it is.

    >>> own_name("trec8=no such file"), own_name({"q1": {"a": 1}})
    (('', 'trec8=no such file'), ('', {'q1': {'a': 1}}))
    """
    if isinstance(judgments, (Unread, Named)):
        called, data = own_name(judgments.data)
        return called, replace(judgments, data=data)
    if not isinstance(judgments, str) or os.path.exists(judgments):
        return "", judgments
    called, equals, path = judgments.partition("=")
    is_name = equals and called and os.sep not in called
    return (called, path) if is_name and (os.path.isfile(path) or is_stream(path)) else ("", judgments)


def _refuse_absent(judgments: Any) -> None:
    """Refuse judgments that are not there before those of other collections are looked at for long."""
    data = judgments.data if isinstance(judgments, (Unread, Named)) else judgments
    if not isinstance(data, (str, os.PathLike)) or os.path.exists(data) or is_stream(data):
        return
    if named_dataset(data) is None:
        raise InputError("no such file; give the judgments of the collection", os.fspath(data))


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
    data = [each.data if isinstance(each, (Unread, Named)) else each for each in judgments]
    paths = [os.fspath(each) if isinstance(each, (str, os.PathLike)) else None for each in data]
    for name in (stem, lambda path: os.path.basename(os.path.dirname(os.path.abspath(path)))):
        names = ["collection" if path is None else name(path) for path in paths]
        if len({*names}) == len(names):
            return names
    return [f"{name}#{place}" for place, name in enumerate(names, 1)]
