"""The making of a simulated track: topics block by block, the lists of each system, and what is pooled of them."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.errors import InputError
from truerank.questions.simulate.track import SimulatedTrack, Submission

# Every system draws its lists from these for a topic: enough that two systems at depth 1000 retrieve different ones.
CANDIDATES = 3000
FIRST_TOPIC = 401
# Latent relevance beyond the threshold is exponential: with four grades, these steps make about 63% of the relevant
# documents marginally, 23% fairly and 14% highly relevant.
GRADE_STEP = 1.0
# Where nothing answers a topic, documents resemble it less: a system with a score threshold then retrieves nothing.
NIL_RESEMBLANCE = 0.42
# Bounds the arrays made for a block of topics, so that memory goes to the track and not to making it.
BLOCK_CELLS = 200_000
# Of the variance of a system's errors, what its view (words or meaning) brings: all systems with that view share it.
FAMILY = 0.5
# Where systems are no longer sure that a document answers: some below what a topic without an answer has at its top,
# some above what a topic with answers has there.
DOUBT = (0.8, 4.2)
# What stands for a document NIL.
NIL = -1

Scalar = TypeVar("Scalar", bound=np.generic)


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
                decimals=system.decimals,
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
        inside = (np.arange(position.shape[1]) < lists.length[:, None]) & (position != NIL)
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


class RandomStream(IntEnum):
    """What a stream of random numbers is for. The numbers are part of what a seed means: append, never renumber."""

    NIL = 0
    RICHNESS = 1
    COUNT = 2
    DIFFICULTY = 3
    TERMS = 4
    DOCUMENT = 5
    RELEVANCE = 6
    WORDING = 7
    LEXICAL = 8
    DENSE = 9
    SYSTEM = 10
    SYSTEM_TOPIC = 11
    SYSTEM_DOCUMENT = 12
    DOUBT = 13


def generator(seed: int, stream: RandomStream, index: int = 0) -> np.random.Generator:
    """Return the generator of one stream; `index` tells systems apart."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(stream, index))))


def evenly(n: int, share: float, start: float) -> Mask:
    """Mark `share` of n places at even distances, so that a small track has its part too and a longer one extends it.

    >>> evenly(8, 0.25, 0.5).nonzero()[0].tolist()
    [1, 5]
    """
    passed = np.floor(np.arange(n + 1) * share + start)
    marked: Mask = passed[1:] > passed[:-1]
    return marked


@dataclass(frozen=True)
class TopicBlock:
    """Some consecutive topics; arrays are (topics, candidates) unless they say otherwise."""

    first: int
    document: Rows
    """The competing documents, ascending in each row; no other document of the collection is ever retrieved."""
    grade: Rows
    """What an assessor would say of each candidate, were it judged."""
    lexical_signal: Floats
    """How much of its relevance shows in its words: 0 for most documents."""
    dense_signal: Floats
    """How much of its relevance shows in its meaning."""
    lexical_error: Floats
    """By how much every lexical system mistakes the document, whether relevant or not."""
    dense_error: Floats
    """By how much every dense system mistakes it."""
    error_scale: Floats
    """(topics, 1): how large mistakes are."""
    terms: Rows
    """(topics, 1): words of the query."""

    def __len__(self) -> int:
        return len(self.terms)


