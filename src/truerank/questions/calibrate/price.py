"""What documents cost and what a hit brings: how far a hit goes, and the parameter that takes it so far."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from truerank.data.errors import InputError
from truerank.data.rankings import ENDLESS, gain_of
from truerank.expectation import gain_maps as gains
from truerank.expectation.gain_maps import Scale
from truerank.expectation.weights import Flat, Geometric
from truerank.measures.core.base import Measure
from truerank.measures.effort import Effortful
from truerank.statistics.level import EQUAL

LONGEST = 1_000_000
"""Documents that a list may have; how far a hit goes beyond them is not looked for."""
HITS = 100
"""Hits up to which it is asked what one more document is worth."""
SCALES: dict[Scale, str] = {
    gains.linear: "grade / max",
    gains.satisfaction: "(2^grade - 1) / 2^max",
    gains.exponential: "2^grade - 1",
}
"""Gain maps in words."""


@dataclass(frozen=True)
class HitDocument:
    """A relevant document, and the collection it is in."""

    grade: float = 1.0
    max_grade: float = 1.0
    """The highest grade of the collection."""
    num_rel: int = 1
    """Relevant documents of the collection."""

    def gain(self, measure: Measure) -> float:
        """What it is worth to a measure."""
        return float(gain_of(np.array([self.grade]), measure.gain(self))[0])

    def scale(self, measure: Measure) -> str:
        """How the measure makes that of the grade."""
        made = measure.gain(self)
        if any(grade == self.grade for grade, _ in made.gains):
            return "own gains"
        scale = SCALES.get(made.scale, "grade")
        return scale if made.level is None else f"{scale}, 1 from grade {made.level:g} on"


@dataclass(frozen=True)
class Balance:
    """What a list brings over silence, and what it costs."""

    gain: float
    cost: float

    @property
    def sign(self) -> int:
        """1 where the list is better than silence, -1 where it is worse, 0 where they differ by rounding only."""
        if math.isclose(self.gain, self.cost, rel_tol=EQUAL, abs_tol=0.0):
            return 0
        return 1 if self.gain > self.cost else -1


@dataclass(frozen=True)
class BreakEven:
    """How far a hit goes: the last length, or rank, at which its list is no worse than silence."""

    last: float
    """A whole number, 0 where there is none; infinite where no list is worse."""
    equal: bool = False
    """Whether the list scores the same as silence there."""
    exact: float | None = None
    """Where it would score the same if there were lengths between the whole ones, where that can be said."""
    at_least: bool = False
    """Whether it goes further, past what was looked for."""


class Price(ABC):
    """What a measure charges for documents, for a hit of a given worth."""

    parameter: str
    longest: int = LONGEST
    """Documents that a list may have."""

    @property
    @abstractmethod
    def value(self) -> float:
        """The parameter's value."""

    @abstractmethod
    def first(self, length: int) -> Balance:
        """A hit at rank 1, followed by documents without relevance."""

    @abstractmethod
    def lone(self, rank: int) -> Balance:
        """A hit at a rank, preceded by documents without relevance, and nothing after it."""

    @abstractmethod
    def for_first(self, length: int) -> float:
        """The parameter with which a hit at rank 1 pays for just so many documents."""

    @abstractmethod
    def for_lone(self, rank: int) -> float:
        """The parameter with which a lone hit at a rank equals silence."""

    @abstractmethod
    def pays_for(self) -> BreakEven:
        """How many documents a hit at rank 1 pays for, itself included."""

    @abstractmethod
    def silence_at(self) -> BreakEven:
        """The last rank at which a lone hit is no worse than silence."""

    @abstractmethod
    def chances(self) -> tuple[float, ...]:
        """How probable a hit one more document must be to be worth reading; 1 is past what a chance can be."""


def last(balance: Callable[[int], Balance], longest: int) -> int:
    """The last number up to ``longest`` at which the balance is not negative, where it only falls; 0 if it never is.

    >>> last(lambda n: Balance(20.0, n), 1000), last(lambda n: Balance(20.5, n), 8), last(lambda n: Balance(0.5, n), 8)
    (20, 8, 0)
    """
    good, bad = 0, 1
    while bad <= longest and balance(bad).sign >= 0:
        good, bad = bad, 2 * bad
    bad = min(bad, longest + 1)
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if balance(middle).sign >= 0 else (good, middle)
    return good


def reach(balance: Callable[[int], Balance], longest: int, *, exact: float | None = None) -> BreakEven:
    """How far the balance is not negative."""
    end = last(balance, longest)
    return BreakEven(end, end > 0 and balance(end).sign == 0, exact)


