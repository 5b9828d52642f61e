"""What the order of each tie group could make of the score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from truerank.analysis.explaining.lists import List
from truerank.analysis.explaining.variations import UNCHANGED, Variation, scores
from truerank.data.arrays import Floats, Rows
from truerank.statistics.pairs import EQUAL

TRIED = 6
"""Documents of a tie group up to which every order is tried, where the extremes are no sorts."""


@dataclass(frozen=True)
class TieGroup:
    """Documents with one score, and what their order could do; other ties stay as they are."""

    first: int
    last: int
    relevant: int
    """How many of them have gain."""
    low: float
    high: float
    exact: bool = True
    """Whether no order goes past these ends."""

    @property
    def documents(self) -> int:
        """How many they are."""
        return self.last - self.first + 1


def tie_groups(one: List) -> tuple[TieGroup, ...]:
    """Tie groups whose order could move the score, from the top down; of a very long list the first ones."""
    r, measure = one.r, one.measure
    if not r.tied or r.ties != "expected" or r.pairs is not None:
        return ()
    sorts = measure.sorts_ties
    kind = measure.merit(one.grade, r) if sorts else np.nan_to_num(one.grade, nan=-np.inf)
    parts = np.split(r.shared.flat, r.shared.first[1:])
    # Where all of a group are alike, order is nothing, but to a measure with an answer of its own to ties.
    least = 1 if measure.needs == "every document" else 2
    groups = [slots for slots in parts if r.start[0, slots[0]] <= one.depth and len({*kind[slots].tolist()}) >= least]
    groups = groups[: one.tries // 2]
    tried = [[_placed(one, slots, order) for order in _orders(kind[slots], sorts)] for slots in groups]
    now, *every = scores(measure, r, [UNCHANGED, *(variation for some in tried for variation in some)]).tolist()
    values = iter(every)
    gain = r.gains(measure.gain(r))[0]
    found = []
    for slots, some in zip(groups, tried, strict=True):
        # Such a measure may also lie outside of all orders.
        ends = [now, *(next(values) for _ in some)]
        if max(ends) - min(ends) > EQUAL:
            first, relevant = int(r.start[0, slots[0]]), int((gain[slots] > 0).sum())
            exact = sorts or len(slots) <= TRIED
            found.append(TieGroup(first, first + len(slots) - 1, relevant, min(ends), max(ends), exact))
    return tuple(found)


def _placed(one: List, slots: Rows, order: Rows) -> Variation:
    r = one.r
    return Variation(slots, r.grade[0, slots[order]], r.start[0, slots[0]] + np.arange(len(slots)))


def _orders(kind: Floats, sorts: bool) -> Iterator[Rows]:
    """The best and the worst order of documents or, where these are not known, all of a few."""
    if sorts or len(kind) > TRIED:
        best = np.argsort(-kind, kind="stable")
        yield from (best, best[::-1])
        return
    tried = {tuple(kind[list(order)].tolist()): order for order in permutations(range(len(kind)))}
    yield from map(np.array, tried.values())
