"""Area under the ROC curve."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.rankings import Rankings
from truerank.expectation.gain import Gain
from truerank.expectation.pair import Pair
from truerank.expectation.weights import Flat, Linear
from truerank.measures.core.base import Binary, ratio
from truerank.measures.core.parts import Divisor, Parts


@dataclass(frozen=True, kw_only=True, repr=False)
class AUC(Binary):
    """The share of (relevant, non-relevant) pairs in the right order; a tie counts half.

    The pairs are all relevant documents with the retrieved non-relevant ones, unjudged ones among them; a relevant
    document that was not retrieved stands below all of those. ``discordant`` counts the pairs in the wrong order, which
    is also the area between the ideal and the actual curve of hits over ranks.

    >>> AUC().of([1, 0, 1, 0]), AUC().discordant([1, 0, 1, 0])
    (0.75, 1.0)
    """

    name = "AUC"
    formula = "1 - discordant pairs / (R (n - hits))"
    citation = "Hanley & McNeil 1982"
    is_sum = False
    takes_cutoff = False
    undefined_because = "without relevant documents, or without others in the list"
    takes_terminal = False
    has_bounds = False

    def score(self, r: Rankings) -> Floats:
        """Pairs in the right order among all pairs."""
        wrong, pairs = self.pairs_of(r)
        return ratio(pairs - wrong, pairs)

    def pairs_of(self, r: Rankings) -> tuple[Floats, Floats]:
        """Pairs in the wrong order, a half where they are tied, and all pairs; from the ranks of relevant documents."""
        gain, depth = self.gain(r), self.depth(r)
        ranks, hits = Gain(Linear(), gain).total(r, depth), Gain(Flat(), gain).total(r, depth)
        relevant, others = r.relevant(gain)[:, 0], r.length - hits
        return ranks - hits * (hits + 1) / 2 + (relevant - hits) * others, relevant * others

    def discordant(
        self, grades: list[float], *, pool: list[float] | None = None, groups: list[int] | None = None
    ) -> float:
        """How many pairs of one ranking, given as to ``of``, are in the wrong order; a tie counts half.

        >>> AUC().discordant([0, 1, 0, 1, 0]), AUC().discordant([0, 1], groups=[1, 1])
        (3.0, 0.5)
        """
        return float(self.pairs_of(Rankings.single(grades, pool=pool, groups=groups))[0][0])

    def variance(self, r: Rankings) -> Floats:
        """That of the ranks of relevant documents: all else is the same in every order."""
        gain, depth = self.gain(r), self.depth(r)
        pairs = r.relevant(gain)[:, 0] * (r.length - Gain(Flat(), gain).total(r, depth))
        return ratio(Gain(Linear(), gain).variance(r, depth), pairs**2)

    def parts(self, r: Rankings) -> Parts:
        """A mean over relevant documents: the share of the others in the list that stand below each."""
        gain = self.gain(r)
        x = gain.over(r)[0]
        others, relevant = float((x == 0).sum()), float(r.relevant(gain)[0, 0])
        if not others or not relevant:
            return Parts(how="sum", contribution=np.zeros(len(x)), gain=x, start=np.nan)
        # Of the documents down to its rank, those that are relevant, itself included, are no others.
        above = (r.start[0] + r.stop[0]) / 2 - Pair(Flat(), gain, gain).adds(r, self.depth(r))[0]
        share = np.where(x > 0, 1.0 - above / others, np.nan)
        return Parts(
            how="sum",
            contribution=np.where(x > 0, share, 0.0) / relevant,
            gain=x,
            factor=share,
            named="others below",
            divisor=Divisor("R", relevant),
        )
