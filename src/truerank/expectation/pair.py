"""Pair: a sum over ranks of weight times gain times what has been seen down to there."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats, Rows, put
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings, row_sum
from truerank.expectation.gain_maps import Quantity, check
from truerank.expectation.ranks import every_rank, finished, group_ranks, laid_out, picked
from truerank.expectation.term import Factors, Term
from truerank.expectation.weights import Harmonic, Weight, spread, spread_after_mate


@dataclass(frozen=True)
class Pair(Term):
    """The term w(i) x_i (y_1 + ... + y_i), where x is the gain and y what is seen.

    Documents of finished groups and the document itself count in full; a tie mate counts when it is ranked above.

    >>> from truerank.expectation.gain_maps import Map, identity
    >>> from truerank.expectation.weights import Harmonic
    >>> gain = Map(identity)
    >>> Pair(Harmonic(), gain, gain).total(Rankings.single([1, 0, 1, 1]), np.array([[3]])).tolist()  # 1/1 + 2/3
    [1.6666666666666665]
    """

    weight: Weight
    gain: Quantity
    seen: Quantity

    def __post_init__(self) -> None:
        check(self, gain=self.gain, seen=self.seen)

    @property
    def factorises(self) -> bool:
        """As gains and what is seen do."""
        return self.gain.by_grade and self.seen.by_grade

    @property
    def pairs_alike(self) -> bool:
        """If what is seen is the gain."""
        return self.gain == self.seen

    def total(self, r: Rankings, depth: Rows) -> Floats:
        """What all documents add."""
        return row_sum(self.adds(r, depth))

    def variance(self, r: Rankings, depth: Rows) -> Floats:
        """Of pairs in random order."""
        from truerank.expectation.variance import of_pairs

        return of_pairs(self.weight, self.gain.over(r), self.seen.over(r), r, depth)

    def adds(self, r: Rankings, depth: Rows) -> Floats:
        """What each document adds with those above it."""
        return self._spread(self.gain.over(r), r, depth, r.product(self.gain, self.seen))

    def factors(self, r: Rankings, depth: Rows) -> Factors:
        """What a document would add if its gain were 1: weight times what has been seen, which may be precision."""
        every = np.ones(r.start.shape)
        factor, weight = self._spread(every, r, depth), spread(self.weight, every, r, depth)
        seen = np.divide(factor, weight, out=np.full(weight.shape, np.nan), where=weight > 0)
        named = "precision" if isinstance(self.weight, Harmonic) else "ratio"
        return Factors(gain=self.gain.over(r), factor=factor, named=named, weight=weight, seen=seen)

    def adds_if_found(self, r: Rankings, depth: Rows, relevant: Floats, may: Floats, *, best: bool) -> Floats:
        """What a slot adds with relevant documents above it, and what those below it add with it."""
        weight = spread(self.weight, np.ones(r.start.shape), r, depth)
        above, below = r.above(relevant), r.below((relevant if best else relevant + may) * weight)
        if best:
            above = above + r.above(may)
        adds = (above + 1.0) * weight + below
        if r.tied:
            s = r.shared_within(depth)
            before = np.cumsum(may, axis=-1) - may - r.above(may)
            mates = r.group_sum(relevant) + (before if best else r.group_sum(may) - before - may)
            more = 2.0 * mates.take(s.flat) * spread_after_mate(self.weight, r, depth)
            put(adds, s.flat, adds.take(s.flat) + more)
        return adds

    def credit(self, r: Rankings, depth: Rows) -> Floats:
        """Half of what a document adds with those above it, and half of what those below it add with it."""
        y = self.seen.over(r)
        weighted = spread(self.weight, self.gain.over(r), r, depth)
        with_it = weighted + r.below(weighted)
        if r.tied:
            s = r.shared_within(depth)
            late = self.gain.over(r).take(s.flat) * spread_after_mate(self.weight, r, depth)
            after: Floats = np.zeros(y.shape)
            put(after, s.flat, late)
            put(with_it, s.flat, with_it.take(s.flat) + (s.sums(after) - late))
        return (self.adds(r, depth) + y * with_it) / 2.0

    def steps(self, r: Rankings, deepest: int) -> Floats:
        """What each rank is expected to hold, times what is expected above it, by its weight."""
        gain, seen = self.gain.over(r), self.seen.over(r)
        above = r.above(seen)
        terms = laid_out(r, gain * (above + seen), deepest)
        if r.tied:
            s, at = r.shared, group_ranks(r, deepest)
            x, y, xy = s.each(gain), s.each(seen), s.each(gain * seen)
            alone = x * above.take(s.flat[s.first]) + xy
            together = (x * y - xy) / (s.groups.size - 1)
            terms[at.row, at.rank - 1] = (alone[at.group] + at.mates * together[at.group]) / at.size
        return self.weight.apply(terms, every_rank(deepest))

    def terminal(self, r: Rankings, length: Rows, depth: Rows) -> Floats:
        """The share that was found times all that is seen, itself included, by the weight of its rank."""
        longest = int(length.max(initial=0))
        x, share = self.gain.shares(r), self.seen.shares(r)
        # The terminal document counts in what is seen down to it.
        y = self.seen.over(r) + share
        x_found = x[:, -1:] + finished(r, x, longest)
        y_found = share[:, -1:] + finished(r, y, longest)
        product = x_found * y_found
        if r.tied:
            s, at = r.shared, group_ranks(r, longest)
            x_above, y_above = x_found[at.row, at.start - 1], y_found[at.row, at.start - 1]
            sum_x, sum_y, both = (s.each(z)[at.group] for z in (x, y, x * y))
            kept = (at.mates + 1) / at.size
            kept_too = at.mates / (at.size - 1)
            inside = both + kept_too * (sum_x * sum_y - both)
            product[at.row, at.rank] = x_above * y_above + kept * (x_above * sum_y + y_above * sum_x + inside)
        return self.weight.apply(picked(product, length), length + 1)

    def _spread(self, x: Floats, r: Rankings, depth: Rows, with_itself: Floats | None = None) -> Floats:
        """What each slot adds if ``x`` is its gain, and ``with_itself`` what that is times what is seen of itself."""
        y = self.seen.over(r)
        seen = x * (r.above(y) + y) if with_itself is None else x * r.above(y) + with_itself
        terms = spread(self.weight, seen, r, depth)
        if r.tied:
            s = r.shared_within(depth)
            mates = s.sums(y) - y.take(s.flat)
            more = x.take(s.flat) * mates * spread_after_mate(self.weight, r, depth)
            put(terms, s.flat, terms.take(s.flat) + more)
        return terms
