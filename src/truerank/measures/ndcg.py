"""Normalised discounted cumulative gain."""

from __future__ import annotations

from truerank.data.classes import dataclass
from truerank.measures.core.ideal import OverIdeal
from truerank.measures.dcg import DCG


@dataclass(frozen=True, kw_only=True, repr=False)
class NDCG(OverIdeal, DCG):
    """DCG over the DCG of the best ranking of the judged documents, both to the same depth.

    >>> round(NDCG(cutoff=3).of([1, 0, 2]), 4)
    0.7602
    """

    name = "nDCG"
    formula = "DCG@k / ideal DCG@k"
    citation = DCG.citation
