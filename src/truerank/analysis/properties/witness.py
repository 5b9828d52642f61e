"""Witnesses: comparisons with their scores, in numbers and in words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from truerank.analysis.properties.cases import Case
from truerank.analysis.properties.comparison import Comparison

DIGITS = 4
_MOST = 15
_LARGE = 1e6


@dataclass(frozen=True)
class Witness:
    """Rankings and their scores, so that anyone can compute them by hand."""

    more: tuple[Case, ...]
    """What should score more; of two, the sum of their scores."""
    less: tuple[Case, ...]
    more_scores: tuple[float, ...]
    less_scores: tuple[float, ...]
    said: str
    """In words."""

    @classmethod
    def of(
        cls,
        comparison: Comparison,
        more: tuple[float, ...],
        less: tuple[float, ...],
        said: str,
        added: tuple[float, ...] = (),
    ) -> Witness:
        """A comparison with its scores, which fill the places in what is said, and with numbers added after them."""
        return cls(comparison.more, comparison.less, more, less, said.format(*figures((*more, *less, *added))))

    @property
    def length(self) -> int:
        """Of the longest ranking."""
        return max(len(case.grades) for case in (*self.more, *self.less))

    def as_dict(self) -> dict[str, Any]:
        """The witness in the terms of JSON."""
        return {
            "more": _sides(self.more, self.more_scores),
            "less": _sides(self.less, self.less_scores),
        }


def figures(values: tuple[float, ...]) -> list[str]:
    """Numbers with four decimals, or as many more as it takes to tell apart those that differ.

    >>> figures((0.5, 0.25)), figures((0.50001, 0.50002)), figures((0.5, 0.5)), figures((1 / 3, math.nan))
    (['0.5000', '0.2500'], ['0.50001', '0.50002'], ['0.5000', '0.5000'], ['0.3333', 'undefined'])
    """
    numbers = {float(f"{value:.12g}") for value in values if math.isfinite(value)}
    if any(abs(value) >= _LARGE for value in numbers):
        return [_special(value) or f"{value:g}" for value in values]
    digits = next(
        (digits for digits in range(DIGITS, _MOST) if len({f"{v:.{digits}f}" for v in numbers}) == len(numbers)), _MOST
    )
    # Adding 0 takes the sign off a zero.
    return [_special(value) or f"{value + 0.0:.{digits}f}" for value in values]


def _special(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:g}inity" if math.isinf(value) else ""


def _sides(cases: tuple[Case, ...], scores: tuple[float, ...]) -> list[dict[str, Any]]:
    return [
        {
            "ranking": list(case.grades),
            "pool": list(case.pool),
            "depth": case.depth,
            "max_grade": case.top,
            "score": score,
        }
        for case, score in zip(cases, scores, strict=True)
    ]
