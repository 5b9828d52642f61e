"""What the difference of two runs would be if one more document were judged."""

from __future__ import annotations

import numpy as np

from truerank.analysis.differences.lists import Documents, Lists, Places
from truerank.analysis.judging.hypothetical import Question, answered
from truerank.analysis.reading import settled
from truerank.analysis.views import Views
from truerank.data.arrays import Floats, Rows
from truerank.data.block import Pool
from truerank.data.qrels import Preferences
from truerank.measures.core.base import Measure


def if_relevant(measure: Measure, lists: Lists, pool: Pool, documents: Documents) -> Floats | None:
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
    for side, (views, places) in enumerate(zip((lists.a, lists.b), documents.sides, strict=True)):
        before[side] = _values(views, measure)[topic]
        question = _question(topic, places, some, len(documents.topic))
        for part in question.parts(views.judged, measure.cutoff):
            judged = answered(views, pool, question.take(part), views.top_grade(measure), measure.cutoff)
            after[side, part] = _values(judged, measure)
    found = np.full(len(documents.topic), np.nan)
    found[some] = (after[1] - after[0]) - (before[1] - before[0])
    return found


def _question(topic: Rows, places: Places, some: Rows, count: int) -> Question:
    row, above, size = np.full((3, count), -1, np.int64)
    tied = places.tied
    row[tied.judgment], above[tied.judgment], size[tied.judgment] = tied.row, tied.above, tied.size
    return Question(topic, row[some], above[some], size[some])


def _values(views: Views, measure: Measure) -> Floats:
    values = np.full(len(views.judged.length), np.nan)
    values[views.topics] = views.estimate(measure, ties=views.choice.ties, unjudged=views.choice.unjudged).value
    return settled(values, measure, views.choice)
