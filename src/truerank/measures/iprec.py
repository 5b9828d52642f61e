"""Interpolated precision."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace

import numpy as np

from truerank.data.arrays import Floats
from truerank.expectation.gain_maps import Map
from truerank.measures.core.base import Binary
from truerank.measures.core.parameters import number, whole
from truerank.measures.core.whole import WholeRanking


def interpolated(hit: Floats, relevant: int, recalls: Floats) -> Floats:
    """Highest precision at or past each recall level; shape (orders, levels)."""
    # Precision is highest at hits, and the least number of hits that reaches a recall level says where to begin; the
    # small slack undoes rounding in level times relevant.
    needed = np.maximum(np.ceil(recalls * relevant - 1e-9), 1).astype(np.int64)
    value = np.zeros((len(hit), len(recalls)))
    order, place = np.nonzero(hit > 0)
    count = np.bincount(order, minlength=len(hit))
    number = np.arange(len(order)) - np.repeat(np.cumsum(count) - count, count)
    precision = np.zeros((len(hit), int(count.max(initial=0))))
    precision[order, number] = (number + 1) / (place + 1)
    best = np.maximum.accumulate(precision[:, ::-1], axis=-1)[:, ::-1]
    reached = needed <= precision.shape[1]
    value[:, reached] = best[:, needed[reached] - 1]
    return value


@dataclass(frozen=True, kw_only=True, repr=False)
class Interpolated(WholeRanking, Binary):
    """Interpolated precision, averaged over recall levels."""

    citation = "Manning, Raghavan & Schütze 2008, section 8.4"
    takes_cutoff = False

    @abstractmethod
    def levels(self) -> Floats:
        """The recall levels looked at."""

    def value(self, grades: Floats, pool: Floats, gain: Map) -> Floats:
        """The mean over the recall levels."""
        relevant = int(gain(pool).sum())
        mean: Floats = interpolated(gain(grades), relevant, self.levels()).mean(axis=-1)
        return mean


@dataclass(frozen=True, kw_only=True, repr=False)
class IPrec(Interpolated):
    """Interpolated precision at a recall level, written after the @: the highest precision at that recall or past it.

    >>> IPrec(recall=0.5).of([0, 1, 1], pool=[1, 1])
    0.6666666666666666
    """

    recall: float = 0.1

    name = "IPrec"
    formula = "max P@k over depths k with R@k >= recall, 0 if there is none"

    def __post_init__(self) -> None:
        super().__post_init__()
        number("recall", self.recall, least=0, most=1)

    def levels(self) -> Floats:
        """The recall levels looked at."""
        return np.array([self.recall], np.float64)

    def __matmul__(self, recall: float) -> IPrec:
        return replace(self, recall=recall)

    def _at(self) -> str:
        return f"@{self.recall}"

    def parameters(self) -> dict[str, object]:
        """The parameters that differ from their defaults; the recall level stands after the @."""
        return {name: value for name, value in super().parameters().items() if name != "recall"}


@dataclass(frozen=True, kw_only=True, repr=False)
class IPrecAvg(Interpolated):
    """Mean interpolated precision over evenly spaced recall levels from 0 to 1, by default the classic eleven points.

    >>> round(IPrecAvg().of([1, 0, 1], pool=[1, 1]), 4)
    0.8485
    """

    points: int = 11

    name = "IPrecAvg"
    formula = "mean of IPrec over recall 0, .1, ..., 1"

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("points", self.points, least=2, most=10_001)

    def levels(self) -> Floats:
        """The recall levels looked at."""
        return np.linspace(0.0, 1.0, self.points)
