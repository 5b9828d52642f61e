"""How a score comes about: what each document adds, out of what factors, over what divisor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any, NamedTuple

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.term import FACTORS, Factors, Term


class Place(NamedTuple):
    """A place of the ideal ranking."""

    rank: int
    gain: float
    weight: float


class Divisor(NamedTuple):
    """What the sum over documents is divided by."""

    name: str
    value: float
    ideal: tuple[Place, ...] = ()
    """The ideal ranking, where the divisor is its score."""

    def as_dict(self) -> dict[str, Any]:
        """Everything by name."""
        return {"name": self.name, "value": self.value, "ideal": [place._asdict() for place in self.ideal]}


@dataclass(frozen=True, eq=False, kw_only=True)
class Parts(Factors):
    """A score slot by slot: start + sum of contributions + rest. A contribution is (gain x factor - cost) / divisor.

    Arrays have a value a slot of the one row.
    """

    how: str
    """"sum" over documents, "information" that they add to silence, what is "revealed"; or "listless"."""
    contribution: Floats
    gain: Floats = field()
    start: float = 0.0
    """The score of a list in which nothing was found."""
    rest: float = 0.0
    """What documents add that are not in the list."""
    divisor: Divisor | None = None
    terms: tuple[tuple[str, float, float], ...] = ()
    """Name, coefficient and value of what the formula adds up, where that is not a sum over documents on paper."""


def of_terms(terms: Sequence[Term], r: Rankings, depth: Rows) -> Parts:
    """What each slot of the one row of a block adds to a sum of terms; the factors are those of the last that has any.

    >>> from truerank.measures.rbp import RBP
    >>> r = Rankings.single([1, 0, 1])
    >>> of_terms(RBP(p=0.5).summands(r), r, np.array([[2]])).contribution.tolist()
    [0.5, 0.0, 0.0]
    """
    nothing = np.zeros(r.start.shape[1])
    parts = Parts(how=terms[0].how, contribution=nothing, gain=nothing)
    for term in terms:
        found = term.factors(r, depth)
        columns = {name: column[0] for name in FACTORS if (column := getattr(found, name)) is not None}
        parts = replace(
            parts,
            **columns,
            named=found.named or parts.named,
            contribution=parts.contribution + term.adds(r, depth)[0],
            start=parts.start + float(term.start(r)[0]),
            terms=(*parts.terms, *((name, by, float(value[0])) for name, by, value in term.made_of(r, depth))),
        )
    return parts
