"""Interpolated precision, where a recall level is rounded to a number of documents, in each version its own way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.compat.trec_eval.settings import Setting
from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import Rankings
from truerank.measures.core.base import Binary, Measure


@dataclass(frozen=True, kw_only=True, repr=False)
class Interpolated(Binary):
    """Interpolated precision of trec_eval, averaged over recall levels.

    ``version`` 9 needs floor(level R + 0.9) relevant documents for a level, 10 the whole number nearest to level R.

    >>> Interpolated(levels=(0.5,), version=9).of([0, 1, 1], pool=[1, 1])
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
        last = found.astype(np.int64)
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
        return [np.floor(level * relevant + past).astype(np.int64) for level in self.levels]


def at_recall(s: Setting, level: float) -> Measure:
    """Interpolated precision at one recall level."""
    return Interpolated(rel=s.rel, levels=(level,), version=s.version)


def averaged(s: Setting, levels: tuple[float, ...]) -> Measure:
    """Interpolated precision averaged over recall levels."""
    return Interpolated(rel=s.rel, levels=levels, version=s.version)
