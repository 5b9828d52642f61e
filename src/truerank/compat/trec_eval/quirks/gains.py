"""Graded measures with gains given as pairs of grade and gain."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from truerank.compat.trec_eval.parameters import Pairs
from truerank.compat.trec_eval.quirks.regraded import Regraded
from truerank.compat.trec_eval.settings import Make, Setting
from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.rankings import Rankings
from truerank.measures.core.base import Estimate, Measure
from truerank.measures.ndcg import NDCG
from truerank.measures.rndcg import RNDCG
from truerank.measures.table import TABLE

GainPairs = tuple[tuple[float, float], ...]


def given_gains(pairs: Pairs) -> GainPairs | None:
    """Gains by grade; of a grade named twice the first gain counts, and what is no grade is passed over.

    >>> given_gains((("1", 3.0), ("p", 0.8), ("1", 4.0)))
    ((1, 3.0),)
    """
    gains = {int(name): value for name, value in reversed(pairs) if re.fullmatch(r"[+-]?\d+", name)}
    for grade, value in gains.items():
        if value < 0 or (grade < 0 and value):
            raise InputError(f"grade {grade} has gain {value:g}; give grades from 0 on gains from 0 on")
    return tuple(sorted(gains.items())) or None


def with_gains(measure: Measure, pairs: Pairs) -> Measure:
    """One of our graded measures with gains, also for grade 0."""
    gains = given_gains(pairs)
    return Regraded(measure=measure, gains=gains) if gains and dict(gains).get(0) else measure(gains=gains)


def of(name: str) -> Make:
    """One of our graded measures, by name."""
    return lambda _, pairs: with_gains(TABLE[name], pairs)


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


def ideal(_: Setting, pairs: Pairs) -> Measure:
    """The ideal DCG, with gains."""
    return with_gains(IdealDCG(), pairs)


def at_levels(s: Setting, pairs: Pairs) -> Measure:
    """RnDCG, with gains."""
    gains = given_gains(pairs)
    return TABLE["RnDCG"] if gains is None and s.level == 1 else LevelledRNDCG(gains=gains, level=s.level)


def unordered(pairs: Pairs, max_grade: float) -> bool:
    """Whether trec_eval, which sorts gains by their whole differences, may take some of these for equal.

    >>> unordered((("1", 0.2), ("2", 0.9)), 2), unordered((("1", 3.0), ("2", 9.0)), 2)
    (True, False)
    """
    own = given_gains(pairs)
    if own is None:
        return False
    gains: dict[float, float] = {grade: grade for grade in range(int(max_grade) + 1)}
    gains.update(own)
    return any(high - low < 1 for low, high in pairwise(sorted(set(gains.values()))))
