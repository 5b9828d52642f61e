"""Segments: rows of one topic that follow one another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Ints, Rows, offsets

_SHORT = 4


@dataclass(frozen=True, slots=True, eq=False)
class Segments:
    """The segments of a chunk of rows: where each begins, and the number of its topic."""

    rows: int
    begin: Rows
    topic: Ints

    def spread(self) -> Ints:
        """Return the topic of each row."""
        return np.repeat(self.topic, np.diff(self.begin, append=self.rows))


def joined(parts: list[Segments]) -> tuple[Ints, Rows | None]:
    """Return the topic of each segment of all rows, and the bounds of segments; None where each row is one.

    Topics that change with nearly every row are kept by row, which takes less memory.

    >>> first, second = Segments(9, np.array([0, 7]), np.array([5, 6])), Segments(6, np.array([0]), np.array([6]))
    >>> [part.tolist() for part in joined([first, second])]
    [[5, 6], [0, 7, 15]]
    """
    first = offsets(np.array([part.rows for part in parts], dtype=np.int64))
    # No rows at all are kept by row, too.
    if sum(len(part.begin) for part in parts) * _SHORT >= int(first[-1]):
        return np.concatenate([part.spread() for part in parts]), None
    topic = np.concatenate([part.topic for part in parts])
    begin = np.concatenate([part.begin + row for part, row in zip(parts, first.tolist(), strict=False)])
    new = np.flatnonzero(np.concatenate([[True], topic[1:] != topic[:-1]]))
    return topic[new], np.append(begin[new], first[-1])
