"""Preferences against grades: where they agree, contradict one another, or one says more than the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.analysis.preferring.graph import Graph
from truerank.data.arrays import Floats, Rows, spans
from truerank.data.arrays import offsets as offsets_of
from truerank.data.ids import text
from truerank.data.qrels import Qrels


@dataclass(frozen=True, eq=False)
class GradeAgreement:
    """How many judgments of pairs agree with grades, by topic."""

    topics: tuple[str, ...]
    agree: Rows
    """The better document has the higher grade."""
    contradict: Rows
    """The worse document has the higher grade."""
    finer: Rows
    """Both have the same grade: the preference says more."""
    unjudged: Rows
    """One of the two documents, or both, have no grade."""
    equal: Rows
    """Equally good documents with the same grade."""
    coarser: Rows
    """Equally good documents with different grades."""
    equal_unjudged: Rows
    """Equally good documents of which one or both have no grade."""

    @property
    def names(self) -> tuple[str, ...]:
        """What is counted."""
        return tuple(name for name in self.__dataclass_fields__ if name != "topics")

    @property
    def total(self) -> dict[str, Any]:
        """Counts over all topics, and the coefficients of them."""
        counts = {name: int(getattr(self, name).sum()) for name in self.names}
        return {**counts, **_coefficients(counts)}

    def records(self) -> list[dict[str, Any]]:
        """Counts and coefficients, one record a topic."""
        columns = [getattr(self, name).tolist() for name in self.names]
        rows = [dict(zip(self.names, row, strict=True)) for row in zip(*columns, strict=True)]
        return [{"topic": topic, **row, **_coefficients(row)} for topic, row in zip(self.topics, rows, strict=True)]


def _coefficients(counts: dict[str, int]) -> dict[str, float]:
    """Kendall's tau-a and Goodman and Kruskal's gamma, over the pairs that were compared and graded."""
    surplus, decided = counts["agree"] - counts["contradict"], counts["agree"] + counts["contradict"]
    compared = decided + counts["finer"]
    return {
        "tau": surplus / compared if compared else np.nan,
        "gamma": surplus / decided if decided else np.nan,
    }


def against(graph: Graph, qrels: Qrels) -> GradeAgreement:
    """Compare preferences with grades, those below 0 taken for 0, over the topics of the preferences.

    >>> from truerank.io.load import as_preferences, as_qrels
    >>> graph = Graph.of(as_preferences([("q", a, b) for a, b in ("ab", "bc", "cd", "ax")]))
    >>> found = against(graph, as_qrels({"q": {"a": 2, "b": 1, "c": 1, "d": 2}}))
    >>> found.agree.tolist(), found.contradict.tolist(), found.finer.tolist(), found.unjudged.tolist()
    ([1], [1], [1], [1])
    """
    grade = _grades(graph, qrels)
    pairs = graph.compared
    higher = np.sign(grade[pairs.first] - grade[pairs.second])
    judged = higher == higher
    # A sum over judgments: those that find the first document better, and those that find the second better.
    agree = np.where(higher > 0, pairs.better, np.where(higher < 0, pairs.worse, 0))
    contradict = np.where(higher > 0, pairs.worse, np.where(higher < 0, pairs.better, 0))
    strict = pairs.better + pairs.worse
    counts = (
        agree,
        contradict,
        np.where(higher == 0, strict, 0),
        np.where(judged, 0, strict),
        np.where(higher == 0, pairs.equal, 0),
        np.where(judged & (higher != 0), pairs.equal, 0),
        np.where(judged, 0, pairs.equal),
    )
    return GradeAgreement(tuple(map(text, graph.topics)), *(graph.by_topic(pairs.first, each) for each in counts))


def _grades(graph: Graph, qrels: Qrels) -> Floats:
    """The grade of each document, NaN where it has none."""
    grade = np.full(len(graph), np.nan)
    place = {topic: number for number, topic in enumerate(qrels.topics)}
    for number, topic in enumerate(graph.topics):
        if topic in place:
            mine = slice(*qrels.offsets[place[topic] : place[topic] + 2].tolist())
            known = dict(
                zip(qrels.docs.take(np.arange(mine.start, mine.stop)).tolist(), qrels.grade[mine], strict=True)
            )
            here = slice(*graph.offsets[number : number + 2].tolist())
            grade[here] = [known.get(doc, np.nan) for doc in graph.docs[here]]
    return grade.clip(min=0.0)


def only(qrels: Qrels, topics: tuple[bytes, ...]) -> Qrels:
    """The judgments of some topics."""
    wanted = set(topics)
    kept = np.flatnonzero([topic in wanted for topic in qrels.topics])
    count = np.diff(qrels.offsets)[kept]
    rows = spans(qrels.offsets[kept], count)
    return Qrels(
        tuple(qrels.topics[place] for place in kept),
        offsets_of(count),
        qrels.grade[rows],
        qrels.docs.take(rows),
        qrels.key[rows],
        notes=qrels.notes,
    )
