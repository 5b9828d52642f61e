"""Runs as they would be judged if one more document were: each such judgment makes a topic of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from truerank.analysis.views import Views
from truerank.conventions.choices import Conventions
from truerank.data.arrays import Rows, distinct, offsets, spans
from truerank.data.block import Pool
from truerank.data.judge import Judged

ROOM = 1 << 20
"""Documents of hypothetical lists that are held at a time."""


@dataclass(frozen=True, eq=False)
class Question:
    """Documents to judge, one in each row: where they stand in a run."""

    topic: Rows
    """Index of the topic in the judgments."""
    row: Rows
    """Row in the run; -1 where the run does not list the document."""
    above: Rows
    size: Rows

    def __len__(self) -> int:
        return len(self.topic)

    def take(self, some: Rows) -> Question:
        """Some of the rows."""
        return Question(self.topic[some], self.row[some], self.above[some], self.size[some])

    def parts(self, judged: Judged, depth: int | None) -> Iterator[Rows]:
        """Numbers of the rows, in parts whose lists fit into ``ROOM``."""
        length = judged.length if depth is None else np.minimum(judged.length, depth)
        cost = np.cumsum((np.diff(judged.offsets) + length + 1)[self.topic])
        part = cost // ROOM
        for each in distinct(part):
            yield np.flatnonzero(part == each)


def answered(views: Views, pool: Pool, question: Question, grade: float, depth: int | None) -> Views:
    """The run with a topic for each row of a question, in which that document is judged to have a grade."""
    judged = _with_grades(views.judged, question, grade)
    choice: Conventions = views.choice
    return Views(judged.qrels, views.run, _pool(pool, question.topic, grade), choice, depth or 0, judged, views.whole)


def _with_grades(judged: Judged, question: Question, grade: float) -> Judged:
    topic = question.topic
    count = np.diff(judged.offsets)[topic]
    old = spans(judged.offsets[:-1][topic], count)
    listed = np.flatnonzero(question.row >= 0)
    where = np.concatenate([np.repeat(np.arange(len(topic)), count), listed])
    row = np.concatenate([judged.row[old], question.row[listed]])
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
        above=np.concatenate([judged.above[old], question.above[listed]])[order],
        size=np.concatenate([judged.size[old], question.size[listed]])[order],
    )


def _pool(pool: Pool, topic: Rows, grade: float) -> Pool:
    """The pools of topics, with one more judgment in each."""
    grades, more = pool.grades[topic], int(grade > 0)
    if more:
        grades = -np.sort(-np.column_stack([grades, np.full(len(topic), grade)]), axis=-1)
    return Pool(grades, None, pool.count[topic] + more, pool.judged[topic] + 1, max(pool.max_grade, grade))
