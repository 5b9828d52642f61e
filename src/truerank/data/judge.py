"""The one join: which retrieved documents are judged, and where they stand."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from truerank.data.arrays import Floats, Rows, spans
from truerank.data.arrays import offsets as offsets_of
from truerank.data.match import match
from truerank.data.qrels import Qrels
from truerank.data.run import Run
from truerank.data.ties import all_tie_groups, tie_groups


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

    >>> from truerank.data.arrange import arrange
    >>> from truerank.data.ids import Ids
    >>> from truerank.data.qrels import collect
    >>> run = arrange("x", [b"q"], [0, 4], Ids.pack("abcd"), [9, 5, 5, 1])
    >>> judged = judge(collect([b"q"], [0, 2], Ids.pack("cz"), [1, 1]), run)
    >>> judged.row.tolist(), judged.above.tolist(), judged.size.tolist()
    ([2], [1], [2])
    """
    known = {topic: index for index, topic in enumerate(run.topics)}
    run_topic = np.array([known.get(topic, -1) for topic in qrels.topics], dtype=np.int64)
    begin = _begin(run, run_topic)
    length = np.where(run_topic >= 0, run.offsets[run_topic + 1] - begin, 0)
    topic, row, judgment = match(qrels, run, begin, length)
    first, size = tie_groups(run.score, row, begin[topic], (begin + length)[topic], precision)
    return JudgedRun(
        qrels=qrels,
        run=run,
        precision=precision,
        length=length,
        run_topic=run_topic,
        offsets=offsets_of(np.bincount(topic, minlength=len(qrels.topics))),
        row=row,
        judgment=judgment,
        grade=qrels.grade[judgment],
        above=first - begin[topic],
        size=size,
    )


def every_document(judged: JudgedRun, depth: int | None = None) -> JudgedRun:
    """List all retrieved documents of the judged topics, or only those that can reach the first ``depth`` ranks.

    >>> from truerank.data.arrange import arrange
    >>> from truerank.data.ids import Ids
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
    judgment = np.full(len(row), -1, dtype=np.int64)
    grade = np.full(len(row), np.nan)
    its_topic = np.repeat(np.arange(len(count)), np.diff(judged.offsets))
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
