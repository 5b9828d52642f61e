"""What preferences say by topic: how much was compared, and how far it can be satisfied at once."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from truerank.analysis.preferring.cycles import components, shortest_cycle
from truerank.analysis.preferring.grades import Grades
from truerank.analysis.preferring.graph import Graph
from truerank.analysis.preferring.least import Least, least
from truerank.analysis.preferring.triples import Triples, triples
from truerank.data.ids import text

LISTED = 1000
"""Intransitive triples that are listed, all topics together."""
ORDERS = {(True, True): "levels", (True, False): "levels without ties", (False, False): "copeland"}
"""How documents are graded, by whether there is a consistent order and whether it keeps ties."""


@dataclass(frozen=True)
class TopicPreferences:
    """The preferences of one topic, or of all."""

    documents: int
    preferences: int
    """Judgments that one document is better than another."""
    ties: int
    """Judgments that two are equally good."""
    pairs: int
    """Different pairs of documents that were compared."""
    possible: int
    """All pairs of the documents."""
    repeated: int
    """Pairs that were judged more than once."""
    contradictory: int
    """Pairs of which each document was found better than the other."""
    triples: int
    """Triples of documents with all three pairs compared."""
    cyclic: int
    """Those that are intransitive: a better than b better than c better than a."""
    uneven: int
    """Those that are intransitive only through ties."""
    in_cycles: int
    """Documents in cycles of any length."""
    least: int
    """Judgments that every ranking violates, or a lower bound of their number."""
    least_found: int
    """Judgments that the best ranking found violates; the same number where that is known to be the least."""

    @property
    def least_loss(self) -> float:
        """The least loss that a ranking can have, or a lower bound of it; NaN without preferences."""
        return self.least / self.preferences if self.preferences else np.nan

    @property
    def exact(self) -> bool:
        """Whether the least loss is known."""
        return self.least == self.least_found

    def as_dict(self) -> dict[str, Any]:
        """The numbers by name."""
        return {**asdict(self), "least_loss": self.least_loss, "exact": self.exact}


@dataclass(frozen=True)
class Triple:
    """Three documents, each better than the next and the last better than the first."""

    topic: str
    a: str
    b: str
    c: str


@dataclass(frozen=True)
class Component:
    """Documents of a topic that are better than one another by way of others."""

    topic: str
    documents: tuple[str, ...]
    """Bytewise by their ids."""
    cycle: tuple[str, ...]
    """The shortest cycle through the first of them, each better than the next."""
    least: int
    """Judgments among them that a ranking violates at least, or a lower bound of their number."""
    least_found: int
    """How many ``order`` violates."""
    order: tuple[str, ...]
    """The best ranking found."""


@dataclass(frozen=True, eq=False)
class Judgments:
    """Preferences by topic, with what makes them contradict one another."""

    topics: dict[str, TopicPreferences]
    total: TopicPreferences
    triples: tuple[Triple, ...]
    """The first intransitive triples, by topic and documents."""
    components: tuple[Component, ...]


def judgments(graph: Graph) -> Judgments:
    """Look at the preferences of each topic.

    >>> from truerank.io.load import as_preferences
    >>> found = judgments(Graph.of(as_preferences([("q", a, b) for a, b in ("ab", "bc", "ca", "ad", "da", "ad")])))
    >>> found.total.cyclic, found.total.contradictory, found.total.least, found.triples[0].c
    (1, 1, 2, 'c')
    """
    parts = components(graph)
    lowest = least(graph, parts)
    closed = triples(graph, LISTED)
    columns = [column.tolist() for column in _columns(graph, closed, parts, lowest)]
    topics = [TopicPreferences(*row) for row in zip(*columns, strict=True)]
    names = [field.name for field in fields(TopicPreferences)]
    return Judgments(
        dict(zip(map(text, graph.topics), topics, strict=True)),
        TopicPreferences(**dict(zip(names, map(sum, columns), strict=True))),
        tuple(Triple(_topic(graph, row[0]), *(_doc(graph, doc) for doc in row)) for row in closed.first.tolist()),
        tuple(
            Component(
                _topic(graph, int(docs[0])),
                tuple(_doc(graph, doc) for doc in docs.tolist()),
                tuple(_doc(graph, doc) for doc in shortest_cycle(graph, docs)),
                one.low,
                one.high,
                tuple(_doc(graph, doc) for doc in one.order),
            )
            for docs, one in zip(parts, lowest, strict=True)
        ),
    )


def _columns(graph: Graph, closed: Triples, parts: list[Any], lowest: list[Least]) -> list[Any]:
    """The fields of ``TopicPreferences``, each for all topics."""
    pairs, size = graph.compared, np.diff(graph.offsets)
    first = np.array([docs[0] for docs in parts], np.int64)
    inevitable = graph.by_topic(pairs.first, np.minimum(pairs.better, pairs.worse))
    return [
        size,
        graph.by_topic(pairs.first, pairs.better + pairs.worse),
        graph.by_topic(pairs.first, pairs.equal),
        np.diff(pairs.offsets),
        size * (size - 1) // 2,
        graph.by_topic(pairs.first, pairs.times > 1),
        graph.by_topic(pairs.first, (pairs.better > 0) & (pairs.worse > 0)),
        closed.closed,
        closed.cyclic,
        closed.uneven,
        graph.by_topic(first, np.array([len(docs) for docs in parts], np.int64)),
        inevitable + graph.by_topic(first, np.array([one.low for one in lowest], np.int64)),
        inevitable + graph.by_topic(first, np.array([one.high for one in lowest], np.int64)),
    ]


def _topic(graph: Graph, doc: int) -> str:
    return text(graph.topics[graph.topic[doc]])


def _doc(graph: Graph, doc: int) -> str:
    return text(graph.docs[doc])


def grade_records(graph: Graph, found: Grades) -> list[dict[str, Any]]:
    """One record a document, the best of each topic first."""
    order = np.lexsort((np.arange(len(graph)), -found.grade, graph.topic)).tolist()
    flags = zip(found.by_level.tolist(), found.keeps_ties.tolist(), strict=True)
    methods = [ORDERS[flag] for flag in flags]
    names, topic = [*map(text, graph.topics)], graph.topic.tolist()
    grade, wins, losses = found.grade.tolist(), found.wins.tolist(), found.losses.tolist()
    return [
        {
            "topic": names[topic[doc]],
            "document": text(graph.docs[doc]),
            "grade": grade[doc],
            "wins": wins[doc],
            "losses": losses[doc],
            "by": methods[topic[doc]],
        }
        for doc in order
    ]
