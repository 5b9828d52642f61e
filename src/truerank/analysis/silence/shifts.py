"""Scores by two methodologies, and how they order systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.analysis.agreement.between import agreement
from truerank.analysis.pairs import every_pair, farthest, ordered
from truerank.data.arrays import Floats
from truerank.measures.core.base import Measure

_DECIMALS = 12
"""Past which means that differ do so by rounding."""


@dataclass(frozen=True)
class Shift:
    """A measure of a run, by the original and by the modified methodology."""

    measure: Measure
    original: float
    """NIL as a document of the list, and no terminal document."""
    modified: float
    """Lists ended at their NIL, and a terminal document after those that the system ended."""

    @property
    def difference(self) -> float:
        """What taking truncation into account adds."""
        return self.modified - self.original


@dataclass(frozen=True)
class Inversion:
    """Two systems that the methodologies put in opposite orders."""

    measure: str
    better: str
    """The better system by the original methodology."""
    worse: str
    original: float
    """By how much it is better."""
    modified: float
    """By how much the other one is, by the modified methodology."""

    def as_dict(self) -> dict[str, Any]:
        """Everything by name."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True)
class Orderings:
    """The orders in which two methodologies put systems, by one measure."""

    measure: str
    original: tuple[str, ...]
    """Systems by the original methodology, best first."""
    modified: tuple[str, ...]
    kendall_a: float
    """Kendall's tau-a between the two."""
    kendall_b: float
    tau_ap: float
    """AP correlation, the original order taken for the truth."""
    pairs: int
    """Pairs of systems that are not level by the original methodology."""
    inversions: tuple[Inversion, ...]
    """Those that the other one turns around, the farthest apart first."""

    def as_dict(self) -> dict[str, Any]:
        """The numbers by name."""
        names = ("kendall_a", "kendall_b", "tau_ap", "pairs")
        return {
            "measure": self.measure,
            "runs": len(self.original),
            **{name: getattr(self, name) for name in names},
            "inverted": len(self.inversions),
        }


def orderings(measure: Measure, shifts: Mapping[str, Shift]) -> Orderings:
    """Compare the orders of systems; those without a score have no place in them."""
    known = {name: one for name, one in shifts.items() if one.difference == one.difference}
    original, modified = merits(measure, known)
    found = agreement(dict(zip(known, original, strict=True)), dict(zip(known, modified, strict=True)))
    one, other = every_pair(len(known))
    before, after = original[one] - original[other], modified[one] - modified[other]
    inverted = farthest(before * after < 0, before - after)
    better, worse = ordered(one, other, before)
    names = list(known)
    return Orderings(
        measure=str(measure),
        original=tuple(names[place] for place in np.argsort(-original, kind="stable")),
        modified=tuple(names[place] for place in np.argsort(-modified, kind="stable")),
        kendall_a=found.kendall_a,
        kendall_b=found.kendall_b,
        tau_ap=found.tau_ap,
        pairs=int((before != 0).sum()),
        inversions=tuple(
            Inversion(
                str(measure), names[better[pair]], names[worse[pair]], float(abs(before[pair])), float(abs(after[pair]))
            )
            for pair in inverted
        ),
    )


def merits(measure: Measure, shifts: Mapping[str, Shift]) -> tuple[Floats, Floats]:
    """Scores by both methodologies, the higher the better."""
    sign = measure.sign
    every = [[one.original for one in shifts.values()], [one.modified for one in shifts.values()]]
    original, modified = np.round(sign * np.array(every, np.float64), _DECIMALS)
    return original, modified


def places(merit: Floats) -> list[int | None]:
    """The place of each system: one more than there are better ones; None where it has no score.

    >>> places(np.array([0.5, 0.7, np.nan, 0.5]))
    [2, 1, None, 2]
    """
    above = (merit[None, :] > merit[:, None]).sum(axis=1) + 1
    return [None if np.isnan(one) else place for one, place in zip(merit, above.tolist(), strict=True)]
