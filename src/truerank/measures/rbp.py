"""Rank-biased precision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from truerank.expectation.gain_maps import Scale, linear
from truerank.expectation.weights import Geometric, Weight
from truerank.measures.cg import CG
from truerank.measures.core.parameters import number


@dataclass(frozen=True, kw_only=True, repr=False)
class RBP(CG):
    """Rank-biased precision: gain per document for a reader who goes on to the next one with probability p.

    >>> RBP(p=0.5).of([1, 0, 1])
    0.625
    """

    p: float = 0.8

    name = "RBP"
    formula = "(1 - p) sum_{i<=k} gain_i p^(i-1), gain = grade / max_rel"
    citation = "Moffat & Zobel 2008"
    scale: ClassVar[Scale] = staticmethod(linear)

    def __post_init__(self) -> None:
        super().__post_init__()
        number("p", self.p, least=0, below=1)

    @property
    def range(self) -> tuple[float, float]:  # type: ignore[override]
        """Up to 1, or to the most that an own map gives."""
        return 0.0, max([1.0, *(float(gain) for _, gain in self.own_gains)])

    def weight(self) -> Weight:
        """The rate at which the reader arrives."""
        return Geometric(self.p)
