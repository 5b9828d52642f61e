"""The judgments that a shallower pool would have had."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from truerank.analysis.pooling.survey import Survey, check, graded, survey
from truerank.data.arrays import Mask, offsets
from truerank.data.errors import InputError
from truerank.data.qrels import Qrels
from truerank.io.runs import named_runs


def restrict(
    qrels: Any,
    runs: Any,
    depth: int,
    *,
    contributors: str | Iterable[str] | None = None,
    ties: str | None = None,
    precision: str = "float64",
    progress: Callable[[str], object] | None = None,
) -> Qrels:
    """Keep the judgments of documents that stand within ``depth`` in a contributing run.

    Contributing are the runs that ``pools`` finds, those named in ``contributors``, or "all"; ``ties``, the
    order in which tied documents are pooled, is by default the one that ``pools`` finds. Topics stay, even without a
    judgment.

    >>> qrels = {"q1": {"a": 1, "b": 0, "c": 1}}
    >>> restrict(qrels, {"one": {"q1": ["a", "b"]}, "two": {"q1": ["c", "a"]}}, 1).docs.tolist()
    [b'a', b'c']
    """
    check(depth, ties, precision)
    judgments = graded(qrels)
    found = survey(
        judgments,
        named_runs(runs),
        contributors=contributors,
        ties=ties,
        precision=precision,
        reach=depth,
        progress=progress,
    )
    return restricted(found, depth)


def restricted(found: Survey, depth: int) -> Qrels:
    """``restrict``, from a survey that reaches so deep."""
    if not found.given and (found.depth is None or depth > found.depth):
        pool = "these runs do not tell of one" if found.depth is None else f"it is {found.depth} deep"
        raise InputError(
            f"the pool cannot be restricted to depth {depth}: {pool}; choose contributors='all' to take the judgments "
            "there are of all runs' documents"
        )
    kept = found.pooled(found.contributors, depth)
    said = f"judgments are those of a pool {depth} deep of {len(found.contributors)} runs"
    note = f"{said}: {int(kept.sum()):,} of {len(kept):,}"
    return replace(taken(found.qrels, kept), notes=(*found.qrels.notes, note))


def taken(qrels: Qrels, kept: Mask) -> Qrels:
    """Some of the judgments; topics stay.

    >>> from truerank.io.load import as_qrels
    >>> taken(as_qrels({"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}), np.array([False, True, False])).offsets.tolist()
    [0, 1, 1]
    """
    return replace(
        qrels,
        offsets=offsets(kept)[qrels.offsets],
        grade=qrels.grade[kept],
        docs=qrels.docs.take(np.flatnonzero(kept)),
        key=qrels.key[kept],
    )
