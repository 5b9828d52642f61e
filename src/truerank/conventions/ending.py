"""The end of a list as an answer, and NIL that says where it is."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from truerank.data.arrays import Mask, Rows, offsets, spans, stretches
from truerank.data.chances import Chances
from truerank.data.ids import Ids
from truerank.data.qrels import Qrels
from truerank.data.run import NIL, Run
from truerank.data.ties import tie_groups


def nil_rows(of: Run | Qrels) -> Rows:
    """The rows that hold a NIL, at most one a topic."""
    marker = Ids.pack([NIL])
    rows = np.flatnonzero(of.key == marker.keys()[0])
    return rows[of.docs.same(rows, marker, np.zeros(len(rows), np.int64))]


def until_nil(run: Run, precision: str = "float64") -> Run:
    """The run with lists that stop before their NIL; documents tied with it are kept. The run itself if it has none."""
    nil = nil_rows(run)
    if not len(nil):
        return run
    topic = run.topic_of(nil)
    first, size = tie_groups(run.score, nil, run.offsets[topic], run.offsets[topic + 1], precision)
    count = np.diff(run.offsets)
    count[topic] = first + size - run.offsets[topic]
    kept = spans(run.offsets[:-1], count)
    kept = kept[~np.isin(kept, nil)]
    count[topic] -= 1
    return run.take(kept, offsets(count))


def stopped(run: Run, limit: int | None) -> Mask:
    """Whose lists were ended by the system: those with a NIL, and those shorter than ``limit``; one value a topic.

    >>> from truerank.data.run import arrange
    >>> run = arrange("x", [b"p", b"q", b"r"], [0, 2, 4, 5], Ids.pack(["a", "b", "a", "NIL", "a"]), [2, 1, 2, 1, 1])
    >>> stopped(run, limit=2).tolist(), stopped(run, limit=None).all()
    ([False, True, True], np.True_)
    """
    if limit is None:
        return np.ones(len(run.topics), np.bool_)
    short: Mask = np.diff(run.offsets) < limit
    short[run.topic_of(nil_rows(run))] = True
    return short


@lru_cache(maxsize=2)
def without_nil(qrels: Qrels) -> Qrels:
    """The judgments, where a NIL is not relevant: it is no document, and may be there to name a topic without any."""
    nil = nil_rows(qrels)
    if isinstance(qrels, Chances) and (qrels.options[nil] > 0).any():
        options, grade = qrels.options.copy(), qrels.grade.copy()
        options[nil], grade[nil] = 0.0, 0.0
        return replace(qrels, options=options, grade=grade)
    if not (qrels.grade[nil] > 0).any():
        return qrels
    grade = qrels.grade.copy()
    grade[nil] = 0.0
    return replace(qrels, grade=grade)


@lru_cache(maxsize=2)
def with_nil(qrels: Qrels) -> Qrels:
    """The judgments, where every topic judges NIL: of the highest grade if nothing else is relevant, else not relevant.

    >>> from truerank.data.qrels import collect
    >>> found = with_nil(collect([b"p", b"q"], [0, 1, 2], Ids.pack(["a", "b"]), [0, 2]))
    >>> found.docs.tolist(), found.grade.tolist()
    ([b'a', b'NIL', b'b', b'NIL'], [0.0, 2.0, 2.0, 0.0])
    """
    plain = without_nil(qrels)
    grade = plain.grade.copy()
    topic = stretches(plain.offsets)
    worth = np.where(plain.num_rel > 0, 0.0, plain.max_grade or 1.0)
    nil = nil_rows(plain)
    grade[nil] = worth[topic[nil]]
    lacks = np.ones(len(plain.topics), np.bool_)
    lacks[topic[nil]] = False
    at = plain.offsets[1:][lacks]
    marker, docs = Ids.pack([NIL]), plain.docs
    return replace(
        plain,
        offsets=plain.offsets + offsets(lacks),
        grade=np.insert(grade, at, worth[lacks]),
        docs=Ids(
            np.concatenate([docs.buffer, marker.buffer]),
            np.insert(docs.start.astype(np.int64), at, docs.buffer.size),
            np.insert(docs.length, at, len(NIL)),
        ),
        key=np.insert(plain.key, at, marker.keys()[0]),
    )
