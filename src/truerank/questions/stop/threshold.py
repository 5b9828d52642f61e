"""Stop where scores fall below a threshold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.measures.core.parameters import one_of
from truerank.questions.stop.lists import ScoreLists
from truerank.questions.stop.rule import Rule
from truerank.questions.stop.sweep import reaching, sweep
from truerank.statistics.pairs import EQUAL

_ALIKE = float(np.finfo(np.float64).eps)
"""Share of the scores below which differences between them are rounding."""


def _top(scores: Floats) -> Floats:
    return scores / scores[0] if len(scores) and scores[0] > 0 else np.full(len(scores), np.inf)


def _range(scores: Floats) -> Floats:
    return scaled(scores, scores[-1:], scores[:1] - scores[-1:])


def _z(scores: Floats) -> Floats:
    return scaled(scores, scores.mean(keepdims=True), scores.std(keepdims=True)) if len(scores) else scores


def scaled(scores: Floats, zero: Floats, unit: Floats) -> Floats:
    """How many units each score lies above a zero point; without bound where scores are too alike to have a unit."""
    if not len(scores) or not _ALIKE * np.abs(scores).max() < unit[0] < np.inf:
        return np.full(len(scores), np.inf)
    return (scores - zero) / unit


SCALES: dict[str, Callable[[Floats], Floats]] = {"range": _range, "z": _z, "top": _top, "raw": lambda scores: scores}
"""What scores are held against: how far they are from the lowest to the top one, their mean and spread, the top one, or
nothing. Of scales that fit equally well the first is taken."""
_WORDS = {
    "range": "lie at least {:.0%} of the way from the lowest score to the top one",
    "z": "lie at least {:.2f} standard deviations above the mean",
    "top": "reach {:.0%} of the top score",
    "raw": "are at least {:.4g}",
}


@dataclass(frozen=True, kw_only=True)
class ThresholdRule(Rule):
    """Keep documents that score at least ``at`` on a scale.

    Scores of one system mean different things in different topics, so that most scales are relative to the list. "top"
    is for scores above 0, and leaves lists with another top score as they are.

    >>> from truerank.io.load import as_run
    >>> run = as_run({"q1": {"a": 10, "b": 6, "c": 5, "d": 2}})
    >>> [ThresholdRule(at=0.5, scale=scale).lengths(run).tolist() for scale in SCALES]
    [[2], [1], [3], [4]]
    """

    at: float
    scale: str = "range"

    name = "threshold"

    def __post_init__(self) -> None:
        one_of("scale", self.scale, tuple(SCALES))
        if isinstance(self.at, bool) or not isinstance(self.at, (int, float)) or np.isnan(self.at):
            raise InputError(f"at is a number, not {self.at!r}")

    @classmethod
    def fit(cls, lists: ScoreLists, values: Floats, topics: Rows) -> ThresholdRule:
        """The scale and the threshold with the highest mean."""
        best, highest = cls(at=-np.inf), -np.inf
        for scale in SCALES:
            at, mean = sweep(lists, _keys(lists, scale), values, topics)
            if mean > highest + EQUAL:
                best, highest = cls(at=at, scale=scale), mean
        return best

    def cut(self, lists: ScoreLists) -> Rows:
        """The documents that reach the threshold."""
        return reaching(_keys(lists, self.scale), self.at)

    def said(self) -> str:
        """The threshold."""
        if self.at == -np.inf:
            return "keeps every document"
        if self.at == np.inf:
            return "shows nothing"
        return f"keeps documents whose scores {_WORDS[self.scale].format(self.at)}"


def _keys(lists: ScoreLists, scale: str) -> list[Floats]:
    return lists.once(("threshold", scale), SCALES[scale])
