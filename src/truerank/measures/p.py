"""Precision at a depth."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from truerank.data.arrays import Rows
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.gain import Gain
from truerank.expectation.term import Term
from truerank.expectation.weights import Flat
from truerank.measures.core.base import Binary


@dataclass(frozen=True, kw_only=True, repr=False)
class P(Binary):
    """Precision: the share of relevant documents among the first k; relative, the share of what k can hold.

    Past the end of a list documents count as not relevant; without a cutoff k is the list's length. Silence is never
    wrong: at depth 0 precision is 1.

    >>> P(cutoff=4).of([1, 0, 1])
    0.5
    """

    relative: bool = False

    name = "P"
    formula = "hits@k / k, relative: hits@k / min(k, R)"
    citation = "Cleverdon & Keen 1966"

    @property
    def at_zero(self) -> float:  # type: ignore[override]
        """Precision of nothing; of nothing to find there is none."""
        return np.nan if self.relative else 1.0

    @property
    def needs_depth(self) -> bool:  # type: ignore[override]
        """Whether a depth of 0 leaves nothing to find."""
        return self.relative

    def terms(self, r: Rankings) -> Iterable[Term]:
        """Hits."""
        yield Gain(Flat(), self.gain(r))

    def normaliser(self, r: Rankings, depth: Rows) -> Rows:
        """The depth, or the hits that it has room for."""
        reach = r.reach(depth)
        return np.minimum(reach, r.relevant(self.gain(r))) if self.relative else reach

    def normaliser_name(self, k: str, relevant: str) -> str:
        """The same in letters."""
        return f"min({k}, {relevant})" if self.relative else k
