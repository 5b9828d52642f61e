"""Measures that charge for reading."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from truerank.data.rankings import Rankings
from truerank.expectation.effort import Effort
from truerank.expectation.weight import Weight
from truerank.measures.base import Measure, Term
from truerank.measures.parameters import number

DEAREST = 1e100
"""Effort up to which that of any list is a number."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Effortful(Measure):
    """Turns the measure it stands before into one where each document of the list costs e times its rank's weight."""

    e: float = 0.05

    def __post_init__(self) -> None:
        super().__post_init__()
        number("e", self.e, least=0, most=DEAREST)

    if TYPE_CHECKING:

        def weight(self) -> Weight:
            """The weight of ranks that gain and effort share, from the measure this stands before."""

    def terms(self, r: Rankings) -> Iterable[Term]:
        """What is found, less the effort."""
        yield from super().terms(r)  # type: ignore[safe-super]
        yield Effort(self.weight(), self.e)
