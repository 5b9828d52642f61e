"""The end of a list as an answer."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import offsets, spans
from truerank.data.ids import Ids
from truerank.data.run import Run
from truerank.data.ties import tie_groups

TERMINAL = {"none": "", "terminal": "tail", "terminal-once": "once"}
"""How far the terminal document reaches: all ranks past the list where their weights have a sum, or one."""
NIL = b"NIL"
"""A document of this name says that nothing more is worth showing (TREC 2001 question answering)."""


def until_nil(run: Run, precision: str = "float64") -> Run:
    """The run with lists that stop before their NIL; documents tied with it are kept. The run itself if it has none."""
    marker = Ids.pack([NIL])
    nil = np.flatnonzero(run.key == marker.keys()[0])
    nil = nil[run.docs.same(nil, marker, np.zeros(len(nil), np.int64))]
    if not len(nil):
        return run
    topic = np.searchsorted(run.offsets, nil, side="right") - 1
    first, size = tie_groups(run.score, nil, run.offsets[topic], run.offsets[topic + 1], precision)
    count = np.diff(run.offsets)
    count[topic] = first + size - run.offsets[topic]
    kept = spans(run.offsets[:-1], count)
    kept = kept[~np.isin(kept, nil)]
    count[topic] -= 1
    return run.take(kept, offsets(count))
