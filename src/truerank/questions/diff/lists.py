"""The documents at the top of two lists, and where each stands in both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from truerank.conventions.ties import broken_by_order, topics_of
from truerank.data.arrays import Floats, Mask, Rows, offsets
from truerank.data.ids import Ids
from truerank.data.judge import JudgedRun, every_document, judge
from truerank.data.qrels import Qrels, collect
from truerank.data.run import Run
from truerank.measures.core.base import Measure
from truerank.track.lens import Lens


@dataclass(frozen=True, eq=False)
class Positions:
    """Where a list has each document; a document that it does not list has ``size`` 0."""

    above: Rows
    """Documents with a higher score."""
    size: Rows
    """Documents with the same score; 1 means untied."""
    score: Floats
    """Score in the run; NaN where not listed."""
    found: JudgedRun
    """The documents that the run lists, as if judged, by topic looked at; ties in the order that was chosen."""
    tied: JudgedRun
    """The same, with ties as they are."""

    @property
    def listed(self) -> Mask:
        """Which documents the run lists."""
        listed: Mask = self.size > 0
        return listed

    def within(self, depth: int) -> Mask:
        """Which documents can stand in the first ranks."""
        return self.listed & (self.above < depth)


@dataclass(frozen=True, eq=False)
class TopDocuments:
    """Documents that two lists have in their first ranks, by topic."""

    depth: int
    topics: Rows
    """The topics that were looked at, by their index in the judgments."""
    topic: Rows
    """That of each document."""
    docs: Ids
    judgment: Rows
    """Row in the judgments; -1 where there is none."""
    grade: Floats
    """NaN where unjudged, and where judgments are preferences."""
    unjudged: Mask
    """Which have no judgment that counts as one."""
    a: Positions
    b: Positions

    @property
    def sides(self) -> tuple[Positions, Positions]:
        """Where both lists have them."""
        return self.a, self.b

    @property
    def entered(self) -> Mask:
        """In the first ranks of b only."""
        return self.b.within(self.depth) & ~self.a.within(self.depth)

    @property
    def left(self) -> Mask:
        """In the first ranks of a only."""
        return self.a.within(self.depth) & ~self.b.within(self.depth)

    @property
    def moved(self) -> Mask:
        """In the first ranks of both, at other ranks."""
        elsewhere: Mask = (self.a.above != self.b.above) | (self.a.size != self.b.size)
        return self.a.within(self.depth) & self.b.within(self.depth) & elsewhere

    def count(self, which: Mask, topics: Rows) -> Rows:
        """How many of some documents each topic has."""
        return np.bincount(self.topic[which], minlength=int(topics.max(initial=0)) + 1)[topics]


class RunPair:
    """Two runs as a measure reads them, searched when asked."""

    def __init__(self, a: Lens, b: Lens) -> None:
        self.a, self.b = a, b
        self.conventions = a.conventions
        self.qrels = a.judged.qrels
        self._read: dict[tuple[str, bool], JudgedRun] = {}
        self._whole: dict[tuple[bool, int], TopDocuments] = {}

    @property
    def sides(self) -> tuple[Lens, Lens]:
        """Both runs."""
        return self.a, self.b

    def ends(self, measure: Measure) -> bool:
        """Whether the end of a list is an answer."""
        return self.conventions.ending_of(measure) != "none"

    def documents(self, measure: Measure, depth: int, topics: Rows) -> TopDocuments:
        """The documents that can stand in the first ``depth`` ranks of a list, for some topics of the judgments."""
        ends = self.ends(measure)
        if len(topics) < len(self.a.topics):
            return self._documents(ends, depth, topics)
        if (ends, depth) not in self._whole:
            self._whole[ends, depth] = self._documents(ends, depth, topics)
        return self._whole[ends, depth]

    def _documents(self, ends: bool, depth: int, topics: Rows) -> TopDocuments:
        read = [self._reading(side, ends) for side in "ab"]
        topics = np.sort(topics)
        wanted = _wanted(self.qrels, topics, [_top(one, depth, topics) for one in read])
        a, b = (self._positions(one, wanted) for one in read)
        judgment = np.maximum(*(_judgments(one, each, len(wanted)) for one, each in zip(read, (a, b), strict=True)))
        grade = np.where(judgment >= 0, read[0].qrels.grade[judgment], np.nan)
        unjudged = judgment < 0
        if not self.conventions.negative_judged:
            unjudged |= grade < 0
            grade = np.where(unjudged, np.nan, grade)
        topic = np.repeat(topics, np.diff(wanted.offsets))
        return TopDocuments(depth, topics, topic, wanted.docs, judgment, grade, unjudged, a, b)

    def _reading(self, side: str, ends: bool) -> JudgedRun:
        """A run without the documents that the measure does not see."""
        if (side, ends) not in self._read:
            lens: Lens = getattr(self, side)
            choice, judged = self.conventions, lens.joined("terminal" if ends else "none")
            if choice.condenses:
                known = judged.judgment >= 0 if choice.negative_judged else judged.grade >= 0
                judged = judge(judged.qrels, _only(judged.run, judged.row[known]), precision=choice.precision)
            self._read[side, ends] = judged
        return self._read[side, ends]

    def _positions(self, read: JudgedRun, wanted: Qrels) -> Positions:
        choice = self.conventions
        found = tied = judge(wanted, read.run, precision=choice.precision)
        # Extremes have an order for every measure of its own; what they put in order is tied.
        if choice.breaks_ties:
            found = broken_by_order(tied, choice.order.partition("(")[0], choice.seed)
        above, size = np.zeros((2, len(wanted)), np.int64)
        score = np.full(len(wanted), np.nan)
        above[found.judgment], size[found.judgment] = found.above, found.size
        score[found.judgment] = read.run.score[found.row]
        return Positions(above, size, score, found, tied)


def _top(judged: JudgedRun, depth: int, topics: Rows) -> JudgedRun:
    """Every document that can stand in the first ranks, of some topics."""
    length = np.zeros(len(judged.length), np.int64)
    length[topics] = judged.length[topics]
    return every_document(replace(judged, length=length), depth)


def _wanted(qrels: Qrels, topics: Rows, tops: list[JudgedRun]) -> Qrels:
    """TopDocuments of several lists as if judged, each once, so that they can be looked up in runs."""
    listed = (zip(topics_of(top).tolist(), top.run.docs.take(top.row).tolist(), strict=True) for top in tops)
    once = dict.fromkeys(chain.from_iterable(listed))
    segment = np.searchsorted(topics, np.array([topic for topic, _ in once], np.int64))
    docs = Ids.pack([doc for _, doc in once])
    names = [qrels.topics[topic] for topic in topics.tolist()]
    return collect(names, None, docs, np.zeros(len(docs)), segment=segment)


def _judgments(read: JudgedRun, positions: Positions, count: int) -> Rows:
    """Row in the judgments of each document that the run lists and that is judged; -1 for all others."""
    judgment = np.full(count, -1, np.int64)
    row = positions.found.row
    at = np.searchsorted(read.row, row)
    known = np.flatnonzero(at < len(read.row))
    known = known[read.row[at[known]] == row[known]]
    judgment[positions.found.judgment[known]] = read.judgment[at[known]]
    return judgment


def _only(run: Run, rows: Rows) -> Run:
    kept = np.zeros(len(run), bool)
    kept[rows] = True
    return run.take(np.flatnonzero(kept), offsets(kept)[run.offsets])
