"""Pairwise preference loss."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import Rankings
from truerank.expectation.pair import Pair
from truerank.measures.base import Measure, Term, ratio
from truerank.measures.weights import Flat

ABSENT = int(np.iinfo(np.int64).max)
"""The rank of a document that was not retrieved."""


class Placed(NamedTuple):
    """Preferences by the ranks that their documents have, or that the groups of those tied with them begin at."""

    row: Rows
    """Row of the block."""
    better: Rows
    worse: Rows

    @classmethod
    def of(cls, r: Rankings, pairs: Rows) -> Placed:
        """Look up the ranks of the documents of each preference."""
        row, better, worse = pairs.T
        # Slot -1, a document that was not retrieved, is then the last one.
        start = np.column_stack([r.start, np.full(len(r.start), ABSENT)])
        return cls(row, start[row, better], start[row, worse])


@dataclass(frozen=True, kw_only=True, repr=False)
class PrefLoss(Measure):
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
    takes_cutoff = False
    takes_terminal = False
    has_bounds = False
    needs = "preferences"
    higher_is_better = False
    undefined_because = "without documents that differ"
    undefined_counts_as = 1.0

    def terms(self, r: Rankings) -> Iterable[Term]:
        """For each grade, the documents of lower grade above those of that grade."""
        grade = np.where(r.is_judged, r.grade.clip(min=0.0), np.nan)
        for level in np.unique(r.pool[r.pool > 0]):
            yield Pair(Flat(), (grade == level).astype(np.float64), (grade < level).astype(np.float64))

    def score(self, r: Rankings) -> Floats:
        """Violated pairs among all pairs."""
        if r.pairs is not None:
            return self._given(r, r.pairs)
        violated = np.zeros(len(r.length))
        for term in self.terms(r):
            violated += term.total(r, self.depth(r))
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
        row, first, other = Placed.of(r, pairs)
        tied = np.where(first == ABSENT, 0.5, {"best": 0.0, "worst": 1.0}.get(r.ties, 0.5))
        cost = np.where(other < first, 1.0, np.where(other == first, tied, 0.0))
        count = np.bincount(row, minlength=len(r.length))
        violated = np.bincount(row, weights=cost, minlength=len(r.length))
        return ratio(violated, count)
