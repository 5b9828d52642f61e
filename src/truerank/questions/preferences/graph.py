"""Preferences as a graph: which documents of a topic are preferred to which, by most judgments of a pair."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from truerank.data.arrays import Mask, Rows
from truerank.data.preferences import Comparisons
from truerank.data.qrels import Preferences


@dataclass(frozen=True, eq=False)
class Graph:
    """Documents as vertices and, for each pair that was compared, an edge unless as many judgments go either way.

    Documents are numbered by topic, then bytewise by id, so that nothing depends on the order of judgments.

    >>> from truerank.io.load import as_preferences
    >>> graph = Graph.of(as_preferences([("q", "b", "a"), ("q", "b", "a"), ("q", "a", "b"), ("q", "c", "=", "a")][:3]))
    >>> graph.docs, graph.better.tolist(), graph.worse.tolist(), graph.margin.tolist()
    ([b'a', b'b'], [1], [0], [1])
    """

    topics: tuple[bytes, ...]
    offsets: Rows
    """The documents of topic t are offsets[t] to offsets[t + 1] - 1."""
    docs: list[bytes]
    row: Rows
    """Row of each document in the preferences."""
    compared: Comparisons
    """Pairs of documents by their numbers here."""

    @classmethod
    def of(cls, preferences: Preferences) -> Graph:
        """Number documents anew and count what was said of pairs."""
        docs = preferences.docs.tolist()
        row = np.empty(len(docs), np.intp)
        for begin, end in zip(preferences.offsets[:-1].tolist(), preferences.offsets[1:].tolist(), strict=True):
            row[begin:end] = sorted(range(begin, end), key=docs.__getitem__)
        number = np.empty(len(docs), np.intp)
        number[row] = np.arange(len(docs))
        return cls(
            preferences.topics,
            preferences.offsets,
            [docs[place] for place in row.tolist()],
            row,
            Comparisons.of(preferences, number),
        )

    def __len__(self) -> int:
        return len(self.docs)

    @cached_property
    def topic(self) -> Rows:
        return np.repeat(np.arange(len(self.topics)), np.diff(self.offsets))

    @cached_property
    def decided(self) -> Mask:
        """Pairs of which one document is better."""
        decided: Mask = self.compared.margin != 0
        return decided

    @cached_property
    def sign(self) -> Rows:
        """For each pair that was compared: 1 if its first document is better, -1 if its second is, or 0."""
        return np.sign(self.compared.margin)

    @cached_property
    def better(self) -> Rows:
        pairs = self.compared
        better: Rows = np.where(pairs.margin > 0, pairs.first, pairs.second)[self.decided]
        return better

    @cached_property
    def worse(self) -> Rows:
        pairs = self.compared
        worse: Rows = np.where(pairs.margin > 0, pairs.second, pairs.first)[self.decided]
        return worse

    @cached_property
    def margin(self) -> Rows:
        """How many more judgments say so than say the opposite."""
        margin: Rows = np.abs(self.compared.margin)[self.decided]
        return margin

    def by_topic(self, doc: Rows, weight: Rows | Mask | None = None) -> Rows:
        """Count things that stand at documents, or add up their weights, by topic."""
        return np.bincount(self.topic[doc], weight, len(self.topics)).astype(np.intp)
