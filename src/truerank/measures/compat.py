"""Compatibility."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.classes import dataclass
from truerank.expectation.gain_maps import Map
from truerank.measures.core.parameters import number, whole
from truerank.measures.core.whole import WholeRanking


@dataclass(frozen=True, kw_only=True, repr=False)
class Compat(WholeRanking):
    """Rank-biased overlap of the list with the ideal ranking that is most like it: by grade, then as in the list.

    The overlap is taken at every depth down to ``deepest``, by default 1,000 as in the authors' script. There hardly
    any weight is left, so that a list scores the same whatever follows its last relevant document. With None it ends
    with the longer of list and ideal ranking, as in ir_measures, and what follows raises the score of a short list.
    ``normalise`` divides by what the ideal ranking has in common with itself, as that is finite.

    >>> Compat().of([2, 1, 0]), round(Compat(p=0.5).of([1, 2, 0]), 4)
    (1.0, 0.4359)
    >>> round(Compat().of([0, 1]), 4), round(Compat(deepest=None).of([0, 1]), 4)
    (0.6829, 0.322)
    """

    p: float = 0.95
    deepest: int | None = 1000
    normalise: bool = True

    name = "Compat"
    formula = "RBO(list, ideal) / RBO(ideal, ideal), RBO = sum_{i<=deepest} p^(i-1) |first i in both| / i / sum p^(i-1)"
    citation = "Clarke, Vtyurina & Smucker 2021"
    takes_cutoff = False
    has_bounds = False
    sorts_ties = False

    def __post_init__(self) -> None:
        super().__post_init__()
        number("p", self.p, least=0, most=1)
        if self.deepest is not None:
            whole("deepest", self.deepest, least=1, most=1_000_000)

    def value(self, grades: Floats, pool: Floats, gain: Map) -> Floats:
        """The overlap, over that of the ideal ranking with itself."""
        longer = max(grades.shape[1], len(pool))
        depth = longer if self.deepest is None else self.deepest
        weight = np.power(self.p, np.arange(float(depth)))
        # The ideal ranking is one more row, so that a list which is ideal has the same bits.
        rows = np.full((len(grades) + 1, longer), np.nan)
        rows[:-1, : grades.shape[1]] = grades
        rows[-1, : len(pool)] = -np.sort(-pool)
        overlap = _overlap(rows[:, :depth], pool, weight)
        share: Floats = overlap[:-1] / (overlap[-1] if self.normalise else weight.sum())
        return share


def _overlap(grades: Floats, pool: Floats, weight: Floats) -> Floats:
    """The overlap at every depth, weighted: a document counts from where it stands in both rankings on."""
    depth = len(weight)
    rank = np.arange(1, depth + 1)
    from_rank = np.append(np.cumsum((weight / rank)[::-1])[::-1], 0.0)
    overlap = np.zeros(len(grades))
    for level in np.unique(pool):
        here = grades == level
        in_ideal = (pool > level).sum() + np.cumsum(here, axis=-1)
        place = np.maximum(in_ideal, rank[: grades.shape[1]]) - 1
        overlap += np.where(here, from_rank[np.minimum(place, depth)], 0.0).sum(axis=-1)
    return overlap
