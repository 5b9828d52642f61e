"""From the judged documents of a run to blocks of rankings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from truerank.data.arrays import Floats, Mask, Rows, distinct, spans, stretches
from truerank.data.classes import dataclass
from truerank.data.judge import JudgedRun
from truerank.data.qrels import Preferences, Qrels
from truerank.data.rankings import Rankings

_KEPT = 16
"""Sets of topics that pools are kept of: those of a run's blocks."""
_LARGE = 1 << 14
"""Documents from which on arrays are large enough to be handed back one by one."""
_FREED = 30 << 20
"""Bytes just below what glibc takes into account."""
ROOM = 1 << 18
"""Slots up to which one block holds all topics; past it topics of similar size share a block."""


@dataclass(frozen=True, eq=False)
class Pool:
    """What the judgments alone say of each topic: the same for every run."""

    grades: Floats
    """Positive grades, descending, one row a topic, padded with 0."""
    ranks: Rows | None
    """Best rank of each of them in the contributing runs."""
    count: Rows
    """How many there are."""
    judged: Rows
    """Judged documents."""
    max_grade: float
    cut: dict[bytes, tuple[Floats, Rows | None, Rows, dict[Any, Any]]] = field(
        default_factory=dict, init=False, repr=False
    )
    """What ``of`` gave for the topics that were asked for last."""

    @cached_property
    def least_top(self) -> float:
        """The lowest of all topics' highest grades; 0 if a topic has no relevant document."""
        return float(self.grades.max(axis=1, initial=0.0).min(initial=np.inf))

    def of(self, topics: Rows) -> tuple[Floats, Rows | None, Rows, dict[Any, Any]]:
        """Grades, ranks and judged documents of some topics, and where to keep what is made of them."""
        key = topics.tobytes()
        if key not in self.cut:
            if len(self.cut) >= _KEPT:
                self.cut.clear()
            width = int(self.count[topics].max(initial=0))
            ranks = None if self.ranks is None else self.ranks[topics, :width]
            self.cut[key] = self.grades[topics, :width], ranks, self.judged[topics], {}
        return self.cut[key]


def pool_of(qrels: Qrels, *, negative_judged: bool = True, best_rank: Rows | None = None) -> Pool:
    """The pool of every topic; ``best_rank`` has, for each judgment, its best rank in the contributing runs."""
    if best_rank is None:
        return _plain(qrels, negative_judged)
    return _pool(qrels.offsets, qrels.grade, _counted(qrels, negative_judged), best_rank, qrels.max_grade)


@lru_cache(maxsize=2)
def _plain(qrels: Qrels, negative_judged: bool) -> Pool:
    """Kept for the next run, and the next call, with the same judgments."""
    return _pool(qrels.offsets, qrels.grade, _counted(qrels, negative_judged), None, qrels.max_grade)


def _counted(qrels: Qrels, negative_judged: bool) -> Mask:
    """The judgments that are some."""
    return np.ones(len(qrels.grade), bool) if negative_judged else ~(qrels.grade < 0)


def pool_of_run(judged: JudgedRun, *, negative_judged: bool = True) -> Pool:
    """The pool of every topic, were only the documents of this run judged."""
    counted = ~np.isnan(judged.grade) if negative_judged else judged.grade >= 0
    return _pool(judged.offsets, judged.grade, counted, judged.above + 1, judged.qrels.max_grade)


def _pool(offsets: Rows, grade: Floats, counted: Mask, best_rank: Rows | None, max_grade: float) -> Pool:
    topic = stretches(offsets)
    good = np.flatnonzero(grade > 0)
    count = np.bincount(topic[good], minlength=len(offsets) - 1)
    place = spans(np.zeros_like(count), count)
    negated = np.zeros((len(count), int(count.max(initial=0))))
    negated[topic[good], place] = -grade[good]
    ranks = None
    if best_rank is None:
        negated.sort(axis=-1)
    else:
        order = np.argsort(negated, axis=-1, kind="stable")
        ranks = np.full(negated.shape, np.iinfo(np.intp).max)
        ranks[topic[good], place] = best_rank[good]
        ranks = np.take_along_axis(ranks, order, axis=-1)
        negated = np.take_along_axis(negated, order, axis=-1)
    judged = np.bincount(topic[counted], minlength=len(count))
    return Pool(-negated, ranks, count, judged, max_grade)


