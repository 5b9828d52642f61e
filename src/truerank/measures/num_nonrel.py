"""Number of judged non-relevant documents retrieved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.rankings import Rankings
from truerank.measures.base import Binary
from truerank.measures.counted import Count


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

    def score(self, r: Rankings) -> Floats:
        """The count."""
        count: Floats = (r.is_judged & (r.grade < self.rel)).sum(axis=-1).astype(np.float64)
        return count
