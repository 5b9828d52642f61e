"""trec_eval 10's rank-biased precision and its residual, as published there.

Gains are put on a scale from 0 to 1 topic by topic, and only where one of them is above 1; the residual of a list
without unjudged documents is 0, and otherwise all that is past the end of the list. ``truerank.RBP`` is the one to use.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from truerank.compat.trec_eval.parameters import Pairs
from truerank.compat.trec_eval.quirks.gains import given_gains
from truerank.compat.trec_eval.settings import Setting
from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import Rankings
from truerank.expectation.gain_maps import Scale, identity
from truerank.expectation.weights import Geometric
from truerank.measures.core.base import Measure
from truerank.measures.rbp import RBP


@dataclass(frozen=True, kw_only=True, repr=False)
class Rbp(RBP):
    """Rank-biased precision of trec_eval 10.

    >>> round(Rbp(p=0.5).of([2, 0, 1]), 4)
    0.5625
    """

    p: float = 0.9

    name = "RBPAsTrecEval"
    formula = "(1 - p) sum gain_i p^(i-1), gains over the highest of the topic where that is above 1"
    takes_terminal = False
    scale: ClassVar[Scale] = staticmethod(identity)

    def normaliser(self, r: Rankings, depth: Rows) -> Floats:
        """The highest gain of each topic, if it is above 1."""
        return np.maximum(self._highest(r), 1.0)[:, None]

    def _highest(self, r: Rankings) -> Floats:
        """The highest gain of each topic: of its grades, of those below them, and of those named."""
        own = dict(self.own_gains)
        top = r.pool.max(axis=-1, initial=0.0)[:, None]
        below = np.arange(1, int(top.max(initial=0.0)) + 1)
        worth = np.where(below <= top, np.array([own.get(grade, grade) for grade in below.tolist()]), 0.0)
        highest: Floats = worth.max(axis=-1, initial=max(own.values(), default=0.0))
        return highest


@dataclass(frozen=True, kw_only=True, repr=False)
class Residual(Measure):
    """The residual of rank-biased precision of trec_eval 10.

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
        """What is not the share of judged documents, ties being broken."""
        weight = np.where(r.is_judged, Geometric(self.p).at(r.start), 0.0)
        some = r.length > r.is_judged.sum(axis=-1)
        return np.where(some, 1.0 - weight.sum(axis=-1), 0.0)


def rbp(_: Setting, given: Pairs) -> Measure:
    """Rank-biased precision: the pair p is the persistence, whole numbers are grades with their gains."""
    return Rbp(p=dict(given).get("p", 0.9), gains=given_gains(given))


def residual(_: Setting, given: Pairs) -> Measure:
    """The residual: the pair p is the persistence."""
    return Residual(p=dict(given).get("p", 0.9))
