"""Lists cut to their first documents, equal scores in trec_eval's order."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import offsets, spans
from truerank.data.run import Run
from truerank.data.ties import before, tie_groups


def first_documents(run: Run, depth: int, precision: str) -> Run:
    """The first ``depth`` documents of every topic; where a tie is cut, those that sort last by their ids stay.

    >>> from truerank.io.load import as_run
    >>> first_documents(as_run({"q": {"a": 1.0, "b": 1.0, "c": 2.0}}), 2, "float64").ranking("q")
    [('c', 2.0), ('b', 1.0)]
    """
    begin, end = run.offsets[:-1], run.offsets[1:]
    longer = np.flatnonzero(end - begin > depth)
    if not len(longer):
        return run
    keep = np.ones(len(run), bool)
    begin, end = begin[longer], end[longer]
    keep[spans(begin + depth, end - begin - depth)] = False
    if depth:
        first, size = tie_groups(run.score, begin + depth - 1, begin, end, precision)
        rows = spans(first, size)
        place = before(run, rows, np.repeat(first, size), np.repeat(size, size), "docid")
        keep[rows] = place < np.repeat(begin + depth - first, size)
    return run.take(np.flatnonzero(keep), offsets(keep)[run.offsets])
