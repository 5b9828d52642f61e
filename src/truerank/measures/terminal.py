"""The literature's names for measures with a terminal document."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from truerank.measures.ap import AP
from truerank.measures.err import ERR
from truerank.measures.ndcg import NDCG
from truerank.measures.rbp import RBP
from truerank.measures.rr import RR
from truerank.measures.wrapped import Wrapped


@dataclass(frozen=True, kw_only=True, repr=False)
class Terminal(Wrapped):
    """A measure under the terminal-document ending, whatever ending the others are evaluated with: RBPT is RBP so."""

    formula = "the measure with a terminal document at the list's end: gain found / gain there is, 1 if there is none"
    citation = "Liu, Moffat, Baldwin & Zhang 2016"
    ending = "terminal"

    @property
    def name(self) -> str:  # type: ignore[override]
        """The measure's name and a T."""
        return f"{self.measure.name}T"

    def __matmul__(self, cutoff: int) -> Terminal:
        return replace(self, measure=self.measure @ cutoff)

    def __call__(self, **parameters: Any) -> Terminal:
        """The measure with other parameters."""
        return replace(self, measure=self.measure(**parameters))

    def parameters(self) -> dict[str, Any]:
        """The measure's parameters."""
        return self.measure.parameters()

    def _at(self) -> str:
        return self.measure._at()


RRT = Terminal(measure=RR())
RBPT = Terminal(measure=RBP())
NDCGT = Terminal(measure=NDCG())
APT = Terminal(measure=AP())
ERRT = Terminal(measure=ERR())
