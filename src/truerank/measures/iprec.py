"""Interpolated precision."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from truerank.data.arrays import Floats, Mask, Rows, begins, distinct
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.gain_maps import Map
from truerank.expectation.opaque import Opaque
from truerank.measures.core.base import Binary, Estimate
from truerank.measures.core.parameters import number, whole
from truerank.measures.core.whole import WholeRanking

_ROOM = 1 << 24
"""Numbers that are worked on for one list; past that, orders of ties are sampled."""


def interpolated(hit: Floats, relevant: int, recalls: Floats) -> Floats:
    """Highest precision at or past each recall level; shape (orders, levels)."""
    # Precision is highest at hits, and the least number of hits that reaches a recall level says where to begin.
    needed = _needed(recalls, relevant)
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


def _needed(recalls: Floats, relevant: int) -> Rows:
    """The least number of hits that reaches each recall level."""
    # The small slack undoes rounding in level times relevant.
    return np.maximum(np.ceil(recalls * relevant - 1e-9), 1).astype(np.intp)


class _Stretch(NamedTuple):
    """A tie group of one list: how many documents and hits stand above it, how many it has."""

    above: int
    hits_above: int
    size: int
    hits: int


def _chances(group: _Stretch, needed: int, floor: float) -> tuple[Floats, Floats]:
    """The precisions above ``floor`` that a hit of the group may have, and the chance that none has more than each.

    Random orders are paths of hits and others, of which a highest precision allows those that never climb past it.
    """
    rank, hit = np.arange(1, group.size + 1)[:, None], np.arange(group.hits + 1)
    precision = (group.hits_above + hit) / (group.above + rank)
    counts = (hit >= 1) & (hit <= rank) & (rank - hit <= group.size - group.hits) & (group.hits_above + hit >= needed)
    values = np.append(floor, distinct(precision[counts & (precision > floor)]))
    chance = np.zeros((len(values), group.hits + 1))
    chance[:, 0] = 1.0
    for place in range(group.size):
        moved = chance * ((group.hits - hit) / (group.size - place)).clip(0.0, 1.0)
        chance = chance - moved
        past = counts[place] & (precision[place] > values[:, None])
        chance[:, 1:] += np.where(past[:, 1:], 0.0, moved[:, :-1])
    return values, chance.sum(axis=-1)


def _stretches(r: Rankings, row: int, hit: Floats) -> list[_Stretch]:
    """The tie groups of a list that have hits, and hits that are not tied."""
    slots = np.flatnonzero(hit > 0)
    start, size = r.start[row, slots], r.size[row, slots]
    first = np.flatnonzero(begins(start)) if len(slots) else slots
    hits = np.diff(first, append=len(slots))
    above = (start[first] - 1).tolist()
    return [_Stretch(*one) for one in zip(above, first.tolist(), size[first].tolist(), hits.tolist(), strict=True)]


def _distribution(groups: Sequence[_Stretch], needed: int, room: int) -> tuple[Floats, Floats] | None:
    """The values that interpolated precision may have, and how likely; None where they are too many to go through.

    What a finished group holds does not depend on its order, so that groups are independent: that none climbs past a
    precision is the product of their chances.
    """
    done = [((one.hits_above + one.hits), (one.above + one.size)) for one in groups]
    reached = [hits / ranks for hits, ranks in done if hits >= needed]
    if not reached:
        return np.zeros(1), np.ones(1)
    # At the end of a group its hits have been found, the last of them there or before.
    floor = max(reached)
    open_ = [
        one
        for one in groups
        if one.size > 1
        and one.hits
        and one.hits_above + one.hits >= needed
        and (one.hits_above + one.hits) / (one.above + one.hits) > floor
    ]
    if sum((one.size * (one.hits + 1)) ** 2 for one in open_) > room:
        return None
    steps = [_chances(one, needed, floor) for one in open_]
    values = distinct(np.concatenate([np.array([floor]), *(found for found, _ in steps)]))
    below = np.ones(len(values))
    for found, chance in steps:
        below *= chance[np.searchsorted(found, values, side="right") - 1]
    return values, np.diff(below, prepend=0.0)


def _at_levels(groups: Sequence[_Stretch], needed: Rows) -> list[tuple[Floats, Floats]] | None:
    """The distribution at each level, of which some need as many hits; None where one is unknown."""
    counts = distinct(needed).tolist()
    known: dict[int, tuple[Floats, Floats]] = {}
    for count in counts:
        found = _distribution(groups, count, _ROOM // len(counts))
        if found is None:
            return None
        known[count] = found
    return [known[count] for count in needed.tolist()]


def mean_precisions(r: Rankings, gain: Map, levels: Floats) -> tuple[Floats, Mask]:
    """Means over the orders of ties at some recall levels, shape (rows, levels), and which rows were not sampled.

    A row without relevant documents has no value.
    """

    def several(grades: Floats, pool: Floats) -> Floats:
        return interpolated(gain(grades), int(gain(pool).sum()), levels)

    relevant = r.relevant(gain)
    found, exact = np.full((len(r.length), len(levels)), np.nan), np.ones(len(r.length), np.bool_)
    late: list[int] = []
    hit = gain.over(r)
    for row in np.flatnonzero(relevant[:, 0]).tolist():
        some = None
        if r.tied and r.ties == "expected":
            some = _at_levels(_stretches(r, row, hit[row]), _needed(levels, int(relevant[row, 0])))
        if some is None:
            late.append(row)
        else:
            found[row] = [float((values * chance).sum()) for values, chance in some]
    if late:
        rows = np.array(late)
        means, exact[rows] = Opaque(several).columns(r.take(rows), r.take(rows).depth(None))
        found[rows] = means.reshape(len(rows), len(levels))
    return found, exact


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

    def estimate(self, r: Rankings) -> Estimate:
        """The mean over the orders of ties: exact, but for lists where that would take too long, which are sampled."""
        if not r.tied or r.ties != "expected":
            return super().estimate(r)
        value, error = np.full(len(r.length), np.nan), np.zeros(len(r.length))
        late: list[int] = []
        for row, found in enumerate(self._rows(r)):
            if found is None:
                late.append(row)
            elif found:
                # As for an untied list, to the last bit.
                value[row] = np.array([(values * chance).sum() for values, chance in found]).mean()
        if late:
            rows = np.array(late)
            value[rows], sampled = super().estimate(r.take(rows))
            error[rows] = 0.0 if sampled is None else sampled
        return Estimate(value, error)

    def variance(self, r: Rankings) -> Floats:
        """Of one recall level, from the distribution over orders; of several, no closed form is known."""
        found = np.full(len(r.length), np.nan)
        if len(self.levels()) > 1:
            return found
        for row, levels in enumerate(self._rows(r)):
            for values, chance in levels or ():
                mean = float((values * chance).sum())
                found[row] = float((chance * (values - mean) ** 2).sum())
        return found

    def _rows(self, r: Rankings) -> Iterator[list[tuple[Floats, Floats]] | None]:
        """For each row, the distribution over orders at each level; none without a value, None where it is unknown."""
        gain = self.gain(r)
        hit, relevant = gain.over(r), r.relevant(gain)[:, 0]
        for row in range(len(r.length)):
            if not relevant[row]:
                yield []
                continue
            groups = _stretches(r, row, hit[row])
            needed = _needed(self.levels(), int(relevant[row]))
            yield _at_levels(groups, needed)


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
