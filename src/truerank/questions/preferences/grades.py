"""Grades for documents that were only compared: levels of a consistent order, or wins less losses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Mask, Rows
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.printing import shown
from truerank.data.qrels import Qrels
from truerank.questions.preferences.answer import METHODS, GradedDocument
from truerank.questions.preferences.cycles import levels
from truerank.questions.preferences.graph import Graph
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
        """How the documents of each topic are graded."""
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
    """The least grade of each document's topic."""
    least = np.full(len(graph.topics), np.iinfo(np.int64).max)
    np.minimum.at(least, graph.topic, grade)
    return least[graph.topic]
