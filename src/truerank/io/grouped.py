"""Preferences by groups, as trec_eval has them: each group of people gives grades, which compare documents."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import offsets as offsets_of
from truerank.data.induced import higher
from truerank.data.prefer import prefer
from truerank.data.qrels import Preferences
from truerank.io.columns import Columns


def preferences_from_groups(columns: Columns) -> Preferences:
    """Make preferences of documents with grades: the one with the higher grade, of two that a subgroup judged.

    What two subgroups say are two judgments, and nothing is inferred from either.
    """
    docs, group, subgroup = columns.ids
    rows = len(docs)
    segment = columns.segment if columns.bounds is None else np.repeat(columns.segment, np.diff(columns.bounds))
    said = zip(segment.tolist(), group.tolist(), subgroup.tolist(), strict=True)
    number: dict[tuple[int, bytes, bytes], int] = {}
    part = np.fromiter((number.setdefault(one, len(number)) for one in said), np.int64, rows)
    order = np.argsort(part, kind="stable")
    pairs, _ = higher(offsets_of(np.bincount(part, minlength=len(number))), columns.number[order])
    better, worse = order[pairs[:, 0]], order[pairs[:, 1]]
    return prefer(
        columns.topics, None, docs.take(better), docs.take(worse), segment=segment[better], origin=columns.origin
    )
