"""Documents that moved between two lists, what their moves did to the score, and what a judgment would do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.ids import text
from truerank.data.qrels import Preferences
from truerank.measures.core.base import Measure
from truerank.questions.diff.added import added
from truerank.questions.diff.answer import DiffDocument, Difference, DiffTopic
from truerank.questions.diff.lists import Positions, RunPair, TopDocuments
from truerank.report.rows import ColumnarRows
from truerank.statistics.pairs import EQUAL
from truerank.track.hypothetical import Hypotheses, supposing
from truerank.track.lens import Lens
from truerank.track.values import settled


def places(found: Difference, topics: Sequence[str]) -> Rows:
    """Places of some topics among those that were compared."""
    known = {topic: place for place, topic in enumerate(found.topics)}
    for topic in topics:
        if topic not in known:
            raise KeyError(f"topic {topic!r} was not compared")
    return np.array([known[topic] for topic in topics], np.int64)


def topic_rows(found: Difference, places: Rows) -> ColumnarRows[DiffTopic]:
    """A row a topic, by their places."""
    open_, empty = found.by_unjudged, np.full(len(found.topics), np.nan)
    numbers = {
        "a": found.a,
        "b": found.b,
        "difference": found.differences,
        "contribution": empty if found.contributions is None else found.contributions,
        "ties_low": found.by_ties.low,
        "ties_high": found.by_ties.high,
        "unjudged_low": empty if open_ is None else open_.low,
        "unjudged_high": empty if open_ is None else open_.high,
    }
    documents, topics = found.top(places), found.index[places]
    counts = {
        "entered": documents.entered,
        "left": documents.left,
        "moved": documents.moved,
        "unjudged_entered": documents.entered & documents.unjudged,
        "unjudged_left": documents.left & documents.unjudged,
    }
    at = places.tolist()
    return ColumnarRows(
        DiffTopic,
        measure=[found.measure] * len(at),
        topic=[found.topics[place] for place in at],
        better=[found.ahead(place) for place in at],
        depends_on=[found.depends_on(place) for place in at],
        **{name: known(column[places]) for name, column in numbers.items()},
        **{name: documents.count(which, topics) for name, which in counts.items()},
        place=at,
        of=[found] * len(at),
    )


def by_topic(found: Difference, places: Rows, *, unjudged: bool) -> dict[int, list[DiffDocument]]:
    """The documents of some topics by their places, those with the largest impact first."""
    documents, topics = found.top(places), found.index[places]
    a, b = (adds(found.by, lens, documents, topics) for lens in found.lists.sides)
    open_ = if_relevant(found.by, found.lists, documents) if unjudged else None
    rows = _rows(found, documents, (a, b), open_)
    by_index: dict[int, list[DiffDocument]] = {topic: [] for topic in topics.tolist()}
    for topic, row in zip(documents.topic.tolist(), rows, strict=True):
        by_index[topic].append(row)
    return {
        place: sorted(by_index[topic], key=_by_impact)
        for place, topic in zip(places.tolist(), topics.tolist(), strict=True)
    }


def _by_impact(row: DiffDocument) -> tuple[float, float, int, str]:
    best = min(rank for rank in (row.first_rank_a, row.first_rank_b) if rank is not None)
    return -round(abs(row.impact) / EQUAL), -round(abs(row.if_relevant or 0.0) / EQUAL), best, row.doc


def adds(measure: Measure, lens: Lens, documents: TopDocuments, topics: Rows) -> Floats:
    """What each document adds to a run's scores; nothing where it is unjudged."""
    by_judgment = np.zeros(len(lens.judged.qrels.grade))
    for r in lens.lists(measure):
        rows = np.flatnonzero(np.isin(r.topic, topics))
        if len(rows):
            some = r.take(rows)
            listed = some.judgment >= 0
            by_judgment[some.judgment[listed]] = added(measure, some)[listed]
    return np.where(documents.judgment >= 0, by_judgment[documents.judgment], 0.0)


def _rows(
    found: Difference, documents: TopDocuments, adds: tuple[Floats, Floats], open_: Floats | None
) -> ColumnarRows[DiffDocument]:
    """The documents as rows, in the order of the arrays."""
    count = len(documents.topic)
    status = np.select([documents.entered, documents.left, documents.moved], ["entered", "left", "moved"], "stayed")
    names = dict(zip(found.index.tolist(), found.topics, strict=True))
    first_a, last_a = _ranks(documents.a)
    first_b, last_b = _ranks(documents.b)
    return ColumnarRows(
        DiffDocument,
        measure=[found.measure] * count,
        topic=[names[topic] for topic in documents.topic.tolist()],
        doc=[text(doc) for doc in documents.docs.tolist()],
        judged=~documents.unjudged,
        grade=known(documents.grade),
        status=status,
        first_rank_a=first_a,
        last_rank_a=last_a,
        first_rank_b=first_b,
        last_rank_b=last_b,
        score_a=known(documents.a.score),
        score_b=known(documents.b.score),
        adds_a=adds[0],
        adds_b=adds[1],
        impact=adds[1] - adds[0],
        if_relevant=[None] * count if open_ is None else known(np.where(documents.unjudged, open_, np.nan)),
    )


def _ranks(positions: Positions) -> tuple[list[int | None], list[int | None]]:
    """First and last rank of each document; None where it is not listed."""
    ends = (positions.above + 1, positions.above + positions.size)
    first, last = (
        [rank if listed else None for rank, listed in zip(end.tolist(), positions.listed.tolist(), strict=True)]
        for end in ends
    )
    return first, last


def if_relevant(measure: Measure, lists: RunPair, documents: TopDocuments) -> Floats | None:
    """By how much the difference would grow if an unjudged document had the grade that is worth most; else NaN.

    It is judged in both lists, and counts among the documents that could be found. None where the measure depends on
    more than judgments and lists, and where scoring so many lists would take too long: order by order of their ties.
    """
    if measure.needs_pool or lists.ends(measure) or isinstance(lists.qrels, Preferences):
        return None
    if measure.core.by_order:
        return None
    some = np.flatnonzero(documents.unjudged)
    topic = documents.topic[some]
    before, after = np.zeros((2, 2, len(some)))
    for side, (lens, positions) in enumerate(zip(lists.sides, documents.sides, strict=True)):
        before[side] = _values(lens, measure)[topic]
        judged = _hypotheses(topic, positions, some, len(documents.topic))
        for part in judged.parts(lens.judged, measure.cutoff):
            then = supposing(lens, judged.take(part), lens.top_grade(measure), measure.cutoff)
            after[side, part] = _values(then, measure)
    found = np.full(len(documents.topic), np.nan)
    found[some] = (after[1] - after[0]) - (before[1] - before[0])
    return found


def _hypotheses(topic: Rows, positions: Positions, some: Rows, count: int) -> Hypotheses:
    row, above, size = np.full((3, count), -1, np.int64)
    tied = positions.tied
    row[tied.judgment], above[tied.judgment], size[tied.judgment] = tied.row, tied.above, tied.size
    return Hypotheses(topic, row[some], above[some], size[some])


def _values(lens: Lens, measure: Measure) -> Floats:
    values = np.full(len(lens.judged.length), np.nan)
    values[lens.topics] = lens.estimate(measure).value
    return settled(values, measure, lens.conventions)


def known(values: Floats) -> list[float | None]:
    """Numbers as a list; None for what is undefined.

    >>> known(np.array([0.5, np.nan]))
    [0.5, None]
    """
    return [None if value != value else value for value in values.tolist()]
