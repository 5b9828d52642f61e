"""What preferences say by topic: how much was compared, and how far it can be satisfied at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Rows
from truerank.data.ids import text
from truerank.questions.preferences.answer import Cycle, TopicPreferences, Triple, share
from truerank.questions.preferences.cycles import components, shortest_cycle
from truerank.questions.preferences.grades import Grades
from truerank.questions.preferences.graph import Graph
from truerank.questions.preferences.least import Least, least
from truerank.questions.preferences.triples import Triples, triples

LISTED = 1000
"""Intransitive triples that are listed, all topics together."""


@dataclass(frozen=True, eq=False)
class Judgments:
    """Preferences by topic, with what makes them contradict one another."""

    topics: tuple[TopicPreferences, ...]
    total: TopicPreferences
    triples: tuple[Triple, ...]
    """The first intransitive triples, by topic and documents."""
    cycles: tuple[Cycle, ...]


def judgments(graph: Graph, grades: Grades) -> Judgments:
    """Look at the preferences of each topic.

    >>> from truerank.io.load import as_preferences
    >>> from truerank.questions.preferences.grades import graded
    >>> graph = Graph.of(as_preferences([("q", a, b) for a, b in ("ab", "bc", "ca", "ad", "da", "ad")]))
    >>> found = judgments(graph, graded(graph))
    >>> found.total.cyclic, found.total.contradictory, found.total.least, found.triples[0].c
    (1, 1, 2, 'c')
    """
    parts = components(graph)
    lowest = least(graph, parts)
    closed = triples(graph, LISTED)
    columns = {name: column.tolist() for name, column in _columns(graph, closed, parts, lowest).items()}
    by_topic = [
        _topic_preferences(
            text(topic),
            {name: column[place] for name, column in columns.items()},
            how if columns["documents"][place] else None,
        )
        for place, (topic, how) in enumerate(zip(graph.topics, grades.methods, strict=True))
    ]
    return Judgments(
        tuple(by_topic),
        _topic_preferences("all", {name: sum(column) for name, column in columns.items()}, None),
        tuple(
            Triple(topic=_topic(graph, row[0]), **dict(zip("abc", (_doc(graph, doc) for doc in row), strict=True)))
            for row in closed.first.tolist()
        ),
        tuple(_cycle(graph, docs, one) for docs, one in zip(parts, lowest, strict=True)),
    )


def _topic_preferences(topic: str, counts: dict[str, int], graded_by: str | None) -> TopicPreferences:
    return TopicPreferences(
        topic=topic,
        **counts,
        least_loss=share(counts["least"], counts["preferences"]),
        exact=counts["least"] == counts["least_found"],
        graded_by=graded_by,
    )


def _cycle(graph: Graph, docs: Rows, one: Least) -> Cycle:
    return Cycle(
        topic=_topic(graph, int(docs[0])),
        size=len(docs),
        documents=tuple(_doc(graph, doc) for doc in docs.tolist()),
        cycle=tuple(_doc(graph, doc) for doc in shortest_cycle(graph, docs)),
        least=one.low,
        least_found=one.high,
        order=tuple(_doc(graph, doc) for doc in one.order),
    )


def _columns(graph: Graph, closed: Triples, parts: list[Rows], lowest: list[Least]) -> dict[str, Rows]:
    """The numbers of all topics, by name."""
    pairs, size = graph.compared, np.diff(graph.offsets)
    first = np.array([docs[0] for docs in parts], np.int64)
    inevitable = graph.by_topic(pairs.first, np.minimum(pairs.better, pairs.worse))
    return {
        "documents": size,
        "preferences": graph.by_topic(pairs.first, pairs.better + pairs.worse),
        "ties": graph.by_topic(pairs.first, pairs.equal),
        "pairs": np.diff(pairs.offsets),
        "possible": size * (size - 1) // 2,
        "repeated": graph.by_topic(pairs.first, pairs.times > 1),
        "contradictory": graph.by_topic(pairs.first, (pairs.better > 0) & (pairs.worse > 0)),
        "triples": closed.closed,
        "cyclic": closed.cyclic,
        "uneven": closed.uneven,
        "in_cycles": graph.by_topic(first, np.array([len(docs) for docs in parts], np.int64)),
        "least": inevitable + graph.by_topic(first, np.array([one.low for one in lowest], np.int64)),
        "least_found": inevitable + graph.by_topic(first, np.array([one.high for one in lowest], np.int64)),
    }


def _topic(graph: Graph, doc: int) -> str:
    return text(graph.topics[graph.topic[doc]])


def _doc(graph: Graph, doc: int) -> str:
    return text(graph.docs[doc])
