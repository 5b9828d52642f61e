"""The documents at the top of two lists: where they stand, what they add to scores, what a judgment would do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from truerank.conventions.ties import broken_by_order, topics_of
from truerank.data.arrays import Floats, Mask, Rows, begins, offsets
from truerank.data.given_ids import ByTopic
from truerank.data.ids import Ids, text
from truerank.data.judge import JudgedRun, every_document, judge
from truerank.data.qrels import Preferences, Qrels, collect
from truerank.data.rankings import Rankings, gain_of
from truerank.data.run import Run
from truerank.measures.core.base import Measure
from truerank.questions.diff.question import DiffDocument, Difference, DiffTopic
from truerank.questions.unjudged.hypothetical import Hypotheses, supposing
from truerank.report.rows import ColumnarRows
from truerank.statistics.level import EQUAL
from truerank.track.lens import Lens
from truerank.track.values import settled


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
        return self.conventions.ends_for(measure)

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
        above, size = np.zeros((2, len(wanted)), np.intp)
        score = np.full(len(wanted), np.nan)
        above[found.judgment], size[found.judgment] = found.above, found.size
        score[found.judgment] = read.run.score[found.row]
        return Positions(above, size, score, found, tied)


def _top(judged: JudgedRun, depth: int, topics: Rows) -> JudgedRun:
    """Every document that can stand in the first ranks, of some topics."""
    length = np.zeros(len(judged.length), np.intp)
    length[topics] = judged.length[topics]
    return every_document(replace(judged, length=length), depth)


def _wanted(qrels: Qrels, topics: Rows, tops: list[JudgedRun]) -> Qrels:
    """TopDocuments of several lists as if judged, each once, so that they can be looked up in runs."""
    listed = (zip(topics_of(top).tolist(), top.run.docs.take(top.row).tolist(), strict=True) for top in tops)
    once = dict.fromkeys(chain.from_iterable(listed))
    segment = np.searchsorted(topics, np.array([topic for topic, _ in once], np.intp))
    docs = Ids.pack([doc for _, doc in once])
    names = [qrels.topics[topic] for topic in topics.tolist()]
    return collect(names, None, docs, np.zeros(len(docs)), segment=segment)


def _judgments(read: JudgedRun, positions: Positions, count: int) -> Rows:
    """Row in the judgments of each document that the run lists and that is judged; -1 for all others."""
    judgment = np.full(count, -1, np.intp)
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


def contributions(measure: Measure, r: Rankings) -> Floats:
    """What each document of a block adds to its row's score, the mean over the orders of ties; 0 where undefined.

    For a sum over ranks it is the document's own term over the normaliser: for nDCG its discounted gain, for ERR and RR
    the chance that the reader stops there times the weight of the rank. Where terms are of two documents, as in AP,
    whose every pair of relevant documents adds one over the lower rank, each of the two has half: that is the value of
    Shapley (1953) for sums of documents and of pairs. For a measure that is no sum it is the score of the list down to
    the document minus that of the list above it, with what stands below unjudged.

    >>> from truerank.measures.ap import AP
    >>> contributions(AP(), Rankings.single([1, 0, 0, 1])).tolist()  # (1 + 1/4 / 2) / 2 and (1/4 + 1/4 / 2) / 2
    [[0.5625, 0.0, 0.0, 0.1875]]
    """
    measure = measure.core
    found = measure.credits(r)
    return _step_contributions(measure, r) if found is None else found


def _step_contributions(measure: Measure, r: Rankings) -> Floats:
    """What documents add to the score of a measure that is no sum: the list is scored down to each tie group in turn.

    The step from one group to the next is shared by the documents of the group, in proportion to their gains.
    """
    gain = gain_of(r.grade, measure.gain(r))
    found = np.zeros(gain.shape)
    row, slot = np.nonzero((gain > 0) & (r.start <= measure.depth(r)))
    new = begins(row, r.start[row, slot])
    group = np.cumsum(new) - 1
    place = _place_in_row(row[new])[group]
    share = gain[row, slot] / np.bincount(group, gain[row, slot])[group] if len(row) else np.zeros(0)
    before = measure.estimate(_down_to(r, np.zeros((len(gain), 1), np.intp))).value.copy()
    for each in range(int(place.max(initial=-1)) + 1):
        now = np.flatnonzero(place == each)
        # Only rows that have so many groups are scored again.
        some, first, which = np.unique(row[now], return_index=True, return_inverse=True)
        last = r.start[row[now], slot[now]][first][:, None]
        after = measure.estimate(_down_to(r.take(some), last)).value
        found[row[now], slot[now]] = share[now] * np.nan_to_num(after - before[some])[which]
        before[some] = after
    return found


def _down_to(r: Rankings, last: Rows) -> Rankings:
    """The rankings with every document below the groups that begin at ``last`` unjudged."""
    kept = r.start <= last
    return replace(r, grade=np.where(kept, r.grade, np.nan), judgment=np.where(kept, r.judgment, np.intp(-1)))


def _place_in_row(row: Rows) -> Rows:
    """Of entries that stand row by row, how many of their row come before each.

    >>> _place_in_row(np.array([0, 0, 2, 2, 2])).tolist()
    [0, 1, 0, 1, 2]
    """
    first = np.flatnonzero(np.diff(row, prepend=-1))
    return np.arange(len(row)) - np.repeat(first, np.diff(first, append=len(row)))


def places(answer: Difference, topics: Sequence[str | int]) -> Rows:
    """Places of some topics among those that were compared."""
    known = ByTopic((topic, place) for place, topic in enumerate(answer.topics))
    for topic in topics:
        if topic not in known:
            raise KeyError(f"topic {topic!r} was not compared")
    return np.array([known[topic] for topic in topics], np.intp)


def topic_rows(answer: Difference, places: Rows) -> ColumnarRows[DiffTopic]:
    """A row a topic, by their places."""
    open_, empty = answer.by_unjudged, np.full(len(answer.topics), np.nan)
    numbers = {
        "a": answer.a,
        "b": answer.b,
        "difference": answer.differences,
        "contribution": empty if answer.contributions is None else answer.contributions,
        "ties_low": answer.by_ties.low,
        "ties_high": answer.by_ties.high,
        "unjudged_low": empty if open_ is None else open_.low,
        "unjudged_high": empty if open_ is None else open_.high,
    }
    documents, topics = answer.top(places), answer.index[places]
    counts = {
        "entered": documents.entered,
        "left": documents.left,
        "moved": documents.moved,
        "unjudged_entered": documents.entered & documents.unjudged,
        "unjudged_left": documents.left & documents.unjudged,
    }
    at = places.tolist()
    return ColumnarRows(
        DiffTopic,
        measure=[answer.measure] * len(at),
        topic=[answer.topics[place] for place in at],
        better=[answer.ahead(place) for place in at],
        depends_on=[answer.depends_on(place) for place in at],
        **{name: known(column[places]) for name, column in numbers.items()},
        **{name: documents.count(which, topics) for name, which in counts.items()},
        place=at,
        of=[answer] * len(at),
    )


def by_topic(answer: Difference, places: Rows, *, unjudged: bool) -> dict[int, list[DiffDocument]]:
    """The documents of some topics by their places, those with the largest impact first."""
    documents, topics = answer.top(places), answer.index[places]
    a, b = (adds(answer.by, lens, documents, topics) for lens in answer.lists.sides)
    open_ = if_relevant(answer.by, answer.lists, documents) if unjudged else None
    rows = _rows(answer, documents, (a, b), open_)
    by_index: dict[int, list[DiffDocument]] = {topic: [] for topic in topics.tolist()}
    for topic, row in zip(documents.topic.tolist(), rows, strict=True):
        by_index[topic].append(row)
    return {
        place: sorted(by_index[topic], key=_by_impact)
        for place, topic in zip(places.tolist(), topics.tolist(), strict=True)
    }


def _by_impact(row: DiffDocument) -> tuple[float, float, int, str]:
    best = min(rank for rank in (row.first_rank_a, row.first_rank_b) if rank is not None)
    return -round(abs(row.impact) / EQUAL), -round(abs(row.if_relevant or 0.0) / EQUAL), best, row.doc


def adds(measure: Measure, lens: Lens, documents: TopDocuments, topics: Rows) -> Floats:
    """What each document adds to a run's scores; nothing where it is unjudged."""
    by_judgment = np.zeros(len(lens.judged.qrels.grade))
    for r in lens.lists(measure):
        rows = np.flatnonzero(np.isin(r.topic, topics))
        if len(rows):
            some = r.take(rows)
            listed = some.judgment >= 0
            by_judgment[some.judgment[listed]] = contributions(measure, some)[listed]
    return np.where(documents.judgment >= 0, by_judgment[documents.judgment], 0.0)


