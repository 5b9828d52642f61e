"""Compatibility."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats
from truerank.expectation.gain_maps import Map
from truerank.measures.core.parameters import number
from truerank.measures.core.whole import WholeRanking


@dataclass(frozen=True, kw_only=True, repr=False)
class Compat(WholeRanking):
    """Rank-biased overlap of the list with the ideal ranking that is most like it: by grade, then as in the list.

    ``normalise`` divides by what the ideal ranking has in common with itself, as that is finite.

    >>> Compat().of([2, 1, 0]), round(Compat(p=0.5).of([1, 2, 0]), 4)
    (1.0, 0.4)
    """

    p: float = 0.95
    normalise: bool = True

    name = "Compat"
    formula = "RBO(list, ideal) / RBO(ideal, ideal), RBO = sum p^(i-1) |first i in both| / i / sum p^(i-1)"
    citation = "Clarke, Vtyurina & Smucker 2021"
    takes_cutoff = False
    has_bounds = False
    sorts_ties = False

    def __post_init__(self) -> None:
        super().__post_init__()
        number("p", self.p, least=0, most=1)

    def value(self, grades: Floats, pool: Floats, gain: Map) -> Floats:
        """The overlap at every depth, weighted: a document counts from where it stands in both rankings on."""
        depth = max(grades.shape[1], len(pool))
        rank = np.arange(1.0, depth + 1.0)
        weight = np.power(self.p, rank - 1.0)
        from_rank = np.append(np.cumsum((weight / rank)[::-1])[::-1], 0.0)
        overlap = np.zeros(len(grades))
        for level in np.unique(pool):
            here = grades == level
            in_ideal = (pool > level).sum() + np.cumsum(here, axis=-1)
            place = np.maximum(in_ideal, rank[: grades.shape[1]]).astype(np.int64) - 1
            overlap += np.where(here, from_rank[np.minimum(place, depth)], 0.0).sum(axis=-1)
        best = (weight * np.minimum(rank, len(pool)) / rank).sum() if self.normalise else weight.sum()
        share: Floats = overlap / best
        return share
