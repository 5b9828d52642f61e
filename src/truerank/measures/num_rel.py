"""Number of relevant documents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.rankings import Rankings
from truerank.measures.base import Binary
from truerank.measures.counted import Count


@dataclass(frozen=True, kw_only=True, repr=False)
class NumRel(Count, Binary):
    """How many relevant documents there are in the judgments. Topics are added up.

    >>> NumRel().of([1, 0], pool=[2, 1, 1, 0])
    3.0
    """

    name = "NumRel"
    formula = "R"
    citation = "trec_eval num_rel"
    reads_list = False

    def score(self, r: Rankings) -> Floats:
        """The count."""
        return r.relevant(self.gain(r))[:, 0].astype(np.float64)
