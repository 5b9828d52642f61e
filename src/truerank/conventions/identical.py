"""Documents that have the id of their topic."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truerank.data.arrays import offsets
from truerank.data.ids import Ids
from truerank.data.printing import counted
from truerank.data.run import Run


def without_identical(run: Run) -> Run:
    """The run without documents that have the id of their topic; it notes how many there were.

    >>> from truerank.data.run import arrange
    >>> run = arrange("x", [b"q"], [0, 2], Ids.pack("qd"), [2, 1])
    >>> without_identical(run).ranking("q")
    [('d', 1.0)]
    """
    topics = Ids.pack(run.topics)
    topic = np.repeat(np.arange(len(run.topics)), np.diff(run.offsets))
    alike = np.flatnonzero(run.key == topics.keys()[topic])
    alike = alike[run.docs.same(alike, topics, topic[alike])]
    if not len(alike):
        return run
    keep = np.ones(len(run), bool)
    keep[alike] = False
    count = counted(len(alike), "document")
    some = run.take(np.flatnonzero(keep), offsets(keep)[run.offsets])
    return replace(some, notes=(*run.notes, f"{count} with the id of the topic dropped"))
