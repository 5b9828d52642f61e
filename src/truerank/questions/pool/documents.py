"""The documents of a pool: what there is to judge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.conventions.ties import broken_by_order, topics_of
from truerank.data.arrays import Rows
from truerank.data.ids import Ids, text
from truerank.data.judge import JudgedRun, every_document
from truerank.data.qrels import Qrels
from truerank.data.run import Run
from truerank.io.runs import named_runs, one_by_one
from truerank.questions.pool.answer import DocumentPool, Pooled
from truerank.questions.pool.survey import graded, refuse_pool
from truerank.track.track import Progress


def pooled(runs: Any, depth: int, *, qrels: Any, ties: str, precision: str, progress: Progress | None) -> DocumentPool:
    """The documents that at least one of the runs has among its first ``depth``."""
    refuse_pool(depth, ties)
    precision = Conventions(precision=precision).precision
    named = named_runs(runs)
    known = {} if qrels is None else _grades(graded(qrels))
    found: dict[bytes, dict[bytes, tuple[int, int]]] = {}
    for place, (name, run) in enumerate(one_by_one(named), 1):
        for topic, document, rank in _top(run, depth, ties, precision):
            documents = found.setdefault(topic, {})
            count, best = documents.get(document, (0, rank))
            documents[document] = count + 1, min(best, rank)
        if progress is not None:
            progress(name, place, len(named))
    return DocumentPool(
        documents=tuple(
            Pooled(
                topic=text(topic), document=text(document), runs=count, rank=best, grade=known.get((topic, document))
            )
            for topic in sorted(found)
            for document, (count, best) in sorted(found[topic].items(), key=lambda one: (-one[1][0], one[1][1], one[0]))
        ),
        depth=depth,
        runs=tuple(each.name for each in named),
    )


def _top(run: Run, depth: int, ties: str, precision: str) -> Iterator[tuple[bytes, bytes, int]]:
    """The first documents of each topic, with their ranks."""
    ranked = broken_by_order(every_document(_unjudged(run, precision), depth), ties)
    first = np.flatnonzero(ranked.above < depth)
    topics = [run.topics[topic] for topic in topics_of(ranked)[first].tolist()]
    yield from zip(topics, run.docs.take(ranked.row[first]).tolist(), (ranked.above[first] + 1).tolist(), strict=True)


def _unjudged(run: Run, precision: str) -> JudgedRun:
    """A run with every one of its topics judged, and no document."""
    topics = len(run.topics)
    none: Rows = np.zeros(0, np.int64)
    nothing = Ids.pack([])
    begin = np.zeros(topics + 1, np.int64)
    return JudgedRun(
        qrels=Qrels(run.topics, begin, np.zeros(0), nothing, nothing.keys()),
        run=run,
        precision=precision,
        length=np.diff(run.offsets),
        run_topic=np.arange(topics),
        offsets=begin,
        row=none,
        judgment=none,
        grade=np.zeros(0),
        above=none,
        size=none,
    )


def _grades(qrels: Qrels) -> dict[tuple[bytes, bytes], float]:
    """What is judged, and how; a negative grade is that of a document that was pooled before, and not judged."""
    counts = np.diff(qrels.offsets).tolist()
    topics = [topic for topic, count in zip(qrels.topics, counts, strict=True) for _ in range(count)]
    rows = zip(topics, qrels.docs.tolist(), qrels.grade.tolist(), strict=True)
    return {(topic, document): grade for topic, document, grade in rows if grade >= 0}
