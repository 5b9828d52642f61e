"""Bejeweled player model."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.classes import dataclass
from truerank.measures.core.parameters import positive
from truerank.measures.core.reader import Reader

_ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True, repr=False)
class BPM(Reader):
    """Bejeweled player model: gain per document for a reader who stops with a gain of T, or at the cutoff.

    >>> BPM(T=2, cutoff=10).of([0, 1, 0, 1, 1]), BPM(T=2, cutoff=10).of([0, 1])
    (0.5, 0.1)
    """

    T: float = 1.0

    name = "BPM"
    formula = "sum_{i<=s} gain_i / s, s the first rank with a gain of T so far, or k; gain = grade / max_rel"
    citation = "Zhang, Liu, Li, Zhang, Xu & Ma 2017"

    def __post_init__(self) -> None:
        super().__post_init__()
        positive("T", self.T)

    def going_on(self, x: Floats, rank: Floats) -> Floats:
        """Surely, until there is enough."""
        return (np.cumsum(x, axis=-1) < self.T - _ROUNDING).astype(np.float64)

    def rest(self, x: Floats) -> Floats:
        """Down to the cutoff."""
        return np.full(len(x), float(self.unseen(x)))
