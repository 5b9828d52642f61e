"""Measures made of another measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import Any

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.rankings import Rankings
from truerank.expectation.gain_maps import Map
from truerank.measures.core.base import Estimate, Measure, Scaled


def _its(name: str) -> Any:
    return property(lambda self: getattr(self.measure, name))


@dataclass(frozen=True, kw_only=True, repr=False)
class Wrapped(Measure):
    """A measure that scores each topic as another one does, its ``measure``, and is read as that one is."""

    cutoff: int | None = field(init=False, default=None)
    measure: Measure

    is_sum = False
    takes_cutoff = False
    range = _its("range")
    takes_terminal = _its("takes_terminal")
    reads_list = _its("reads_list")
    needs = _its("needs")
    asks_relevance = _its("asks_relevance")
    higher_is_better = _its("higher_is_better")
    assumes = _its("assumes")
    needs_pool = _its("needs_pool")
    ending = _its("ending")
    sorts_ties = _its("sorts_ties")
    skips_unjudged = _its("skips_unjudged")
    negative_unsampled = _its("negative_unsampled")
    has_bounds = _its("has_bounds")
    deepens = _its("deepens")
    counts = _its("counts")
    needs_depth = _its("needs_depth")
    undefined_counts_as = _its("undefined_counts_as")
    undefined_because = _its("undefined_because")
    remedy = _its("remedy")

    def __post_init__(self) -> None:
        if not isinstance(self.measure, Measure):
            raise InputError(f"{self.name} takes a measure, not {self.measure!r}; write {self.name}(measure=AP)")
        object.__setattr__(self, "cutoff", self.measure.cutoff)

    @property
    def core(self) -> Measure:
        """The core of the other measure."""
        return self.measure.core

    def with_core(self, change: Callable[[Measure], Measure]) -> Measure:
        """The same of the other measure with its core changed."""
        return replace(self, measure=self.measure.with_core(change))

    def score(self, r: Rankings) -> Floats:
        """The other measure's values."""
        return self.measure.score(r)

    def estimate(self, r: Rankings) -> Estimate:
        """The other measure's estimate."""
        return self.measure.estimate(r)

    def depth(self, r: Rankings) -> Rows:
        """The other measure's depth."""
        return self.measure.depth(r)

    def gain(self, r: Scaled) -> Map:
        """The other measure's gains."""
        return self.measure.gain(r)

    def best_grade(self, grades: Floats, r: Scaled) -> float:
        """The grade that the other measure values most."""
        return self.measure.best_grade(grades, r)

    def merit(self, grade: Floats, r: Scaled) -> Floats:
        """The other measure's order of grades."""
        return self.measure.merit(grade, r)

    def __matmul__(self, cutoff: int) -> Any:
        inside = self.measure @ cutoff
        raise InputError(f"{self.name} has the cutoff of its measure; write {self.name}(measure={inside})")

    def _at(self) -> str:
        return ""
