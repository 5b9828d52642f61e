"""Number of topics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.rankings import Rankings
from truerank.measures.counted import Count


@dataclass(frozen=True, kw_only=True, repr=False)
class NumQ(Count):
    """How many topics were evaluated: 1 each, added up.

    >>> NumQ().of([1, 0])
    1.0
    """

    name = "NumQ"
    formula = "1"
    citation = "trec_eval num_q"
    reads_list = False

    def score(self, r: Rankings) -> Floats:
        """1 a topic."""
        return np.ones(len(r.length))
