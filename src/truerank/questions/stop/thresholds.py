"""Rules with a threshold: on the rank, on the score, on how surprising it is, on how large the drop to the next one is.

All thresholds that make a difference are tried in one pass over the lists, so that what is fitted is exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.printing import counted
from truerank.measures.core.parameters import limit, number, one_of, whole
from truerank.questions.stop.rule import Rule, ScoreLists
from truerank.statistics.level import EQUAL

_ALIKE = float(np.finfo(np.float64).eps)
"""Share of the scores below which differences between them are rounding."""
FEW = 5
"""Documents below which a list says nothing of a distribution."""
FIRST = (1, 2, 5, 10)
WITHIN = (5, 10, 20, 50, 100, 200, 500, 1000)
WEIGHT = (0.0, 0.5, 1.0, 2.0)
"""What is tried when a rule is fitted; ``least`` is found exactly for each."""
EVERYTHING, NOTHING = "keeps every document", "shows nothing"


def sweep(lists: ScoreLists, keys: Sequence[Floats], values: Floats, topics: Rows) -> tuple[float, float]:
    """The threshold with the highest mean, and that mean: documents whose key is at least the threshold are kept.

    Keys never rise along a list. As the threshold falls, groups of documents come in one after the other, and each
    adds what it is worth: all thresholds that make a difference are tried. Of those that do equally well it is the
    highest, half way to the next key; "inf" keeps what no number excludes, and "-inf" keeps everything.

    >>> lists = ScoreLists((np.array([4.0, 3.0, 1.0]), np.array([2.0, 1.0])))
    >>> sweep(lists, lists.scores, np.array([[0, 1, 2, 0], [0, 1, 0, 0]], float), np.arange(2))
    (1.5, 1.5)
    """
    chosen = topics.tolist()
    key = np.concatenate([np.zeros(0), *(keys[t][lists.ends[t] - 1] for t in chosen)])
    gain = np.concatenate([np.zeros(0), *(np.diff(values[t, np.append(0, lists.ends[t])]) for t in chosen)])
    order = np.argsort(-key, kind="stable")
    key = key[order]
    total = np.append(0.0, np.cumsum(gain[order])) + values[topics, 0].sum()
    # A threshold lies between two keys that differ; what has no finite key is always kept.
    changes = np.flatnonzero(key[1:] != key[:-1]) + 1
    nothing = [0] if not len(key) or np.isfinite(key[0]) else []
    apart = np.concatenate([nothing, changes, [len(key)]]).astype(np.intp)
    mean = total[apart] / len(topics)
    best = int(np.argmax(mean >= mean.max() - EQUAL))
    return between(key, int(apart[best])), float(mean[best])


def best_scale(
    lists: ScoreLists, scales: Mapping[str, Callable[[Floats], Floats]], values: Floats, topics: Rows
) -> tuple[str, float]:
    """The scale whose best threshold has the highest mean, the first of those that do equally well; and that one."""
    best, highest = (next(iter(scales)), -np.inf), -np.inf
    for scale, make in scales.items():
        at, mean = sweep(lists, lists.once(make), values, topics)
        if mean > highest + EQUAL:
            best, highest = (scale, at), mean
    return best


def between(key: Floats, kept: int) -> float:
    """A threshold that the first ``kept`` of falling keys reach and the others do not.

    >>> key = np.array([3.0, 1.0])
    >>> between(key, 0), between(key, 1), between(key, 2)
    (inf, 2.0, -inf)
    """
    if kept == len(key):
        return -np.inf
    if kept == 0 or np.isinf(key[kept - 1]):
        return np.inf
    middle = key[kept] / 2 + key[kept - 1] / 2
    return float(middle if key[kept] < middle <= key[kept - 1] else key[kept - 1])


def reaching(keys: Sequence[Floats], at: float) -> Rows:
    """How many keys of each list are at least the threshold."""
    return np.array([int((key >= at).sum()) for key in keys], np.intp)


@dataclass(frozen=True, kw_only=True)
class FixedRule(Rule):
    """Keep the first ``k`` documents, and those that tie with the last of them; all where ``k`` is None.

    Fitted, it is the length that does best on average, which Lien, Cohen & Croft (2019) call greedy: what a rule that
    looks at scores has to beat.

    >>> from truerank.io.load import as_run
    >>> FixedRule(k=2).lengths(as_run({"q1": {"a": 3, "b": 2, "c": 2, "d": 1}, "q2": {"e": 1}})).tolist()
    [3, 1]
    """

    k: int | None = None

    name = "fixed"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.k is not None:
            whole("k", self.k, least=0)

    @classmethod
    def fit(cls, lists: ScoreLists, values: Floats, topics: Rows) -> FixedRule:
        at, _ = sweep(lists, lists.once(_ranks), values, topics)
        return cls(k=None if at == -np.inf else 0 if at == np.inf else int(-at))

    def cut(self, lists: ScoreLists) -> Rows:
        return lists.whole if self.k is None else reaching(lists.once(_ranks), -float(self.k))

    def said(self) -> str:
        if self.k is None:
            return EVERYTHING
        if self.k == 0:
            return NOTHING
        return f"keeps the first {counted(self.k, 'document')}"


def _ranks(scores: Floats) -> Floats:
    """For each document, less the rank at which its group of equal scores begins."""
    return -1.0 - np.searchsorted(-scores, -scores).astype(np.float64)


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
        super().__post_init__()
        one_of("scale", self.scale, tuple(SCALES))
        limit("at", self.at)

    @classmethod
    def fit(cls, lists: ScoreLists, values: Floats, topics: Rows) -> ThresholdRule:
        scale, at = best_scale(lists, SCALES, values, topics)
        return cls(at=at, scale=scale)

    def cut(self, lists: ScoreLists) -> Rows:
        return reaching(lists.once(SCALES[self.scale]), self.at)

    def said(self) -> str:
        if self.at == -np.inf:
            return EVERYTHING
        if self.at == np.inf:
            return NOTHING
        return f"keeps documents whose scores {_WORDS[self.scale].format(self.at)}"


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
        super().__post_init__()
        number("alpha", self.alpha, least=0, most=1)
        one_of("shape", self.shape, tuple(SHAPES))

    @classmethod
    def fit(cls, lists: ScoreLists, values: Floats, topics: Rows) -> TailRule:
        shape, at = best_scale(lists, SHAPES, values, topics)
        return cls(alpha=_level(at), shape=shape)

    def cut(self, lists: ScoreLists) -> Rows:
        with np.errstate(divide="ignore"):
            return reaching(lists.once(SHAPES[self.shape]), -float(np.log(self.alpha)))

    def said(self) -> str:
        if self.alpha == 1.0:
            return EVERYTHING
        tail = {"exponential": "an exponential tail", "pareto": "a generalised Pareto tail"}[self.shape]
        return f"keeps documents whose scores have a chance of at most {self.alpha:.2g} under {tail}"


def _level(surprise: float) -> float:
    """The chance of so much surprise, which is 0 only where there is no bound to it."""
    if np.isinf(surprise):
        return float(surprise < 0)
    return max(math.exp(-surprise), math.ulp(0.0))


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
        super().__post_init__()
        whole("first", self.first, least=1)
        whole("within", self.within, least=self.first)
        number("weight", self.weight)
        limit("least", self.least, least=0)

    @classmethod
    def fit(cls, lists: ScoreLists, values: Floats, topics: Rows) -> GapRule:
        best, highest = cls(least=np.inf), -np.inf
        kept = values[topics, lists.whole[topics]]
        for weight, first in product(WEIGHT, FIRST):
            found = lists.once(drops, weight=weight, first=first, within=WITHIN)
            every = np.array([found[topic] for topic in topics.tolist()]).reshape(len(topics), 2, len(WITHIN))
            for within, size, length in zip(WITHIN, every[:, 0].T, every[:, 1].astype(np.intp).T, strict=True):
                order = np.argsort(-size, kind="stable")
                gain = (values[topics, length] - kept)[order]
                least, mean = _least(size[order], gain)
                if first <= within and mean + kept.mean() > highest + EQUAL:
                    best, highest = cls(first=first, within=within, weight=weight, least=least), mean + kept.mean()
        return best

    def cut(self, lists: ScoreLists) -> Rows:
        found = lists.once(drops, weight=self.weight, first=self.first, within=(self.within,))
        every = np.array(found).reshape(len(lists), 2)
        return np.where(every[:, 0] >= self.least, every[:, 1].astype(np.intp), lists.whole)

    def said(self) -> str:
        if self.least == np.inf:
            return EVERYTHING
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
