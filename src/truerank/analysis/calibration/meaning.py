"""What a measure's parameter means, and the measure that means something."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.analysis.calibration.effort import HITS, Effort
from truerank.analysis.calibration.information import Information
from truerank.analysis.calibration.price import Price, Reach
from truerank.data.errors import InputError
from truerank.data.rankings import gain_of
from truerank.expectation import gain_maps as gains
from truerank.expectation.gain_maps import Scale
from truerank.expectation.weights import Flat
from truerank.measures.core.base import Measure

SCALES: dict[Scale, str] = {
    gains.linear: "grade / max",
    gains.satisfaction: "(2^grade - 1) / 2^max",
    gains.exponential: "2^grade - 1",
}
"""Gain maps in words."""


@dataclass(frozen=True)
class Hit:
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
        return SCALES.get(made.scale, "grade") + (f", 1 from grade {made.level:g} on" if made.level is not None else "")


@dataclass(frozen=True)
class Meaning:
    """What a measure says of a hit against silence."""

    measure: Measure
    hit: Hit
    kind: str
    """"flat", "additive" or "cascade" of measures with effort, "information", "terminal", or "none"."""
    parameter: str | None = None
    """"e" or "beta"."""
    value: float | None = None
    gain: float | None = None
    """What the hit is worth; OIE asks only which documents are better."""
    pays_for: Reach | None = None
    """Documents that a hit at rank 1 pays for, itself included: the longest such list that is no worse than silence."""
    silence_at: Reach | None = None
    """The last rank at which a lone hit is no worse than silence."""
    chances: tuple[float, ...] = ()
    """How probable a hit one more document must be to be worth reading: always, or after 0, 1, ... hits of readers who
    stop when satisfied; for OIE the first document, and one that would be the last relevant one missing."""
    silence: float = 0.0
    """The score of an empty list."""
    size: int | None = None
    """Documents of the collection, for OIE."""

    @property
    def enough(self) -> int | None:
        """Hits after which no further document is worth reading, where there is such a number."""
        return len(self.chances) if self.kind == "cascade" and len(self.chances) < HITS else None

    @property
    def family(self) -> str:
        """The measure without its parameter."""
        return str(self.measure if self.parameter is None else self.measure(**{self.parameter: self._usual}))

    @property
    def label(self) -> str:
        """The measure with its parameter as people read it."""
        if self.parameter is None or self.value is None:
            return str(self.measure)
        usual = self._usual
        # Rounded to the default it would not be seen.
        some = (float(f"{self.value:.{digits}g}") for digits in (5, 7, 10, 17))
        short = next(each for each in some if each != usual or self.value == usual)
        return str(self.measure if short == self.value else self.measure(**{self.parameter: short}))

    @property
    def _usual(self) -> float:
        default: float = getattr(type(self.measure), self.parameter or "")
        return default

    def as_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""
        return {
            "measure": str(self.measure),
            "kind": self.kind,
            "parameter": self.parameter,
            "value": self.value,
            "grade": self.hit.grade,
            "max_grade": self.hit.max_grade,
            "gain": self.gain,
            "pays_for": None if self.pays_for is None else self.pays_for.as_dict(),
            "silence_at": None if self.silence_at is None else self.silence_at.as_dict(),
            "chances": list(self.chances),
            "enough": self.enough,
            "silence": self.silence,
            "num_rel": self.hit.num_rel if self.kind == "information" else None,
            "size": self.size,
        }


def price(measure: Measure, hit: Hit) -> Price | None:
    """What the measure charges for documents; None where no parameter of it says."""
    if not measure.ends_by:
        return None
    if measure.cutoff is not None:
        raise InputError(f"{measure} does not see the whole list; write it without @{measure.cutoff}")
    if measure.ends_by not in PRICES:
        return None
    if hit.gain(measure) <= 0:
        raise InputError(f"grade {hit.grade:g} has no gain for {measure}; choose the grade of a relevant document")
    return PRICES[measure.ends_by](measure, hit)


def _of_effort(measure: Any, hit: Hit) -> Price:
    return Effort(measure, hit.gain(measure))


def _of_information(measure: Any, hit: Hit) -> Price:
    return Information(measure.beta, measure.collection, hit.num_rel)


PRICES: dict[str, Callable[[Any, Hit], Price]] = {"effort": _of_effort, "information": _of_information}
"""What documents cost, by what makes a measure notice where a list ends."""


def meaning(measure: Measure, hit: Hit) -> Meaning:
    """What the measure's parameter means."""
    found = price(measure, hit)
    if isinstance(found, Effort):
        kind = "cascade" if found.cascades else "flat" if isinstance(found.measure.weight(), Flat) else "additive"
        return _priced(measure, hit, kind, found, gain=found.gain)
    if isinstance(found, Information):
        return _priced(measure, hit, "information", found, silence=found.silence, size=found.size)
    return Meaning(measure, hit, "terminal" if measure.ends_by == "terminal" else "none")


def _priced(measure: Measure, hit: Hit, kind: str, found: Price, **more: Any) -> Meaning:
    # With a beta below 1 documents without relevance raise the score: there is no price to speak of.
    free = isinstance(found, Information) and found.beta < 1
    return Meaning(
        measure,
        hit,
        kind,
        found.parameter,
        found.value,
        pays_for=None if free else found.pays_for(),
        silence_at=None if free else found.silence_at(),
        chances=() if free else found.chances(),
        **more,
    )


def solved(measure: Measure, hit: Hit, wanted: str, number: int) -> Measure:
    """The measure with the parameter for which "pays_for" or "silence_at" is a number; others as they are."""
    found = price(measure, hit)
    if found is None:
        return measure
    return measure(**{found.parameter: found.for_first(number) if wanted == "pays_for" else found.for_lone(number)})
