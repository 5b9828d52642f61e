"""The end of a list as an answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truerank.conventions.ties import taken, topics_of
from truerank.data.arrays import offsets
from truerank.data.ids import Ids
from truerank.data.judge import Judged
from truerank.data.ties import tie_groups

TERMINAL = {"none": "", "terminal": "tail", "terminal-once": "once"}
"""How far the terminal document reaches: all ranks past the list where their weights have a sum, or one."""
NIL = b"NIL"
"""A document of this name says that nothing more is worth showing (TREC 2001 question answering)."""


def until_nil(judged: Judged) -> Judged:
    """Lists that stop before their NIL; documents tied with it are kept."""
    run = judged.run
    marker = Ids.pack([NIL])
    rows = np.flatnonzero(run.key == marker.keys()[0])
    rows = rows[run.docs.same(rows, marker, np.zeros(len(rows), np.int64))]
    if not len(rows):
        return judged
    at = np.searchsorted(run.offsets, rows, side="right") - 1
    first, size = tie_groups(run.score, rows, run.offsets[at], run.offsets[at + 1], judged.precision)
    stop = np.full(len(run.topics) + 1, np.iinfo(np.int64).max)
    stop[at] = first + size - 1 - run.offsets[at]
    length = np.minimum(judged.length, stop[judged.run_topic])
    topic = topics_of(judged)
    kept = np.flatnonzero((judged.above < length[topic]) & ~np.isin(judged.row, rows))
    some = replace(
        taken(judged, kept), length=length, offsets=offsets(np.bincount(topic[kept], minlength=len(length)))
    )
    return replace(some, size=np.minimum(some.size, length[topic[kept]] - some.above))
