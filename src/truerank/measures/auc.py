"""Area under the ROC curve."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from truerank.data.arrays import Floats
from truerank.data.rankings import Rankings
from truerank.expectation.gain import Gain
from truerank.measures.base import Binary, Term, ratio
from truerank.measures.weights import Flat, Linear


@dataclass(frozen=True, kw_only=True, repr=False)
class AUC(Binary):
    """The share of (relevant, non-relevant) pairs in the right order; a tie counts half.

    The pairs are all relevant documents with the retrieved non-relevant ones, unjudged ones among them; a relevant
    document that was not retrieved stands below all of those.

    >>> AUC().of([1, 0, 1, 0])
    0.75
    """

    name = "AUC"
    formula = "1 - discordant pairs / (R (n - hits))"
    citation = "Hanley & McNeil 1982"
    takes_cutoff = False
    undefined_because = "without relevant documents, or without others in the list"
    takes_terminal = False
    has_bounds = False

    def terms(self, r: Rankings) -> Iterable[Term]:
        """The sum of the ranks of relevant documents, and how many there are."""
        x = r.gains(self.gain(r))
        yield Gain(Linear(), x)
        yield Gain(Flat(), x)

    def score(self, r: Rankings) -> Floats:
        """Pairs in the right order among all pairs."""
        ranks, hits = (term.total(r, self.depth(r)) for term in self.terms(r))
        relevant, others = r.relevant(self.gain(r))[:, 0], r.length - hits
        wrong = ranks - hits * (hits + 1) / 2 + (relevant - hits) * others
        pairs = relevant * others
        return ratio(pairs - wrong, pairs)
