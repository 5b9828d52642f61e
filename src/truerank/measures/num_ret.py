"""Number of retrieved documents."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from truerank.data.rankings import Rankings
from truerank.expectation.effort import Effort
from truerank.expectation.gain import Gain
from truerank.measures.base import Term
from truerank.measures.counted import Count
from truerank.measures.parameters import positive
from truerank.measures.weights import Flat


@dataclass(frozen=True, kw_only=True, repr=False)
class NumRet(Count):
    """How many documents were retrieved; with ``rel``, how many of at least that grade. Topics are added up.

    >>> NumRet().of([1, 0, 1]), NumRet(rel=1).of([1, 0, 1])
    (3.0, 2.0)
    """

    rel: float | None = None

    name = "NumRet"
    formula = "n, with rel: hits"
    citation = "trec_eval num_ret, num_rel_ret"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rel is not None:
            positive("rel", self.rel)

    def terms(self, r: Rankings) -> Iterable[Term]:
        """1 for each document of the list, or of the grade."""
        yield Effort(Flat(), -1.0) if self.rel is None else Gain(Flat(), (r.grade >= self.rel).astype(np.float64))
