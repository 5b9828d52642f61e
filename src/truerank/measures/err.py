"""Expected reciprocal rank."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.cascade import Cascade
from truerank.expectation.gain_maps import Scale, satisfaction
from truerank.expectation.term import Term
from truerank.expectation.weights import Harmonic, Weight
from truerank.measures.core.base import Graded
from truerank.measures.core.parameters import number


@dataclass(frozen=True, kw_only=True, repr=False)
class ERR(Graded):
    """Expected reciprocal rank: where a reader stops whom each document satisfies with a chance that grows by grade.

    >>> ERR(max_rel=1).of([0, 1, 1])
    0.3333333333333333
    """

    name = "ERR"
    formula = "sum_{i<=k} 1/i Rel_i prod_{j<i} (1 - Rel_j), Rel = (2^grade - 1) / 2^max_rel"
    citation = "Chapelle, Metzler, Zhang & Grinspan 2009"
    scale: ClassVar[Scale] = staticmethod(satisfaction)

    def __post_init__(self) -> None:
        super().__post_init__()
        for _, chance in self.own_gains:
            number("gains", chance, least=0, most=1)

    def weight(self) -> Weight:
        """What satisfaction at a rank is worth."""
        return Harmonic()

    def ideal_steps(self, best: Floats) -> Floats:
        """What each rank of a list with these gains adds."""
        reached = np.ones(best.shape)
        np.cumprod(1.0 - best[..., :-1], axis=-1, out=reached[..., 1:])
        return self.weight().apply(best * reached, np.arange(1, best.shape[-1] + 1))

    def terms(self, r: Rankings) -> Iterable[Term]:
        """The reader stops where satisfied."""
        gain = self.gain(r)
        yield Cascade(self.weight(), gain, 1 - gain)