def blocks(
    judged: JudgedRun,
    pool: Pool,
    topics: Rows,
    *,
    terminal: str = "",
    beyond: float = np.nan,
    negative_judged: bool = True,
    ties: str = "expected",
) -> list[Rankings]:
    """The rankings of some topics, in as few blocks as padding allows."""
    counts = judged.offsets[1:] - judged.offsets[:-1]
    if len(judged.row) > _LARGE:
        _keep_freed()
    return [
        _block(judged, pool, part, counts[part], terminal, beyond, negative_judged, ties)
        for part in _parts(counts[topics], topics)
    ]


@lru_cache(maxsize=1)
def _keep_freed() -> None:
    """Have memory stay with the process between one measure and the next.

    The C library of Linux hands back what is freed past twice the largest array that was freed before, and each page
    that is taken anew then costs more than the arithmetic on it. An array that nobody writes to costs nothing.
    """
    np.empty(_FREED, np.uint8)


def _parts(count: Rows, topics: Rows) -> Iterator[Rows]:
    if not len(topics) or len(topics) * (int(count.max()) + 1) <= ROOM:
        yield topics
        return
    width = np.ceil(np.log2(np.maximum(count, 1)) / 2).astype(np.intp)
    for each in distinct(width):
        yield topics[width == each]


def _block(
    judged: JudgedRun,
    pool: Pool,
    topics: Rows,
    count: Rows,
    terminal: str,
    beyond: float,
    negative_judged: bool,
    ties: str,
) -> Rankings:
    shape = (len(topics), int(count.max(initial=0)) + bool(terminal))
    # All topics have all documents, in order.
    flat = slice(None) if len(topics) == len(judged.length) else spans(judged.offsets[:-1][topics], count)
    filled = np.arange(shape[1]) < count[:, None]
    length, above, size = judged.length[topics], judged.above[flat], judged.size[flat]
    # Padding stands past the list and past a terminal document, each slot a group of its own kind.
    start = np.empty(shape, np.intp)
    start[:] = length[:, None] + 2
    start[filled] = above + 1
    stop = start
    if (size > 1).any():
        stop = start.copy()
        stop[filled] = above + size
    grade = np.full(shape, np.nan)
    judgment = np.full(shape, -1, np.intp)
    grade[filled] = judged.grade[flat]
    judgment[filled] = judged.judgment[flat]
    if terminal:
        start[:, -1] = stop[:, -1] = length + 1
    grades, ranks, in_pool, kept = pool.of(topics)
    return Rankings(
        topic=topics,
        start=start,
        stop=stop,
        grade=grade,
        judgment=judgment,
        length=length,
        pool=grades,
        judged=in_pool,
        max_grade=pool.max_grade,
        terminal=terminal,
        beyond=beyond,
        pool_rank=ranks,
        names=judged.qrels.topics,
        negative_judged=negative_judged,
        pairs=_pairs(judged.qrels, topics, judgment),
        lost=_lost(judged.qrels, topics),
        ties=ties,
        kept=kept,
    )


def _pairs(qrels: Qrels, topics: Rows, judgment: Rows) -> Rows | None:
    if not isinstance(qrels, Preferences):
        return None
    slot_of = np.full(len(qrels.grade) + 1, -1, np.intp)
    row, slot = np.nonzero(judgment >= 0)
    slot_of[judgment[row, slot]] = slot
    first, last = qrels.pair_offsets[:-1][topics], qrels.pair_offsets[1:][topics]
    chosen = qrels.pairs[spans(first, last - first)]
    rows = np.repeat(np.arange(len(topics)), last - first)
    return np.column_stack([rows, slot_of[chosen[:, 0]], slot_of[chosen[:, 1]]])


def _lost(qrels: Qrels, topics: Rows) -> Rows | None:
    """How often each document of some topics was found worse than another, most often first, padded with 0."""
    if not isinstance(qrels, Preferences):
        return None
    count = np.bincount(qrels.pairs[:, 1], minlength=len(qrels.grade))
    size = np.diff(qrels.offsets)[topics]
    found = np.zeros((len(topics), int(size.max(initial=0))), np.intp)
    found[np.repeat(np.arange(len(topics)), size), spans(np.zeros_like(size), size)] = count[
        spans(qrels.offsets[:-1][topics], size)
    ]
    return -np.sort(-found, axis=-1)
