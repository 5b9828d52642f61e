"""Witnesses: trials with their scores, in numbers and in words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from truerank.questions.properties.examples import Example
from truerank.questions.properties.trials import Trial

DIGITS = 4
_MOST = 15
_LARGE = 1e6


@dataclass(frozen=True)
class Witness:
    """Rankings and their scores, so that anyone can compute them by hand; or why there are none."""

    said: str
    """In words."""
    more: tuple[Example, ...] = ()
    """What should score more; of two, the sum of their scores."""
    less: tuple[Example, ...] = ()
    more_scores: tuple[float, ...] = ()
    less_scores: tuple[float, ...] = ()

    @classmethod
    def of(
        cls,
        trial: Trial,
        more: tuple[float, ...],
        less: tuple[float, ...],
        said: str,
        added: tuple[float, ...] = (),
    ) -> Witness:
        """A trial with its scores, which fill the places in what is said, and with numbers added after them."""
        return cls(said.format(*figures((*more, *less, *added))), trial.more, trial.less, more, less)

    @property
    def length(self) -> int:
        """Of the longest ranking."""
        return max(len(example.grades) for example in (*self.more, *self.less))

    def rankings(self) -> dict[str, list[dict[str, Any]]]:
        """The rankings of both sides with their scores, in the terms of JSON."""
        return {"more": _sides(self.more, self.more_scores), "less": _sides(self.less, self.less_scores)}

    def __str__(self) -> str:
        return self.said


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


def _sides(examples: tuple[Example, ...], scores: tuple[float, ...]) -> list[dict[str, Any]]:
    return [
        {
            "ranking": list(example.grades),
            "pool": list(example.pool),
            "depth": example.depth,
            "max_grade": example.top,
            "score": score,
        }
        for example, score in zip(examples, scores, strict=True)
    ]
