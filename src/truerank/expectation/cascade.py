"""Cascade: a sum over ranks of weight times gain times the chance that the reader has come this far."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from truerank.data.arrays import Floats, Rows, distinct, put, spans
from truerank.data.classes import dataclass
from truerank.data.parallel import blocks
from truerank.data.rankings import ENDLESS, Rankings, row_sum
from truerank.expectation.gain_maps import Quantity, check
from truerank.expectation.ranks import every_rank, finished, laid_out, picked
from truerank.expectation.term import Factors, Term
from truerank.expectation.weights import Squared, Weight, looked_up, spread, within

BATCH = 1 << 15
"""Numbers worked on at once inside tie groups: few enough to stay in cache."""
_MANY = 1 << 9
"""Documents of a group from which on it may pay to take them kind by kind."""
_STEP = 2000
"""Numbers that are worked on in the time that a document costs by itself."""
_FAR = 40.0
"""How far chances are looked at beside ten standard deviations: past that, less than 1e-20 is left."""
_ROUNDING = 1e-15
"""Variances that are no more than this share of the mean square are rounding."""
NOBODY = 1e-40
"""A share of readers so small that what they find, at all ranks of a group together, is no last digit of a score."""


@dataclass(frozen=True)
class Cascade(Term):
    """The term w(i) x_i q_1 ... q_(i-1), where x is the gain and q the chance that the reader goes on: keep.

    A finished group passes on the product of its q, whatever its order; inside a group it is the mean over all orders,
    at the cost of a table a group.

    >>> from truerank.expectation.gain_maps import Map, identity
    >>> from truerank.expectation.weights import Harmonic
    >>> gain = Map(identity)
    >>> Cascade(Harmonic(), gain, 1 - gain).total(Rankings.single([0, 1, 1]), np.array([[3]])).tolist()
    [0.5]
    """

    weight: Weight
    gain: Quantity
    keep: Quantity

    reader_stops = True

    def __post_init__(self) -> None:
        check(self, gain=self.gain)
        check(self, unlisted=1.0, keep=self.keep)

    @property
    def factorises(self) -> bool:
        """As gains and chances of going on do."""
        return self.gain.by_grade and self.keep.by_grade

    def total(self, r: Rankings, depth: Rows) -> Floats:
        """What all documents add, those past the end of the list included; tie groups add as a whole."""
        x, q = self.gain.over(r), self.keep.over(r)
        carry = _carry(q)
        terms = self._untied(x, carry, r, depth)
        if r.tied:
            put(terms, r.shared.flat, 0.0)
            groups = matter(r, depth, x, q, carry).read(q)
            put(terms, groups.first, carry.take(groups.first) * inside(groups, self.weight, x, q))
        return row_sum(terms) + self.beyond(r, depth)

    def variance(self, r: Rankings, depth: Rows) -> Floats:
        """Known where a document that has gain stops every reader, so that one document at most adds to the sum."""
        found = np.zeros(len(r.length))
        if not r.tied:
            return found
        x, q = self.gain.over(r), self.keep.over(r)
        carry, s = _carry(q), r.shared
        groups = matter(r, depth, x, q, carry).read(q)
        mean = inside(groups, self.weight, x, q)
        square = inside(groups, Squared(self.weight), x**2, q**2)
        variance = carry.take(groups.first) ** 2 * np.maximum(square - mean**2, 0.0)
        np.add.at(found, groups.row(r), np.where(square - mean**2 <= _ROUNDING * square, 0.0, variance))
        reached = (r.start <= depth) & (carry > 0) & (x * q != 0)
        found[s.row[reached.take(s.flat)]] = np.nan
        return found

    def adds(self, r: Rankings, depth: Rows) -> Floats:
        """Gain by weight and the chance of coming this far."""
        x, q = self.gain.over(r), self.keep.over(r)
        carry = _carry(q)
        terms = self._untied(x, carry, r, depth)
        if r.tied:
            flat = r.shared.flat
            put(terms, flat, x.take(flat) * self._tied(q, carry, r, depth))
        return terms

    def factors(self, r: Rankings, depth: Rows) -> Factors:
        """What a document would add if its gain were 1: weight times the chance of coming this far."""
        q, every = self.keep.over(r), np.ones(r.start.shape)
        carry = _carry(q)
        factor, weight = self._untied(every, carry, r, depth), spread(self.weight, every, r, depth)
        if r.tied:
            put(factor, r.shared.flat, self._tied(q, carry, r, depth))
        reached = np.divide(factor, weight, out=np.full(weight.shape, np.nan), where=weight > 0)
        return Factors(gain=self.gain.over(r), factor=factor, named="weight x reached", weight=weight, reached=reached)

    def beyond(self, r: Rankings, depth: Rows) -> Floats | float:
        """What readers find who come to the end of the list, and go on for ever."""
        gain = self.gain.beyond(r)
        if not gain or not (depth == ENDLESS).all():
            return 0.0
        left: Floats = np.cumprod(np.append(np.ones((len(r.length), 1)), self.keep.over(r), axis=-1), axis=-1)[:, -1]
        return left * self._endless(r.length, gain, self.keep.beyond(r))

    def steps(self, r: Rankings, deepest: int) -> Floats:
        """What each rank is expected to add."""
        x, q = self.gain.over(r), self.keep.over(r)
        carry = _carry(q)
        terms = laid_out(r, x * carry, deepest)
        if r.tied:
            groups = matter(r, np.full((1, 1), deepest), x, q, carry).read(q)
            for _, some, found in at_ranks(groups, x, q):
                group, place = np.nonzero(some.ranks <= some.within[:, None])
                reached = carry.take(some.first[group])
                terms[some.row(r)[group], some.above[group] + place] = reached * found[group, place]
        return self.weight.apply(terms, every_rank(deepest))

    def terminal(self, r: Rankings, length: Rows, depth: Rows) -> Floats:
        """The share that was found, for readers who come to the end, by the weight of its rank."""
        longest = int(length.max(initial=0))
        q, adds = self.keep.over(r), self.gain.shares(r)
        reached = finished(r, q, longest, np.multiply)
        found = adds[:, -1:] + finished(r, adds, longest)
        worth = reached * found
        if r.tied:
            groups = matter(r, np.full((1, 1), longest), self.gain.over(r), q, _carry(q))
            for some, left, more in at_cuts(groups, adds, q):
                group, place = np.nonzero(some.ranks <= some.within[:, None])
                row, above = some.row(r)[group], some.above[group]
                inside = found[row, above] * left[group, place] + more[group, place]
                worth[row, above + place + 1] = reached[row, above] * inside
        return self.weight.apply(picked(worth, length), length + 1)

    def _untied(self, x: Floats, carry: Floats, r: Rankings, depth: Rows) -> Floats:
        """What each slot adds if ``x`` is its gain and its group has no other document."""
        return within(self.weight.at_start(x * carry, r), r, depth)

    def _tied(self, q: Floats, carry: Floats, r: Rankings, depth: Rows) -> Floats:
        """For slots that share ranks, what each would add if its gain were 1.

        Of a document its mates matter only, not its own q; so those of a group with the same q add the same.
        """
        s = r.shared
        own, first = q.take(s.flat), s.flat[s.first]
        factor = np.zeros(len(own))
        for value in distinct(own):
            alike = np.zeros(q.shape)
            put(alike, s.flat, own == value)
            groups = matter(r, depth, alike, q, carry).read(q)
            together = np.zeros(len(first))
            together[np.searchsorted(first, groups.first)] = inside(groups, self.weight, alike, q)
            each = carry.take(first) * together / np.maximum(s.each(alike), 1.0)
            factor += np.where(own == value, each[s.group], 0.0)
        return factor

    def _endless(self, length: Rows, gain: float, keep: float) -> Floats:
        """Sum over all ranks past the list for a reader who comes to its end, with one gain and one q at each."""
        # Past these steps less than 1e-20 of the readers are left; a loss so small that it takes more is next to none.
        step = np.arange(min(int(np.ceil(46 / (1.0 - keep))), 1 << 20) if keep < 1.0 else 1 << 20)
        each, which = np.unique(length, return_inverse=True)
        rank = each[:, None] + 1 + step
        found: Floats = (looked_up(self.weight, rank) * gain * keep**step).sum(axis=-1)[which]
        return found


def _carry(q: Floats) -> Floats:
    """For every slot, the chance that the reader comes to it or, if it is tied, to the first of its group."""
    carry = np.ones(q.shape)
    np.cumprod(q[:, :-1], axis=-1, out=carry[:, 1:])
    return carry


@dataclass(frozen=True, eq=False)
class Groups:
    """Tie groups as columns, those with few active documents first; active is one with x, or that loses readers."""

    first: Rows
    """Flat index of the group's first slot."""
    begin: Rows
    """Where in ``active`` its documents begin."""
    members: Rows
    """How many they are."""
    above: Rows
    size: Rows
    within: Rows
    """How many of its ranks are within the depth."""
    active: Rows
    """Flat indexes of active documents, group by group."""

    @property
    def ranks(self) -> Rows:
        """Ranks inside a group, from 1 to the most that one has within the depth."""
        return np.arange(1, int(self.within.max(initial=0)) + 1)

    def row(self, r: Rankings) -> Rows:
        """The row of each group."""
        row: Rows = self.first // r.start.shape[1]
        return row

    def read(self, q: Floats) -> Groups:
        """The groups no deeper than readers come: tables grow with this depth, not with the size of a group.

        The mean product of k of the q is at most the k-th power of their mean (Maclaurin's inequality), which for the
        mates of a document is at most that of all over one less.
        """
        group = np.repeat(np.arange(len(self.members)), self.members)
        lost = np.bincount(group, 1.0 - q.take(self.active[spans(self.begin, self.members)]), len(self.members))
        mean = np.clip((self.size - lost) / np.maximum(self.size - 1, 1), 0.0, 1.0)
        with np.errstate(divide="ignore"):
            last = np.where(mean < 1.0, np.ceil(np.log(NOBODY) / np.log(mean)), np.inf) + 2.0
        return replace(self, within=np.minimum(self.within, last).astype(np.intp))

    def part(self, some: slice | Rows) -> Groups:
        """Some of the groups."""
        first, begin, members = self.first[some], self.begin[some], self.members[some]
        return Groups(first, begin, members, self.above[some], self.size[some], self.within[some], self.active)

    def parts(self) -> Iterator[Groups]:
        """Stretches of groups whose tables fit into ``BATCH`` numbers, or of one group."""
        start = 0
        while start < len(self.first):
            widest = np.maximum.accumulate(self.within[start : start + BATCH])
            room = np.arange(1, len(widest) + 1) * (widest + 1) <= BATCH
            # A large group is on its own, and may be taken kind by kind, whatever others there are.
            room &= self.members[start : start + BATCH] < _MANY
            count = max(int(room.argmin()) if not room.all() else len(room), 1)
            yield self.part(slice(start, start + count))
            start += count


