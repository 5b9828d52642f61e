"""One list as a measure reads it, a slot for every document; and its variations, scored together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.ids import Ids, all_numbers, text
from truerank.data.judge import every_document
from truerank.data.qrels import Preferences, Qrels
from truerank.data.rankings import Rankings, gain_of
from truerank.measures.core.base import Measure
from truerank.track.lens import Lens
from truerank.track.pools import OnePool

SLOTS, FEW = 1 << 22, 20
"""Slots of all variations of a list that are scored; and how many variations always are."""
ROOM = 1 << 21
"""Slots that are held at a time."""


@dataclass(frozen=True, eq=False)
class TopicList:
    """The list of one topic under the conventions that a measure is read with."""

    measure: Measure
    """The one that scores a topic: what only takes means in its own way is unwrapped."""
    r: Rankings
    """One row, with a slot for every document that the measure sees; a terminal document is in the last one."""
    lens: Lens
    """The run, for this topic only."""
    qrels: Qrels
    """Judgments with a row for every document of the list, which the slots name."""

    @property
    def topic(self) -> int:
        """Index of the topic in the judgments."""
        return int(self.lens.topics[0])

    @property
    def listed(self) -> int:
        """How many slots hold documents: all but that of a terminal document."""
        return int(self.r.start.shape[1]) - bool(self.r.terminal)

    @property
    def docs(self) -> list[str]:
        """Who is in the slots."""
        return [text(self.qrels.docs[row]) for row in self.r.judgment[0, : self.listed].tolist()]

    @property
    def scores(self) -> dict[str, float]:
        """Score of every document in the run."""
        run, name = self.lens.run, self.lens.judged.qrels.topics[self.topic]
        return dict(run.listed(name)) if name in run.topics else {}

    @property
    def grade(self) -> Floats:
        """Grade of every slot; NaN where it does not count as judged."""
        return np.where(self.r.is_judged, self.r.grade, np.nan)[0, : self.listed]

    @property
    def depth(self) -> int:
        """How deep the measure looks, not past the end of the list."""
        return min(int(self.measure.depth(self.r)[0, 0]), int(self.r.length[0]))

    @property
    def max_variations(self) -> int:
        """How many variations of the list can be scored while somebody waits."""
        if self.r.tied and self.measure.by_order:
            return FEW  # Each is a mean over many orders of ties.
        return max(SLOTS // max(self.listed, 1), FEW)

    @property
    def missing(self) -> dict[str, float]:
        """Grades of the documents with gain that the list does not have, the most valuable first."""
        if isinstance(self.qrels, Preferences):
            return {}
        rows = np.arange(self.qrels.offsets[self.topic], self.qrels.offsets[self.topic + 1])
        gain = gain_of(self.qrels.grade[rows], self.measure.gain(self.r))
        out = (gain > 0) & ~np.isin(rows, self.r.judgment[0, : self.listed])
        order = np.argsort(-gain[out], kind="stable")
        return {text(self.qrels.docs[row]): float(self.qrels.grade[row]) for row in rows[out][order].tolist()}


def list_of(measure: Measure, lens: Lens) -> TopicList:
    """The list of the one topic of a lens, with slots for unjudged documents too."""
    choice, judged = lens.conventions, lens.judged
    [topic] = lens.topics.tolist()
    qrels = judged.qrels
    # Condensed lists have judged documents only, and preferences know of no others.
    if not choice.condenses and not isinstance(qrels, Preferences):
        every = every_document(judged)
        of_topic = slice(int(every.offsets[topic]), int(every.offsets[topic + 1]))
        unknown = every.row[of_topic][every.judgment[of_topic] < 0]
        qrels = _with_rows(qrels, topic, judged.run.docs.take(unknown))
    pools, deepest = OnePool(lens.pool, measures=lens.measures), measure.cutoff or 0
    whole = Lens(qrels, lens.run, pools, choice, deepest=deepest, whole=lens.whole, topics=lens.topics)
    # An extreme order of ties is there for topics with ties; of others all orders are one.
    orders = dict.fromkeys((choice.order, choice.untied_order))
    found = (r for ties in orders for r in whole.rankings(measure, ties=ties, unjudged=choice.assumed))
    return TopicList(measure.core, next(r for r in found if len(r.length)), lens, whole.judged.qrels)


def _with_rows(qrels: Qrels, topic: int, docs: Ids) -> Qrels:
    """Judgments in which a topic has more documents, without a grade."""
    at = np.full(len(docs), qrels.offsets[topic + 1])
    offsets = qrels.offsets.copy()
    offsets[topic + 1 :] += len(docs)
    old = qrels.docs
    return replace(
        qrels,
        offsets=offsets,
        grade=np.insert(qrels.grade, at, np.nan),
        docs=Ids(
            np.concatenate([old.buffer, docs.buffer]),
            np.insert(old.start.astype(np.intp), at, docs.start.astype(np.intp) + old.buffer.size),
            np.insert(old.length.astype(np.intp), at, docs.length),
            all_numbers([old, docs]),
        ),
        key=np.insert(qrels.key, at, docs.keys()),
    )


@dataclass(frozen=True, eq=False)
class Variation:
    """Some slots that hold other documents, and stand at ranks of their own if these are given."""

    slots: Rows
    grade: Floats
    ranks: Rows | None = None


UNCHANGED = Variation(np.zeros(0, np.intp), np.zeros(0))


def scores(measure: Measure, r: Rankings, variations: Sequence[Variation]) -> Floats:
    """Score of the one row of a block in each of its variations.

    >>> from truerank.measures.rr import RR
    >>> r = Rankings.single([0, 1, 0], groups=[0, 1, 1])
    >>> turned = Variation(np.array([0, 1]), np.array([1.0, 0.0]))
    >>> first = Variation(np.array([1, 2]), np.array([1.0, 0.0]), np.array([2, 3]))
    >>> scores(RR(), r, [turned, first]).tolist(), RR().score(r).round(4).tolist()
    ([1.0, 0.5], [0.4167])
    """
    r = without_idle_ties(measure, r)
    step = max(ROOM // max(r.start.shape[1], 1), 1)
    parts = [np.zeros(0)]
    for first in range(0, len(variations), step):
        some = variations[first : first + step]
        block = r.take(np.zeros(len(some), np.intp))
        start, stop, grade = block.start.copy(), block.stop.copy(), block.grade.copy()
        for row, one in enumerate(some):
            grade[row, one.slots] = one.grade
            if one.ranks is not None:
                start[row, one.slots] = stop[row, one.slots] = one.ranks
        parts.append(measure.estimate(replace(block, start=start, stop=stop, grade=grade)).value)
    return np.concatenate(parts)


def without_idle_ties(measure: Measure, r: Rankings) -> Rankings:
    """The one row of a block with groups of unjudged documents in any order: where orders are sampled, none is wasted.

    A measure that needs every document has an answer of its own to ties.
    """
    if not r.tied or measure.needs == "every document":
        return r
    idle = r.group_sum((~np.isnan(r.grade)).astype(np.float64)) == 0
    rank = np.where(idle, r.start + np.arange(r.start.shape[1]) - np.searchsorted(r.start[0], r.start[0]), r.start)
    return replace(r, start=rank, stop=np.where(idle, rank, r.stop))


def longer(r: Rankings, count: int, *, above: bool = False) -> Rankings:
    """The one row of a block with so many more documents, not judged yet, above or below its own."""
    listed = r.start.shape[1] - bool(r.terminal)
    at = np.full(count, 0 if above else listed)
    ranks = np.arange(1, count + 1) + (0 if above else int(r.length[0]))
    moved = np.full(r.start.shape[1], count if above else 0)
    if r.terminal:
        moved[-1] = count
    return replace(
        r,
        start=np.insert(r.start + moved, at, ranks, axis=1),
        stop=np.insert(r.stop + moved, at, ranks, axis=1),
        grade=np.insert(r.grade, at, np.nan, axis=1),
        judgment=np.insert(r.judgment, at, -1, axis=1),
        length=r.length + count,
    )
