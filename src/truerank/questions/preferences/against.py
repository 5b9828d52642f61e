"""Preferences against grades: where they agree, contradict one another, or one says more than the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from truerank.data.arrays import Floats, spans
from truerank.data.arrays import offsets as offsets_of
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.qrels import Preferences, Qrels
from truerank.questions.preferences.answer import GradeAgreement, share
from truerank.questions.preferences.graph import Graph


def grades_of(judgments: Qrels, said: str) -> Qrels:
    """Judgments with grades; where they are preferences, that is ``said``, and refused."""
    if isinstance(judgments, Preferences):
        raise InputError(f"{said}; give graded judgments (topic, iteration, document, grade)")
    return judgments


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
        topic=topic, **counts, tau=share(surplus, decided + counts["finer"]), gamma=share(surplus, decided)
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
