"""Preferences that grades stand for: of two documents, the one with the higher grade is better."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats, Rows, spans
from truerank.data.arrays import offsets as offsets_of
from truerank.data.qrels import Preferences, Qrels


def induced(qrels: Qrels) -> Preferences:
    """The preferences of judgments: all pairs of documents of a topic with different grades, those below 0 taken for 0.

    Equal grades are no preference, and no tie either: how two such documents compare was not asked.

    >>> from truerank.data.ids import Ids
    >>> from truerank.data.qrels import collect
    >>> found = induced(collect([b"q"], [0, 4], Ids.pack("abcd"), [0, 2, 1, -1]))
    >>> found.pairs.tolist()
    [[1, 2], [1, 0], [1, 3], [2, 0], [2, 3]]
    """
    pairs, pair_offsets = higher(qrels.offsets, qrels.grade.clip(min=0.0))
    none, nowhere = np.zeros((0, 2), np.int64), np.zeros(len(qrels.offsets), np.int64)
    nan = np.full(len(qrels.grade), np.nan)
    return Preferences(
        qrels.topics, qrels.offsets, nan, qrels.docs, qrels.key, pairs, pair_offsets, none, nowhere, notes=qrels.notes
    )


def higher(offsets: Rows, grade: Floats) -> tuple[Rows, Rows]:
    """Pairs of rows of each stretch, the first with the higher grade, and the offsets of the pairs.

    >>> higher(np.array([0, 2, 4]), np.array([0.0, 1.0, 3.0, 3.0]))
    (array([[1, 0]]), array([0, 1, 1]))
    """
    stretch = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    order = np.lexsort((-grade, stretch))
    new = np.ones(len(order), np.bool_)
    new[1:] = (grade[order[1:]] != grade[order[:-1]]) | (stretch[order[1:]] != stretch[order[:-1]])
    # Below a document stand those that follow the documents of its grade, down to the end of its stretch.
    following = np.append(np.flatnonzero(new), len(order))[np.cumsum(new)]
    count = offsets[1:][stretch[order]] - following
    pairs = np.column_stack([order.repeat(count), order[spans(following, count)]])
    return pairs, offsets_of(np.bincount(stretch, count, len(offsets) - 1).astype(np.int64))
