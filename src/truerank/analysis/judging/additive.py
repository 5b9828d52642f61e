"""Measures that are plain sums over ranks: what a judgment gains is the weight of its rank."""

from __future__ import annotations

import numpy as np

from truerank.analysis.judging.hypothetical import Question
from truerank.analysis.judging.scores import rests_on_judgments
from truerank.analysis.pairs import EQUAL
from truerank.analysis.views import Views, ending_of
from truerank.data.arrays import Floats
from truerank.data.rankings import Rankings
from truerank.measures.core.base import Measure


def is_additive(views: Views, measure: Measure) -> bool:
    """Whether each document adds to the score of a run whatever the others are, and the bounds are these sums."""
    if ending_of(measure, views.choice) != "none" or views.choice.ties != "expected" or measure.skips_unjudged:
        return False
    least, most = measure.range
    for r in views.rankings(measure, ties="expected", unjudged="high"):
        if not measure.is_sum or not all(term.alone for term in measure.terms(r)):
            return False
        value = measure.score(r)
        # Bounds that are cut off at the range of the measure are no longer sums; NaN compares as past it.
        if not ((value >= least - EQUAL) & (value <= most + EQUAL)).all():
            return False
    return not rests_on_judgments(views, measure)


def weights(views: Views, measure: Measure, question: Question) -> Floats:
    """What each document adds if it has the grade that is worth most."""
    alone = [measure.score(_alone(views, question, grade)) for grade in (views.top_grade(measure), np.nan)]
    return alone[0] - alone[1]


def _alone(views: Views, question: Question, grade: float) -> Rankings:
    """Rankings in which one document is judged."""
    count = len(question)
    start = question.above[:, None] + 1
    return Rankings(
        topic=question.topic,
        start=start,
        stop=start + question.size[:, None] - 1,
        grade=np.full((count, 1), grade),
        judgment=np.zeros((count, 1), np.int64),
        length=views.judged.length[question.topic],
        pool=np.zeros((count, 0)),
        judged=np.ones(count, np.int64),
        max_grade=views.judged.qrels.max_grade,
    )
