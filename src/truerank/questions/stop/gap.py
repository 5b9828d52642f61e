"""Stop at the largest drop of scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.measures.core.parameters import number, whole
from truerank.questions.stop.lists import ScoreLists
from truerank.questions.stop.rule import Rule
from truerank.questions.stop.sweep import between
from truerank.statistics.pairs import EQUAL

FIRST = (1, 2, 5, 10)
WITHIN = (5, 10, 20, 50, 100, 200, 500, 1000)
WEIGHT = (0.0, 0.5, 1.0, 2.0)
"""What is tried when a rule is fitted; ``least`` is found exactly for each."""


@dataclass(frozen=True, kw_only=True)
class GapRule(Rule):
    """Cut at the largest drop from one score to the next, where it stands out.

    A drop after rank i counts ``log2(i + 1) ** weight`` times, since scores fall fastest at the top. Drops after the
    ranks ``first`` to ``within`` are compared. The list stays whole where the largest is less than ``least`` times
    their mean, or where there is none.

    >>> from truerank.io.load import as_run
    >>> run = as_run({"q1": {"a": 9, "b": 8, "c": 3, "d": 2}, "q2": {"a": 4, "b": 3, "c": 2}, "q3": {"e": 1}})
    >>> GapRule().lengths(run).tolist(), GapRule(least=1.5).lengths(run).tolist()
    ([2, 1, 1], [2, 3, 1])
    """

    first: int = 1
    within: int = 1000
    weight: float = 0.0
    least: float = 0.0

    name = "gap"

    def __post_init__(self) -> None:
        whole("first", self.first, least=1)
        whole("within", self.within, least=self.first)
        number("weight", self.weight)
        if isinstance(self.least, bool) or not isinstance(self.least, (int, float)) or not self.least >= 0:
            raise InputError(f"least is a number from 0 on, not {self.least!r}")

    @classmethod
    def fit(cls, lists: ScoreLists, values: Floats, topics: Rows) -> GapRule:
        """The ranks, the weight and the size of a drop with the highest mean."""
        best, highest = cls(least=np.inf), -np.inf
        kept = values[topics, lists.whole[topics]]
        for weight, first in product(WEIGHT, FIRST):
            found = lists.once(("gap", weight, first), partial(drops, weight=weight, first=first, within=WITHIN))
            every = np.array([found[topic] for topic in topics.tolist()]).reshape(len(topics), 2, len(WITHIN))
            for within, size, length in zip(WITHIN, every[:, 0].T, every[:, 1].astype(np.int64).T, strict=True):
                order = np.argsort(-size, kind="stable")
                gain = (values[topics, length] - kept)[order]
                least, mean = _least(size[order], gain)
                if first <= within and mean + kept.mean() > highest + EQUAL:
                    best, highest = cls(first=first, within=within, weight=weight, least=least), mean + kept.mean()
        return best

    def cut(self, lists: ScoreLists) -> Rows:
        """The documents above the largest drop."""
        one = partial(drops, weight=self.weight, first=self.first, within=(self.within,))
        found = lists.once(("gap", self.weight, self.first, self.within), one)
        every = np.array(found).reshape(len(lists), 2)
        return np.where(every[:, 0] >= self.least, every[:, 1].astype(np.int64), lists.whole)

    def said(self) -> str:
        """Where it looks, and for what."""
        if self.least == np.inf:
            return "keeps every document"
        weighted = f", times log2(rank + 1)^{self.weight:g}," if self.weight else ""
        found = f"cuts at the largest drop of scores{weighted} after ranks {self.first} to {self.within}"
        return f"{found}, if it is {self.least:.3g} times their mean" if self.least > 1 else found


def _least(size: Floats, gain: Floats) -> tuple[float, float]:
    """How large a drop has to be, of drops that get smaller, and the mean gain of cutting lists at these."""
    there = int((size >= 0).sum())
    # A list without a drop stays whole; drops of the same size are told apart by nothing.
    counts = np.append(np.flatnonzero(np.append(True, size[1:] != size[:-1])[:there]), there)
    mean = np.append(0.0, np.cumsum(gain))[counts] / len(gain)
    # Of those that do equally well, the one that cuts most lists.
    place = len(mean) - 1 - int(np.argmax(mean[::-1] >= mean.max() - EQUAL))
    return max(between(size[:there], int(counts[place])), 0.0) if there else np.inf, float(mean[place])


def drops(scores: Floats, *, weight: float, first: int, within: Sequence[int]) -> Floats:
    """For each ``within`` the largest drop in terms of their mean, or -1 where there is none, and the length above it.

    >>> drops(np.array([9.0, 8.0, 3.0, 2.0]), weight=0.0, first=1, within=(1, 3)).round(2).tolist()
    [[1.0, 2.14], [1.0, 2.0]]
    """
    rank = np.arange(first, len(scores))
    drop = (scores[:-1] - scores[1:])[first - 1 :] * np.log2(rank + 1.0) ** weight
    last = np.minimum(within, len(scores) - 1) - first
    if not len(drop) or not np.isfinite(drop).all():
        return np.array([np.full(len(last), -1.0), np.full(len(last), float(len(scores)))])
    top = np.maximum.accumulate(drop)
    place = np.maximum.accumulate(np.where(np.append(True, top[1:] > top[:-1]), np.arange(len(drop)), 0))
    mean = np.cumsum(drop) / np.arange(1, len(drop) + 1)
    at = np.maximum(last, 0)
    there = (last >= 0) & (top[at] > 0)
    size = np.divide(top[at], mean[at], out=np.full(len(at), -1.0), where=there)
    return np.array([size, np.where(there, first + place[at], float(len(scores)))])