def _rows(
    answer: Difference, documents: TopDocuments, adds: tuple[Floats, Floats], open_: Floats | None
) -> ColumnarRows[DiffDocument]:
    """The documents as rows, in the order of the arrays."""
    count = len(documents.topic)
    status = np.select([documents.entered, documents.left, documents.moved], ["entered", "left", "moved"], "stayed")
    names = dict(zip(answer.index.tolist(), answer.topics, strict=True))
    first_a, last_a = _ranks(documents.a)
    first_b, last_b = _ranks(documents.b)
    return ColumnarRows(
        DiffDocument,
        measure=[answer.measure] * count,
        topic=[names[topic] for topic in documents.topic.tolist()],
        doc=[text(doc) for doc in documents.docs.tolist()],
        judged=~documents.unjudged,
        grade=known(documents.grade),
        status=status,
        first_rank_a=first_a,
        last_rank_a=last_a,
        first_rank_b=first_b,
        last_rank_b=last_b,
        score_a=known(documents.a.score),
        score_b=known(documents.b.score),
        adds_a=adds[0],
        adds_b=adds[1],
        impact=adds[1] - adds[0],
        if_relevant=[None] * count if open_ is None else known(np.where(documents.unjudged, open_, np.nan)),
    )


def _ranks(positions: Positions) -> tuple[list[int | None], list[int | None]]:
    """First and last rank of each document; None where it is not listed."""
    ends = (positions.above + 1, positions.above + positions.size)
    first, last = (
        [rank if listed else None for rank, listed in zip(end.tolist(), positions.listed.tolist(), strict=True)]
        for end in ends
    )
    return first, last


