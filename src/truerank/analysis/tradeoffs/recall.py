"""Precision against recall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.analysis.tradeoffs.reading import Reader
from truerank.data.arrays import Floats
from truerank.expectation.opaque import Opaque
from truerank.measures.ap import AP
from truerank.measures.core.lengths import curve
from truerank.measures.f import F
from truerank.measures.iprec import IPrec, interpolated
from truerank.measures.p import P
from truerank.measures.r import R
from truerank.measures.rprec import Rprec


@dataclass(frozen=True)
class AtDepth:
    """A list cut after so many documents, as a set."""

    depth: int
    recall: float
    precision: float
    f1: float


@dataclass(frozen=True, eq=False, kw_only=True)
class RecallCurve:
    """Interpolated precision of a run at recall levels: the highest precision at that recall or past it."""

    recall: Floats
    """The levels, evenly spaced from 0 to 1."""
    precision: Floats
    """A mean over topics, as the measure IPrec has it."""
    break_even: float
    """Precision after R documents, R the number of relevant ones, where it equals recall: R-precision."""
    crossing: float
    """Where interpolated precision equals recall."""
    average: float
    """Average precision."""
    every: tuple[tuple[float, float], ...] = ()
    """Of one topic: interpolated precision at every recall level that there is, 1/R, 2/R, ..., 1."""
    depths: tuple[AtDepth, ...] = ()
    """Of one topic: precision and recall at every depth, as means over the orders of ties."""
    sampled: int = 0
    """Topics in which not all orders of ties could be tried, so that interpolated precision is that of a sample."""

    @property
    def best(self) -> AtDepth | None:
        """Of one topic, the depth with the highest F1; of several the first."""
        return max(self.depths, key=lambda at: at.f1, default=None)

    def as_dict(self) -> dict[str, Any]:
        """Everything by name."""
        return {
            "recall": self.recall.tolist(),
            "precision": self.precision.tolist(),
            **{name: getattr(self, name) for name in ("break_even", "crossing", "average", "sampled")},
            "every": [list(pair) for pair in self.every],
            "depths": [vars(at) for at in self.depths],
        }


def recall_curve(reader: Reader, *, rel: float, points: int, alone: bool) -> RecallCurve:
    """The curve of a run; ``alone`` for one topic, which has more to show."""
    levels = np.linspace(0.0, 1.0, points)
    precision, sampled = _interpolated(reader, rel, levels)
    every = tuple(_every(reader, rel)) if alone else ()
    return RecallCurve(
        recall=levels,
        precision=precision,
        break_even=reader.mean(Rprec(rel=rel)),
        crossing=_stepped(every) if alone else crossing(levels, precision),
        average=reader.mean(AP(rel=rel)),
        every=every,
        depths=tuple(_depths(reader, rel)) if alone else (),
        sampled=sampled,
    )


def _interpolated(reader: Reader, rel: float, levels: Floats) -> tuple[Floats, int]:
    """What IPrec is at each level, all from the same orders of ties; and in how many topics these were sampled."""
    measure = IPrec(rel=rel)
    value = np.full((len(reader.views.judged.length), len(levels)), np.nan)
    sampled = 0

    def several(grades: Floats, pool: Floats) -> Floats:
        return interpolated(gain(grades), int(gain(pool).sum()), levels)

    for r in reader.views.lists(measure):
        gain = measure.gain(r)
        found, exact = Opaque(several).columns(r, measure.depth(r))
        value[r.topic] = np.where(r.relevant(gain) > 0, found.reshape(len(r.topic), len(levels)), np.nan)
        sampled += int((~exact).sum())
    rows = value[reader.views.topics]
    kept = reader.settled(rows, np.isnan(rows).any(axis=-1))
    return kept.mean(axis=0) if len(kept) else np.full(len(levels), np.nan), sampled


def _every(reader: Reader, rel: float) -> list[tuple[float, float]]:
    measure = R(rel=rel)
    *_, r = (block for block in reader.views.lists(measure) if len(block.length))
    relevant = int(r.relevant(measure.gain(r))[0, 0])
    levels = np.arange(1, relevant + 1) / max(relevant, 1)
    return list(zip(levels.tolist(), _interpolated(reader, rel, levels)[0].tolist(), strict=True))


def _depths(reader: Reader, rel: float) -> list[AtDepth]:
    found = []
    for measure in (R(rel=rel), P(rel=rel), F(rel=rel)):
        *_, r = (block for block in reader.views.lists(measure) if len(block.length))
        found.append(curve(measure, r, int(r.length[0]))[0].tolist())
    return [AtDepth(depth, *values) for depth, values in enumerate(zip(*found, strict=True), 1)]


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
