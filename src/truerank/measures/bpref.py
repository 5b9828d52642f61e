"""Binary preference."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings, row_sum
from truerank.expectation.count import Count
from truerank.expectation.gain_maps import Nonrelevant
from truerank.expectation.term import Term
from truerank.measures.core.base import Binary, FoundRange, Scaled, ratio
from truerank.measures.core.parameters import one_of


@dataclass(frozen=True, kw_only=True, repr=False)
class Bpref(Binary):
    """Binary preference: how seldom judged non-relevant documents stand above relevant ones; unjudged ones are skipped.

    ``norm`` divides their number by min(R, N) as trec_eval does, or by R as first published.

    >>> Bpref().of([1, 0, 1, 0], pool=[1, 1, 0, 0])
    0.75
    """

    norm: str = "min"

    name = "Bpref"
    formula = "1/R sum_{relevant d} (1 - min(nonrel above d, R) / min(R, N)), norm='R': / R"
    citation = "Buckley & Voorhees 2004"
    takes_terminal = False
    skips_unjudged = True
    meets_bounds = False

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of("norm", self.norm, ("min", "R"))

    def terms(self, r: Rankings) -> Iterable[Term]:
        """Each relevant document's share of judged non-relevant documents that do not stand above it."""
        gain = self.gain(r)
        relevant = r.relevant(gain)[:, 0]
        most = np.maximum(np.minimum(relevant, r.judged - relevant) if self.norm == "min" else relevant, 1)

        def phi(above: Floats, row: Rows) -> Floats:
            # More stand above than are judged where unjudged documents are taken for such: a share is all, not more.
            return 1.0 - np.minimum(above, most[row]) / most[row]

        yield Count(gain, Nonrelevant(gain), phi)

    def normaliser(self, r: Rankings, depth: Rows) -> Rows:
        """The number of relevant documents."""
        return r.relevant(self.gain(r))

    def outcomes(self, r: Rankings, found: FoundRange) -> tuple[Floats, Floats]:
        """What documents above a relevant one cost at least and at most: judged not relevant, they also add to N."""
        gain = self.gain(r)
        relevant = (r.gains(gain) > 0).astype(np.float64)
        others = (r.is_judged & ~found.open & (relevant == 0)).astype(np.float64)
        before = r.relevant(gain)
        fewest, most = before + found.least, before + found.most
        nonrelevant = (r.judged - before[:, 0])[:, None]

        def cost(above: Floats, relevant: Rows, nonrelevant: Floats | Rows) -> Floats:
            over = np.minimum(relevant, nonrelevant) if self.norm == "min" else relevant
            return np.minimum(above, relevant) / np.maximum(over, 1)

        # The dearest: all that may be judged and stand above, or tie, are not relevant, and nothing else is judged.
        open_ = found.open.astype(np.float64)
        more = r.above(open_) + r.group_sum(open_) - open_
        dearest = cost(r.above(others) + r.group_sum(others) + more, fewest, nonrelevant + more)
        depth = self.depth(r)
        least: Floats = np.where(r.stop <= depth, np.maximum(1.0 - dearest, 0.0), 0.0)
        cheapest = cost(r.above(others), most, nonrelevant + found.total - found.least)
        best: Floats = np.where(r.start <= depth, 1.0 - cheapest, 0.0)
        low = ratio(row_sum(relevant * least) + found.smallest(least), most[:, 0])
        high = ratio(row_sum(relevant * best) + found.largest(best), fewest[:, 0])
        return low, np.minimum(high, 1.0)

    def merit(self, grade: Floats, r: Scaled) -> Floats:
        """Unjudged documents stand between the relevant and the judged non-relevant."""
        return np.where(np.isnan(grade), 0.0, np.where(grade >= self.rel, 1.0, -1.0))
