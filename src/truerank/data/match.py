"""Finding the judged among millions of retrieved documents: a small table for each topic, then the bytes."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from truerank.data.arrays import Keys, Rows, spans
from truerank.data.arrays import offsets as offsets_of
from truerank.data.ids import Ids
from truerank.data.parallel import parallel, topic_blocks
from truerank.data.qrels import Qrels
from truerank.data.run import Run

_SLOTS = 1 << 19
_FEWEST_SLOTS, _MOST_SLOTS = 8, 64
"""For each judgment: few enough for the table to stay in cache, many enough to let few other documents through."""
_BLOCK = 1 << 16
_HALF = np.uint64(32)


def match(qrels: Qrels, run: Run, begin: Rows, length: Rows) -> tuple[Rows, Rows, Rows]:
    """Return topic, row in the run and row in the qrels of each judged retrieved document, by topic and row.

    ``begin`` and ``length`` say which rows of the run belong to each topic of the qrels. Each topic has its own stretch
    of a table, so that a collection judged in full for one topic does not fill the table of another. A slot leads to
    the judgments whose keys begin alike, which stand side by side when sorted by key.
    """
    for known, found in run.joined:
        if known is qrels:
            return found
    run.joined[:] = [(qrels, _matched(qrels, run, begin, length))]
    return run.joined[0][1]


def _matched(qrels: Qrels, run: Run, begin: Rows, length: Rows) -> tuple[Rows, Rows, Rows]:
    index = _index(qrels)

    def find(topics: tuple[int, int]) -> tuple[Rows, Rows, Rows]:
        return index.find(run, begin, length, *topics)

    found = parallel(find, topic_blocks(offsets_of(length).tolist(), _BLOCK))
    if not found:
        nothing = np.zeros(0, dtype=np.int64)
        return nothing, nothing, nothing
    topic, row, judgment = (np.concatenate(part) for part in zip(*found, strict=True))
    return topic, row, judgment


class _Index:
    """The judgments by slot. Those that share a slot stand side by side, from ``table[slot]`` on."""

    def __init__(self, qrels: Qrels) -> None:
        self.docs = qrels.docs
        judgments = np.diff(qrels.offsets)
        roomy = min(max(_SLOTS // max(len(qrels), 1), _FEWEST_SLOTS), _MOST_SLOTS)
        self.slots = np.maximum(judgments * roomy, 1).astype(np.uint64)
        bounds = offsets_of(self.slots)
        self.base = bounds[:-1]
        slot = _slots(qrels.key, np.repeat(self.slots, judgments), np.repeat(self.base, judgments))
        self.judgment = np.argsort(slot)
        self.slot = slot[self.judgment]
        self.key = qrels.key[self.judgment]
        self.table = np.zeros(int(bounds[-1]), dtype=np.int32 if len(slot) < 1 << 31 else np.int64)
        # Place 0 means an empty slot; assigned backwards, so that the first of several judgments stays.
        self.table[self.slot[::-1]] = np.arange(len(slot), 0, -1)

    def find(self, run: Run, begin: Rows, length: Rows, first: int, last: int) -> tuple[Rows, Rows, Rows]:
        """Return what ``match`` does for the topics first to last - 1."""
        starts, counts = begin[first:last], length[first:last]
        ends = np.cumsum(counts)
        key = _rows(run.key, starts, counts, ends)
        slot = _slots(key, np.repeat(self.slots[first:last], counts), np.repeat(self.base[first:last], counts))
        place = self.table.take(slot)
        some = np.flatnonzero(place != 0)
        topic = np.searchsorted(ends, some, side="right")
        row = some + (starts - (ends - counts))[topic]
        judgment = self._confirm(run.docs, row, key[some], slot[some], place[some].astype(np.int64) - 1)
        right = np.flatnonzero(judgment >= 0)
        return topic[right] + first, row[right], judgment[right]

    def _confirm(self, docs: Ids, row: Rows, key: Keys, slot: Rows, place: Rows) -> Rows:
        """Walk through the judgments of each row's slot until one has the same bytes; -1 where none has."""
        judgment = np.full(len(row), -1, dtype=np.int64)
        live = np.arange(len(row))
        while len(live):
            alike = np.flatnonzero(self.key[place] == key[live])
            equal, judged = live[alike], self.judgment[place[alike]]
            same = docs.same(row[equal], self.docs, judged)
            judgment[equal[same]] = judged[same]
            place = place + 1
            more = (judgment[live] < 0) & (place < len(self.slot))
            more &= self.slot[np.minimum(place, len(self.slot) - 1)] == slot[live]
            live, place = live[more], place[more]
        return judgment


@lru_cache(maxsize=2)
def _index(qrels: Qrels) -> _Index:
    """Kept for the next run judged with the same qrels."""
    return _Index(qrels)


def _slots(key: Keys, slots: Keys, base: Rows) -> Rows:
    """Scale the high half of each key to the number of slots of its topic."""
    slot = key >> _HALF
    slot *= slots
    slot >>= _HALF
    place: Rows = slot.view(np.int64)
    place += base
    return place


def _rows(key: Keys, starts: Rows, counts: Rows, ends: Rows) -> Keys:
    """Return the keys of several stretches of rows; no copy where they follow one another."""
    if (starts[1:] == starts[:-1] + counts[:-1]).all():
        return key[int(starts[0]) : int(starts[0]) + int(ends[-1])]
    return key[spans(starts, counts)]
