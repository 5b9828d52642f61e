"""Systems that unjudged documents leave undecided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.analysis.judging.scores import OpenScore
from truerank.data.arrays import Floats
from truerank.statistics.pairs import EQUAL, every_pair, is_open


@dataclass(frozen=True)
class Standing:
    """The place of a system by its score, and the places that unjudged documents leave open."""

    place: int
    highest: int
    """One more than the systems that are certainly above it."""
    lowest: int
    """One more than the systems that may be above it."""
    undecided: int
    """Systems that it may be above or below."""


@dataclass(frozen=True)
class Versus:
    """Two systems, and whether unjudged documents can put them in the other order."""

    measure: str
    better: str
    """The system with the better score; of equal ones the first."""
    worse: str
    difference: float
    ahead: float
    """By how much the other one may be ahead, at the near ends of their bounds; below 0, it is behind whatever is."""
    decided: bool
    """Whether the first is above, or level, whatever grades unjudged documents have."""

    def as_dict(self) -> dict[str, Any]:
        """Everything by name."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def standings(scores: Mapping[str, OpenScore]) -> dict[str, Standing]:
    """Places of systems by a measure that has bounds; none for a system without a score."""
    names, score, low, high = _merits(scores)
    certain = low[None, :] - high[:, None] > EQUAL
    possible = high[None, :] - low[:, None] > EQUAL
    np.fill_diagonal(possible, False)
    columns = (
        1 + (score[None, :] - score[:, None] > EQUAL).sum(axis=1),
        1 + certain.sum(axis=1),
        1 + possible.sum(axis=1),
        (possible & possible.T).sum(axis=1),
    )
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return {name: Standing(*row) for name, row in zip(names, rows, strict=True)}


def versus(scores: Mapping[str, OpenScore]) -> list[Versus]:
    """All pairs of systems that have scores, by a measure that has bounds; undecided ones first."""
    names, score, low, high = _merits(scores)
    if len(names) < 2:
        return []
    one, other = every_pair(len(names))
    better, worse = np.where(score[one] >= score[other], (one, other), (other, one))
    ahead = high[worse] - low[better]
    open_ = is_open(low, high, one, other)
    order = np.lexsort((-ahead, ~open_))
    measure = str(next(iter(scores.values())).measure)
    return [
        Versus(measure, names[a], names[b], float(score[a] - score[b]), float(ahead[pair]), not open_[pair])
        for pair, a, b in zip(order.tolist(), better[order].tolist(), worse[order].tolist(), strict=True)
    ]


def _merits(scores: Mapping[str, OpenScore]) -> tuple[list[str], Floats, Floats, Floats]:
    """Systems with scores and bounds, and these, the higher the better."""
    known = {name: one for name, one in scores.items() if one.residual is not None and one.residual == one.residual}
    score, low, high = (
        np.array([getattr(one, end) for one in known.values()], np.float64) for end in ("score", "low", "high")
    )
    if all(one.measure.higher_is_better for one in known.values()):
        return list(known), score, low, high
    return list(known), -score, -high, -low
