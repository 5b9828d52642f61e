"""The price of OIE: beta above 1 makes documents that tell nothing about relevance cost."""

from __future__ import annotations

import math
from dataclasses import dataclass

from truerank.data.errors import InputError
from truerank.questions.calibrate.price import Balance, Price, Reach, reach


@dataclass(frozen=True)
class InformationPrice(Price):
    """A hit against silence, which scores (1 - beta) R log(size / R), in a collection with R relevant documents.

    With H(n) = n log(size) - log(n!), what a list of n documents tells: a hit at rank 1 brings beta log(size / R) and
    its list costs (beta - 1) H(n); a lone hit at rank r brings H(r) and costs beta (H(r - 1) + log R).

    >>> round(InformationPrice(1.05, 20000).for_lone(20), 4), InformationPrice(1.05, 20000).silence_at().last
    (1.0464, 18)
    """

    beta: float
    size: int
    num_rel: int = 1
    """Relevant documents of the collection, all of one grade."""

    parameter = "beta"

    def __post_init__(self) -> None:
        if not 1 <= self.num_rel < self.size:
            raise InputError(
                f"num_rel={self.num_rel} relevant documents in a collection of {self.size}; "
                "give a number from 1 on that is smaller than size"
            )

    @property
    def longest(self) -> int:  # type: ignore[override]
        """All documents but the other relevant ones."""
        return self.size - self.num_rel + 1

    @property
    def value(self) -> float:
        """Beta."""
        return self.beta

    @property
    def silence(self) -> float:
        """The score of an empty list."""
        return (1.0 - self.beta) * self.num_rel * self._per_relevant

    def first(self, length: int) -> Balance:
        """What knowing a relevant document brings against what the list costs."""
        return Balance(self.beta * self._per_relevant, (self.beta - 1.0) * self._told(length))

    def lone(self, rank: int) -> Balance:
        """What the list tells against what it and the judgments tell together, beyond silence."""
        return Balance(self._told(rank), self.beta * self._apart(rank))

    def for_first(self, length: int) -> float:
        """H(n) / (H(n) - log(size / R))."""
        self._refuse(length)
        told = self._told(length)
        return told / (told - self._per_relevant)

    def for_lone(self, rank: int) -> float:
        """H(r) / (H(r - 1) + log R)."""
        self._refuse(rank)
        beta = self._told(rank) / self._apart(rank)
        if beta <= 1:
            raise InputError(
                f"with {self.num_rel} relevant documents of {self.size:,}, chance has one by rank {rank}; "
                "no beta of OIE above 1 makes it equal silence, choose a rank further up"
            )
        return beta

    def pays_for(self) -> Reach:
        """Any number of documents up to a beta of 1."""
        return Reach(math.inf) if self.beta <= 1 else self._endless(reach(self.first, self.longest))

    def silence_at(self) -> Reach:
        """The last rank of the list's own; there is no one such rank with a beta below 1."""
        return self._endless(reach(self.lone, self.longest))

    def chances(self) -> tuple[float, ...]:
        """For the first document, and for one that would be the last relevant one missing, whatever its rank."""
        last = (self.beta - 1.0) / self.beta
        first = last / (1.0 - math.log(self.num_rel) / math.log(self.size))
        return (last,) if self.num_rel == 1 else (first, last)

    @property
    def _per_relevant(self) -> float:
        return math.log(self.size / self.num_rel)

    def _told(self, length: int) -> float:
        return length * math.log(self.size) - math.lgamma(length + 1)

    def _apart(self, rank: int) -> float:
        return self._told(rank - 1) + math.log(self.num_rel)

    def _endless(self, found: Reach) -> Reach:
        return Reach(math.inf) if found.last >= self.longest else found

    def _refuse(self, length: int) -> None:
        if length == 1 and self.num_rel == 1:
            raise InputError(
                "by OIE the only relevant document at rank 1 beats silence whatever beta is; ask for 2 or more"
            )
        if length > self.longest:
            raise InputError(f"a list has no rank {length} in a collection of {self.size:,}; give OIE a larger size")
