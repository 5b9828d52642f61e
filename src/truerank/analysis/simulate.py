"""A seeded generator of realistic tracks, for demonstrations, tests and benchmarks."""

from __future__ import annotations

import itertools
import math
import operator
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from truerank.analysis.simulation.pool import pooled
from truerank.analysis.simulation.systems import KINDS, System
from truerank.analysis.simulation.topics import topic_blocks
from truerank.analysis.simulation.track import Submission, Track
from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError

__all__ = ["Track", "simulate"]

# Every system draws its lists from these for a topic: enough that two systems at depth 1000 retrieve different ones.
CANDIDATES = 3000
FIRST_TOPIC = 401

Scalar = TypeVar("Scalar", bound=np.generic)


def simulate(
    systems: int = 20,
    topics: int = 50,
    seed: int = 7,
    *,
    documents: int = 100_000,
    depth: int = 1000,
    pool_depth: int = 100,
    grades: int = 3,
    relevant: float = 60.0,
    nil: float = 0.06,
    contributing: float = 0.7,
    kinds: Sequence[str] = tuple(KINDS),
) -> Track:
    """Simulate a track: systems of several kinds and qualities, topics, and judgments pooled from some of the systems.

    A document has a latent relevance to a topic. Cut into steps it is the grade; blurred by errors, some of which all
    systems of a kind share, it is the score. Boolean systems count matched words, so their scores tie; filters stop at
    a score, rerankers after a fixed number of documents; on nil topics nothing is relevant, and filters fall silent.

    The same arguments give the same track. More systems or topics extend it: the earlier lists stay as they were (the
    judgments of a topic grow with the systems that contribute), and up to 1000 a greater depth only lengthens lists.

    :param documents: size of the collection
    :param depth: the most documents in a list
    :param pool_depth: of each contributing list, this many documents are judged
    :param grades: the highest grade; 1 makes judgments binary
    :param relevant: mean number of relevant documents of a topic that has any, judged or not
    :param nil: share of topics without a relevant document
    :param contributing: share of systems whose documents are pooled
    :param kinds: the kinds of system, taken in turn: bm25, dense, boolean, fused, rerank, filter

    >>> track = simulate(systems=6, topics=20, seed=7, depth=100)
    >>> list(track.runs)
    ['bm25-01', 'dense-01', 'boolean-01', 'fused-01', 'rerank-01', 'filter-01']
    >>> len(track.topics), len(track.nil_topics), sorted(set(track.judged_grade.tolist()))
    (20, 1, [0, 1, 2, 3])
    """
    systems, topics, seed = _whole("systems", systems), _whole("topics", topics), _whole("seed", seed, least=0)
    depth, pool_depth = _whole("depth", depth), _whole("pool_depth", pool_depth)
    documents, grades = _whole("documents", documents, least=10, most=10**7), _whole("grades", grades)
    if not (math.isfinite(relevant) and relevant >= 1):
        raise InputError(f"relevant={relevant}: give a mean of at least 1; for topics without any, use nil")
    if not 0 <= nil < 1:
        raise InputError(f"nil={nil}: give a share of topics from 0 to less than 1")
    if not 0 < contributing <= 1:
        raise InputError(f"contributing={contributing}: give a share of systems above 0 and up to 1")

    candidates = min(documents, max(CANDIDATES, 3 * depth))
    blocks = topic_blocks(
        topics, seed, documents=documents, candidates=candidates, grades=grades, relevant=relevant, nil=nil
    )
    roster = _roster(systems, seed, kinds)
    contributes = _contributes(systems, contributing)
    judged: list[tuple[Rows, Rows, Rows]] = []
    handed_in: list[list[tuple[Rows, Rows, Floats]]] = [[] for _ in roster]
    for block in blocks:
        lists = [system.retrieve(block, depth) for system in roster]
        pool = pooled(block, itertools.compress(lists, contributes), pool_depth)
        judged.append((block.first + pool.nonzero()[0], block.document[pool], block.grade[pool]))
        for columns, one in zip(handed_in, lists, strict=True):
            columns.append(one.columns(block))
    return Track(
        topics=tuple(str(FIRST_TOPIC + number) for number in range(topics)),
        documents=documents,
        judged_topic=_column(topic for topic, _, _ in judged),
        judged_document=_column(document for _, document, _ in judged),
        judged_grade=_column(grade for _, _, grade in judged),
        submissions=tuple(
            Submission(
                name=system.name,
                contributes=pools,
                decimals=system.kind.decimals,
                length=_column(length for length, _, _ in columns),
                document=_column(document for _, document, _ in columns),
                score=_column(score for _, _, score in columns),
            )
            for system, pools, columns in zip(roster, contributes, handed_in, strict=True)
        ),
    )


def _roster(systems: int, seed: int, kinds: Sequence[str]) -> list[System]:
    """Make the systems, their kinds in turn, numbered within each kind."""
    kinds = [kinds] if isinstance(kinds, str) else list(kinds)
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown or not kinds:
        raise InputError(f"kinds={kinds}: choose one or more of {', '.join(KINDS)}")
    number: Counter[str] = Counter()
    roster = []
    for index, kind in zip(range(systems), itertools.cycle(kinds)):
        number[kind] += 1
        roster.append(System(f"{kind}-{number[kind]:02d}", KINDS[kind], index, seed))
    return roster


def _contributes(systems: int, share: float) -> list[bool]:
    """Say which systems are pooled: the first, then others at even distances, whatever the number of systems."""
    passed = [math.ceil(index * share) for index in range(systems + 1)]
    return [after > before for before, after in itertools.pairwise(passed)]


def _column(parts: Iterable[NDArray[Scalar]]) -> NDArray[Scalar]:
    """Join what consecutive blocks hold of a column, and guard it: a track, once made, does not change."""
    column = np.concatenate(list(parts))
    column.flags.writeable = False
    return column


def _whole(name: str, value: int, *, least: int = 1, most: int | None = None) -> int:
    """Return a whole number in range, or refuse it by name."""
    limits = f"of at least {least}" if most is None else f"from {least} to {most}"
    try:
        whole = operator.index(value)
    except TypeError:
        whole = least - 1
    if whole < least or (most is not None and whole > most):
        raise InputError(f"{name}={value!r}: give a whole number {limits}")
    return whole
