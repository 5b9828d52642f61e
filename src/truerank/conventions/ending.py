"""The end of a list as an answer, and NIL that says where it is."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

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
    return rows[of.docs.same(rows, marker, np.zeros(len(rows), np.intp))]


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


class Hedge(NamedTuple):
    """A NIL beside documents, wherever there are documents: it says of no topic whether it has an answer."""

    lists: int
    """Lists with documents, which all have a NIL."""
    first: int
    """The highest rank of a NIL among them."""
    last: int
    """The lowest."""


def hedging(listed: Rows, nil_rank: Rows) -> Hedge | None:
    """How a run hedges, by the length of each list, NIL included, and the rank of its NIL, 0 without one.

    A run hedges if all its lists with documents have a NIL, at the same rank or mostly with documents below it; there
    are at least two of them, and they are more than the lists with a NIL alone. Lists that end at their NIL, each at
    a rank of its own, are merely ended by it.

    >>> hedging(np.array([5, 5, 1]), np.array([5, 5, 1]))
    Hedge(lists=2, first=5, last=5)
    >>> hedging(np.array([5, 3, 1]), np.array([5, 3, 1])), hedging(np.array([5, 5, 5]), np.array([5, 5, 0]))
    (None, None)
    """
    marked = nil_rank > 0
    with_documents = listed > marked
    lists, rank = int(with_documents.sum()), nil_rank[with_documents]
    if lists < 2 or not marked[with_documents].all() or lists <= int((marked & ~with_documents).sum()):
        return None
    first, last = int(rank.min()), int(rank.max())
    goes_on = int((listed[with_documents] > rank).sum())
    return Hedge(lists, first, last) if first == last or 2 * goes_on > lists else None


def nil_ranks(run: Run, precision: str = "float64") -> Rows:
    """The rank of each list's NIL, 0 without one; documents tied with it stand above."""
    ranks = np.zeros(len(run.topics), np.intp)
    topic = run.topic_of(nil_rows(run))
    if len(topic):
        ranks[topic] = np.diff(until_nil(run, precision).offsets)[topic] + 1
    return ranks


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


@lru_cache(maxsize=4)
def without_nil(qrels: Qrels) -> Qrels:
    """The judgments, where a NIL is not relevant: it is no document, and may be there to name a topic without any."""
    nil = nil_rows(qrels)
    if qrels.rest is not None and (other := without_nil(qrels.rest.judgments)) is not qrels.rest.judgments:
        qrels = replace(qrels, rest=replace(qrels.rest, judgments=other))
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
            np.insert(docs.start.astype(np.intp), at, docs.buffer.size),
            np.insert(docs.length, at, len(NIL)),
        ),
        key=np.insert(plain.key, at, marker.keys()[0]),
    )
