"""trec_eval's own measures: those that have no counterpart among ours, or round differently."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.gain_maps import Scale, identity
from truerank.measures.ap import AP
from truerank.measures.cg import CG
from truerank.measures.core.base import Binary, Estimate, Measure
from truerank.measures.core.parameters import number
from truerank.measures.core.wrapped import Wrapped
from truerank.measures.ndcg import NDCG
from truerank.measures.rbp import RBP
from truerank.measures.rndcg import RNDCG
from truerank.measures.sets import SetP


@dataclass(frozen=True, kw_only=True, repr=False)
class TrecInterpolated(Binary):
    """Interpolated precision of trec_eval, averaged over recall levels.

    ``version`` 9 needs floor(level R + 0.9) relevant documents for a level, 10 the whole number nearest to level R.

    >>> TrecInterpolated(levels=(0.5,), version=9).of([0, 1, 1], pool=[1, 1])
    0.6666666666666666
    """

    levels: tuple[float, ...] = ()
    version: int = 10

    name = "InterpolatedAsTrecEval"
    formula = "mean over levels of the highest precision from the c-th relevant document on, c = level R, rounded"
    is_sum = False
    takes_cutoff = False
    takes_terminal = False
    undefined_counts_as = float("nan")

    def score(self, r: Rankings) -> Floats:
        """The mean over the levels, taken from the last one to the first."""
        hit = r.grade >= self.rel
        found = hit.sum(axis=-1)
        count = np.cumsum(hit, axis=-1)
        precision = np.where(hit, count / r.start, 0.0)
        # Column c has the highest precision from the c-th hit on; column 0 that from the first, for a level of nothing.
        from_hit = np.zeros((len(hit), int(found.max(initial=0)) + 2))
        row, slot = np.nonzero(hit)
        from_hit[row, count[row, slot]] = precision[row, slot]
        from_hit = np.maximum.accumulate(from_hit[:, ::-1], axis=-1)[:, ::-1]
        # Without any document that is 0 / 0.
        from_hit[:, 0] = np.where(r.length > 0, from_hit[:, 0], np.nan)
        # Levels are taken from the last one on. Those in front that ask for more than was found have nothing; one that
        # asks for more than a later one did is only met at the top of the list, and so are all before it.
        total = np.zeros(len(hit))
        last = found.astype(np.intp)
        skipping, stuck = np.ones(len(hit), bool), np.zeros(len(hit), bool)
        for needed in self._needed(r.relevant(self.gain(r))[:, 0])[::-1]:
            skipping &= needed > found
            stuck |= ~skipping & ((needed > last) | (needed <= 0))
            value = from_hit[np.arange(len(hit)), np.where(stuck | skipping, 0, needed)]
            total += np.where(skipping, 0.0, value)
            last = np.where(skipping | stuck, last, needed)
        return total / len(self.levels)

    def __str__(self) -> str:
        return f"{self.name}(rel={self.rel:g},levels={self.levels},version={self.version})"

    def _needed(self, relevant: Rows) -> list[Rows]:
        past = 0.9 if self.version < 10 else 0.5
        return [np.floor(level * relevant + past).astype(np.intp) for level in self.levels]


@dataclass(frozen=True, kw_only=True, repr=False)
class IdealDCG(NDCG):
    """Discounted cumulative gain of the best ranking of the judged documents.

    >>> IdealDCG().of([0, 1], pool=[3, 1])
    3.6309297535714578
    """

    name = "IdealDCG"
    formula = "sum of ideal_i / log2(i + 1)"
    is_sum = False
    range = (0.0, np.inf)

    def score(self, r: Rankings) -> Floats:
        """What nDCG is divided by."""
        return self.normaliser(r, self.depth(r))[:, 0]


@dataclass(frozen=True, kw_only=True, repr=False)
class LevelledRNDCG(RNDCG):
    """RnDCG, which trec_eval leaves at 0 where nothing is relevant, and makes 0 / 0 where that has no gain."""

    level: float = 1

    name = "RnDCGAsTrecEval"
    undefined_counts_as = float("nan")

    def estimate(self, r: Rankings) -> Estimate:
        """RnDCG of topics with relevant documents."""
        relevant = (r.pool >= self.level).sum(axis=-1) if self.level > 0 else r.judged
        found = super().estimate(r)
        return Estimate(np.where(relevant > 0, found.value, 0.0), found.error)


@dataclass(frozen=True, kw_only=True, repr=False)
class Regraded(Wrapped):
    """A measure of grades that are replaced by gains, also those of documents without relevance, which ours lack.

    >>> from truerank.measures.ndcg import NDCG
    >>> round(Regraded(measure=NDCG(), gains=((0, 1.0),)).of([1, 0], pool=[1, 0]), 4)
    1.0
    """

    gains: tuple[tuple[float, float], ...] = ()

    name = "Regraded"
    formula = "the measure, with gains for grades"

    def estimate(self, r: Rankings) -> Estimate:
        """The measure of rankings whose grades are gains."""
        relevant = (r.pool > 0).sum(axis=-1)
        zeros = r.judged - relevant
        pool = np.concatenate([r.pool, np.zeros((len(r.pool), int(zeros.max(initial=0))))], axis=-1)
        judged = np.arange(pool.shape[1]) < (relevant + zeros)[:, None]
        grade, worth = r.grade.copy(), pool.copy()
        for named, value in self.gains:
            grade[r.grade == named] = value
            worth[(pool == named) & judged] = value
        return self.measure.estimate(replace(r, grade=grade, pool=-np.sort(-worth, axis=-1)))

    def score(self, r: Rankings) -> Floats:
        """One value a row."""
        return self.estimate(r).value


@dataclass(frozen=True, kw_only=True, repr=False)
class Rbp(RBP):
    """Rank-biased precision of trec_eval 10, as published there; ``truerank.RBP`` is the one to use.

    Gains are put on a scale from 0 to 1 topic by topic, and only where one of them is above 1.

    >>> round(Rbp(p=0.5).of([2, 0, 1]), 4)
    0.5625
    """

    p: float = 0.9

    name = "RBPAsTrecEval"
    formula = "(1 - p) sum gain_i p^(i-1), gains over the highest of the topic where that is above 1"
    is_sum = False
    takes_terminal = False
    scale: ClassVar[Scale] = staticmethod(identity)

    def __post_init__(self) -> None:
        # With p=1 no rank has weight; what is refused elsewhere is 0 in a drop-in.
        CG.__post_init__(self)
        number("p", self.p, least=0, most=1)

    def score(self, r: Rankings) -> Floats:
        """The sum in trec_eval's order of operations, ties being broken: its last bit decides how 0.21525 prints."""
        gain = self.gain(r).over(r) / np.maximum(self._highest(r), 1.0)[:, None]
        share: Floats = (1.0 - self.p) * _added(gain * _powers(self.p, r)[_places(r)])
        return share

    def _highest(self, r: Rankings) -> Floats:
        """The highest gain of each topic: of its grades, of those below them, and of those named."""
        own = dict(self.own_gains)
        tops, which = np.unique(r.pool.max(axis=-1, initial=0.0), return_inverse=True)
        # A grade without a gain of its own has itself for one, so that the highest such grade decides.
        plain = [next(grade for grade in range(int(top), -1, -1) if grade not in own or not grade) for top in tops]
        highest: Floats = np.maximum(np.array(plain, np.float64)[which], max(own.values(), default=0.0))
        return highest


