"""A measure of one's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.rankings import Rankings
from truerank.expectation.gain_maps import Map
from truerank.expectation.opaque import Opaque, Ranking
from truerank.measures.core.base import Scaled
from truerank.measures.core.whole import WholeRanking


@dataclass(frozen=True, kw_only=True, repr=False)
class Own(WholeRanking):
    """A function of a ranking as a measure: averaged over the orders of ties, at any depth.

    How it answers to unjudged documents taken as relevant is not known, so it has no bounds over them; nor has it a
    form with a terminal document.
    """

    function: Callable[[Ranking], float]
    given: str
    """The name that it was given."""

    name = "Own"
    undefined_because = "where the function has no value"
    formula = "the function given"
    range = (-np.inf, np.inf)
    has_bounds = False
    sorts_ties = False

    @property
    def is_zero_without_relevant(self) -> bool:
        """What the function makes of such topics is not known."""
        return False

    @property
    def may_skip_unjudged(self) -> bool:
        """The function sees which documents are judged."""
        return True

    def opaque(self, r: Rankings) -> Opaque:
        """The function, for topics without relevant documents too."""

        def values(grades: Floats, pool: Floats) -> Floats:
            known = grades if r.negative_judged else np.where(grades < 0, np.nan, grades)
            return self.value(known, pool, self.gain(r))

        return Opaque(values)

    def value(self, grades: Floats, pool: Floats, gain: Map) -> Floats:
        """The function of each row."""
        return np.array([self._number(self.function(Ranking(order, pool))) for order in grades], np.float64)

    def explicit(self, grades: Floats, pool: Floats, r: Scaled) -> Floats:
        """The function of rankings that nobody made: undefined where it divides by nothing, or has an empty pool.

        Other errors say what it was given.
        """
        return np.array([self._tried(Ranking(order, pool)) for order in grades], np.float64)

    def _tried(self, ranking: Ranking) -> float:
        try:
            with np.errstate(all="ignore"):
                return float(self.function(ranking))
        except Exception as error:
            empty = not len(ranking.pool) and isinstance(error, (LookupError, ValueError))
            if isinstance(error, ArithmeticError) or empty:
                return np.nan
            what = f"{self.given} failed for grades {ranking.grades.tolist()} and pool {ranking.pool.tolist()}"
            mend = "mend it, or return NaN where it is undefined"
            raise InputError(f"{what}: {type(error).__name__}: {error}; {mend}") from error

    def _number(self, value: Any) -> float:
        try:
            return float(value)
        except (TypeError, ValueError):
            raise InputError(f"{self.given} returned {value!r}; a measure returns a number") from None

    def __str__(self) -> str:
        return self.given + self._at()

    @property
    def label(self) -> str:
        """The name that it was given: a function has no parameters to tell."""
        return str(self)


def measure(function: Callable[[Ranking], float], *, name: str | None = None) -> Own:
    """Make a measure of a function that takes a ranking and returns a number.

    The ranking has ``grades`` (in rank order, 0 where unjudged), ``judged`` (which ranks are judged) and ``pool`` (the
    positive grades of the topic's judgments, descending). Return NaN where the measure is undefined.

    >>> first_two = measure(lambda ranking: ranking.grades[:2].sum(), name="FirstTwo")
    >>> first_two.of([2, 1, 3])
    3.0
    >>> (first_two @ 1).of([2, 1, 3], groups=[0, 0, 1])
    1.5
    """
    if not callable(function):
        raise InputError(f"a measure is made of a function of a ranking, not of {function!r}")
    given = name or str(getattr(function, "__name__", "own"))
    if not given.isidentifier():
        raise InputError(f"a measure needs a name that is a word, not {given!r}; give name=")
    return Own(function=function, given=given)