def matter(r: Rankings, depth: Rows, x: Floats, q: Floats, carry: Floats) -> Groups:
    """The groups that are reached and have something to find."""
    s = r.shared_within(depth)
    active = np.flatnonzero((x.take(s.flat) != 0) | (q.take(s.flat) != 1))
    members = np.bincount(s.group[active], minlength=len(s.first))
    first, above, size = s.groups.flat, s.groups.start - 1, s.groups.size
    within = np.minimum(size, np.broadcast_to(depth[:, 0], len(r.length))[s.groups.row] - above)
    chosen = np.flatnonzero((s.each(x) != 0) & (carry.take(first) > 0))
    chosen = chosen[np.lexsort((within[chosen], members[chosen]))]
    begin = np.cumsum(members) - members
    return Groups(first, begin, members, above, size, within, s.flat[active]).part(chosen)


def inside(groups: Groups, weight: Weight, x: Floats, q: Floats) -> Floats:
    """Expected sum over each group's ranks within the depth, for a reader who reaches the group."""
    values = np.empty(len(groups.first))
    for which, part, found in at_ranks(groups, x, q):
        rank = np.arange(1, found.shape[1] + 1)
        last = part.within[:, None]
        place = np.minimum(part.above[:, None] + rank, part.above[:, None] + last)
        values[which] = row_sum(np.where(rank <= last, looked_up(weight, place) * found, 0.0))
    return values


