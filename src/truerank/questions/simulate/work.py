"""The making of a simulated track: topics block by block, the lists of each system, and what is pooled of them."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.errors import InputError
from truerank.questions.simulate.systems import KINDS, BlockLists, SimulatedSystem
from truerank.questions.simulate.topics import TopicBlock, topic_blocks
from truerank.questions.simulate.track import SimulatedTrack, Submission

# Every system draws its lists from these for a topic: enough that two systems at depth 1000 retrieve different ones.
CANDIDATES = 3000
FIRST_TOPIC = 401

Scalar = TypeVar("Scalar", bound=np.generic)


def roster(systems: int, seed: int, kinds: Sequence[str] | None) -> list[SimulatedSystem]:
    """Make the systems, their kinds in turn, numbered within each kind."""
    wanted = [kinds] if isinstance(kinds, str) else list(KINDS if kinds is None else kinds)
    unknown = [kind for kind in wanted if kind not in KINDS]
    if unknown or not wanted:
        raise InputError(f"kinds={wanted}: choose one or more of {', '.join(KINDS)}")
    number: Counter[str] = Counter()
    found = []
    for index, kind in zip(range(systems), itertools.cycle(wanted)):
        number[kind] += 1
        found.append(SimulatedSystem(f"{kind}-{number[kind]:02d}", KINDS[kind], index, seed))
    return found


def made(
    systems: Sequence[SimulatedSystem],
    topics: int,
    seed: int,
    *,
    documents: int,
    depth: int,
    pool_depth: int,
    grades: int,
    relevant: float,
    nil: float,
    contributing: float,
) -> SimulatedTrack:
    """Make the track that some systems take part in."""
    candidates = min(documents, max(CANDIDATES, 3 * depth))
    blocks = topic_blocks(
        topics, seed, documents=documents, candidates=candidates, grades=grades, relevant=relevant, nil=nil
    )
    contributes = _contributes(len(systems), contributing)
    judged: list[tuple[Rows, Rows, Rows]] = []
    handed_in: list[list[tuple[Rows, Rows, Floats]]] = [[] for _ in systems]
    for block in blocks:
        lists = [system.retrieve(block, depth) for system in systems]
        pool = pooled(block, itertools.compress(lists, contributes), pool_depth)
        judged.append((block.first + pool.nonzero()[0], block.document[pool], block.grade[pool]))
        for columns, one in zip(handed_in, lists, strict=True):
            columns.append(one.columns(block))
    return SimulatedTrack(
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
            for system, pools, columns in zip(systems, contributes, handed_in, strict=True)
        ),
    )


def pooled(block: TopicBlock, contributed: Iterable[BlockLists], pool_depth: int) -> Mask:
    """Mark the candidates among the first `pool_depth` of any contributed list, and the document behind each topic."""
    pool = np.zeros(block.grade.shape, dtype=np.bool_)
    row = np.arange(len(block))[:, None]
    for lists in contributed:
        position = lists.position[:, :pool_depth]
        inside = np.arange(position.shape[1]) < lists.length[:, None]
        pool[np.broadcast_to(row, position.shape)[inside], position[inside]] = True
    # Topics are written by assessors who know of a document that answers: only nil topics lack a relevant one.
    best = block.grade.argmax(axis=1)
    pool[row[:, 0], best] |= block.grade[row[:, 0], best] > 0
    return pool


def _contributes(systems: int, share: float) -> list[bool]:
    """Say which systems are pooled: the first, then others at even distances, whatever the number of systems."""
    passed = [math.ceil(index * share) for index in range(systems + 1)]
    return [after > before for before, after in itertools.pairwise(passed)]


def _column(parts: Iterable[NDArray[Scalar]]) -> NDArray[Scalar]:
    """Join what consecutive blocks hold of a column, and guard it: a track, once made, does not change."""
    column = np.concatenate(list(parts))
    column.flags.writeable = False
    return column
