"""ERR with effort."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.measures.effortful import Effortful
from truerank.measures.err import ERR


@dataclass(frozen=True, kw_only=True, repr=False)
class ERRU(Effortful, ERR):
    """ERR with effort: what is found, minus e times the weight of every rank that is read.

    >>> round(ERRU(max_rel=1).of([1, 0]), 4)
    0.425
    """

    name = "ERRU"
    formula = "sum_{i<=k} 1/i (Rel_i prod_{j<i} (1 - Rel_j) - e), Rel = (2^grade - 1) / 2^max_rel"
    range = (-np.inf, 1.0)
    citation = "Amigó, Mizzaro & Spina 2022"
