"""Stop where a score is no longer surprising."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.measures.core.parameters import number, one_of
from truerank.questions.stop.lists import ScoreLists
from truerank.questions.stop.rule import Rule
from truerank.questions.stop.sweep import reaching, sweep
from truerank.questions.stop.threshold import scaled
from truerank.statistics.pairs import EQUAL

FEW = 5
"""Documents below which a list says nothing of a distribution."""


def exponential(scores: Floats) -> Floats:
    """Surprise, -log p, of scores in nats, where what exceeds the lowest one is exponential: the excess over its mean.

    >>> exponential(np.array([5.0, 2.0, 1.0, 0.0, 0.0, 0.0])).round(2).tolist()
    [3.75, 1.5, 0.75, 0.0, 0.0, 0.0]
    """
    if len(scores) < FEW:
        return np.full(len(scores), np.inf)
    return scaled(scores, scores[-1:], scores.mean(keepdims=True) - scores[-1:])


def pareto(scores: Floats) -> Floats:
    """Surprise of scores, where what exceeds the lowest one is generalised Pareto; past its end there is no bound.

    Its two parameters are those of the first two moments (Hosking & Wallis 1987).
    """
    rate = exponential(scores)
    if not len(rate) or np.isinf(rate[0]):
        return rate
    # In units of the mean excess: variance 1 is the exponential distribution, whose shape is 0.
    shape = (1.0 - 1.0 / rate.var()) / 2.0
    if abs(shape) < EQUAL:
        return rate
    inside = 1.0 + shape / (1.0 - shape) * rate
    found = np.full(len(rate), np.inf)
    found[inside > 0] = np.log(inside[inside > 0]) / shape
    # Rounding must not make a lower score the more surprising one.
    return np.minimum.accumulate(found)


SHAPES: dict[str, Callable[[Floats], Floats]] = {"exponential": exponential, "pareto": pareto}


@dataclass(frozen=True, kw_only=True)
class TailRule(Rule):
    """Keep documents whose scores have a chance of at most ``alpha``, were they from the tail that most of the list is.

    Scores of documents that are not relevant are a tail: those past a point that is far out are close to generalised
    Pareto, of which the exponential is a case (Pickands 1975), and most documents of a list are such. What stands out
    from it is a surprise (Bahri, Zheng, Tay, Metzler & Tomkins 2020); exponential scores of documents that are not
    relevant are an old assumption (Manmatha, Rath & Feng 2001; Arampatzis, Kamps & Robertson 2009). The tail is fitted
    to each list; lists of fewer than five documents stay as they are.

    >>> from truerank.io.load import as_run
    >>> run = as_run({"q1": {f"d{place}": score for place, score in enumerate([9, 7, 3, 2, 2, 1, 1, 0, 0, 0])}})
    >>> [TailRule(alpha=alpha).lengths(run).tolist() for alpha in (0.05, 0.1, 1.0)]
    [[1], [2], [10]]
    """

    alpha: float
    shape: str = "exponential"

    name = "tail"

    def __post_init__(self) -> None:
        number("alpha", self.alpha, least=0, most=1)
        one_of("shape", self.shape, tuple(SHAPES))

    @classmethod
    def fit(cls, lists: ScoreLists, values: Floats, topics: Rows) -> TailRule:
        """The distribution and the level with the highest mean."""
        best, highest = cls(alpha=1.0), -np.inf
        for shape in SHAPES:
            at, mean = sweep(lists, _keys(lists, shape), values, topics)
            if mean > highest + EQUAL:
                best, highest = cls(alpha=_level(at), shape=shape), mean
        return best

    def cut(self, lists: ScoreLists) -> Rows:
        """The documents that are surprising."""
        with np.errstate(divide="ignore"):
            return reaching(_keys(lists, self.shape), -float(np.log(self.alpha)))

    def said(self) -> str:
        """The level."""
        if self.alpha == 1.0:
            return "keeps every document"
        tail = {"exponential": "an exponential tail", "pareto": "a generalised Pareto tail"}[self.shape]
        return f"keeps documents whose scores have a chance of at most {self.alpha:.2g} under {tail}"


def _level(surprise: float) -> float:
    """The chance of so much surprise, which is 0 only where there is no bound to it."""
    if np.isinf(surprise):
        return float(surprise < 0)
    return max(math.exp(-surprise), math.ulp(0.0))


def _keys(lists: ScoreLists, shape: str) -> list[Floats]:
    return lists.once(("tail", shape), SHAPES[shape])
