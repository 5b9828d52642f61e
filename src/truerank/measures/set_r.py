"""Recall of the retrieved set."""

from __future__ import annotations

from dataclasses import dataclass

from truerank.measures.r import R


@dataclass(frozen=True, kw_only=True, repr=False)
class SetR(R):
    """Recall of everything retrieved.

    >>> SetR().of([1, 0, 1, 0], pool=[1, 1, 1])
    0.6666666666666666
    """

    name = "SetR"
    formula = "hits / R"
    citation = "trec_eval set_recall"
    takes_cutoff = False
    takes_terminal = False
