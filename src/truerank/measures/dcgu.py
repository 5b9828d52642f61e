"""DCG with effort."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from truerank.measures import gains
from truerank.measures.dcg import DCG
from truerank.measures.effortful import Effortful
from truerank.measures.gains import Scale


@dataclass(frozen=True, kw_only=True, repr=False)
class DCGU(Effortful, DCG):
    """DCG with effort: what is found, minus e times the weight of every rank that is read.

    >>> round(DCGU().of([1, 0, 0]), 4)
    0.8935
    """

    name = "DCGU"
    formula = "sum_{i<=k} (gain_i - e) / log2(i + 1), gain = grade / max_rel"
    range = (-np.inf, np.inf)
    citation = "Amigó, Mizzaro & Spina 2022"
    scale: ClassVar[Scale] = staticmethod(gains.linear)
