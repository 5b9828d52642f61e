"""Q-measure."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from truerank.data.arrays import Rows
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.gain_maps import Hit
from truerank.expectation.pair import Pair
from truerank.expectation.term import Term
from truerank.expectation.weights import Blended
from truerank.measures.core.base import Graded, could_find
from truerank.measures.core.parameters import number, one_of


@dataclass(frozen=True, kw_only=True, repr=False)
class Q(Graded):
    """Q-measure: average precision in which gain counts beside hits, blended by beta; beta = 0 is average precision.

    ``norm='min'`` divides by min(k, R): so it can fall with depth, as Lu, Moffat & Culpepper (2016) observe of theirs.

    >>> Q().of([1, 0, 2], pool=[2, 1])
    0.75
    """

    beta: float = 1.0
    norm: str = "R"

    name = "Q"
    formula = "1/R sum_{gain_i > 0, i<=k} (hits_i + beta cg_i) / (i + beta ideal cg_i), norm='min': / min(k, R)"
    citation = "Sakai 2004"
    needs_depth = True
    exceeds_ideal = True

    def __post_init__(self) -> None:
        super().__post_init__()
        number("beta", self.beta, least=0)
        one_of("norm", self.norm, ("R", "min"))

    def terms(self, r: Rankings) -> Iterable[Term]:
        """The blended ratio at each document with gain."""
        gain = self.gain(r)
        hit = Hit(gain)
        best = r.ideal(gain)
        ideal = np.zeros((len(best), best.shape[1] + 1))
        np.cumsum(best, axis=-1, out=ideal[:, 1:])
        yield Pair(Blended(self.beta, ideal), hit, hit + self.beta * gain)

    def normaliser(self, r: Rankings, depth: Rows) -> Rows:
        """Documents with gain that could have been found."""
        return could_find(r.relevant(Hit(self.gain(r))), r, depth, self.norm)

    def normaliser_name(self, k: str, relevant: str) -> str:
        """What the documents with gain that could have been found are called."""
        return f"min({k}, {relevant})" if self.norm == "min" else relevant
