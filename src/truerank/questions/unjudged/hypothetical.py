"""Runs as they would be judged if one more document were: each such judgment makes a topic of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from truerank.data.arrays import Rows, distinct, offsets, spans
from truerank.data.block import Pool
from truerank.data.judge import JudgedRun
from truerank.track.lens import Lens
from truerank.track.pools import OnePool

ROOM = 1 << 20
"""Documents of hypothetical lists that are held at a time."""


@dataclass(frozen=True, eq=False)
class Hypotheses:
    """Documents taken to be judged, one in each row: where they stand in a run."""

    topic: Rows
    """Index of the topic in the judgments."""
    row: Rows
    """Row in the run; -1 where the run does not list the document."""
    above: Rows
    size: Rows

    @classmethod
    def unlisted(cls, topic: Rows) -> Hypotheses:
        """A document of each of some topics that the run does not list."""
        nowhere = np.full(len(topic), -1)
        return cls(topic, nowhere, nowhere, nowhere)

    def __len__(self) -> int:
        return len(self.topic)

    def take(self, some: Rows) -> Hypotheses:
        """Some of the rows."""
        return Hypotheses(self.topic[some], self.row[some], self.above[some], self.size[some])

    def parts(self, judged: JudgedRun, depth: int | None) -> Iterator[Rows]:
        """Numbers of the rows, in parts whose lists fit into ``ROOM``."""
        length = judged.length if depth is None else np.minimum(judged.length, depth)
        cost = np.cumsum((np.diff(judged.offsets) + length + 1)[self.topic])
        part = cost // ROOM
        for each in distinct(part):
            yield np.flatnonzero(part == each)


def supposing(lens: Lens, hypotheses: Hypotheses, grade: float, depth: int | None) -> Lens:
    """The run with a topic for each of some hypotheses, in which that document is judged to have a grade.

    ``depth`` is the cutoff of the measure that is to come.
    """
    judged = _with_grades(lens.judged, hypotheses, grade)
    unjudged = lens.unjudged[hypotheses.topic] - 1 if lens.conventions.frees_relevant else None
    another = _with_another(lens.pool, hypotheses.topic, grade)
    pool = OnePool(another, unjudged, lens.negative[hypotheses.topic], lens.measures)
    return Lens(judged.qrels, lens.run, pool, lens.conventions, deepest=depth or 0, judged=judged, whole=lens.whole)


def _with_grades(judged: JudgedRun, hypotheses: Hypotheses, grade: float) -> JudgedRun:
    topic = hypotheses.topic
    count = np.diff(judged.offsets)[topic]
    old = spans(judged.offsets[:-1][topic], count)
    listed = np.flatnonzero(hypotheses.row >= 0)
    where = np.concatenate([np.repeat(np.arange(len(topic)), count), listed])
    row = np.concatenate([judged.row[old], hypotheses.row[listed]])
    is_new = np.concatenate([np.zeros(len(old), bool), np.ones(len(listed), bool)])
    # A negative grade that counts as none stands there already: the new judgment comes first, and stays.
    order = np.lexsort((~is_new, row, where))
    where, row = where[order], row[order]
    kept = np.ones(len(order), bool)
    kept[1:] = (np.diff(where) != 0) | (np.diff(row) != 0)
    order, where, row = order[kept], where[kept], row[kept]
    qrels = judged.qrels
    every = tuple(qrels.topics[t] for t in topic.tolist())
    return replace(
        judged,
        qrels=replace(qrels, topics=every, grade=np.append(qrels.grade, grade)),
        length=judged.length[topic],
        run_topic=judged.run_topic[topic],
        offsets=offsets(np.bincount(where, minlength=len(topic))),
        row=row,
        judgment=np.concatenate([judged.judgment[old], np.full(len(listed), len(qrels.grade))])[order],
        grade=np.concatenate([judged.grade[old], np.full(len(listed), grade)])[order],
        above=np.concatenate([judged.above[old], hypotheses.above[listed]])[order],
        size=np.concatenate([judged.size[old], hypotheses.size[listed]])[order],
    )


def _with_another(pool: Pool, topic: Rows, grade: float) -> Pool:
    """The pools of topics, with one more judgment in each."""
    grades, more = pool.grades[topic], int(grade > 0)
    if more:
        grades = -np.sort(-np.column_stack([grades, np.full(len(topic), grade)]), axis=-1)
    return Pool(grades, None, pool.count[topic] + more, pool.judged[topic] + 1, max(pool.max_grade, grade))
