"""The one join: which retrieved documents are judged, and where they stand."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from truerank.data.arrays import Floats, Keys, Mask, Rows, spans, stretches, table
from truerank.data.arrays import offsets as offsets_of
from truerank.data.classes import dataclass
from truerank.data.ids import Ids
from truerank.data.parallel import parallel, topic_blocks
from truerank.data.qrels import Qrels
from truerank.data.run import JudgedPlaces, Run
from truerank.data.ties import all_tie_groups, rounded, tie_groups

_SLOTS = 1 << 19
_FEWEST_SLOTS, _MOST_SLOTS = 8, 64
"""For each judgment: few enough for the table to stay in cache, many enough to let few other documents through."""
_BLOCK = 1 << 16
_HALF = np.uint64(32)


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRun:
    """A run seen through judgments, topic by topic of the judgments and best document first.

    The arrays of documents have one entry for each retrieved document that is judged (or, from ``every_document``, for
    each retrieved document).
    """

    qrels: Qrels
    run: Run
    precision: str
    """How scores were compared: "float64" or "float32"."""
    length: Rows
    """How many documents the run lists for each topic of the judgments; 0 where the topic is missing."""
    run_topic: Rows
    """Index of each topic in the run; -1 where it is missing."""
    offsets: Rows
    """The documents of topic t are offsets[t] to offsets[t + 1] - 1."""
    row: Rows
    """Row of each document in the run."""
    judgment: Rows
    """Row of each document in the judgments; -1 where unjudged."""
    grade: Floats
    """Grade of each document; NaN where unjudged."""
    above: Rows
    """How many documents of the topic have a higher score."""
    size: Rows
    """How many documents of the topic have this score; 1 means untied."""

    def __repr__(self) -> str:
        return f"Judged({self.run!r}, {len(self.length)} topics, {len(self.row)} documents)"

    @property
    def first(self) -> Rows:
        """Row in the run where each document's tie group begins."""
        return self.above + np.repeat(_begin(self.run, self.run_topic), np.diff(self.offsets))


def judge(qrels: Qrels, run: Run, *, precision: str = "float64") -> JudgedRun:
    """Find the judged documents of a run and how many documents score higher than, or the same as, each.

    >>> from truerank.data.run import arrange
    >>> from truerank.data.qrels import collect
    >>> run = arrange("x", [b"q"], [0, 4], Ids.pack("abcd"), [9, 5, 5, 1])
    >>> judged = judge(collect([b"q"], [0, 2], Ids.pack("cz"), [1, 1]), run)
    >>> judged.row.tolist(), judged.above.tolist(), judged.size.tolist()
    ([2], [1], [2])
    """
    for known in run.placed:
        if known.qrels is qrels and known.precision == precision:
            return JudgedRun(qrels=qrels, run=run, precision=precision, **known.columns)  # type: ignore[arg-type]
    columns = _columns(qrels, run, precision)
    run.placed[:] = [JudgedPlaces(qrels, precision, columns)]
    return JudgedRun(qrels=qrels, run=run, precision=precision, **columns)  # type: ignore[arg-type]


def _columns(qrels: Qrels, run: Run, precision: str) -> dict[str, Rows | Floats]:
    """The columns of the judged run."""
    if run.topics == qrels.topics:
        run_topic = np.arange(len(run.topics))
        begin, length = run.offsets[:-1], run.offsets[1:] - run.offsets[:-1]
    else:
        known = {topic: index for index, topic in enumerate(run.topics)}
        run_topic = np.array([known.get(topic, -1) for topic in qrels.topics], dtype=np.intp)
        begin = _begin(run, run_topic)
        length = np.where(run_topic >= 0, run.offsets[run_topic + 1] - begin, 0)
    topic, row, judgment = match(qrels, run, begin, length)
    first, size = tie_groups(run.score, row, begin[topic], (begin + length)[topic], precision)
    return {
        "length": length,
        "run_topic": run_topic,
        "offsets": offsets_of(np.bincount(topic, minlength=len(qrels.topics))),
        "row": row,
        "judgment": judgment,
        "grade": qrels.grade[judgment],
        "above": first - begin[topic],
        "size": size,
    }


