"""Files of the command: judgments told from runs, options that would do nothing refused, and what is written."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from truerank.conventions.axes import AXES
from truerank.data.errors import InputError
from truerank.io.forms import looks_like
from truerank.io.runs import Named
from truerank.io.source import open_source
from truerank.io.trec import qrels_lines
from truerank.report.answer import Written

if TYPE_CHECKING:
    from truerank.data.qrels import Qrels
    from truerank.questions.pool.answer import DocumentPool

_NO_SCORES = ("precision", "like")
"""Conventions that a pool is made under, too."""


def told_apart(files: Sequence[Any]) -> tuple[Any, list[Named]]:
    """Judgments and runs; where the first file has the columns of a run, there are no judgments."""
    named = [file if isinstance(file, Named) else Named("", file) for file in files]
    first = named[0].data
    if os.path.isfile(first) and looks_like(open_source(first)) == "run":
        return None, named
    return first, named[1:]


def refuse_needless(
    qrels: Any,
    runs: Sequence[Named],
    scoring: Mapping[str, Any],
    *,
    depth: int | None,
    by: str | None,
    group_by: str | None,
    shallow: str | None,
    to_judge: str | None,
) -> None:
    """Refuse options that would do nothing, and files that are missing; ``scoring`` are options about scores."""
    written = [option for option, file in (("--restrict", shallow), ("--to-judge", to_judge)) if file is not None]
    if qrels is None and written != ["--to-judge"]:
        raise InputError("the first file is a run; name the judgments before the runs")
    if not runs:
        raise InputError("there is no run; name the runs after the judgments")
    if written and depth is None:
        raise InputError(f"{written[0]} is about a pool of some depth; add --depth")
    if shallow is not None and shallow == to_judge:
        raise InputError("--restrict and --to-judge name the same file; give each its own")
    if written and by is not None:
        raise InputError(f"{written[0]} writes a file, and --leave-out a table; give one of them")
    if group_by is not None and by != "group":
        raise InputError("--group-by says which runs belong together; add --leave-out group")
    for name, value in scoring.items():
        if value and by is None and name not in _NO_SCORES:
            option = AXES[name].option if name in AXES else "--measure"
            raise InputError(f"{option} is about scores; add --leave-out")


def shallow_file(found: Qrels, path: str) -> Written:
    """The judgments of a shallower pool."""
    return Written(path, [qrels_lines(found)], _note(path, found.notes[-1]))


def unjudged_file(pooled: DocumentPool, path: str) -> Written:
    """The documents of a pool that are to be judged."""
    said = f"{len(pooled.to_judge):,} of {len(pooled):,} documents are to be judged"
    return Written(
        path,
        [pooled.to_qrels(judged=False)],
        _note(path, f"{said}, of a pool {pooled.depth} deep of {len(pooled.runs)} runs"),
    )


def _note(path: str, said: str) -> str:
    return f"note: {said}" if path == "-" else f"note: {path}: {said}"
