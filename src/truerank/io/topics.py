"""Topic ids numbered as they are met, also where every row has another topic than the one before."""

from __future__ import annotations

from threading import Lock

import numpy as np

from truerank.data.arrays import Ints, Keys, Rows
from truerank.data.ids import Ids

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
        self._table = _Table([])

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
                    self._table = _Table(list(self._number))
        return number

    def _one_by_one(self, ids: list[bytes]) -> Ints:
        known = self._number
        with self._lock:
            for topic in ids:
                if topic not in known:
                    known[topic] = len(known)
        return np.fromiter(map(known.__getitem__, ids), np.int32, len(ids))


class _Table:
    """A snapshot of known topics, to look up many at once: by the high bits of the key, then by the bytes."""

    def __init__(self, names: list[bytes]) -> None:
        self.ids = Ids.pack(names)
        self.key = self.ids.keys()
        bits = max(1, (len(names) * _SLOTS_A_TOPIC - 1).bit_length())
        self.shift = np.uint64(64 - bits)
        self.slot: Ints = np.zeros(1 << bits, dtype=np.int32)
        self.slot[self._place(self.key)] = np.arange(len(names))

    def _place(self, key: Keys) -> Rows:
        place: Rows = (key >> self.shift).view(np.int64)
        return place

    def find(self, ids: Ids) -> Ints:
        """Return the number of each id, -1 where it is unknown or shares its slot."""
        if not len(self.ids):
            return np.full(len(ids), -1, dtype=np.int32)
        number = self.slot[self._place(ids.keys())]
        number[~ids.same(np.arange(len(ids)), self.ids, number)] = -1
        return number
