"""The systems of a simulated track: six kinds, alike within a kind, each with its own way to score and to stop."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Mask, Rows
from truerank.questions.simulate.streams import RandomStream, generator
from truerank.questions.simulate.topics import TopicBlock


@dataclass(frozen=True)
class Kind:
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


KINDS: dict[str, Kind] = {
    "bm25": Kind(lexical=1.0, strength=(0.85, 1.3), scale=(11.0, 2.7)),
    "dense": Kind(lexical=0.0, strength=(0.6, 1.5), scale=(0.55, 0.035), decimals=6),
    "boolean": Kind(lexical=1.0, strength=(0.4, 0.9), decimals=0, coordination=True),
    "fused": Kind(lexical=0.5, strength=(0.9, 1.35), scale=(0.03, 0.005), decimals=6),
    "rerank": Kind(lexical=0.3, strength=(1.1, 1.6), scale=(-2.0, 3.0), decimals=3, top_k=(50, 100)),
    "filter": Kind(lexical=0.7, strength=(0.7, 1.2), scale=(0.0, 10.0), decimals=2, threshold=(1.6, 2.4)),
}

# Of the variance of a system's errors, what its view (words or meaning) brings: all systems with that view share it.
FAMILY = 0.5


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
        document = np.take_along_axis(block.document, self.position, axis=1)
        return self.length, document[inside], self.score[inside]


class SimulatedSystem:
    """One system; it reads its own streams in topic order, so retrieve each block once and in order."""

    def __init__(self, name: str, kind: Kind, index: int, seed: int) -> None:
        draw = generator(seed, RandomStream.SYSTEM, index)
        self.name = name
        self.kind = kind
        self._strength = draw.uniform(*kind.strength)
        self._threshold = draw.uniform(*kind.threshold) if kind.threshold else -np.inf
        self._top_k = int(draw.choice(kind.top_k)) if kind.top_k else None
        self._per_topic = generator(seed, RandomStream.SYSTEM_TOPIC, index)
        self._per_document = generator(seed, RandomStream.SYSTEM_DOCUMENT, index)

    def retrieve(self, block: TopicBlock, depth: int) -> BlockLists:
        """Rank the block's candidates and stop where this system stops, `depth` at the latest."""
        ticks, retrieved = self._ticks(self._match(block), block.terms)
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
        return BlockLists(keys & ((1 << bits) - 1), -(keys >> bits) / 10.0**self.kind.decimals, length)

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
            words = np.clip(words, 0, terms).astype(np.int64)
            return words, words > 0
        offset, scale = self.kind.scale
        ticks = np.rint((offset + scale * match) * 10.0**self.kind.decimals).astype(np.int64)
        floor = np.rint((offset + scale * self._threshold) * 10.0**self.kind.decimals)
        return ticks, ticks >= floor
