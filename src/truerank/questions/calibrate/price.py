"""What documents cost and what a hit brings: how far a hit goes, and the parameter that takes it so far."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from truerank.statistics.pairs import EQUAL

LONGEST = 1_000_000
"""Documents that a list may have; how far a hit goes beyond them is not looked for."""


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
class Reach:
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
    def pays_for(self) -> Reach:
        """How many documents a hit at rank 1 pays for, itself included."""

    @abstractmethod
    def silence_at(self) -> Reach:
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


def reach(balance: Callable[[int], Balance], longest: int, *, exact: float | None = None) -> Reach:
    """How far the balance is not negative."""
    end = last(balance, longest)
    return Reach(end, end > 0 and balance(end).sign == 0, exact)
