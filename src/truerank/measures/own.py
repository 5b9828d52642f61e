"""A measure of one's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.rankings import Rankings
from truerank.expectation.opaque import Opaque, Ranking
from truerank.measures.base import Estimate, Measure, Term


@dataclass(frozen=True, kw_only=True, repr=False)
class Own(Measure):
    """A function of a ranking as a measure: averaged over the orders of ties, at any depth.

    How it answers to unjudged documents taken as relevant is not known, so it has no bounds over them; nor has it a
    form with a terminal document.
    """

    function: Callable[[Ranking], float]
    label: str

    name = "Own"
    undefined_because = "where the function has no value"
    formula = "the function given"
    range = (-np.inf, np.inf)
    takes_terminal = False
    has_bounds = False
    sorts_ties = False

    def terms(self, r: Rankings) -> Iterable[Term]:
        """The function itself."""
        yield self._opaque(r)

    def estimate(self, r: Rankings) -> Estimate:
        """Value and standard error where orders of ties were sampled."""
        return Estimate(*self._opaque(r).estimate(r, self.depth(r)))

    def _opaque(self, r: Rankings) -> Opaque:
        def values(grades: Floats, pool: Floats) -> Floats:
            known = grades if r.negative_judged else np.where(grades < 0, np.nan, grades)
            return np.array([self._value(Ranking(order, pool)) for order in known], np.float64)

        return Opaque(values)

    def _value(self, ranking: Ranking) -> float:
        value: Any = self.function(ranking)
        try:
            return float(value)
        except (TypeError, ValueError):
            raise InputError(f"{self.label} returned {value!r}; a measure returns a number") from None

    def __str__(self) -> str:
        return self.label + self._at()


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
    label = name or str(getattr(function, "__name__", "own"))
    if not label.isidentifier():
        raise InputError(f"a measure needs a name that is a word, not {label!r}; give name=")
    return Own(function=function, label=label)