@dataclass(frozen=True, kw_only=True, repr=False)
class Residual(Measure):
    """The residual of rank-biased precision of trec_eval 10.

    Of a list without unjudged documents it is 0, and otherwise all that is past the end of the list.

    >>> round(Residual(p=0.5).of([1, float("nan")]), 4), Residual(p=0.5).of([1, 0])
    (0.5, 0.0)
    """

    p: float = 0.9

    name = "RBPResidualAsTrecEval"
    formula = "p^n + (1 - p) sum over unjudged i of p^(i-1); 0 where all are judged"
    is_sum = False
    takes_cutoff = False
    takes_terminal = False

    def score(self, r: Rankings) -> Floats:
        """The weights of unjudged documents and of what is past the list, in trec_eval's order, ties being broken."""
        power = _powers(self.p, r)
        left = np.zeros(len(r.length))
        for row in np.flatnonzero(r.length > r.is_judged.sum(axis=-1)).tolist():
            unjudged = power[: r.length[row]].copy()
            unjudged[r.start[row][r.is_judged[row]] - 1] = 0.0
            left[row] = power[r.length[row]] + (1.0 - self.p) * _added(unjudged)
        return left


def _powers(p: float, r: Rankings) -> Floats:
    """What a reader's arrival at each rank weighs, and past the longest list: p multiplied once for every rank."""
    steps = np.full(int(r.length.max(initial=0)) + 1, p)
    steps[0] = 1.0
    return np.cumprod(steps)