def at_ranks(groups: Groups, x: Floats, q: Floats) -> Iterator[tuple[Rows, Groups, Floats]]:
    """For some groups at a time, the expectation at each of their ranks, for a reader who reaches the group.

    Which form is taken depends on the group alone, so that its bits do not depend on others.
    """
    xs, qs = x.take(groups.active), q.take(groups.active)
    listed = spans(groups.begin, groups.members)
    passes = (qs[listed] != 0) | (xs[listed] != 1)
    stops = np.bincount(np.repeat(np.arange(len(groups.members)), groups.members), passes, len(groups.members)) == 0
    for some in (np.flatnonzero(stops), np.flatnonzero(~stops)):
        done = 0
        for part in groups.part(some).parts():
            found = _first_hit(part) if stops[some[0]] else _means(part, xs, qs)[1] / part.ranks
            yield some[done : done + len(found)], part, found
            done += len(found)


def at_cuts(groups: Groups, x: Floats, q: Floats) -> Iterator[tuple[Groups, Floats, Floats]]:
    """For some groups at a time, what is left behind each of their ranks, for a reader who reaches the group.

    The mean product of q over the documents down to there; and the same times the sum of their x.
    """
    xs, qs = x.take(groups.active), q.take(groups.active)
    for part in groups.parts():
        # One document's x times the q of all is its x q times the others' q.
        yield part, *_means(part, xs * qs, qs)


