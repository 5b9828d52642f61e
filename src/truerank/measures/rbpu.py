"""RBP with effort."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.measures.effortful import Effortful
from truerank.measures.rbp import RBP


@dataclass(frozen=True, kw_only=True, repr=False)
class RBPU(Effortful, RBP):
    """RBP with effort: what is found, minus e times the weight of every rank that is read.

    >>> round(RBPU(p=0.5).of([1, 0]), 4)
    0.4625
    """

    name = "RBPU"
    formula = "(1 - p) sum_{i<=k} p^(i-1) (gain_i - e), gain = grade / max_rel"
    citation = "Amigó, Mizzaro & Spina 2022"

    @property
    def range(self) -> tuple[float, float]:  # type: ignore[override]
        """Up to what RBP reaches."""
        return -np.inf, super().range[1]
