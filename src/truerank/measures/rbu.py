"""Rank-biased utility."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.measures.effortful import Effortful
from truerank.measures.irbu import IRBU


@dataclass(frozen=True, kw_only=True, repr=False)
class RBU(Effortful, IRBU):
    """Rank-biased utility: what is found, minus e times the weight of every rank that is read.

    >>> round(RBU(p=0.5, max_rel=1).of([1, 1]), 4)
    0.275
    """

    name = "RBU"
    formula = "(1 - p) sum_{i<=k} p^(i-1) (Rel_i prod_{j<i} (1 - Rel_j) - e), Rel = (2^grade - 1) / 2^max_rel"
    range = (-np.inf, 1.0)
    citation = "Amigó, Spina & Carrillo-de-Albornoz 2018"
