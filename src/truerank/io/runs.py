"""Which runs a caller means: one, several, or several by name."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, ClassVar

import numpy as np

from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.parallel import Ahead
from truerank.data.run import Run
from truerank.io.datasets import is_dataset
from truerank.io.elastic import body, is_response
from truerank.io.headers import Declared, topic_name
from truerank.io.load import Unread, as_run, is_columnar, is_file
from truerank.io.places import is_batch, is_whole
from truerank.io.records import field_names, is_record
from truerank.io.source import is_stream, stem

_RUN = Declared("run")
SMALL = 1 << 26
"""Bytes of a file up to which two of them may be in memory at once."""


@dataclass(frozen=True, eq=False)
class Named:
    """A run by name, read when asked for: so that many large ones need not be in memory together."""

    name: str
    data: Any
    options: Mapping[str, Any] = field(default_factory=dict)
    """How to read it: keywords of ``read_run``."""
    is_whole: ClassVar[bool] = True
    """Whether all topics of the run are here."""

    @property
    def is_light(self) -> bool:
        """Whether it is in a small file: two of these may be in memory at once."""
        return _is_path(self.data) and os.path.isfile(self.data) and os.path.getsize(self.data) <= SMALL

    def from_anywhere(self) -> Named:
        """The same for whoever works in another folder."""
        return replace(self, data=os.path.abspath(self.data)) if is_lasting(self.data) else self

    def read(self) -> Run:
        """The run."""
        return as_run(self.data, self.name, **self.options)


def with_options(runs: Any, options: Mapping[str, Any]) -> Any:
    """Whatever runs a caller means, to be read with options when they are needed.

    >>> [run.name for run in named_runs(with_options(["a.run", "b.csv"], {"chunks": "#"}))]
    ['a', 'b']
    >>> [run.read().ranking("q1") for run in named_runs(with_options({"q1": {"d1#2": 0.5}}, {"chunks": "#"}))]
    [[('d1', 0.5)]]
    """
    runs = body(runs)
    declared = Declared.of_run(options)
    if isinstance(runs, Mapping) and _are_named(runs, declared):
        return {name: Named("", run, options) for name, run in runs.items()}
    return [Named("", run, options) for run in runs] if _are_several(runs) else Named("", runs, options)


def matching(runs: str | os.PathLike[str]) -> list[str]:
    """The files that a folder holds, or whose names match a pattern, by name; hidden ones and folders are left out."""
    path = os.fspath(runs)
    inside = os.path.join(glob.escape(path), "*") if os.path.isdir(path) else path
    found = sorted(each for each in glob.glob(inside) if os.path.isfile(each))
    if not found:
        what = "has no file in it" if os.path.isdir(path) else "matches no file"
        raise InputError(f"{what}; give a folder or a pattern that has runs", path)
    return found


def files_of(runs: Any) -> list[Any]:
    """What a path of runs stands for: the files of a folder or of a pattern that no file is called, or itself.

    >>> files_of("bm25.run"), files_of({"q1": ["d1"]})
    (['bm25.run'], [{'q1': ['d1']}])
    """
    if isinstance(runs, Named):
        return [replace(runs, data=each) for each in files_of(runs.data)]
    return [*matching(runs)] if _stands_for_files(runs) else [runs]


def _stands_for_files(runs: Any) -> bool:
    """Whether it is the path of a folder, or a pattern that no file is called."""
    if not _is_path(runs) or is_stream(runs):
        return False
    return os.path.isdir(runs) or (any(sign in os.fspath(runs) for sign in "*?[") and not os.path.exists(runs))


def apart_from(runs: Any, judgments: Sequence[Any]) -> Any:
    """The runs, where no folder or pattern stands for a file of judgments: these are often kept beside the runs.

    A file is known by what it is, not by its name: a link to it is the same file. One that is itself named as a run
    stays, to be refused by whoever reads it.

    >>> apart_from(["bm25.run", "dense.run"], ["qrels.txt"])
    ['bm25.run', 'dense.run']
    """
    known = {each for each in map(_identity, judgments) if each is not None}
    if not known or isinstance(runs, Mapping):
        return runs
    several = _are_several(runs)
    every = [_without(run, known) for run in (runs if several else [runs])]
    if all(each is None for each in every):
        return runs
    given = runs if several else [runs]
    return [one for run, left in zip(given, every, strict=True) for one in ([run] if left is None else left)]


def _without(run: Any, known: Collection[tuple[int, int]]) -> list[Any] | None:
    """The files of a folder or a pattern that are not known; None for what is neither, or has none of them."""
    data = run.data if isinstance(run, Named) else run
    if not _stands_for_files(data):
        return None
    every = matching(data)
    left = [each for each in every if _identity(each) not in known]
    if len(left) == len(every):
        return None
    if not left:
        raise InputError("has no file in it but the judgments; give a folder or a pattern that has runs", data)
    return [replace(run, data=each) for each in left] if isinstance(run, Named) else [*left]


def _identity(data: Any) -> tuple[int, int] | None:
    """What tells a file from every other one, whatever it is called; None for what is no file."""
    data = data.data if isinstance(data, (Named, Unread)) else data
    if not is_lasting(data) or not os.path.isfile(data):
        return None
    found = os.stat(data)
    return found.st_dev, found.st_ino


def named_runs(runs: Any, read: Callable[..., Any] = as_run) -> list[Named]:
    """The runs that a caller means: a single one, a list of them, or a dict from names to them.

    A folder stands for the files in it, a pattern such as "runs/*.run" for those that match, and a file of LETOR or
    SVMlight for a run per feature, unless ``columns`` names one. Equal names are told
    apart by their folders, or by number. What is no path is read at once, for its name is inside; and so is a stream,
    which can be read only once.

    >>> [run.name for run in named_runs({"bm25": {"q1": {"d1": 1.0}}, "dense": {"q1": ["d1"]}})]
    ['bm25', 'dense']
    >>> [run.name for run in named_runs({"q1": {"d1": 1.0}})]
    ['run']
    >>> [run.name for run in named_runs(["a/bm25.run", "b/bm25.run.gz"])]
    ['a/bm25.run', 'b/bm25.run.gz']
    """
    runs = body(runs)
    if isinstance(runs, Mapping) and _are_named(runs):
        told = {str(name): run if isinstance(run, Named) else Named("", run) for name, run in runs.items()}
        return [
            replace(run, name=name)
            if is_lasting(run.data) or is_distributed(run.data)
            else Named(name, read(run.data, **run.options))
            for name, run in told.items()
        ]
    several = _are_several(runs)
    if several and not runs:
        raise InputError("no run given; name at least one")
    every = [each for run in (runs if several else [runs]) for each in files_of(run)]
    _refuse_twice(every)
    every = [one for each in every for one in each_feature(each)]
    sources = [_named(run, read) for run in every]
    names = _told_apart(sources)
    return [replace(source, name=name) for name, source in zip(names, sources, strict=True)]


def each_feature(run: Any) -> list[Any]:
    """A run, or if it is a file of learning to rank, one per feature, which has the feature's name."""
    given = run if isinstance(run, Named) else Named("", run)
    options = dict(given.options)
    if not is_lasting(given.data) or options.get("columns") or options.get("form") not in (None, "letor"):
        return [run]
    from truerank.io.letor import has_features

    if not has_features(given.data):
        return [run]
    from truerank.io.features import read_features

    options.pop("form", None)
    return [Named(name, one, options) for name, one in read_features(given.data)[1].items()]


