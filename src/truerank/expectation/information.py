"""Information: what a ranking and its judgments tell, apart and together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from truerank.data.arrays import Floats, Mask, Rows, distinct
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.rankings import Rankings, row_sum
from truerank.expectation.count import means
from truerank.expectation.gain_maps import GainMap, check
from truerank.expectation.ranks import GroupRanks, finished, group_ranks, picked
from truerank.expectation.term import Factors, Term


@dataclass(frozen=True)
class Information(Term):
    """H(S) + H(G) - beta H(S, G) over all documents of a collection.

    A document tells log(size / documents at or above it), by rank, by gain, or by both; a tie group stands at its last
    rank. Where the depth cuts a group, which of its documents are kept is random, and the mean is taken.
    """

    gain: GainMap
    beta: float
    size: int
    """Documents of the collection."""
    scale: float = 1.0

    how = "information"
    shares_last_rank = True
    takes_terminal = False
    has_steps = False

    @property
    def ends_by(self) -> str:
        """What silence tells."""
        return "information"

    def __post_init__(self) -> None:
        check(self, gain=self.gain)

    def total(self, r: Rankings, depth: Rows) -> Floats:
        """The information, one value a row."""
        length = np.minimum(r.length, r.reach(depth)[:, 0])
        return picked(self._down_to(r, length, cuts=False), length[:, None])[:, 0]

    def steps(self, r: Rankings, deepest: int) -> Floats:
        """From the information at each depth to that at the next."""
        return np.diff(self.curve(r, deepest), axis=-1)

    def curve(self, r: Rankings, deepest: int) -> Floats:
        """The information of lists cut at every depth."""
        every = self._down_to(r, np.minimum(r.length, deepest), cuts=True)
        return picked(every, np.minimum(np.arange(deepest + 1), r.length[:, None]))

    def start(self, r: Rankings) -> Floats:
        """What is left where nothing is retrieved."""
        return self.scale * self._silence(r.ideal(self.gain))[:, 0]

    def adds(self, r: Rankings, depth: Rows) -> Floats:
        """What each document adds to silence; where the depth cuts a tie group, its documents share what they add."""
        last = np.minimum(depth, r.length[:, None])
        sums = self.curve(r, int(last.max(initial=0)))
        upto, before = (picked(sums, np.minimum(rank, last)) for rank in (r.stop, r.start - 1))
        whole = self.scale * self._whole(r, r.ideal(self.gain))
        return np.where(r.stop <= last, whole, (upto - before) / r.size)

    def factors(self, r: Rankings, depth: Rows) -> Factors:
        """Only the order of gains matters."""
        return Factors(gain=self.gain.over(r))

    def credit(self, r: Rankings, depth: Rows) -> None:
        """Documents that are not relevant take from what all tell together; whose fault that is, is not known."""

    def made_of(self, r: Rankings, depth: Rows) -> tuple[tuple[str, float, Floats], ...]:
        """The three entropies: with beta = 0 the first two are left, and of silence the second."""
        apart, joint = (replace(self, beta=beta) for beta in (0.0, 1.0))
        last = np.minimum(depth, r.length[:, None])
        whole, of_grades = apart.total(r, last), apart.start(r)
        return (
            ("H(S)", 1.0, whole - of_grades),
            ("H(G)", 1.0, of_grades),
            ("H(S, G)", -self.beta, whole - joint.total(r, last)),
        )

    def _down_to(self, r: Rankings, length: Rows, *, cuts: bool) -> Floats:
        """The information down to each row's ``length``; at lesser depths inside a tie group only with ``cuts``."""
        ideal = r.ideal(self.gain)
        self._refuse(r, ideal, length)
        deepest = int(length.max(initial=0))
        found = self._silence(ideal) + finished(r, self._whole(r, ideal), deepest)
        if r.tied:
            at = group_ranks(r, deepest)
            limit = length[at.row]
            last = at.start + at.size - 1
            at = at.part((at.rank <= limit) & (at.rank < last) & (cuts | (last > limit)))
            found[at.row, at.rank] = found[at.row, at.start - 1] + self._cut(r, ideal, at)
        return self.scale * found

    def _silence(self, ideal: Floats) -> Floats:
        """What is left where nothing is retrieved, shape (rows, 1)."""
        lost = np.zeros(len(ideal))
        for level, tells in self._levels(ideal):
            lost += (ideal == level).sum(axis=-1) * tells
        return ((1.0 - self.beta) * lost)[:, None]

    def _levels(self, ideal: Floats) -> Iterator[tuple[float, Floats]]:
        """The levels of gain, with what a document of that level tells by its gain, one value a row."""
        for level in distinct(ideal[ideal > 0]):
            yield float(level), np.log(float(self.size)) - np.log(np.maximum((ideal >= level).sum(axis=-1), 1))

    def _whole(self, r: Rankings, ideal: Floats) -> Floats:
        """What each document of the list adds to silence, its group being whole."""
        gain = self.gain.over(r)
        listed = r.stop <= r.length[:, None]
        by_rank = np.where(listed, np.log(float(self.size)) - np.log(np.where(listed, r.stop, 1)), 0.0)
        # A document without gain tells the same by rank and by both.
        adds: Floats = np.where(gain > 0, by_rank, (1.0 - self.beta) * by_rank)
        for level, tells in self._levels(ideal):
            exactly, as_good = _marks(gain, level)
            row, slot = np.nonzero(exactly & listed)
            count = (r.above(as_good) + r.group_sum(as_good))[row, slot]
            adds[row, slot] -= self.beta * (np.log(float(self.size)) - np.log(count) - tells[row])
        return adds

    def _cut(self, r: Rankings, ideal: Floats, at: GroupRanks) -> Floats:
        """What the documents of a group add that stand down to one of its ranks."""
        s, gain = r.shared, self.gain.over(r)
        kept = (at.mates + 1) / at.size
        by_rank = np.log(float(self.size)) - np.log(at.rank)
        adds: Floats = kept * by_rank * s.each(np.where(gain > 0, 1.0, 1.0 - self.beta))[at.group]
        for level, tells in self._levels(ideal):
            exactly, as_good = _marks(gain, level)
            here = s.each(exactly.astype(np.float64))
            with_some = np.flatnonzero(here[at.group])
            ranks = np.bincount(at.group[with_some], minlength=len(here))
            group = np.flatnonzero(ranks)
            others = s.each(as_good)[group].astype(np.intp) - 1
            above = r.above(as_good).take(s.flat[s.first[group]])
            logs = np.log(above[:, None] + 1.0 + np.arange(int(others.max(initial=0)) + 1))
            mean = means(s.size[s.first[group]] - 1, others, logs, ranks[group])
            told = np.log(float(self.size)) - mean - tells[at.row[with_some]]
            adds[with_some] -= self.beta * kept[with_some] * here[at.group[with_some]] * told
        return adds

    def _refuse(self, r: Rankings, ideal: Floats, length: Rows) -> None:
        kept = np.clip(np.minimum(r.stop, length[:, None]) - r.start + 1, 0, None) / r.size
        needed = length + (ideal > 0).sum(axis=-1) - row_sum(np.where(self.gain.over(r) > 0, kept, 0.0))
        if (needed > self.size + 1e-9).any():
            raise InputError(f"a topic has {int(needed.max())} documents; size={self.size} must be the collection's")


def _marks(gain: Floats, level: float) -> tuple[Mask, Floats]:
    """Which documents have exactly a level of gain, and which at least that."""
    return gain == level, (gain >= level).astype(np.float64)