def if_relevant(measure: Measure, lists: RunPair, documents: TopDocuments) -> Floats | None:
    """By how much the difference would grow if an unjudged document had the grade that is worth most; else NaN.

    It is judged in both lists, and counts among the documents that could be found. None where the measure depends on
    more than judgments and lists, and where scoring so many lists would take too long: order by order of their ties.
    """
    if measure.needs_pool or lists.ends(measure) or isinstance(lists.qrels, Preferences):
        return None
    if measure.core.by_order:
        return None
    some = np.flatnonzero(documents.unjudged)
    topic = documents.topic[some]
    before, after = np.zeros((2, 2, len(some)))
    for side, (lens, positions) in enumerate(zip(lists.sides, documents.sides, strict=True)):
        before[side] = _values(lens, measure)[topic]
        judged = _hypotheses(topic, positions, some, len(documents.topic))
        for part in judged.parts(lens.judged, measure.cutoff):
            then = supposing(lens, judged.take(part), lens.top_grade(measure), measure.cutoff)
            after[side, part] = _values(then, measure)
    found = np.full(len(documents.topic), np.nan)
    found[some] = (after[1] - after[0]) - (before[1] - before[0])
    return found


def _hypotheses(topic: Rows, positions: Positions, some: Rows, count: int) -> Hypotheses:
    row, above, size = np.full((3, count), -1, np.intp)
    tied = positions.tied
    row[tied.judgment], above[tied.judgment], size[tied.judgment] = tied.row, tied.above, tied.size
    return Hypotheses(topic, row[some], above[some], size[some])


def _values(lens: Lens, measure: Measure) -> Floats:
    values = np.full(len(lens.judged.length), np.nan)
    values[lens.topics] = lens.estimate(measure).value
    return settled(values, measure, lens.conventions)


def known(values: Floats) -> list[float | None]:
    """Numbers as a list; None for what is undefined.

    >>> known(np.array([0.5, np.nan]))
    [0.5, None]
    """
    return [None if value != value else value for value in values.tolist()]