def _are_named(runs: Mapping[Any, Any], declared: Declared = _RUN) -> bool:
    """Whether a dict maps names to runs; where topics are told by their place, it maps no topics to anything."""
    if is_batch(runs) or is_response(runs) or is_record(runs, declared):
        return False
    return declared.topic_ids is not None or _by_name(runs, declared)


def _are_several(runs: Any) -> bool:
    return isinstance(runs, (list, tuple)) and all(_is_run(run) for run in runs)


def one_by_one(runs: Sequence[Named]) -> Iterator[tuple[str, Run]]:
    """Each run with its name; a small file is read while the one before is worked on.

    >>> [(name, len(run)) for name, run in one_by_one(named_runs({"a": {"q": ["d"]}, "b": {"q": ["d", "e"]}}))]
    [('a', 1), ('b', 2)]
    """
    reading: Ahead[Run] | None = None
    for place, each in enumerate(runs):
        run = each.read() if reading is None else reading.result()
        following = runs[place + 1] if place + 1 < len(runs) else None
        reading = Ahead(following.read) if following is not None and following.is_light else None
        yield each.name, run


def _refuse_twice(runs: Sequence[Any]) -> None:
    """Refuse a file that is given twice, under whatever name: it would be compared with itself."""
    seen: dict[str, str] = {}
    for run in runs:
        data = run.data if isinstance(run, Named) else run
        if not is_lasting(data):
            continue
        path = os.fspath(data)
        if not os.path.exists(path):
            continue  # Whoever reads it says what is wrong with it.
        first = seen.setdefault(os.path.realpath(path), path)
        if first is not path:
            also = "" if first == path else f", once as {first}"
            raise InputError(f"this run is given twice{also}; give each run once", path)


def _named(run: Any, read: Callable[..., Any]) -> Named:
    given = run if isinstance(run, Named) else Named("", run)
    if given.name:
        return given
    if is_lasting(given.data):
        return replace(given, name=stem(os.fspath(given.data)))
    if is_distributed(given.data):
        return replace(given, name="run")
    # A stream or a table has its name inside, if it has one.
    found = read(given.data, **given.options)
    return Named(found.name, found)


def _is_run(data: object) -> bool:
    """Whether a member of a list is a run of its own, not a row of one."""
    if isinstance(data, Mapping) and not is_whole(data):
        whole = any(isinstance(value, (Mapping, list, tuple)) for value in data.values())
        return whole and not is_record(data, _RUN)
    alone = (Run, Named, str, os.PathLike, Iterator)
    return (
        is_whole(data)
        or isinstance(data, alone)
        or is_file(data)
        or is_dataset(data)
        or is_distributed(data)
        or is_columnar(data)
    )


def _by_name(runs: Mapping[Any, Any], declared: Declared) -> bool:
    """Whether a dict maps names to runs, rather than topics to documents."""
    for value in runs.values():
        if is_whole(value):
            return True
        if isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim):
            if len(value):
                return _is_row(value[0], declared)
        elif isinstance(value, Mapping):
            if value:
                return is_response(value) or isinstance(next(iter(value.values())), (Mapping, list, tuple))
        else:
            return True
    return False


def _is_row(item: Any, declared: Declared) -> bool:
    """Whether a member of a list is a row, which names its topic, rather than a document, maybe with its score."""
    names = field_names(item, declared)
    if names:
        return topic_name(names, declared.columns) is not None
    return isinstance(item, (tuple, list)) and len(item) > 2


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


def is_lasting(source: object) -> bool:
    """Whether data are in a file, where they can be read whenever they are needed."""
    return _is_path(source) and not is_stream(source)


def is_distributed(data: object) -> bool:
    """Whether data are a data frame of Spark, told by name: asking for its type would import it.

    >>> is_distributed({"q1": ["d1"]})
    False
    """
    return any(each.__name__ == "DataFrame" and each.__module__.startswith("pyspark.") for each in type(data).__mro__)
