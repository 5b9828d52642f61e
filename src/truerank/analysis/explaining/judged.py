"""What the score would be if a document were judged that nobody has looked at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.analysis.explaining.lists import List
from truerank.analysis.judging.hypothetical import Question, answered
from truerank.analysis.views import Views
from truerank.data.arrays import Floats, distinct
from truerank.data.block import Pool
from truerank.data.ids import text
from truerank.data.judge import every_document
from truerank.data.qrels import Preferences
from truerank.data.rankings import gain_of
from truerank.measures.core.base import Measure


@dataclass(frozen=True)
class IfJudged:
    """An unjudged document, and the score if it were judged; it then also counts among those there are to find."""

    doc: str
    ranks: tuple[int, int]
    """First and last rank that it can have."""
    least: float
    """Score if it had the grade that is worth least, of those that are worth something."""
    top: float
    """Score if it had the grade that is worth most."""
    nonrelevant: float
    """Score if it were judged not relevant, which is another thing than not judged to some measures."""


def if_judged(one: List, measure: Measure, pool: Pool) -> tuple[IfJudged, ...]:
    """Unjudged documents that the measure looks at, from the top of the list down; of a very long list the first ones.

    There are none for a measure that depends on more than judgments and list.
    """
    views = one.views
    if measure.needs_pool or isinstance(one.qrels, Preferences):
        return ()
    condensed = views.choice.unjudged == "condensed"
    every = every_document(views.judged)
    at = np.arange(every.offsets[one.topic], every.offsets[one.topic + 1])
    unknown = np.isnan(every.grade[at]) | ((every.grade[at] < 0) & (views.choice.negative == "unjudged"))
    # In a condensed list it is not where it stands that counts, but how many judged documents are above.
    at = at[unknown & (condensed | (every.above[at] < one.depth))][: one.tries]
    question = Question(np.full(len(at), one.topic), every.row[at], every.above[at], every.size[at])
    least, top = worth(views, measure)
    values = [_values(views, measure, pool, question, grade).tolist() for grade in (least, top, 0.0)]
    docs = map(text, views.run.docs.take(every.row[at]).tolist())
    ranks = zip((every.above[at] + 1).tolist(), (every.above[at] + every.size[at]).tolist(), strict=True)
    return tuple(map(IfJudged, docs, ranks, *values))


def worth(views: Views, measure: Measure) -> tuple[float, float]:
    """Of the grades that are worth something, that worth least and that worth most."""
    grades = views.judged.qrels.grade
    levels = distinct(grades[grades > 0])
    gain = gain_of(levels, measure.gain(views.judged.qrels))
    top = views.top_grade(measure)
    return float(levels[gain > 0][np.argmin(gain[gain > 0])]) if (gain > 0).any() else top, top


def _values(views: Views, measure: Measure, pool: Pool, question: Question, grade: float) -> Floats:
    choice = views.choice
    undefined = measure.undefined_counts_as if choice.no_relevant == "zero" else np.nan
    found = np.full(len(question), np.nan)
    for part in question.parts(views.judged, measure.cutoff):
        judged = answered(views, pool, question.take(part), grade, measure.cutoff)
        found[part] = judged.estimate(measure, ties=choice.ties, unjudged=choice.unjudged).value
    return np.where(np.isnan(found), undefined, found)
