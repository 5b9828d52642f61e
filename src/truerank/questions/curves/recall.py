"""Precision against recall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Mask
from truerank.data.parts import Part, part_field
from truerank.measures.ap import AP
from truerank.measures.core.base import Measure
from truerank.measures.core.lengths import curve
from truerank.measures.f import F
from truerank.measures.iprec import IPrec, IPrecAvg, mean_precisions
from truerank.measures.p import P
from truerank.measures.r import R
from truerank.measures.rprec import Rprec
from truerank.questions.curves.question import DepthPoint, PrecisionRecall, RecallCurve
from truerank.questions.curves.topics import mean_of, named, only_topic
from truerank.track.facts import RunPart, observe
from truerank.track.lens import Lens
from truerank.track.track import Track
from truerank.track.values import Values, values


@dataclass(frozen=True, eq=False, kw_only=True)
class LevelsPart(Part):
    """Interpolated precision of topics at recall levels."""

    precision: Floats = part_field(merge="per topic")
    """Topics x levels; NaN for a topic without relevant documents."""
    sampled: int = part_field(merge="sum")
    """Topics in which not all orders of ties could be tried."""

    @property
    def undefined(self) -> Mask:
        """Topics without a value."""
        return np.isnan(self.precision).any(axis=-1)  # type: ignore[return-value]


@dataclass(frozen=True, eq=False, kw_only=True)
class TopicPart:
    """What is known of one topic alone."""

    levels: Floats
    """Every recall level that there is: 1/R, 2/R, ..., 1."""
    precision: LevelsPart
    """At these levels."""
    depths: Floats
    """Recall, precision and F1 at every depth, shape (3, depths)."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RecallPart(RunPart):
    """A run; its values are those of average precision."""

    levels: LevelsPart
    break_even: Values
    alone: TopicPart | None
    """Where it is about one topic."""


def measure(rel: float, points: int) -> AP:
    """Average precision, which says what is to be known of runs; what are no levels, and no grade, is refused."""
    IPrecAvg(points=points, rel=rel)
    return AP(rel=rel)


def score_run(lens: Lens, measures: Sequence[Measure], *, only: int | None, rel: float, points: int) -> RecallPart:
    """What is kept of a run, or of one topic of it."""
    alone = only is not None or len(lens.judgments.topics) == 1
    lens = only_topic(lens, only)
    return observe(
        lens,
        {str(one): values(lens, one) for one in measures},
        ties=False,
        kind=RecallPart,
        levels=_interpolated(lens, rel, np.linspace(0.0, 1.0, points)),
        break_even=values(lens, Rprec(rel=rel)),
        alone=_alone(lens, rel) if alone else None,
    )


def _interpolated(lens: Lens, rel: float, levels: Floats) -> LevelsPart:
    """What IPrec is at each level, and in how many topics it is that of a sample of orders, the same at all levels."""
    measure = IPrec(rel=rel)
    value = np.full((len(lens.judged.length), len(levels)), np.nan)
    sampled = 0
    for r in lens.lists(measure):
        value[r.topic], exact = mean_precisions(r, measure.gain(r), levels)
        sampled += int((~exact).sum())
    return LevelsPart(topics=lens.topics, precision=value[lens.topics], sampled=sampled)


def _alone(lens: Lens, rel: float) -> TopicPart:
    found = []
    for measure in (R(rel=rel), P(rel=rel), F(rel=rel)):
        *_, r = (block for block in lens.lists(measure) if len(block.length))
        found.append(curve(measure, r, int(r.length[0]))[0])
    relevant = int(r.relevant(R(rel=rel).gain(r))[0, 0])
    levels = np.arange(1, relevant + 1) / max(relevant, 1)
    return TopicPart(levels=levels, precision=_interpolated(lens, rel, levels), depths=np.array(found))


def summarise(track: Track, parts: Sequence[RecallPart], only: int | None, rel: float) -> PrecisionRecall:
    """The curves of all runs."""
    return PrecisionRecall(
        conventions=track.conventions,
        rel=rel,
        topics=named(track, only),
        curves=tuple(_curve(track, part) for part in parts),
        notices=track.notes(parts),
    )


def _curve(track: Track, part: RecallPart) -> RecallCurve:
    choice, found = track.conventions, part.levels
    precision = mean_of(found.precision, found.undefined, choice)
    levels = np.linspace(0.0, 1.0, len(precision))
    every: tuple[tuple[float, float], ...] = ()
    depths: tuple[DepthPoint, ...] = ()
    if part.alone is not None:
        at_levels = mean_of(part.alone.precision.precision, part.alone.precision.undefined, choice)
        every = tuple(zip(part.alone.levels.tolist(), at_levels.tolist(), strict=True))
        depths = tuple(_depths(part.run, part.alone.depths))
    [average] = part.values.values()
    return RecallCurve(
        run=part.run,
        recall=levels,
        precision=precision,
        break_even=part.break_even.summary(choice),
        crossing=crossing(levels, precision) if part.alone is None else _stepped(every),
        average=average.summary(choice),
        every=every,
        depths=depths,
        sampled=found.sampled,
    )


def _depths(run: str, found: Floats) -> list[DepthPoint]:
    return [
        DepthPoint(run=run, depth=depth, recall=recall, precision=precision, f1=f1)
        for depth, (recall, precision, f1) in enumerate(found.T.tolist(), 1)
    ]


def _stepped(every: tuple[tuple[float, float], ...]) -> float:
    """Where a step function that holds up to each level crosses the diagonal."""
    return max((min(pair) for pair in every), default=float("nan"))


def crossing(recall: Floats, precision: Floats) -> float:
    """Where a line through points crosses precision = recall; NaN where it is undefined.

    >>> crossing(np.array([0.0, 0.5, 1.0]), np.array([1.0, 0.6, 0.2]))
    0.5555555555555556
    """
    above = precision - recall
    if np.isnan(above).any():
        return float("nan")
    last = int(np.flatnonzero(above >= 0)[-1]) if (above >= 0).any() else 0
    if last == len(above) - 1 or above[last] <= 0:
        return float(recall[last])
    share = above[last] / (above[last] - above[last + 1])
    return float(recall[last] + share * (recall[last + 1] - recall[last]))