def _first_hit(groups: Groups) -> Floats:
    """Chance that the first active document stands at each rank of its group: all that counts where each one stops."""
    n, m = groups.size[:, None].astype(np.float64), groups.members[:, None]
    j = np.arange(1, int(groups.within.max()))
    chance = np.empty((len(n), len(j) + 1))
    chance[:, :1] = m / n
    # From one rank to the next: the document there is none of the m, and one of them follows.
    chance[:, 1:] = np.maximum(n - m - j + 1, 0.0) / np.maximum(n - j, 1.0)
    return np.cumprod(chance, axis=-1, dtype=np.float64)


def _means(groups: Groups, x: Floats, q: Floats) -> tuple[Floats, Floats]:
    """Over the first k documents of a group, the mean product of q, and the mean sum of one's x times the others' q.

    Documents are taken one by one or, where they are many, kind by kind: those with the same x and q.
    """
    if len(groups.first) == 1 and int(groups.members[0]) >= _MANY:
        own = slice(int(groups.begin[0]), int(groups.begin[0] + groups.members[0]))
        kinds = Kinds.of(x[own], q[own])
        ranks = len(groups.ranks)
        if kinds.steps(ranks) < len(kinds.each) * (ranks + _STEP):
            return kinds.means(int(groups.size[0]), ranks)
    return _grown(groups, x, q)


