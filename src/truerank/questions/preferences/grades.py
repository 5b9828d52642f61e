"""Preferences and grades: those that documents get that were only compared, and how far others agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.printing import shown
from truerank.data.qrels import Qrels
from truerank.questions.preferences.cycles import levels
from truerank.questions.preferences.graph import Graph
from truerank.questions.preferences.question import METHODS, GradeAgreement, GradedDocument, share
from truerank.report.rows import ColumnarRows

_NAMED = {(True, True): "levels", (True, False): "levels without ties", (False, False): "copeland"}
"""How documents are graded, by whether there is a consistent order and whether it keeps ties."""


@dataclass(frozen=True, eq=False)
class Grades:
    """What documents are worth by preferences alone, the least of each topic 0."""

    grade: Rows
    wins: Rows
    """How many documents each is better than."""
    losses: Rows
    """How many are better."""
    by_level: Mask
    """Topics whose documents are graded by levels: there is no cycle of what most judgments of each pair say."""
    keeps_ties: Mask
    """Topics where documents that were found equally good have equal levels."""

    @property
    def methods(self) -> list[str]:
        return [_NAMED[flags] for flags in zip(self.by_level.tolist(), self.keeps_ties.tolist(), strict=True)]


def refuse_method(method: str | None) -> None:
    """Refuse what is no way to grade documents."""
    if method not in (None, *METHODS):
        raise InputError(f"grades={method!r} is not a choice; take one of {', '.join(METHODS)}, or leave it out")


def graded(graph: Graph, method: str | None = None) -> Grades:
    """Grade documents by "levels", by "copeland", or by levels where there is no cycle and else by Copeland's method.

    A level is how many steps there are, by the longest way, down to a document that is better than no other; documents
    found equally good are on one level, unless that contradicts a preference. Copeland's method takes how many
    documents each is better than, less how many are better than it.

    >>> from truerank.io.load import as_preferences
    >>> graph = Graph.of(as_preferences([("q", "a", ">", "b"), ("q", "b", ">", "c"), ("q", "a", ">", "c")]))
    >>> graded(graph).grade.tolist(), graded(graph, "copeland").grade.tolist()
    ([2, 1, 0], [4, 2, 0])
    """
    refuse_method(method)
    docs = len(graph)
    wins, losses = np.bincount(graph.better, minlength=docs), np.bincount(graph.worse, minlength=docs)
    plain = levels(graph.better, graph.worse, docs)
    alike = _alike(graph)
    merged = levels(alike[graph.better], alike[graph.worse], docs)[alike]
    by_level = graph.by_topic(np.flatnonzero(plain < 0)) == 0
    keeps_ties = graph.by_topic(np.flatnonzero(merged < 0)) == 0
    if method == "levels" and not by_level.all():
        topic = shown(graph.topics[int(np.flatnonzero(~by_level)[0])])
        raise InputError(f"the preferences of topic {topic} go in a circle, so that it has no levels; choose copeland")
    if method == "copeland":
        by_level = np.zeros(len(graph.topics), np.bool_)
    grade = np.where(by_level[graph.topic], np.where(keeps_ties[graph.topic], merged, plain), wins - losses)
    return Grades(grade - _least(grade, graph), wins, losses, by_level, by_level & keeps_ties)


def as_judged(graph: Graph, found: Grades, given: Qrels, lowest: float = 0) -> Qrels:
    """Grades as judgments of the same documents as those that the graph was made of, from ``lowest`` on."""
    grade = np.empty(len(graph), np.float64)
    grade[graph.row] = found.grade
    if lowest:
        grade = grade + lowest
    return Qrels(given.topics, given.offsets, grade, given.docs, given.key, notes=given.notes)


def graded_documents(graph: Graph, found: Grades) -> ColumnarRows[GradedDocument]:
    """Every document with its grade, the best of each topic first."""
    order = np.lexsort((np.arange(len(graph)), -found.grade, graph.topic))
    names, methods, topic = [*map(text, graph.topics)], found.methods, graph.topic[order].tolist()
    return ColumnarRows(
        GradedDocument,
        topic=[names[number] for number in topic],
        document=[text(graph.docs[doc]) for doc in order.tolist()],
        grade=found.grade[order],
        wins=found.wins[order],
        losses=found.losses[order],
        by=[methods[number] for number in topic],
    )


def _alike(graph: Graph) -> Rows:
    """For each document, the first of those that are equally good, by way of others too."""
    same = np.flatnonzero(~graph.decided)
    one, other = graph.compared.first[same], graph.compared.second[same]
    alike = np.arange(len(graph))
    while len(one):
        least = np.minimum(alike[one], alike[other])
        new = alike.copy()
        np.minimum.at(new, one, least)
        np.minimum.at(new, other, least)
        new = new[new]
        if (new == alike).all():
            break
        alike = new
    return alike


def _least(grade: Rows, graph: Graph) -> Rows:
    least = np.full(len(graph.topics), np.iinfo(np.intp).max)
    np.minimum.at(least, graph.topic, grade)
    return least[graph.topic]


def against(graph: Graph, qrels: Qrels) -> tuple[GradeAgreement, ...]:
    """Compare preferences with grades, those below 0 taken for 0, over the topics of the preferences.

    >>> from truerank.io.load import as_preferences, as_qrels
    >>> graph = Graph.of(as_preferences([("q", a, b) for a, b in ("ab", "bc", "cd", "ax")]))
    >>> [found] = against(graph, as_qrels({"q": {"a": 2, "b": 1, "c": 1, "d": 2}}))
    >>> found.agree, found.contradict, found.finer, found.unjudged
    (1, 1, 1, 1)
    """
    grade = _grades(graph, qrels)
    pairs = graph.compared
    higher = np.sign(grade[pairs.first] - grade[pairs.second])
    judged = higher == higher
    # A sum over judgments: those that find the first document better, and those that find the second better.
    agree = np.where(higher > 0, pairs.better, np.where(higher < 0, pairs.worse, 0))
    contradict = np.where(higher > 0, pairs.worse, np.where(higher < 0, pairs.better, 0))
    strict = pairs.better + pairs.worse
    counts = {
        "agree": agree,
        "contradict": contradict,
        "finer": np.where(higher == 0, strict, 0),
        "unjudged": np.where(judged, 0, strict),
        "equal": np.where(higher == 0, pairs.equal, 0),
        "coarser": np.where(judged & (higher != 0), pairs.equal, 0),
        "equal_unjudged": np.where(judged, 0, pairs.equal),
    }
    columns = {name: graph.by_topic(pairs.first, each).tolist() for name, each in counts.items()}
    return tuple(
        _agreement(text(topic), {name: column[place] for name, column in columns.items()})
        for place, topic in enumerate(graph.topics)
    )


def total_agreement(by_topic: Sequence[GradeAgreement]) -> GradeAgreement:
    """The agreement over all topics."""
    names = [name for name, one in GradeAgreement.described.items() if one.type == "int"]
    return _agreement("all", {name: sum(getattr(one, name) for one in by_topic) for name in names})


def _agreement(topic: str, counts: dict[str, int]) -> GradeAgreement:
    """The counts with their coefficients, over the pairs that were compared and graded."""
    surplus, decided = counts["agree"] - counts["contradict"], counts["agree"] + counts["contradict"]
    return GradeAgreement(
        topic=topic, **counts, somers_d=share(surplus, decided + counts["finer"]), gamma=share(surplus, decided)
    )


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
