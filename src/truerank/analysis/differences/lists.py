"""The documents at the top of two lists, and where each stands in both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from truerank.analysis.views import Views, ending_of
from truerank.conventions.ending import until_nil, without_nil
from truerank.conventions.ties import EXTREMES, broken_by_order, topics_of
from truerank.data.arrays import Floats, Mask, Rows, offsets
from truerank.data.ids import Ids
from truerank.data.judge import Judged, every_document, judge
from truerank.data.qrels import Qrels, collect
from truerank.data.run import Run
from truerank.measures.core.base import Measure


@dataclass(frozen=True, eq=False)
class Places:
    """Where a list has each document; a document that it does not list has ``size`` 0."""

    above: Rows
    """Documents with a higher score."""
    size: Rows
    """Documents with the same score; 1 means untied."""
    score: Floats
    """Score in the run; NaN where not listed."""
    found: Judged
    """The documents that the run lists, as if judged, by topic looked at; ties in the order that was chosen."""
    tied: Judged
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
class Documents:
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
    a: Places
    b: Places

    @property
    def sides(self) -> tuple[Places, Places]:
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


class Lists:
    """Two runs as a measure reads them, searched when asked."""

    def __init__(self, a: Views, b: Views) -> None:
        self.a, self.b = a, b
        self.qrels = a.judged.qrels
        self._read: dict[tuple[str, bool], Judged] = {}
        self._whole: dict[tuple[bool, int], Documents] = {}

    def ends(self, measure: Measure) -> bool:
        """Whether the end of a list is an answer."""
        return ending_of(measure, self.a.choice) != "none"

    def documents(self, measure: Measure, depth: int, topics: Rows) -> Documents:
        """The documents that can stand in the first ``depth`` ranks of a list, for some topics of the judgments."""
        ends = self.ends(measure)
        if len(topics) < len(self.a.topics):
            return self._documents(ends, depth, topics)
        if (ends, depth) not in self._whole:
            self._whole[ends, depth] = self._documents(ends, depth, topics)
        return self._whole[ends, depth]

    def _documents(self, ends: bool, depth: int, topics: Rows) -> Documents:
        read = [self._reading(side, ends) for side in "ab"]
        topics = np.sort(topics)
        wanted = _wanted(self.qrels, topics, [_top(one, depth, topics) for one in read])
        a, b = (self._places(one, wanted) for one in read)
        judgment = np.maximum(*(_judgments(one, places, len(wanted)) for one, places in zip(read, (a, b), strict=True)))
        grade = np.where(judgment >= 0, read[0].qrels.grade[judgment], np.nan)
        unjudged = judgment < 0
        if self.a.choice.negative == "unjudged":
            unjudged |= grade < 0
            grade = np.where(unjudged, np.nan, grade)
        topic = np.repeat(topics, np.diff(wanted.offsets))
        return Documents(depth, topics, topic, wanted.docs, judgment, grade, unjudged, a, b)

    def _reading(self, side: str, ends: bool) -> Judged:
        """A run without the documents that the measure does not see."""
        if (side, ends) not in self._read:
            views: Views = getattr(self, side)
            choice = views.choice
            run, judged = views.run, views.judged
            if ends and choice.nil == "end":
                run = until_nil(run, choice.precision)
                judged = judge(without_nil(self.qrels), run, precision=choice.precision)
            if choice.unjudged == "condensed":
                known = judged.grade >= 0 if choice.negative == "unjudged" else judged.judgment >= 0
                judged = judge(judged.qrels, _only(run, judged.row[known]), precision=choice.precision)
            self._read[side, ends] = judged
        return self._read[side, ends]

    def _places(self, read: Judged, wanted: Qrels) -> Places:
        choice = self.a.choice
        found = tied = judge(wanted, read.run, precision=choice.precision)
        order = choice.ties.partition("(")[0]
        # Extremes have an order for every measure of its own; what they put in order is tied.
        if order not in ("expected", *EXTREMES):
            found = broken_by_order(tied, order, choice.seed)
        above, size = np.zeros((2, len(wanted)), np.int64)
        score = np.full(len(wanted), np.nan)
        above[found.judgment], size[found.judgment] = found.above, found.size
        score[found.judgment] = read.run.score[found.row]
        return Places(above, size, score, found, tied)


def _top(judged: Judged, depth: int, topics: Rows) -> Judged:
    """Every document that can stand in the first ranks, of some topics."""
    length = np.zeros(len(judged.length), np.int64)
    length[topics] = judged.length[topics]
    return every_document(replace(judged, length=length), depth)


def _wanted(qrels: Qrels, topics: Rows, tops: list[Judged]) -> Qrels:
    """Documents of several lists as if judged, each once, so that they can be looked up in runs."""
    listed = (zip(topics_of(top).tolist(), top.run.docs.take(top.row).tolist(), strict=True) for top in tops)
    once = dict.fromkeys(chain.from_iterable(listed))
    segment = np.searchsorted(topics, np.array([topic for topic, _ in once], np.int64))
    docs = Ids.pack([doc for _, doc in once])
    names = [qrels.topics[topic] for topic in topics.tolist()]
    return collect(names, None, docs, np.zeros(len(docs)), segment=segment)


def _judgments(read: Judged, places: Places, count: int) -> Rows:
    """Row in the judgments of each document that the run lists and that is judged; -1 for all others."""
    judgment = np.full(count, -1, np.int64)
    row = places.found.row
    at = np.searchsorted(read.row, row)
    known = np.flatnonzero(at < len(read.row))
    known = known[read.row[at[known]] == row[known]]
    judgment[places.found.judgment[known]] = read.judgment[at[known]]
    return judgment


def _only(run: Run, rows: Rows) -> Run:
    kept = np.zeros(len(run), bool)
    kept[rows] = True
    return run.take(np.flatnonzero(kept), offsets(kept)[run.offsets])
