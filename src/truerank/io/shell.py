"""Files as one types them in a shell, so that a command can be shown that asks about the same data."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from glob import glob
from typing import Any

from truerank.io.runs import Named

SHOWN = 4
"""Files that a command names one by one."""


def is_path(data: object) -> bool:
    """Whether it names a file."""
    return isinstance(data, (str, os.PathLike))


def typed_qrels(data: Any) -> str:
    """Judgments as they are typed; QRELS for those that are no file.

    >>> typed_qrels("my qrels.txt"), typed_qrels({"q": {"d": 1}})
    ("'my qrels.txt'", 'QRELS')
    """
    return shlex.quote(os.fspath(data)) if is_path(data) else "QRELS"


def typed_runs(named: Sequence[Named]) -> str:
    """Runs as they are typed: one by one, as all files of a folder, or the first few; RUN... for what is no file.

    >>> typed_runs([Named("a", "a.run"), Named("b", "b.run")]), typed_runs([Named("a", {"q": ["d"]})])
    ('a.run b.run', 'RUN...')
    """
    paths = [os.fspath(one.data) for one in named if is_path(one.data)]
    if len(paths) < len(named):
        return "RUN..."
    if len(paths) <= SHOWN:
        return " ".join(map(shlex.quote, paths))
    folder = os.path.dirname(paths[0])
    every = os.path.join(folder, "*")
    if folder and sorted(glob(every)) == sorted(paths):
        return every
    return f"{' '.join(map(shlex.quote, paths[:2]))} ..."