def by_lookup(
    qrels: Qrels, topics: Rows, count: Rows, score: Floats, judgment: Rows, precision: str
) -> tuple[dict[str, Rows | Floats], Mask]:
    """The columns of a judged run whose documents were looked up one by one, and which lists have to be arranged.

    The lists of ``topics``, which are places in the judgments, ascending, follow one another in any order of their
    documents; ``judgment`` has the row of each document there, -1 where there is none. A run of a few hundred documents
    is so judged in the time that arranging it takes. Lists in which a judged document is tied are not in the columns.
    """
    lowered = table(-rounded(score, precision), count, np.inf)
    order = lowered.argsort(axis=-1)
    order += (np.arange(len(count)) * lowered.shape[1])[:, None]
    ranked, in_order = lowered.take(order), table(judgment, count, -1).take(order)
    topic, above = (in_order >= 0).nonzero()
    alike, tied = ranked[:, 1:] == ranked[:, :-1], np.zeros(len(count), np.bool_)
    if alike.any():
        either = np.zeros((len(count), lowered.shape[1] + 1), np.bool_)
        either[:, 1:-1] = alike
        tied[topic[either[topic, above] | either[topic, above + 1]]] = True
    if tied.any():
        topics, count, in_order = topics[~tied], count[~tied], in_order[~tied]
        topic, above = (in_order >= 0).nonzero()
    judged, begin = in_order[topic, above], count.cumsum() - count
    run_topic, length = np.full(len(qrels.topics), -1), np.zeros(len(qrels.topics), np.intp)
    run_topic[topics], length[topics] = np.arange(len(topics)), count
    columns = {
        "length": length,
        "run_topic": run_topic,
        "offsets": offsets_of(np.bincount(topics[topic], minlength=len(qrels.topics))),
        "row": begin[topic] + above,
        "judgment": judged,
        "grade": qrels.grade[judged],
        "above": above,
        "size": np.ones(len(above), np.intp),
    }
    return columns, tied


def every_document(judged: JudgedRun, depth: int | None = None) -> JudgedRun:
    """List all retrieved documents of the judged topics, or only those that can reach the first ``depth`` ranks.

    >>> from truerank.data.run import arrange
    >>> from truerank.data.qrels import collect
    >>> run = arrange("x", [b"q"], [0, 4], Ids.pack("abcd"), [9, 5, 5, 1])
    >>> some = every_document(judge(collect([b"q"], [0, 1], Ids.pack("c"), [1]), run), depth=2)
    >>> some.above.tolist(), some.size.tolist(), some.judgment.tolist()
    ([0, 1, 1], [1, 2, 2], [-1, -1, 0])
    """
    begin = _begin(judged.run, judged.run_topic)
    count = judged.length
    if depth is not None:
        if depth < 0:
            raise ValueError(f"depth is {depth}; give 0 or more")
        count = np.minimum(count, depth)
        cut = np.flatnonzero((count > 0) & (count < judged.length))
        last = (begin + count)[cut] - 1
        first, size = tie_groups(judged.run.score, last, begin[cut], (begin + judged.length)[cut], judged.precision)
        count = count.copy()
        count[cut] = first + size - begin[cut]
    row = spans(begin, count)
    offsets = offsets_of(count)
    first, size = all_tie_groups(judged.run.score[row], offsets, judged.precision)
    judgment = np.full(len(row), -1, dtype=np.intp)
    grade = np.full(len(row), np.nan)
    its_topic = stretches(judged.offsets)
    place = judged.row - begin[its_topic]
    listed = np.flatnonzero(place < count[its_topic])
    at = (offsets[its_topic] + place)[listed]
    judgment[at] = judged.judgment[listed]
    grade[at] = judged.grade[listed]
    return replace(
        judged,
        offsets=offsets,
        row=row,
        judgment=judgment,
        grade=grade,
        above=first - np.repeat(offsets[:-1], count),
        size=size,
    )


def _begin(run: Run, run_topic: Rows) -> Rows:
    """Return the first row of each topic; 0 for a topic the run lacks, which has no rows."""
    begin: Rows = np.where(run_topic >= 0, run.offsets[run_topic], 0)
    return begin


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
        nothing = np.zeros(0, dtype=np.intp)
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
        self.table = np.zeros(int(bounds[-1]), dtype=np.int32 if len(slot) < 1 << 31 else np.intp)
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
        judgment = self._confirm(run.docs, row, key[some], slot[some], place[some].astype(np.intp) - 1)
        right = np.flatnonzero(judgment >= 0)
        return topic[right] + first, row[right], judgment[right]

    def _confirm(self, docs: Ids, row: Rows, key: Keys, slot: Rows, place: Rows) -> Rows:
        """Walk through the judgments of each row's slot until one has the same bytes; -1 where none has."""
        judgment = np.full(len(row), -1, dtype=np.intp)
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
    place: Rows = slot.view(np.int64).astype(np.intp, copy=False)
    place += base
    return place


def _rows(key: Keys, starts: Rows, counts: Rows, ends: Rows) -> Keys:
    """Return the keys of several stretches of rows; no copy where they follow one another."""
    if (starts[1:] == starts[:-1] + counts[:-1]).all():
        return key[int(starts[0]) : int(starts[0]) + int(ends[-1])]
    return key[spans(starts, counts)]
