"""Runs and judgments from the columns of a text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from truerank.data.arrange import arrange
from truerank.data.arrays import Floats
from truerank.data.ids import Ids
from truerank.data.qrels import Preferences, Qrels, collect, prefer
from truerank.data.run import Run
from truerank.io.columns import Columns
from truerank.io.direction import NEGATED, RANKED, refuse_listed


def run_from_columns(
    columns: Columns,
    name: str,
    *,
    is_rank: bool = False,
    higher_is_better: bool | None = None,
    rank: Callable[[Ids], Floats] | None = None,
) -> Run:
    """Make a run of documents with a number each, a score or a rank; the columns are given away."""
    notes: tuple[str, ...] = ()
    number = columns.number if len(columns.number) else np.zeros(len(columns.key))
    if is_rank:
        refuse_listed(higher_is_better)
        notes = (RANKED,)
    elif higher_is_better is False:
        notes = (NEGATED,)
    if notes:
        np.subtract(0.0, number, out=number)
    run = arrange(
        name,
        columns.topics,
        columns.bounds,
        columns.ids[0],
        number,
        segment=columns.segment,
        key=columns.key,
        rank=rank,
        origin=columns.origin,
        reuse=True,
    )
    return replace(run, notes=notes) if notes else run


def qrels_from_columns(columns: Columns) -> Qrels:
    """Make judgments of documents with a grade each."""
    return collect(
        columns.topics,
        columns.bounds,
        columns.ids[0],
        columns.number,
        segment=columns.segment,
        origin=columns.origin,
    )


def preferences_from_columns(columns: Columns) -> Preferences:
    """Make preferences of pairs of documents, the better one first."""
    better, worse = columns.ids
    return prefer(columns.topics, columns.bounds, better, worse, segment=columns.segment, origin=columns.origin)
