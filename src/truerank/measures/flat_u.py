"""Flat utility."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from truerank.measures import gains
from truerank.measures.cg import CG
from truerank.measures.effortful import Effortful
from truerank.measures.gains import Scale


@dataclass(frozen=True, kw_only=True, repr=False)
class FlatU(Effortful, CG):
    """Flat utility: what is found, minus e times the weight of every rank that is read.

    >>> round(FlatU(e=0.25).of([1, 0, 1]), 4)
    1.25
    """

    name = "FlatU"
    formula = "sum_{i<=k} (gain_i - e), gain = grade / max_rel"
    range = (-np.inf, np.inf)
    citation = "Amigó, Mizzaro & Spina 2022"
    scale: ClassVar[Scale] = staticmethod(gains.linear)
