"""Two runs topic by topic: who is ahead where, by how much, and how much of it rests on few topics."""

from __future__ import annotations

import math

import numpy as np

from truerank.data.arrays import Floats
from truerank.measures.core.base import Measure
from truerank.questions.diff.answer import Concentration, TopicDifferences
from truerank.statistics.pairs import EQUAL


def topic_differences(
    measure: Measure,
    topics: tuple[str, ...],
    a: Floats,
    b: Floats,
    means: tuple[float, float] | None = None,
) -> TopicDifferences:
    """Scores of two runs on the same topics; ``means`` are theirs, where they are known.

    >>> from truerank.measures.rr import RR
    >>> found = topic_differences(RR(), ("1", "2"), np.array([1.0, 1.0]), np.array([0.5, 1.0]))
    >>> (found.wins, found.level, found.losses), found.worse()
    ((0, 1, 1), [TopicDifference(topic='1', a=1.0, b=0.5, difference=-0.5)])
    """
    every = np.ones(len(a), np.int64)
    mean_a, mean_b = means or (measure.aggregate(a, every), measure.aggregate(b, every))
    differences = b - a
    differences = np.where(np.abs(differences) <= EQUAL, 0.0, differences)
    size = np.nan_to_num(np.abs(differences), nan=-1.0)
    return TopicDifferences(
        measure=str(measure),
        by=measure,
        topics=topics,
        a=a,
        b=b,
        mean_a=mean_a,
        mean_b=mean_b,
        difference=0.0 if abs(mean_b - mean_a) <= EQUAL else mean_b - mean_a,
        differences=differences,
        by_impact=np.argsort(-np.round(size / EQUAL), kind="stable"),
    )


def concentration(found: TopicDifferences) -> Concentration | None:
    """How much rests on few topics; None where no run is ahead, or where means are not taken.

    >>> from truerank.measures.ap import AP
    >>> a, b = np.array([0.1, 0.5, 0.5, 0.5]), np.array([0.9, 0.6, 0.4, 0.4])
    >>> rests = concentration(topic_differences(AP(), ("1", "2", "3", "4"), a, b))
    >>> rests.half, rests.topic, round(rests.without, 4), rests.turning
    (1, '1', -0.0333, 1)
    """
    total = float(found.gains.sum())
    if not found.by.averages or math.isnan(total) or not found.difference:
        return None
    # Seen from the run that is ahead.
    ahead = found.gains if total > 0 else -found.gains
    order = np.argsort(-np.round(ahead / EQUAL), kind="stable")
    order = order[ahead[order] > 0]
    running = np.cumsum(ahead[order])
    others = len(ahead) - 1
    top = int(order[0])
    return Concentration(
        half=int(np.searchsorted(running, running[-1] / 2 - EQUAL)) + 1,
        topic=found.topics[top],
        without=float(found.differences.sum() - found.differences[top]) / others if others else math.nan,
        turning=int(np.searchsorted(running, abs(total) - EQUAL)) + 1,
    )
