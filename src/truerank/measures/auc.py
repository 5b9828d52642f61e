"""Area under the ROC curve."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.gain import Gain
from truerank.expectation.gain_maps import Nonrelevant
from truerank.expectation.pair import Pair
from truerank.expectation.weights import Flat, Linear
from truerank.measures.core.base import Binary, ratio
from truerank.measures.core.collection import OfCollection
from truerank.measures.core.parts import Divisor, Parts


class OrderedPairs(NamedTuple):
    """Pairs of a relevant document and another one, a number a row."""

    hits: Floats
    """Relevant documents in the list."""
    relevant: Floats
    """All relevant documents."""
    listed: Floats
    """Other documents in the list that count."""
    others: Floats
    """All other documents that count."""
    wrong: Floats
    """Pairs in the wrong order, a half where they are tied."""

    @property
    def pairs(self) -> Floats:
        return self.relevant * self.others


@dataclass(frozen=True, kw_only=True, repr=False)
class AUC(OfCollection, Binary):
    """The share of (relevant, non-relevant) pairs in the right order; a tie counts half, and a random order is 0.5.

    The documents are the judged ones; with ``size``, the number of documents in the collection, they are all of these,
    and unjudged ones are not relevant. Documents that were not retrieved are tied below the list. ``discordant`` counts
    the pairs in the wrong order, which is also the area between the ideal and the actual curve of hits over ranks.
    Where judgments have two grades, AUC over the judged documents is 1 - PrefLoss.

    >>> AUC().of([1, 0, 1, 0]), AUC().discordant([1, 0, 1, 0])
    (0.75, 1.0)
    >>> AUC().of([1, 0], pool=[1, 1, 0, 0]), AUC(size=1000).of([1, 0], pool=[1, 1, 0, 0])
    (0.625, 0.749749498997996)
    """

    name = "AUC"
    formula = "1 - discordant pairs / (R x documents judged non-relevant), size: / (R (size - R))"
    citation = "Hanley & McNeil 1982"
    is_sum = False
    has_bounds = False
    undefined_counts_as = np.nan

    @property
    def skips_unjudged(self) -> bool:  # type: ignore[override]
        """Whether an unjudged document is none of those that count."""
        return self.size is None

    @property
    def undefined_because(self) -> str:  # type: ignore[override]
        """What a topic lacks."""
        lack = "without relevant documents, or without others in the collection"
        return lack if self.size is not None else "without relevant documents, or without documents judged non-relevant"

    @property
    def remedy(self) -> str:  # type: ignore[override]
        """How to give it a value where nothing is judged non-relevant."""
        return (
            ""
            if self.size is not None
            else "if nothing is judged non-relevant, AUC(size=N) compares with all N documents of the collection"
        )

    def score(self, r: Rankings) -> Floats:
        """Pairs in the right order among all pairs."""
        found = self.ordered(r)
        return ratio(found.pairs - found.wrong, found.pairs)

    def ordered(self, r: Rankings) -> OrderedPairs:
        """The pairs, and how many of them are in the wrong order."""
        gain, depth = self.gain(r), self.depth(r)
        hits, relevant = Gain(Flat(), gain).total(r, depth), r.relevant(gain)[:, 0].astype(np.float64)
        if self.size is None:
            seen = Nonrelevant(gain)
            listed, others = Gain(Flat(), seen).total(r, depth), r.judged - relevant
            above = Pair(Flat(), gain, seen).total(r, depth)
        else:
            listed, others = r.length - hits, self.documents(r) - relevant
            above = Gain(Linear(), gain).total(r, depth) - hits * (hits + 1) / 2
        return OrderedPairs(hits, relevant, listed, others, above + (relevant - hits) * (listed + others) / 2)

    def discordant(
        self, grades: list[float], *, pool: list[float] | None = None, groups: list[int] | None = None
    ) -> float:
        """How many pairs of one ranking, given as to ``of``, are in the wrong order; a tie counts half.

        >>> AUC().discordant([0, 1, 0, 1, 0]), AUC().discordant([0, 1], groups=[1, 1])
        (3.0, 0.5)
        """
        return float(self.ordered(Rankings.single(grades, pool=pool, groups=groups)).wrong[0])

    def variance(self, r: Rankings) -> Floats:
        """That of the pairs among tied documents: all else is the same in every order."""
        gain, depth = self.gain(r), self.depth(r)
        if self.size is None:
            spread = Pair(Flat(), gain, Nonrelevant(gain)).variance(r, depth)
        else:
            spread = Gain(Linear(), gain).variance(r, depth)
        return ratio(spread, self.ordered(r).pairs ** 2)

    def parts(self, r: Rankings) -> Parts:
        """A mean over relevant documents: the share of the others that stand below each."""
        gain, depth = self.gain(r), self.depth(r)
        x = gain.over(r)[0]
        hits, relevant, listed, others = (float(count[0]) for count in self.ordered(r)[:4])
        if not others or not relevant:
            return Parts(how="sum", contribution=np.zeros(len(x)), gain=x, start=np.nan)
        if self.size is None:
            above = Pair(Flat(), gain, Nonrelevant(gain)).adds(r, depth)[0]
        else:
            # Of the documents down to its rank, those that are relevant, itself included, are no others.
            above = (r.start[0] + r.stop[0]) / 2 - Pair(Flat(), gain, gain).adds(r, depth)[0]
        share = np.where(x > 0, 1.0 - above / others, np.nan)
        return Parts(
            how="sum",
            contribution=np.where(x > 0, share, 0.0) / relevant,
            gain=x,
            factor=share,
            named="others below",
            # Documents that were not retrieved are tied: half of those others stand below each.
            rest=(relevant - hits) * (others - listed) / 2 / others / relevant,
            divisor=Divisor("R", relevant),
        )