def topic_blocks(
    topics: int, seed: int, *, documents: int, candidates: int, grades: int, relevant: float, nil: float
) -> Iterator[TopicBlock]:
    """Yield all topics in order, a block at a time.

    Each kind of draw has a stream of its own, read in topic order: more topics leave the earlier ones as they were.
    """
    topic = {stream: generator(seed, stream) for stream in RandomStream}
    # The start leaves the first topic answerable, so that no track is without a relevant document.
    is_nil = evenly(topics, nil, float(topic[RandomStream.NIL].random()) * (1.0 - nil))
    # A negative binomial count: a few topics have very many relevant documents, as in real tracks.
    richness = topic[RandomStream.RICHNESS].gamma(1.2, 1 / 1.2, topics)
    count = 1 + topic[RandomStream.COUNT].poisson((relevant - 1) * richness)
    count = np.where(is_nil, 0, np.minimum(count, max(1, candidates // 4)))
    difficulty = topic[RandomStream.DIFFICULTY].normal(0.0, (0.35, 0.2, 0.2), (topics, 3))
    lexical_ease = np.exp(difficulty[:, 0] + difficulty[:, 1])
    dense_ease = np.exp(difficulty[:, 0] + difficulty[:, 2])
    error_scale = np.where(is_nil, NIL_RESEMBLANCE, 1.0)
    terms = topic[RandomStream.TERMS].integers(2, 7, topics)
    edges = np.arange(candidates + 1, dtype=np.int64) * documents // candidates

    size = max(1, BLOCK_CELLS // candidates)
    for first in range(0, topics, size):
        rows = slice(first, min(first + size, topics))
        shape = (rows.stop - first, candidates)
        # One candidate from each stratum of the collection: distinct and sorted without a permutation.
        document = edges[:-1] + (topic[RandomStream.DOCUMENT].random(shape) * np.diff(edges)).astype(np.int64)
        beyond = _beyond_threshold(topic[RandomStream.RELEVANCE].random(shape), count[rows])
        signal = np.clip(1.0 + beyond, 0.0, 3.0)
        # A document that speaks of the topic in other words shows to dense systems only, a terse one to lexical only.
        wording = 2.0 * topic[RandomStream.WORDING].random(shape)
        yield TopicBlock(
            first=first,
            document=document,
            grade=np.where(beyond >= 0, np.minimum(1 + np.floor(beyond / GRADE_STEP), grades), 0).astype(np.intp),
            lexical_signal=lexical_ease[rows, None] * signal * np.minimum(wording, 1.0),
            dense_signal=dense_ease[rows, None] * signal * np.minimum(2.0 - wording, 1.0),
            lexical_error=topic[RandomStream.LEXICAL].standard_normal(shape),
            dense_error=topic[RandomStream.DENSE].standard_normal(shape),
            error_scale=error_scale[rows, None],
            terms=terms[rows, None],
        )


def _beyond_threshold(uniform: Floats, count: Rows) -> Floats:
    """Latent relevance minus the threshold that exactly `count` candidates of the topic reach.

    Latent relevance is exponential, hence so is what lies beyond the threshold, however many documents reach it.
    """
    latent = -np.log1p(-uniform)
    descending = -np.sort(-latent, axis=1)
    threshold = np.where(count > 0, descending[np.arange(len(count)), np.maximum(count, 1) - 1], np.inf)
    return latent - threshold[:, None]


@dataclass(frozen=True)
class SystemKind:
    """What the systems of a kind have in common."""

    lexical: float
    """How much it follows words; the rest follows meaning. Following both averages out the errors of each."""
    strength: tuple[float, float]
    """Range, over systems, of how far a relevant document stands out from the noise."""
    scale: tuple[float, float] = (0.0, 1.0)
    """Printed score = scale[0] + scale[1] * strength of the match."""
    decimals: int = 4
    top_k: tuple[int, ...] = ()
    """A list of fixed length, one of these."""
    threshold: tuple[float, float] | None = None
    """A list that stops where the match is weaker than a value in this range."""
    coordination: bool = False
    """The score is the number of query words matched, and a document without any is not retrieved."""


KINDS: dict[str, SystemKind] = {
    "bm25": SystemKind(lexical=1.0, strength=(0.85, 1.3), scale=(11.0, 2.7)),
    "dense": SystemKind(lexical=0.0, strength=(0.6, 1.5), scale=(0.55, 0.035), decimals=6),
    "boolean": SystemKind(lexical=1.0, strength=(0.4, 0.9), decimals=0, coordination=True),
    "fused": SystemKind(lexical=0.5, strength=(0.9, 1.35), scale=(0.03, 0.005), decimals=6),
    "rerank": SystemKind(lexical=0.3, strength=(1.1, 1.6), scale=(-2.0, 3.0), decimals=3, top_k=(50, 100)),
    "filter": SystemKind(lexical=0.7, strength=(0.7, 1.2), scale=(0.0, 10.0), decimals=2, threshold=(1.6, 2.4)),
}


@dataclass(frozen=True)
class BlockLists:
    """A system's lists for a block of topics, best first: entries past `length` are not retrieved."""

    position: Rows
    """Column of the candidate in the block."""
    score: Floats
    length: Rows

    def columns(self, block: TopicBlock) -> tuple[Rows, Rows, Floats]:
        """Return the length of each list, and document and score of all their entries in a row."""
        inside = np.arange(self.position.shape[1]) < self.length[:, None]
        document = np.take_along_axis(block.document, np.maximum(self.position, 0), axis=1)
        document = np.where(self.position == NIL, NIL, document)
        return self.length, document[inside], self.score[inside]


class NilHabit(IntEnum):
    """What a system does that lists NIL."""

    ENDS = 0
    """The list ends at the NIL."""
    GOES_ON = 1
    """Further documents stand below it."""
    HEDGES = 2
    """A NIL is at the end of every list."""


def with_nil(lists: BlockLists, sure: Rows, habit: NilHabit) -> BlockLists:
    """Lists with a NIL below the documents that a system is ``sure`` of, if there is room; scores are ranks.

    >>> position = np.array([[4, 2, 7], [5, 1, 3]])
    >>> found = with_nil(BlockLists(position, np.zeros((2, 3)), np.array([3, 3])), np.array([1, 3]), NilHabit.GOES_ON)
    >>> found.position.tolist(), found.length.tolist(), found.score[0].tolist()
    ([[4, -1, 2], [5, 1, 3]], [3, 3], [3.0, 2.0, 1.0])
    """
    depth = lists.position.shape[1]
    rank = np.arange(depth)
    below = np.minimum(lists.length, depth - 1) if habit is NilHabit.HEDGES else np.minimum(sure, lists.length)
    place = below[:, None]
    moved = np.take_along_axis(lists.position, rank - (rank > place), axis=1)
    longer = below + 1 if habit is NilHabit.ENDS else np.minimum(lists.length + 1, depth)
    length = np.where(below < depth, longer, lists.length)
    score = (length[:, None] - rank).astype(np.float64)
    return BlockLists(np.where(rank == place, NIL, moved), score, length)


class SimulatedSystem:
    """One system; it reads its own streams in topic order, so retrieve each block once and in order."""

    def __init__(self, name: str, kind: SystemKind, index: int, seed: int, habit: NilHabit | None = None) -> None:
        draw = generator(seed, RandomStream.SYSTEM, index)
        self.name = name
        self.kind = kind
        self._strength = draw.uniform(*kind.strength)
        self._threshold = draw.uniform(*kind.threshold) if kind.threshold else -np.inf
        self._top_k = int(draw.choice(kind.top_k)) if kind.top_k else None
        self._habit = habit
        self._doubt = float(generator(seed, RandomStream.DOUBT, index).uniform(*DOUBT)) if habit is not None else 0.0
        self.decimals = kind.decimals if habit is None else 0
        self._per_topic = generator(seed, RandomStream.SYSTEM_TOPIC, index)
        self._per_document = generator(seed, RandomStream.SYSTEM_DOCUMENT, index)

    def retrieve(self, block: TopicBlock, depth: int) -> BlockLists:
        """Rank the block's candidates and stop where this system stops, `depth` at the latest."""
        match = self._match(block)
        ticks, retrieved = self._ticks(match, block.terms)
        depth = min(depth, ticks.shape[1])
        length = np.minimum(retrieved.sum(axis=1), depth if self._top_k is None else min(depth, self._top_k))
        if block.first == 0:
            # A run without a line is no run: whatever its threshold, a system answers the first topic.
            length[0] = max(1, length[0])
        # Score and position in one integer: keys are distinct, so any sort gives one order on every machine.
        # Ties come in document order, as an inverted index delivers them.
        bits = ticks.shape[1].bit_length()
        keys = np.sort((-ticks << bits) | np.arange(ticks.shape[1]), axis=1)[:, :depth]
        # An integer over a power of ten is the double nearest to the printed decimal: file and object agree exactly.
        lists = BlockLists(keys & ((1 << bits) - 1), -(keys >> bits) / 10.0**self.kind.decimals, length)
        if self._habit is None:
            return lists
        sure = np.take_along_axis(match, lists.position, axis=1) >= self._doubt
        return with_nil(lists, np.logical_and.accumulate(sure, axis=1).sum(axis=1), self._habit)

    def _match(self, block: TopicBlock) -> Floats:
        """How well each candidate matches its topic in the eyes of this system."""
        views = []
        if self.kind.lexical > 0:
            views.append((self.kind.lexical, block.lexical_signal, block.lexical_error))
        if self.kind.lexical < 1:
            views.append((1 - self.kind.lexical, block.dense_signal, block.dense_error))
        # Some systems suit some topics: without this, the order of systems would be the same on every topic.
        strength = self._strength * np.exp(self._per_topic.normal(0.0, 0.15, (len(block), 1)))
        error = np.sqrt(1 - FAMILY) * self._per_document.standard_normal(block.document.shape)
        match: Floats = block.error_scale * error
        for weight, signal, family_error in views:
            match += weight * (strength * signal + np.sqrt(FAMILY) * block.error_scale * family_error)
        return match

    def _ticks(self, match: Floats, terms: Rows) -> tuple[Rows, Mask]:
        """Scores in units of the last printed decimal, and which candidates are retrieved at all."""
        if self.kind.coordination:
            words = np.ceil((match - 0.8) * terms / 4.0)
            words = np.clip(words, 0, terms).astype(np.intp)
            return words, words > 0
        offset, scale = self.kind.scale
        ticks = np.rint((offset + scale * match) * 10.0**self.kind.decimals).astype(np.int64)
        floor = np.rint((offset + scale * self._threshold) * 10.0**self.kind.decimals)
        return ticks, ticks >= floor


def roster(systems: int, seed: int, kinds: Sequence[str] | None, nil_systems: float = 0.0) -> list[SimulatedSystem]:
    """Make the systems, their kinds in turn, numbered within each kind; some of them list NIL, each habit in turn."""
    wanted = [kinds] if isinstance(kinds, str) else list(KINDS if kinds is None else kinds)
    unknown = [kind for kind in wanted if kind not in KINDS]
    if unknown or not wanted:
        raise InputError(f"kinds={wanted}: choose one or more of {', '.join(KINDS)}")
    number: Counter[str] = Counter()
    found = []
    habits = itertools.cycle(NilHabit)
    lists_nil = evenly(systems, nil_systems, 1.0 - nil_systems).tolist()
    for index, (kind, nil) in enumerate(zip(itertools.cycle(wanted), lists_nil, strict=False)):
        number[kind] += 1
        habit = next(habits) if nil else None
        found.append(SimulatedSystem(f"{kind}-{number[kind]:02d}", KINDS[kind], index, seed, habit))
    return found