@dataclass(frozen=True)
class EffortPrice(Price):
    """A hit brings its gain times the weight of its rank; silence scores 0.

    >>> from truerank.measures.effort import FlatU
    >>> EffortPrice(FlatU(e=0.05), 1.0).pays_for()
    BreakEven(last=20, equal=True, exact=20.0, at_least=False)
    """

    measure: Effortful
    gain: float
    """What the hit is worth on the measure's scale."""

    parameter = "e"

    @property
    def value(self) -> float:
        return self.measure.e

    def first(self, length: int) -> Balance:
        """The gain at rank 1 against the effort of the whole list."""
        return Balance(self.gain * self._weight(1), self.value * self._read(length))

    def lone(self, rank: int) -> Balance:
        """The gain at the rank against the effort of getting there."""
        return Balance(self.gain * self._weight(rank), self.value * self._read(rank))

    def for_first(self, length: int) -> float:
        """Gain over effort at e = 1."""
        return self.gain * self._weight(1) / self._read(length)

    def for_lone(self, rank: int) -> float:
        """Gain over effort at e = 1."""
        e = self.gain * self._weight(rank) / self._read(rank)
        if e == 0.0:
            raise InputError(f"{self.measure} gives rank {rank} no weight; choose a rank further up, or a larger p")
        return e

    def pays_for(self) -> BreakEven:
        """Any number of documents where all ranks together weigh too little to lose by."""
        every = self._every()
        if self.value == 0 or Balance(self.first(1).gain, self.value * every).sign >= 0:
            return BreakEven(math.inf)
        return self._reach(self.first, self._exact_first())

    def silence_at(self) -> BreakEven:
        """Every rank, where reading costs nothing."""
        return BreakEven(math.inf) if self.value == 0 else self._reach(self.lone, self._exact_lone())

    def chances(self) -> tuple[float, ...]:
        """The same after any number of hits, or more after each one where readers stop when satisfied."""
        left = 1.0 - self.gain
        worth = [self.gain * left**hits for hits in range(HITS if self.cascades else 1)]
        return tuple(min(self.value / x, 1.0) for x in worth if x > 0 and Balance(x, self.value).sign >= 0)

    @property
    def cascades(self) -> bool:
        """Whether each hit leaves less for the next one to bring."""
        return self.measure.reader_stops and self.value > 0

    def _weight(self, rank: int) -> float:
        return float(self.measure.weight().at(np.array([rank]))[0])

    def _read(self, length: int) -> float:
        """Weight of the ranks down to a length."""
        return float(self.measure.weight().sums(length)[0][length])

    def _every(self) -> float:
        whole = self.measure.weight().tail(np.array([0]), np.array([ENDLESS]))
        return math.inf if whole is None else float(whole[0])

    def _reach(self, balance: Callable[[int], Balance], exact: float | None) -> BreakEven:
        found = reach(balance, self.longest, exact=exact)
        return replace(found, at_least=found.last == self.longest)

    def _exact_first(self) -> float | None:
        weight = self.measure.weight()
        if isinstance(weight, Geometric) and weight.p > 0:
            return math.log1p(-self.gain * (1.0 - weight.p) / self.value) / math.log(weight.p)
        return self.gain / self.value if isinstance(weight, Flat) else None

    def _exact_lone(self) -> float | None:
        weight = self.measure.weight()
        if isinstance(weight, Geometric) and weight.p > 0:
            worth = self.gain * (1.0 - weight.p) / self.value
            if math.isinf(worth / weight.p):
                return 1.0 - math.log(weight.p + worth) / math.log(weight.p)
            return math.log1p(worth / weight.p) / -math.log(weight.p)
        return self.gain / self.value if isinstance(weight, Flat) else None


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

    def pays_for(self) -> BreakEven:
        """Any number of documents up to a beta of 1."""
        return BreakEven(math.inf) if self.beta <= 1 else self._endless(reach(self.first, self.longest))

    def silence_at(self) -> BreakEven:
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

    def _endless(self, found: BreakEven) -> BreakEven:
        return BreakEven(math.inf) if found.last >= self.longest else found

    def _refuse(self, length: int) -> None:
        if length == 1 and self.num_rel == 1:
            raise InputError(
                "by OIE the only relevant document at rank 1 beats silence whatever beta is; ask for 2 or more"
            )
        if length > self.longest:
            raise InputError(f"a list has no rank {length} in a collection of {self.size:,}; give OIE a larger size")


def price(measure: Any, hit: HitDocument) -> EffortPrice | InformationPrice | None:
    """What the measure charges for documents; None where no parameter of it says."""
    if not measure.ends_by:
        return None
    if measure.cutoff is not None:
        raise InputError(f"{measure} does not see the whole list; write it without @{measure.cutoff}")
    if measure.ends_by not in ("effort", "information"):
        return None
    gain = hit.gain(measure)
    if gain <= 0:
        raise InputError(f"grade {hit.grade:g} has no gain for {measure}; choose the grade of a relevant document")
    if measure.ends_by == "effort":
        return EffortPrice(measure, gain)
    return InformationPrice(measure.beta, measure.collection, hit.num_rel)
