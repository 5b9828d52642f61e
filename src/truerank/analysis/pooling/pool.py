"""The documents of a pool: what there is to judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, overload

import numpy as np

from truerank.analysis.pooling.survey import check, graded
from truerank.conventions.ties import broken_by_order, topics_of
from truerank.data.arrays import Rows
from truerank.data.ids import Ids, text
from truerank.data.judge import Judged, every_document
from truerank.data.qrels import Qrels
from truerank.data.run import Run
from truerank.io.runs import named_runs
from truerank.io.trec import judgment_lines

UNJUDGED = -1
"""The grade that stands, in qrels, for a document that is in the pool and not judged."""


class Pooled(NamedTuple):
    """A document of a pool."""

    topic: str
    document: str
    runs: int
    """How many runs have it within the depth of the pool."""
    rank: int
    """The best of their ranks."""
    grade: float | None
    """What it is judged; None where it is not."""


@dataclass(frozen=True, eq=False)
class DocumentPool(Sequence[Pooled]):
    """The documents that runs have within a depth, by topic; those of most runs first, then those ranked best."""

    documents: tuple[Pooled, ...]
    depth: int
    runs: tuple[str, ...]

    @property
    def to_judge(self) -> tuple[Pooled, ...]:
        """The documents that have no judgment yet."""
        return tuple(one for one in self.documents if one.grade is None)

    @overload
    def __getitem__(self, place: int) -> Pooled: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Pooled]: ...
    def __getitem__(self, place: int | slice) -> Pooled | Sequence[Pooled]:
        return self.documents[place]

    def __len__(self) -> int:
        return len(self.documents)

    def to_dict(self) -> dict[str, list[str]]:
        """The documents of each topic."""
        found: dict[str, list[str]] = {}
        for one in self.documents:
            found.setdefault(one.topic, []).append(one.document)
        return found

    def to_records(self) -> list[dict[str, Any]]:
        """One record a document."""
        return [one._asdict() for one in self.documents]

    def to_qrels(self, *, judged: bool = True) -> str:
        """Lines of TREC qrels, with the grade -1 where there is no judgment; ``judged=False`` has these lines only."""
        some = self.documents if judged else self.to_judge
        return judgment_lines((one.topic, one.document, UNJUDGED if one.grade is None else one.grade) for one in some)

    def __repr__(self) -> str:
        return f"DocumentPool({len(self)} documents, {len(self.runs)} runs to depth {self.depth})"


def pool(
    runs: Any,
    depth: int = 10,
    *,
    qrels: Any = None,
    ties: str = "docid",
    precision: str = "float64",
    progress: Callable[[str], object] | None = None,
) -> DocumentPool:
    """Pool runs: the documents that at least one of them has among its first ``depth``.

    ``qrels`` are judgments that are there already; ``ties`` is the order in which tied documents are pooled: "docid"
    (as trec_eval), "docid-asc", "input" or "rank".

    >>> found = pool({"one": {"q1": ["a", "b"]}, "two": {"q1": ["c", "a"]}}, depth=2, qrels={"q1": {"a": 1}})
    >>> [(one.document, one.runs, one.rank) for one in found]
    [('a', 2, 1), ('c', 1, 1), ('b', 1, 2)]
    >>> print(found.to_qrels(judged=False), end="")
    q1 0 c -1
    q1 0 b -1
    """
    check(depth, ties, precision)
    known = {} if qrels is None else _grades(graded(qrels))
    named = named_runs(runs)
    found: dict[bytes, dict[bytes, tuple[int, int]]] = {}
    for each in named:
        for topic, document, rank in _top(each.read(), depth, ties, precision):
            documents = found.setdefault(topic, {})
            count, best = documents.get(document, (0, rank))
            documents[document] = count + 1, min(best, rank)
        if progress is not None:
            progress(each.name)
    pooled = [
        Pooled(text(topic), text(document), count, best, known.get((topic, document)))
        for topic in sorted(found)
        for document, (count, best) in sorted(found[topic].items(), key=lambda one: (-one[1][0], one[1][1], one[0]))
    ]
    return DocumentPool(tuple(pooled), depth, tuple(each.name for each in named))


def _top(run: Run, depth: int, ties: str, precision: str) -> Iterator[tuple[bytes, bytes, int]]:
    """The first documents of each topic, with their ranks."""
    ranked = broken_by_order(every_document(_unjudged(run, precision), depth), ties)
    first = np.flatnonzero(ranked.above < depth)
    topics = [run.topics[topic] for topic in topics_of(ranked)[first].tolist()]
    yield from zip(topics, run.docs.take(ranked.row[first]).tolist(), (ranked.above[first] + 1).tolist(), strict=True)


def _unjudged(run: Run, precision: str) -> Judged:
    """A run with every one of its topics judged, and no document."""
    topics = len(run.topics)
    none: Rows = np.zeros(0, np.int64)
    nothing = Ids.pack([])
    begin = np.zeros(topics + 1, np.int64)
    return Judged(
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
