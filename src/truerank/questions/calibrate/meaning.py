"""What a measure's parameter means, and the measure that means something."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.data.errors import InputError
from truerank.data.rankings import gain_of
from truerank.expectation import gain_maps as gains
from truerank.expectation.gain_maps import Scale
from truerank.expectation.weights import Flat
from truerank.measures.core.base import Measure
from truerank.questions.calibrate.answer import Meaning
from truerank.questions.calibrate.effort import EffortPrice
from truerank.questions.calibrate.information import InformationPrice
from truerank.questions.calibrate.price import Price

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


def price(measure: Measure, hit: HitDocument) -> Price | None:
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


def _of_effort(measure: Any, hit: HitDocument) -> Price:
    return EffortPrice(measure, hit.gain(measure))


def _of_information(measure: Any, hit: HitDocument) -> Price:
    return InformationPrice(measure.beta, measure.collection, hit.num_rel)


PRICES: dict[str, Callable[[Any, HitDocument], Price]] = {"effort": _of_effort, "information": _of_information}
"""What documents cost, by what makes a measure notice where a list ends."""


def meaning(measure: Measure, hit: HitDocument) -> Meaning:
    """What the measure's parameter means."""
    found = price(measure, hit)
    if isinstance(found, EffortPrice):
        kind = "cascade" if found.cascades else "flat" if isinstance(found.measure.weight(), Flat) else "additive"
        return _priced(measure, hit, kind, found, gain=found.gain)
    if isinstance(found, InformationPrice):
        return _priced(measure, hit, "information", found, silence=found.silence, size=found.size)
    kind = "terminal" if measure.ends_by == "terminal" else "none"
    return Meaning(measure=str(measure), by=measure, hit=hit, kind=kind)


def _priced(measure: Measure, hit: HitDocument, kind: str, found: Price, **more: Any) -> Meaning:
    # With a beta below 1 documents without relevance raise the score: there is no price to speak of.
    free = isinstance(found, InformationPrice) and found.beta < 1
    return Meaning(
        measure=str(measure),
        by=measure,
        hit=hit,
        kind=kind,
        parameter=found.parameter,
        value=found.value,
        pays_for=None if free else found.pays_for(),
        silence_at=None if free else found.silence_at(),
        chances=() if free else found.chances(),
        **more,
    )


def solved(measure: Measure, hit: HitDocument, wanted: str, number: int) -> Measure:
    """The measure with the parameter for which "pays_for" or "silence_at" is a number; others as they are."""
    found = price(measure, hit)
    if found is None:
        return measure
    return measure(**{found.parameter: found.for_first(number) if wanted == "pays_for" else found.for_lone(number)})
