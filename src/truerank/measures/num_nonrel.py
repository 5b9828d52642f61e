"""Number of judged non-relevant documents retrieved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from truerank.data.rankings import Rankings
from truerank.expectation.gain import Gain
from truerank.measures.base import Binary, Term
from truerank.measures.counted import Count
from truerank.measures.weights import Flat


@dataclass(frozen=True, kw_only=True, repr=False)
class NumNonrelRet(Count, Binary):
    """How many retrieved documents are judged and not relevant. Topics are added up.

    >>> NumNonrelRet().of([1, 0, float("nan")])
    1.0
    """

    name = "NumNonrelRet"
    formula = "judged documents without relevance in the list"
    citation = "trec_eval num_nonrel_judged_ret"
    skips_unjudged = True

    def terms(self, r: Rankings) -> Iterable[Term]:
        """1 for each of them."""
        yield Gain(Flat(), (r.is_judged & (r.grade < self.rel)).astype(np.float64))
