"""Expected search length."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truerank.data.arrays import Floats, Rows, begins
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.gain import Gain
from truerank.expectation.weights import Flat
from truerank.measures.core.base import Binary, FoundRange
from truerank.measures.core.parameters import whole
from truerank.measures.oie import HUGEST, UNTOLD


@dataclass(frozen=True, kw_only=True, repr=False)
class ESL(Binary):
    """Expected search length: how many documents without relevance are read until ``want`` relevant ones are found.

    Lower is better. Where a list has fewer of them, the reader goes on through the documents that are not listed, in
    random order, as Cooper has it: ``size`` is how many the collection has, a million where it is not given. With a
    cutoff the reader gives up after so many ranks, of which those past the list's end hold nothing relevant. Where
    there are not as many relevant documents as wanted, all is read.

    >>> ESL().of([0, 0, 1, 1]), ESL(want=2).of([0, 0, 1, 1]), ESL(cutoff=2).of([0, 0, 1, 1])
    (2.0, 2.0, 2.0)
    >>> ESL().of([0, 1, 0], groups=[0, 0, 0])  # one of two others is read on average
    1.0
    """

    want: int = 1
    size: int | None = None

    name = "ESL"
    formula = "documents without relevance above the relevant one of number want, at most those down to k"
    range = (0.0, np.inf)
    citation = "Cooper 1968"
    is_sum = False
    takes_terminal = False
    higher_is_better = False

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("want", self.want, least=1)
        if self.size is not None:
            whole("size", self.size, least=1, most=HUGEST)

    @property
    def collection(self) -> int | None:
        """The collection's size, or what is taken for it; with a cutoff it is not asked for."""
        return (self.size or UNTOLD) if self.cutoff is None else None

    @property
    def assumes(self) -> str:  # type: ignore[override]
        """The collection's size."""
        untold = self.size is None and self.cutoff is None
        return f"a collection of {UNTOLD:,} documents is assumed; give size=, or a cutoff" if untold else ""

    def score(self, r: Rankings) -> Floats:
        """Documents above the group that the last one wanted is in, and those of the group that are read before it."""
        x = self.gain(r).over(r)
        above, inside = r.above(x), r.group_sum(x)
        last = (x > 0) & (above < self.want) & (above + inside >= self.want)
        rows, slot = np.nonzero(last)
        first = begins(rows)
        rows, slot = rows[first], slot[first]
        value = self._rest(r, x) if self.cutoff is None else self._in_vain(r)
        start, size = r.start[rows, slot], r.size[rows, slot]
        hits, mates = above[rows, slot], inside[rows, slot]
        # Of the documents of a group in random order, the relevant ones leave as many gaps, and one more, for others.
        found = start - 1 - hits + (self.want - hits) * (size - mates) / (mates + 1)
        if self.cutoff is not None:
            found = np.where(start + size - 1 <= self.cutoff, found, value[rows])
            for at in np.flatnonzero((start <= self.cutoff) & (self.cutoff < start + size - 1)).tolist():
                read = _read(int(size[at]), int(mates[at]), int(self.want - hits[at]), int(self.cutoff - start[at] + 1))
                found[at] = start[at] - 1 - hits[at] + read
        value[rows] = found
        return value

    def _in_vain(self, r: Rankings) -> Floats:
        """Ranks down to the cutoff that hold nothing relevant."""
        depth = self.depth(r)
        return depth[:, 0] - Gain(Flat(), self.gain(r)).total(r, depth)

    def _rest(self, r: Rankings, x: Floats) -> Floats:
        """Documents of lists that lack what is wanted, and those read of what is not listed."""
        gain = self.gain(r)
        hits = x.sum(axis=-1)
        here: Floats = r.length - hits
        if r.gain_beyond(gain) > 0:
            return here
        missing = np.maximum(r.relevant(gain)[:, 0] - hits, 0.0)
        others = np.maximum(float(self.collection or 0) - r.length - missing, 0.0)
        read = np.minimum((self.want - hits) * others / (missing + 1.0), others)
        found: Floats = here + np.where(hits + missing < self.want, others, read)
        return found

    def outcomes(self, r: Rankings, found: FoundRange) -> tuple[Floats, Floats]:
        """The fewest with as many relevant as can be, highest in the list; the most with as few, at its end."""
        low = self.score(self._with(r, found, found.most_listed, found.most, r.start))
        high = self.score(self._with(r, found, found.least_listed, found.least, -r.stop))
        return low, high

    def _with(self, r: Rankings, found: FoundRange, listed: Rows, more: Rows, place: Rows) -> Rankings:
        """Rankings where so many listed documents are relevant, those first by their place, and so many in all."""
        order = np.argsort(np.where(found.open, place, np.iinfo(np.intp).max), axis=-1, kind="stable")
        rank = np.argsort(order, axis=-1, kind="stable")
        chosen = found.open & (rank < listed)
        return replace(r, grade=np.where(chosen, max(self.rel, r.max_grade), r.grade), more=more)


def _read(size: int, relevant: int, wanted: int, room: int) -> float:
    """How many others are read among the first ``room`` documents of a group in random order, until enough are found.

    >>> _read(3, 1, 1, 2), _read(3, 1, 1, 3)  # 1, or 0 and 2 ranks: (0 + 1 + 2) / 3
    (1.0, 1.0)
    """
    # The chance of each number of relevant ones among those read, for readers who go on.
    chance = np.zeros(wanted)
    chance[0] = 1.0
    found = np.arange(wanted)
    read = 0.0
    for left in range(size, size - room, -1):
        hit = chance * np.clip((relevant - found) / left, 0.0, 1.0)
        chance = chance - hit
        read += float(chance.sum())
        chance[1:] += hit[:-1]
    return read
