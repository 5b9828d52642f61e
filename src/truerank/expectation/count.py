"""Count: a sum over documents of a function of how many others stand above."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from truerank.data.arrays import Floats, Rows, put
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings, Shared, row_sum
from truerank.expectation.gain_maps import Quantity, check
from truerank.expectation.ranks import group_ranks, laid_out
from truerank.expectation.term import Factors, Term

Phi = Callable[[Floats, Rows], Floats]
"""Maps counts, and the rows of the block they belong to, to values."""


@dataclass(frozen=True)
class Count(Term):
    """The sum over documents d of x_d phi(number of counted documents above d).

    ``counted`` marks documents without gain. A tied document stands at every place among its group's counted ones with
    equal chance; where the depth cuts the group, the chances of a place within the depth are taken.
    """

    gain: Quantity
    counted: Quantity
    phi: Phi

    takes_terminal = False

    def __post_init__(self) -> None:
        check(self, gain=self.gain, counted=self.counted)

    def total(self, r: Rankings, depth: Rows) -> Floats:
        """What all documents add."""
        return row_sum(self.adds(r, depth))

    def adds(self, r: Rankings, depth: Rows) -> Floats:
        """Gain by the mean of phi."""
        return self.gain.over(r) * self._shares(r, depth)

    def factors(self, r: Rankings, depth: Rows) -> Factors:
        """The mean of phi where there is gain; documents that are counted have no place in the sum themselves."""
        return Factors(gain=self.gain.over(r), factor=self._shares(r, depth), named="share")

    def steps(self, r: Rankings, deepest: int) -> Floats:
        """What each rank is expected to add."""
        x, counted = self.gain.over(r), self.counted.over(r)
        above = r.above(counted)
        row, slot = np.nonzero(x)
        terms = np.zeros(x.shape)
        terms[row, slot] = x[row, slot] * self.phi(above[row, slot], row)
        dense = laid_out(r, terms, deepest)
        if r.tied:
            s = r.shared
            at = group_ranks(r, deepest)
            at = at.part(s.each(x)[at.group] != 0)
            ranks = np.bincount(at.group, minlength=len(s.first))
            group = np.flatnonzero(ranks)
            first = s.first[group]
            marked = s.each(counted)[group].astype(np.intp)
            count = above.take(s.flat[first])[:, None] + np.arange(int(marked.max(initial=0)) + 1)
            mean = means(s.size[first] - 1, marked, self.phi(count, s.row[first][:, None]), ranks[group])
            dense[at.row, at.rank - 1] = s.each(x)[at.group] / at.size * mean
        return dense

    def _shares(self, r: Rankings, depth: Rows) -> Floats:
        """The mean of phi over the places that each document with gain may have within ``depth``."""
        x, counted = self.gain.over(r), self.counted.over(r)
        shares = np.zeros(r.start.shape)
        above = r.above(counted).ravel()
        alone = x != 0
        if depth is not r.depth(None):
            alone &= r.start <= depth
        if r.tied:
            put(alone, r.shared.flat, False)
        flat = np.flatnonzero(alone)
        put(shares, flat, self.phi(above[flat], flat // x.shape[1]))
        if r.tied:
            # Those of a group have the same mean, so one of them stands for all: a table a group, not a document.
            s = r.shared_within(depth)
            group = np.flatnonzero(s.each(x))
            mean = np.zeros(len(s.first))
            mean[group] = self._mean_phi_of_tied(s, depth, group, above, s.each(counted)[group].astype(np.intp))
            put(shares, s.flat, np.where(x.take(s.flat) != 0, mean[s.group], 0.0))
        return shares

    def _mean_phi_of_tied(self, s: Shared, depth: Rows, group: Rows, above: Floats, mates: Rows) -> Floats:
        """The mean of phi for a document of each of some groups, with so many counted mates."""
        # Those with many first, so that those with a number of mates or more are the first ones.
        many = np.argsort(-mates, kind="stable")
        group, mates = group[many], mates[many]
        row, before = s.groups.row[group], above[s.groups.flat[group]]
        within = depth[row, 0] - s.groups.start[group] + 1
        chance = _chances(s.groups.size[group], within, mates)
        mean = np.zeros(len(group))
        for more in range(int(mates.max(initial=-1)) + 1):
            some = slice(int(np.searchsorted(-mates, -more, side="right")))
            mean[some] += chance[some, more] * self.phi(before[some] + more, row[some])
        found = np.empty(len(group))
        found[many] = mean
        return found


def _chances(size: Rows, within: Rows, mates: Rows) -> Floats:
    """Of a tied document, the chances that 0, 1, ... of its counted mates stand above, ``within`` so many ranks."""
    chance = np.where(np.arange(int(mates.max(initial=0)) + 1) <= mates[:, None], 1.0 / (mates[:, None] + 1), 0.0)
    cut = np.flatnonzero(within < size)
    if len(cut):
        chance[cut] = 0.0
        deepest = int(within[cut].max())
        for j, p in enumerate(draws(size[cut] - 1, mates[cut], deepest - 1)):
            chance[cut, : p.shape[1]] += np.where((j < within[cut])[:, None], p, 0.0) / size[cut, None]
    return chance


def draws(size: Rows, marked: Rows, steps: int) -> Iterator[Floats]:
    """Hypergeometric probabilities of 0, 1, ... marked documents among the first j of a group, for j = 0 to ``steps``.

    Grown a document at a time from fractions of what is left, hence exact to rounding; one row a group.
    Past the end of a group its last probabilities stay.

    >>> [p.tolist() for p in draws(np.array([2]), np.array([1]), 2)]
    [[[1.0, 0.0]], [[0.5, 0.5]], [[0.0, 1.0]]]
    """
    count = np.arange(int(marked.max(initial=0)) + 1)
    p = np.zeros((len(size), len(count)))
    p[:, 0] = 1.0
    yield p
    for drawn in range(steps):
        moved = p * _next(size - drawn, marked, count)
        p = p - moved
        p[:, 1:] += moved[:, :-1]
        yield p


def means(size: Rows, marked: Rows, values: Floats, steps: Rows) -> Floats:
    """Means of ``values`` by the number of marked documents among the first j, for j = 0 to ``steps`` - 1.

    ``values`` has a row a group, from 0 marked documents on; the means of each group follow those of the one before.

    >>> means(np.array([2, 4]), np.array([1, 2]), np.array([[0.0, 10.0, 0.0], [0.0, 0.0, 1.0]]), np.array([3, 3]))
    array([ 0.        ,  5.        , 10.        ,  0.        ,  0.        ,
            0.16666667])
    """
    found, begin = np.empty(int(steps.sum())), np.cumsum(steps) - steps
    longest = np.argsort(-steps, kind="stable")
    begin, size, marked, values = begin[longest], size[longest], marked[longest], values[longest]
    p = np.zeros(values.shape)
    p[:, :1] = 1.0
    for drawn in range(int(steps.max(initial=0))):
        live = int(np.searchsorted(-steps[longest], -drawn))
        # No more can be marked than were drawn.
        some = p[:live, : drawn + 2]
        count = np.arange(some.shape[1])
        found[begin[:live] + drawn] = row_sum(some * values[:live, : drawn + 2])
        moved = some * _next(size[:live] - drawn, marked[:live], count)
        some -= moved
        some[:, 1:] += moved[:, :-1]
    return found


def _next(left: Rows, marked: Rows, count: Rows) -> Floats:
    """Chance that the next document is marked, given how many that were drawn are; ``left`` are not yet drawn."""
    chance = np.clip(marked[:, None] - count, 0, None) / np.maximum(left, 1)[:, None]
    return np.where((left > 0)[:, None], np.minimum(chance, 1.0), 0.0)
