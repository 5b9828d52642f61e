"""Measures of trec_eval that are a plain sum, and have no counterpart among ours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.compat.trec_eval.settings import Setting
from truerank.data.arrays import Floats
from truerank.data.rankings import Rankings
from truerank.measures.ap import AP
from truerank.measures.core.base import Measure
from truerank.measures.sets import SetP


@dataclass(frozen=True, kw_only=True, repr=False)
class Unjudged(Measure):
    """The share of the first k ranks that hold an unjudged document; ranks past the end of the list hold none.

    >>> Unjudged(cutoff=4).of([1, float("nan"), 0])
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


def set_f(s: Setting, weight: tuple[float, ...]) -> Measure:
    """The F-measure of everything retrieved."""
    return WeightedF(rel=s.rel, weight=weight[0])


def unjudged(_: Setting, cutoff: int) -> Measure:
    """The share of unjudged documents."""
    return Unjudged(cutoff=cutoff)


def yaap(s: Setting, _: object) -> Measure:
    """Yet another average precision."""
    return Yaap(rel=s.rel)
