"""Numbers for topic ids while a file is read, and segments: consecutive rows of one topic."""

from __future__ import annotations

from threading import Lock

import numpy as np

from truerank.data.arrays import Bytes, Ints, Keys, Mask, Rows, offsets
from truerank.data.classes import dataclass
from truerank.data.ids import LONG, Ids, load

_SHORT = 4
_FEW = 256
_SLOTS_A_TOPIC = 16


class Topics:
    """Numbers for topic ids, shared by the threads that read a file.

    >>> topics = Topics()
    >>> topics.number(Ids.pack(["q7", "q2", "q7"])).tolist(), topics.names()
    ([0, 1, 0], [b'q7', b'q2'])
    """

    def __init__(self) -> None:
        self._number: dict[bytes, int] = {}
        self._lock = Lock()
        self._table = _TopicTable([])

    def names(self) -> list[bytes]:
        """Return the topic ids by number."""
        return list(self._number)

    def number(self, ids: Ids) -> Ints:
        """Return the number of each topic id; new ids get the next numbers."""
        if len(ids) <= _FEW:
            return self._one_by_one(ids.tolist())
        table = self._table
        number = table.find(ids)
        unknown = np.flatnonzero(number < 0)
        if len(unknown):
            number[unknown] = self._one_by_one(ids.take(unknown).tolist())
            with self._lock:
                if len(self._number) > 2 * len(self._table.ids):
                    self._table = _TopicTable(list(self._number))
        return number

    def _one_by_one(self, ids: list[bytes]) -> Ints:
        known = self._number
        with self._lock:
            for topic in ids:
                if topic not in known:
                    known[topic] = len(known)
        return np.fromiter(map(known.__getitem__, ids), np.int32, len(ids))


class _TopicTable:
    """A snapshot of known topics, to look up many at once: by the high bits of the key, then by the bytes."""

    def __init__(self, names: list[bytes]) -> None:
        self.ids = Ids.pack(names)
        self.key = self.ids.keys()
        bits = max(1, (len(names) * _SLOTS_A_TOPIC - 1).bit_length())
        self.shift = np.uint64(64 - bits)
        self.slot: Ints = np.zeros(1 << bits, dtype=np.int32)
        self.slot[self._place(self.key)] = np.arange(len(names))

    def _place(self, key: Keys) -> Rows:
        place: Rows = (key >> self.shift).view(np.int64).astype(np.intp, copy=False)
        return place

    def find(self, ids: Ids) -> Ints:
        """Return the number of each id, -1 where it is unknown or shares its slot."""
        if not len(self.ids):
            return np.full(len(ids), -1, dtype=np.int32)
        number = self.slot[self._place(ids.keys())]
        number[~ids.same(np.arange(len(ids)), self.ids, number)] = -1
        return number


@dataclass(frozen=True, slots=True, eq=False)
class Segments:
    """The segments of a chunk of rows: where each begins, and the number of its topic."""

    rows: int
    begin: Rows
    topic: Ints

    def spread(self) -> Ints:
        """Return the topic of each row."""
        return np.repeat(self.topic, np.diff(self.begin, append=self.rows))


def join_segments(parts: list[Segments]) -> tuple[Ints, Rows | None]:
    """Return the topic of each segment of all rows, and the bounds of segments; None where each row is one.

    Topics that change with nearly every row are kept by row, which takes less memory.

    >>> first, second = Segments(9, np.array([0, 7]), np.array([5, 6])), Segments(6, np.array([0]), np.array([6]))
    >>> [part.tolist() for part in join_segments([first, second])]
    [[5, 6], [0, 7, 15]]
    """
    first = offsets(np.array([part.rows for part in parts], dtype=np.intp))
    # No rows at all are kept by row, too.
    if sum(len(part.begin) for part in parts) * _SHORT >= int(first[-1]):
        return np.concatenate([part.spread() for part in parts]), None
    topic = np.concatenate([part.topic for part in parts])
    begin = np.concatenate([part.begin + row for part, row in zip(parts, first.tolist(), strict=False)])
    new = np.flatnonzero(np.concatenate([[True], topic[1:] != topic[:-1]]))
    return topic[new], np.append(begin[new], first[-1])


def changes(text: Bytes, start: Rows, length: Rows) -> Mask:
    """Tell for each row whether its identifier differs from that of the row before."""
    change = np.ones(len(start), dtype=np.bool_)
    np.not_equal(length[1:], length[:-1], out=change[1:])
    longest = int(length.max(initial=0))
    for done in range(0, min(longest, LONG), 8):
        word = load(text, start + done, length - done) if done else load(text, start, length)
        change[1:] |= word[1:] != word[:-1]
    if longest > LONG:
        rows = np.flatnonzero(~change & (length > LONG))
        ids = Ids(text, start, length)
        change[rows] = ~ids.same(rows, ids, rows - 1)
    return change
