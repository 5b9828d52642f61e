"""Pairwise preference loss."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from truerank.data.arrays import Floats, Mask, Rows, distinct
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.gain_maps import Quantity
from truerank.expectation.pair import Pair
from truerank.expectation.weights import Flat
from truerank.measures.core.base import Measure, ratio
from truerank.measures.core.parts import Divisor, Parts

ABSENT = int(np.iinfo(np.intp).max)
"""The rank of a document that was not retrieved."""


class PreferenceRanks(NamedTuple):
    """Preferences by the ranks that their documents have, or that the groups of those tied with them begin at."""

    row: Rows
    """Row of the block."""
    better: Rows
    worse: Rows

    @classmethod
    def of(cls, r: Rankings, pairs: Rows) -> PreferenceRanks:
        """Look up the ranks of the documents of each preference."""
        row, better, worse = pairs.T
        # Slot -1, a document that was not retrieved, is then the last one.
        start = np.column_stack([r.start, np.full(len(r.start), ABSENT)])
        return cls(row, start[row, better], start[row, worse])


@dataclass(frozen=True)
class OfGrade(Quantity):
    """1 for documents of one grade above 0."""

    grade: float

    def over(self, r: Rankings) -> Floats:
        """1 or 0 in every slot."""
        equal: Mask = r.grade == self.grade
        return equal.astype(np.float64)


@dataclass(frozen=True)
class BelowGrade(Quantity):
    """1 for judged documents of less than a grade above 0."""

    grade: float

    def over(self, r: Rankings) -> Floats:
        """1 or 0 in every slot."""
        below: Mask = r.is_judged & (r.grade < self.grade)
        return below.astype(np.float64)


@dataclass(frozen=True, kw_only=True, repr=False)
class PairLoss(Measure):
    """A loss over pairs of documents, of which one is the better: of preferences, or of those that grades stand for."""

    is_sum = False
    takes_cutoff = False
    takes_terminal = False
    has_bounds = False
    needs = "preferences"
    higher_is_better = False
    undefined_because = "without documents that differ"
    undefined_counts_as = np.nan
    remedy = "if nothing is judged non-relevant, AUC(size=N) compares with all N documents of the collection"


@dataclass(frozen=True, kw_only=True, repr=False)
class PrefLoss(PairLoss):
    """The share of preferences that the ranking violates. Lower is better.

    The preferences are those given as judgments, each as often as it was given, or with graded judgments all pairs of
    documents with different grades (none of them is below 0). Documents judged equally good are no preference. A
    document that was not retrieved stands below all that were; of two that were not, either may be first, which costs a
    half. So does a tie, on average over its orders; in the best of them (``ties="best"``) it costs nothing.

    >>> PrefLoss().of([0, 2, 1])
    0.6666666666666666
    """

    name = "PrefLoss"
    formula = "pairs with the worse document above the better / pairs"
    citation = "Joachims 2002"

    def score(self, r: Rankings) -> Floats:
        """Violated pairs among all pairs."""
        if r.pairs is not None:
            return self._given(r, r.pairs)
        violated = np.zeros(len(r.length))
        # For each grade, the documents of lower grade above those of that grade.
        for level in np.unique(r.pool[r.pool > 0]).tolist():
            violated += Pair(Flat(), OfGrade(level), BelowGrade(level)).total(r, self.depth(r))
        missing, pairs = self._missing(r)
        return ratio(violated + missing, pairs)

    def _missing(self, r: Rankings) -> tuple[Floats, Floats]:
        """Pairs lost because a document was not retrieved, and all pairs."""
        judged = (r.judged - (r.pool > 0).sum(axis=-1)).astype(np.float64)
        absent = judged - (r.is_judged & (r.grade <= 0)).sum(axis=-1)
        lost, pairs = np.zeros(len(judged)), np.zeros(len(judged))
        for level in np.unique(r.pool[r.pool > 0]):
            here = (r.pool == level).sum(axis=-1)
            missing = here - (r.grade == level).sum(axis=-1)
            lost += missing * (judged - absent) + 0.5 * missing * absent
            pairs += here * judged
            judged, absent = judged + here, absent + missing
        return lost, pairs

    def _given(self, r: Rankings, pairs: Rows) -> Floats:
        row, first, other = PreferenceRanks.of(r, pairs)
        tied = np.where(first == ABSENT, 0.5, {"best": 0.0, "worst": 1.0}.get(r.ties, 0.5))
        cost = np.where(other < first, 1.0, np.where(other == first, tied, 0.0))
        count = np.bincount(row, minlength=len(r.length))
        violated = np.bincount(row, weights=cost, minlength=len(r.length))
        return ratio(violated, count)

    def variance(self, r: Rankings) -> Floats:
        """Of preferences that were given: that of how many are violated among tied documents.

        Two of them that share a document are alike by 1/12 where it is the better, or the worse, in both, and unlike by
        as much otherwise; two between the same documents by 1/4. So it is a sum of squares over documents and pairs.
        """
        if r.pairs is None:
            return super().variance(r)
        placed = PreferenceRanks.of(r, r.pairs)
        tied = r.pairs[(placed.better == placed.worse) & (placed.better != ABSENT)]
        row, better, worse = tied.T
        role = np.zeros(r.start.shape)
        np.add.at(role, (row, better), 1.0)
        np.add.at(role, (row, worse), -1.0)
        slots = max(r.start.shape[1], 1)
        low, high = np.minimum(better, worse), np.maximum(better, worse)
        both, which = np.unique((row * slots + low) * slots + high, return_inverse=True)
        net = np.bincount(which, weights=np.where(better < worse, 1.0, -1.0), minlength=len(both))
        squares = (role**2).sum(axis=-1)
        squares += np.bincount(both // slots**2, weights=net**2, minlength=len(r.length))
        count = np.bincount(r.pairs[:, 0], minlength=len(r.length))
        return ratio(squares / 12.0, count.astype(np.float64) ** 2, 0.0)

    def parts(self, r: Rankings) -> Parts:
        """A sum over preferred documents: the pairs that each loses, over all pairs."""
        pairs = every_pair(r) if r.pairs is None else r.pairs
        slots = r.start.shape[1]
        if not len(pairs):
            return Parts(how="sum", contribution=np.zeros(slots), gain=np.zeros(slots), start=np.nan)
        better = distinct(pairs[:, 1])
        row = np.searchsorted(better, pairs[:, 1])
        apart = replace(r.take(np.zeros(len(better), np.intp)), pairs=np.column_stack([row, pairs[:, 1:]]))
        lost = self.score(apart)
        count = np.bincount(row).astype(np.float64)
        gain, factor = np.zeros(slots + 1), np.full(slots + 1, np.nan)
        # A document that was not retrieved has the slot -1.
        gain[better], factor[better] = count, lost
        contribution = gain * np.nan_to_num(factor) / len(pairs)
        return Parts(
            how="sum",
            contribution=contribution[:-1],
            gain=gain[:-1],
            factor=factor[:-1],
            named="lost",
            rest=float(contribution[-1]),
            divisor=Divisor("pairs", float(len(pairs))),
        )


def every_pair(r: Rankings) -> Rows:
    """The preferences that grades stand for: rows of 0, slot of the better, slot of the worse, -1 if not retrieved."""
    known = np.flatnonzero(r.is_judged[0])
    grade = r.grade[0, known].clip(min=0.0)
    levels = distinct(np.append(r.pool[0], 0.0))
    there = (r.pool[0][:, None] == levels).sum(axis=0)
    there[0] = r.judged[0] - (r.pool[0] > 0).sum()
    absent = np.repeat(levels, there - (grade[:, None] == levels).sum(axis=0))
    grade, slot = np.append(grade, absent), np.append(known, np.full(len(absent), -1))
    better, worse = np.nonzero(grade[:, None] > grade)
    return np.column_stack([np.zeros(len(better), np.intp), slot[better], slot[worse]])
