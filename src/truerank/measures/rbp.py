"""Rank-biased precision."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import numpy as np

from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.expectation.gain_maps import Scale, linear
from truerank.expectation.weights import Geometric, Weight
from truerank.measures.cg import CG
from truerank.measures.core.parameters import number, whole


@dataclass(frozen=True, kw_only=True, repr=False)
class RBP(CG):
    """Rank-biased precision: gain per document for a reader who goes on to the next one with probability p.

    ``residual`` is what documents past a depth could add, p^depth, and those further up that nobody judged.

    >>> RBP(p=0.5).of([1, 0, 1]), RBP(p=0.5).residual(3), RBP(p=0.5).residual(3, unjudged=[2])
    (0.625, 0.125, 0.375)
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

    def residual(self, depth: int, *, unjudged: Iterable[int] = ()) -> float:
        """What is left open at a depth: the weight of all ranks past it, and of the ranks of unjudged documents.

        >>> RBP(p=0.8).residual(10)
        0.10737418240000006
        """
        whole("depth", depth, least=0)
        open_ = sorted({*unjudged})
        if open_ and not 1 <= open_[0] <= open_[-1] <= depth:
            raise InputError(f"unjudged has ranks from {open_[0]} to {open_[-1]}; give ranks from 1 to {depth}")
        ranks = self.weight().at(np.array(open_, np.intp)).sum() if open_ else 0.0
        return float(self.range[1] * (self.p**depth + ranks))