def _places(r: Rankings) -> Rows:
    """Where in such weights the rank of each slot is; padding stands past all lists, and has nothing to weigh."""
    places: Rows = np.minimum(r.start - 1, r.length.max(initial=0))
    return places


def _added(numbers: Floats) -> Floats:
    """The sum along the last axis, one number after the other, as a loop adds them up."""
    return np.cumsum(numbers, axis=-1)[..., -1] if numbers.shape[-1] else np.zeros(numbers.shape[:-1])


@dataclass(frozen=True, kw_only=True, repr=False)
class UnjudgedShare(Measure):
    """The share of the first k ranks that hold an unjudged document; ranks past the end of the list hold none.

    >>> UnjudgedShare(cutoff=4).of([1, float("nan"), 0])
    0.25
    """

    name = "Unjudged"
    formula = "unjudged@k / k"
    is_sum = False
    takes_terminal = False

    def score(self, r: Rankings) -> Floats:
        """What is not judged, ties being broken."""
        depth = self.depth(r)
        judged = (r.is_judged & (r.start <= depth)).sum(axis=-1)
        share: Floats = (np.minimum(r.length, depth[:, 0]) - judged) / depth[:, 0]
        return share


@dataclass(frozen=True, kw_only=True, repr=False)
class Yaap(AP):
    """Yet another average precision: the odds of average precision, smoothed, as a logarithm.

    >>> round(Yaap().of([1, 0, 1], pool=[1, 1, 1]), 4)
    0.1335
    """

    name = "YAAP"
    formula = "log((1 + R AP) / (1 + R - R AP))"
    range = (-np.inf, np.inf)
    citation = "Robertson 2012"
    is_sum = False
    takes_cutoff = False
    takes_terminal = False

    def score(self, r: Rankings) -> Floats:
        """The logarithm of the odds."""
        (pair,) = self.terms(r)
        found = pair.total(r, self.depth(r))
        return np.log((1.0 + found) / (1.0 + r.relevant(self.gain(r))[:, 0] - found))


@dataclass(frozen=True, kw_only=True, repr=False)
class WeightedF(SetP):
    """F-measure of everything retrieved, in trec_eval's order of operations: its last bit decides how 0.21875 prints.

    ``weight`` is how much recall counts against precision, the square of beta.

    >>> WeightedF().of([1, 0, 1, 0], pool=[1, 1, 1, 1])
    0.5
    """

    weight: float = 1.0

    name = "SetFAsTrecEval"
    formula = "(1 + weight) P R / (weight P + R)"
    is_sum = False

    def score(self, r: Rankings) -> Floats:
        """The weighted harmonic mean of precision and recall; 0 where nothing relevant was found."""
        hits = (r.grade >= self.rel).sum(axis=-1)
        precision = hits / np.maximum(r.length, 1)
        recall = hits / np.maximum(r.relevant(self.gain(r))[:, 0], 1)
        below = self.weight * precision + recall
        above = (self.weight + 1.0) * precision * recall
        mean: Floats = np.divide(above, below, out=np.zeros(len(hits)), where=below != 0)
        return mean