@dataclass(frozen=True, eq=False)
class Kinds:
    """The documents of one large group by kinds, which have the same x and q."""

    each: Rows
    """The kind of every document."""
    x: Floats
    q: Floats
    count: Rows

    @classmethod
    def of(cls, x: Floats, q: Floats) -> Kinds:
        """The kinds that there are."""
        xs, qs = distinct(x), distinct(q)
        each = np.searchsorted(xs, x) * len(qs) + np.searchsorted(qs, q)
        some = distinct(each)
        return cls(each, xs[some // len(qs)], qs[some % len(qs)], np.bincount(np.searchsorted(some, each)))

    def steps(self, ranks: int) -> float:
        """About how many numbers ``means`` works on."""
        return len(self.x) * ranks * (10.0 * math.sqrt(ranks) + 2.0 * _FAR)

    def means(self, size: int, ranks: int) -> tuple[Floats, Floats]:
        """Mean products, and mean sums of one's x times the others' q, over the first 1, 2, ..., ``ranks`` of a group.

        Kind after kind is shuffled into those before: how many of it are among the first k is hypergeometric.
        """
        k = np.arange(ranks + 1.0)
        # Documents that are not active keep every reader.
        e, d, before = np.ones(ranks + 1), np.zeros(ranks + 1), size - int(self.count.sum())
        for x, q, count in zip(self.x.tolist(), self.q.tolist(), self.count.tolist(), strict=True):
            own_e, own_d = np.power(q, k), x * k * np.power(q, np.maximum(k - 1.0, 0.0))
            if before:
                e, d = _shuffled((e, d, before), (own_e, own_d, count))
            else:
                e, d = own_e, own_d
            before += count
        return e[None, 1:], d[None, 1:]


def _shuffled(one: tuple[Floats, Floats, int], other: tuple[Floats, Floats, int]) -> tuple[Floats, Floats]:
    """The means over the first 0, 1, ... documents of two sets in random order together, given those of each.

    Far from the mean number of documents of one set, chances are too small to be a last digit.
    """
    (e, d, n), (own_e, own_d, m) = one, other
    new_e, new_d = np.zeros(len(e)), np.zeros(len(e))
    # More than there are so far cannot be drawn of them.
    drawn = np.arange(min(len(e), n + m + 1))
    mean = drawn * (m / (n + m))
    far = 10.0 * np.sqrt(mean * (n / (n + m)) * ((n + m - drawn) / max(n + m - 1, 1))) + _FAR
    low = np.maximum(np.maximum(0, drawn - n), np.floor(mean - far).astype(np.intp))
    high = np.minimum(np.minimum(drawn, m), np.ceil(mean + far).astype(np.intp))
    mode = np.clip(((drawn + 1.0) * ((m + 1.0) / (n + m + 2.0))).astype(np.intp), low, high)
    width = int((high - low).max()) + 1
    for some in blocks(len(drawn), max(BATCH // width, 1)):
        k, j = drawn[some, None], low[some, None] + np.arange(width)
        likely = mode[some, None]
        # From the likeliest number of documents to the next ones, by the ratio of their chances.
        ahead, back = (m - j) * (k - j).astype(np.float64), (j + 1.0) * (n - k + j + 1)
        chance, down = np.ones(j.shape), np.ones(j.shape)
        np.divide(ahead[:, :-1], back[:, :-1], out=chance[:, 1:], where=j[:, 1:] > likely)
        np.divide(back, ahead, out=down, where=j < likely)
        chance[j > high[some, None]] = 0.0
        np.cumprod(chance, axis=-1, out=chance)
        chance *= np.cumprod(down[:, ::-1], axis=-1)[:, ::-1]
        chance /= chance.sum(axis=-1, keepdims=True)
        j = np.minimum(j, high[some, None])
        rest = k - j
        new_e[some] = (chance * own_e[j] * e[rest]).sum(axis=-1)
        new_d[some] = (chance * (own_d[j] * e[rest] + own_e[j] * d[rest])).sum(axis=-1)
    return new_e, new_d


def _grown(groups: Groups, x: Floats, q: Floats) -> tuple[Floats, Floats]:
    """Over the first k documents of a group, the mean product of q, and the mean sum of one's x times the others' q.

    These are mean elementary symmetric polynomials, grown one document at a time; each step is a convex combination.
    """
    begin, members, size = groups.begin, groups.members, groups.size
    k = groups.ranks.astype(np.float64)
    # Documents that are not active keep every reader, so the first active one meets nothing but ones.
    added = np.minimum(k / (size - members + 1.0)[:, None], 1.0)
    e, d = np.ones((len(begin), len(k) + 1)), np.zeros((len(begin), len(k) + 1))
    np.multiply(added, x[begin, None], out=d[:, 1:])
    e[:, 1:] -= added * (1.0 - q[begin, None])
    for t in range(1, int(members[-1])):
        live = int(np.searchsorted(members, t, side="right"))
        added = np.minimum(k / (size - members + t + 1.0)[live:, None], 1.0)
        qt, xt = q[begin[live:] + t, None], x[begin[live:] + t, None]
        d[live:, 1:] += added * (qt * d[live:, :-1] + xt * e[live:, :-1] - d[live:, 1:])
        e[live:, 1:] += added * (qt * e[live:, :-1] - e[live:, 1:])
    return e[:, 1:], d[:, 1:]
