"""Systems ordered by preference loss and by measures of graded judgments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from truerank.analysis.agreement.between import agreement
from truerank.analysis.pairs import EQUAL, every_pair
from truerank.measures.core.base import Measure

_DECIMALS = 12
"""Past which means that differ do so by rounding."""


@dataclass(frozen=True)
class Ordering:
    """How far a measure of grades orders systems as preference loss does."""

    measure: str
    runs: int
    kendall_a: float
    kendall_b: float
    tau_ap: float
    """AP correlation, the order by preference loss taken for the truth."""
    pairs: int
    """Pairs of systems that preference loss tells apart."""
    swapped: int
    """Those that the measure puts in the opposite order."""

    def as_dict(self) -> dict[str, Any]:
        """The numbers by name."""
        return asdict(self)


def ordering(measure: Measure, losses: Mapping[str, float], scores: Mapping[str, float]) -> Ordering:
    """Compare the orders of systems that have both a loss and a score.

    >>> from truerank.measures.grammar import parse
    >>> found = ordering(parse("AP"), {"a": 0.1, "b": 0.2, "c": 0.4}, {"a": 0.5, "b": 0.3, "c": 0.4})
    >>> found.swapped, round(found.kendall_a, 4)
    (1, 0.3333)
    """
    known = [run for run in losses if losses[run] == losses[run] and scores[run] == scores[run]]
    sign = measure.sign
    by_loss = np.round([-losses[run] for run in known], _DECIMALS)
    by_score = np.round([sign * scores[run] for run in known], _DECIMALS)
    found = agreement(dict(zip(known, by_loss, strict=True)), dict(zip(known, by_score, strict=True)))
    one, other = every_pair(len(known))
    first, second = by_loss[one] - by_loss[other], by_score[one] - by_score[other]
    apart = np.abs(first) > EQUAL
    swapped = apart & (np.abs(second) > EQUAL) & (first * second < 0)
    return Ordering(
        str(measure),
        len(known),
        found.kendall_a,
        found.kendall_b,
        found.tau_ap,
        int(apart.sum()),
        int(swapped.sum()),
    )
