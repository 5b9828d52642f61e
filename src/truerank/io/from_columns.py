"""Runs and judgments from the columns of a text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from truerank.data.arrange import arrange
from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.ids import Ids
from truerank.data.prefer import prefer
from truerank.data.qrels import Preferences, Qrels, collect
from truerank.data.run import Run
from truerank.io.columns import Columns
from truerank.io.direction import NEGATED, RANKED, refuse_listed
from truerank.io.relations import is_infix, outcomes

_ITERATIONS = {b"0", b"Q0", b"q0"}
"""What stands in the second column of qrels."""
_QRELS = (
    "these look like qrels; give preferences (topic better worse), "
    "or take those that grades stand for (induced_preferences, --induced)"
)


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
    """Make preferences of pairs of documents, the better one first, or with a relation behind or between them."""
    first, second, *relation = columns.ids
    outcome = None
    notes: tuple[str, ...] = ()
    if relation:
        said = relation[0]
        if (columns.key == columns.key[0]).all() and first[0] in _ITERATIONS:
            raise columns.origin.error(_QRELS)
        error = partial(_error, columns)
        if is_infix(second, error):
            second, said = said, second
        outcome, notes = outcomes(first, second, said, error)
    found = prefer(
        columns.topics, columns.bounds, first, second, outcome, segment=columns.segment, origin=columns.origin
    )
    return replace(found, notes=notes)


def _error(columns: Columns, message: str, row: int) -> InputError:
    return columns.origin.error(message, int(columns.ids[0].start[row]))
