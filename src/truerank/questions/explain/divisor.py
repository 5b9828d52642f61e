"""What a sum is divided by, in words and numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.data.arrays import Rows
from truerank.data.rankings import ENDLESS, Rankings
from truerank.measures.base import Measure
from truerank.measures.ndcg import NDCG


@dataclass(frozen=True)
class Place:
    """A place of the ideal ranking."""

    rank: int
    gain: float
    weight: float


@dataclass(frozen=True)
class Divisor:
    """What the sum over documents is divided by."""

    name: str
    value: float
    ideal: tuple[Place, ...] = ()
    """The ideal ranking, where the divisor is its score."""

    def as_dict(self) -> dict[str, Any]:
        """Everything by name."""
        return {"name": self.name, "value": self.value, "ideal": [vars(place) for place in self.ideal]}


def divisor(measure: Measure, r: Rankings, depth: Rows, value: float) -> Divisor:
    """Name what a measure divides by.

    >>> from truerank.measures.ap import AP
    >>> r = Rankings.single([1, 0], pool=[1, 1])
    >>> divisor(AP(norm="min", cutoff=1), r, np.array([[1]]), 1.0)
    Divisor(name='min(k, R)', value=1.0, ideal=())
    """
    k = "n" if depth[0, 0] == ENDLESS else "k"
    relevant = "R + 1" if r.terminal else "R"
    norm = {"min": f"min({k}, {relevant})", "pool": "R_k"}.get(getattr(measure, "norm", ""), relevant)
    size = f"min({k}, {relevant})" if getattr(measure, "relative", False) else k
    names = {
        "P": size,
        "c": size,
        "SetP": size,
        "AP": norm,
        "Q": norm,
        "F": f"{k} + beta^2 {relevant}",
        "SetF": f"{k} + beta^2 {relevant}",
        "nDCG": f"the ideal DCG@{k}" if k == "k" else "the ideal DCG",
        "SDCG": "DCG of the highest grade at every rank",
        "Judged": "n" if k == "n" else "min(k, n)",
        "Rprec": relevant if getattr(measure, "mult", 1) == 1 else "c",
    }
    ideal = _ideal(measure, r, depth) if isinstance(measure, NDCG) else ()
    return Divisor(names.get(measure.name, relevant), value, ideal)


def _ideal(measure: NDCG, r: Rankings, depth: Rows) -> tuple[Place, ...]:
    best = r.ideal(measure.gain(r))[0]
    last = min(int(r.ideal_depth(depth)[0, 0]), int((best > 0).sum()))
    ranks = np.arange(1, last + 1)
    weights = measure.weight().at(ranks)
    return tuple(map(Place, ranks.tolist(), best[:last].tolist(), weights.tolist()))
