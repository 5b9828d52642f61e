"""Two runs topic by topic: who is ahead where, by how much, and how much of it rests on few topics."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from truerank.analysis.pairs import EQUAL
from truerank.analysis.scores import Score
from truerank.data.arrays import Floats, Rows
from truerank.measures.core.base import Measure


class TopicDifference(NamedTuple):
    """A topic, its two scores, and the second less the first."""

    topic: str
    a: float
    b: float
    difference: float


@dataclass(frozen=True)
class Concentration:
    """How much of a difference of means rests on few topics; gains are those of the run that is ahead."""

    half: int
    """The fewest topics that make up half of its gains."""
    topic: str
    """The topic where it gains most."""
    without: float
    """The difference of the means without that topic; NaN where there is no other one."""
    turning: int
    """The fewest topics without which it is no longer ahead."""


@dataclass(frozen=True, eq=False, kw_only=True)
class TopicDifferences:
    """Scores of two runs, a and b, on the same topics; what there is to compare, and nothing of documents."""

    measure: Measure
    topics: tuple[str, ...]
    a: Floats
    """A score a topic; NaN where undefined and kept so."""
    b: Floats
    mean_a: float
    """Over these topics, in the measure's own way."""
    mean_b: float

    @classmethod
    def of(cls, a: Score, b: Score) -> TopicDifferences:
        """The topics that both scores have.

        >>> import truerank as tr
        >>> runs = {"base": {"1": ["x", "y"], "2": ["y"]}, "new": {"1": ["y", "x"], "2": ["y"]}}
        >>> base, new = (run["RR"] for run in tr.evaluate({"1": {"x": 1}, "2": {"y": 1}}, runs, "RR").values())
        >>> found = TopicDifferences.of(base, new)
        >>> (found.wins, found.level, found.losses), found.worse()
        ((0, 1, 1), [TopicDifference(topic='1', a=1.0, b=0.5, difference=-0.5)])
        """
        if a.topics == b.topics:
            return cls(measure=a.measure, topics=a.topics, a=a.values, b=b.values, mean_a=a.mean, mean_b=b.mean)
        place = {topic: at for at, topic in enumerate(b.topics)}
        common = [(at, place[topic]) for at, topic in enumerate(a.topics) if topic in place]
        first, second = np.array(common, np.int64).reshape(-1, 2).T
        topics = tuple(a.topics[at] for at in first)
        return cls.over(a.measure, topics, a.values[first], b.values[second])

    @classmethod
    def over(cls, measure: Measure, topics: tuple[str, ...], a: Floats, b: Floats) -> TopicDifferences:
        """Scores of some topics."""
        every = np.ones(len(a), np.int64)
        means = [measure.aggregate(values, every) for values in (a, b)]
        return cls(measure=measure, topics=topics, a=a, b=b, mean_a=means[0], mean_b=means[1])

    @cached_property
    def differences(self) -> Floats:
        """b less a, a topic; 0 where they differ by rounding only."""
        difference = self.b - self.a
        return np.where(np.abs(difference) <= EQUAL, 0.0, difference)

    @cached_property
    def gains(self) -> Floats:
        """By how much b is better, a topic: the differences, turned around for a measure whose low values are good."""
        return self.measure.sign * self.differences

    @property
    def difference(self) -> float:
        """The mean of b less that of a."""
        difference = self.mean_b - self.mean_a
        return 0.0 if abs(difference) <= EQUAL else difference

    @property
    def wins(self) -> int:
        """Topics where b is better."""
        return int((self.gains > 0).sum())

    @property
    def losses(self) -> int:
        """Topics where a is better."""
        return int((self.gains < 0).sum())

    @property
    def level(self) -> int:
        """Topics where neither is."""
        return int((self.gains == 0).sum())

    @property
    def undefined(self) -> int:
        """Topics where a run has no value."""
        return int(np.isnan(self.gains).sum())

    @cached_property
    def contributions(self) -> Floats | None:
        """What each topic adds to the difference of the means; None for a measure that takes no means."""
        return self.differences / len(self.topics) if self.measure.averages else None

    @cached_property
    def by_impact(self) -> Rows:
        """Numbers of the topics, the largest differences first, undefined ones last."""
        size = np.nan_to_num(np.abs(self.differences), nan=-1.0)
        return np.argsort(-np.round(size / EQUAL), kind="stable")

    def better(self, limit: int | None = None) -> list[TopicDifference]:
        """The topics that got better from a to b, the most changed first."""
        return [self._topic(at) for at in self.by_impact[self.gains[self.by_impact] > 0][:limit].tolist()]

    def worse(self, limit: int | None = None) -> list[TopicDifference]:
        """The topics that got worse from a to b, the most changed first."""
        return [self._topic(at) for at in self.by_impact[self.gains[self.by_impact] < 0][:limit].tolist()]

    def _topic(self, at: int) -> TopicDifference:
        return TopicDifference(self.topics[at], float(self.a[at]), float(self.b[at]), float(self.differences[at]))

    @cached_property
    def concentration(self) -> Concentration | None:
        """How much rests on few topics; None where no run is ahead, or where means are not taken.

        >>> from truerank.measures.ap import AP
        >>> a, b = np.array([0.1, 0.5, 0.5, 0.5]), np.array([0.9, 0.6, 0.4, 0.4])
        >>> found = TopicDifferences.over(AP(), ("1", "2", "3", "4"), a, b).concentration
        >>> found.half, found.topic, round(found.without, 4), found.turning
        (1, '1', -0.0333, 1)
        """
        total = float(self.gains.sum())
        if not self.measure.averages or math.isnan(total) or not self.difference:
            return None
        # Seen from the run that is ahead.
        ahead = self.gains if total > 0 else -self.gains
        order = np.argsort(-np.round(ahead / EQUAL), kind="stable")
        order = order[ahead[order] > 0]
        running = np.cumsum(ahead[order])
        others = len(ahead) - 1
        top = int(order[0])
        return Concentration(
            half=int(np.searchsorted(running, running[-1] / 2 - EQUAL)) + 1,
            topic=self.topics[top],
            without=float(self.differences.sum() - self.differences[top]) / others if others else math.nan,
            turning=int(np.searchsorted(running, abs(total) - EQUAL)) + 1,
        )
