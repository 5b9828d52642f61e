"""Measures made of another measure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from truerank.data.errors import InputError
from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import Rankings
from truerank.measures.ap import AP
from truerank.measures.base import Estimate, Measure, Term


@dataclass(frozen=True, kw_only=True, repr=False)
class Wrapped(Measure):
    """A measure that scores each topic as another one does, its ``measure``."""

    measure: Measure = AP()  # type: ignore[assignment]

    takes_cutoff = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.measure, Measure):
            raise InputError(f"{self.name} is taken of a measure, not of {self.measure!r}; write {self.name}(measure=AP)")

    def terms(self, r: Rankings) -> Iterable[Term]:
        """The other measure's terms."""
        return self.measure.terms(r)

    def score(self, r: Rankings) -> Floats:
        """The other measure's values."""
        return self.measure.score(r)

    def estimate(self, r: Rankings) -> Estimate:
        """The other measure's estimate."""
        return self.measure.estimate(r)

    def depth(self, r: Rankings) -> Rows:
        """The other measure's depth."""
        return self.measure.depth(r)

    def merit(self, grade: Floats) -> Floats:
        """The other measure's order of grades."""
        return self.measure.merit(grade)
