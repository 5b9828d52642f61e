"""The literature's names for measures with a terminal document."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from truerank.data.classes import dataclass
from truerank.data.rankings import TERMINAL, Rankings
from truerank.measures.ap import AP
from truerank.measures.core.parameters import one_of
from truerank.measures.core.wrapped import Wrapped
from truerank.measures.err import ERR
from truerank.measures.graded_ap import GradedAP
from truerank.measures.ndcg import NDCG
from truerank.measures.rbp import RBP
from truerank.measures.rr import RR


@dataclass(frozen=True, kw_only=True, repr=False)
class Terminal(Wrapped):
    """A measure under the terminal-document ending, whatever ending the others are evaluated with: RBPT is RBP so.

    ``ending`` is one of the two readings of that document. With "terminal" it ends the list for good: it has the weight
    of all ranks past the list, where these have a sum, and ends the ideal ranking of nDCG too (Liu et al.). With
    "terminal-once" it is one more document, whose weight is that of its rank. ``terminal_gain`` is its gain, r_t.
    """

    ending: str = "terminal"  # type: ignore[misc]

    formula = "the measure with a terminal document at the list's end: gain found / gain there is, 1 if there is none"
    citation = "Liu, Moffat, Baldwin & Zhang 2016; Amigó, Mizzaro & Spina 2022"

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of("ending", self.ending, ("terminal", "terminal-once"))

    @property
    def name(self) -> str:  # type: ignore[override]
        """The measure's name and a T."""
        return f"{self.measure.name}T"

    @property
    def ends_by(self) -> str:
        """The document itself."""
        return "terminal"

    def __matmul__(self, cutoff: int) -> Terminal:
        return replace(self, measure=self.measure @ cutoff)

    def __call__(self, *unnamed: Any, ending: str | None = None, **parameters: Any) -> Terminal:
        """The measure with other parameters."""
        ending = self.ending if ending is None else ending
        return replace(self, measure=self.measure(*unnamed, **parameters), ending=ending)

    @property
    def takes_at(self) -> bool:
        """Whether the measure takes a cutoff."""
        return self.measure.takes_cutoff

    def defaults(self) -> dict[str, Any]:
        """The measure's, and the ending."""
        return self.measure.defaults() | {"ending": type(self).ending}

    def parameters(self) -> dict[str, Any]:
        """The measure's parameters that differ from their defaults, and the ending, if it does."""
        return self.measure.parameters() | ({"ending": self.ending} if self.ending != type(self).ending else {})

    def terminal_gain(
        self, grades: list[float], *, pool: list[float] | None = None, groups: list[int] | None = None
    ) -> float:
        """r_t of one ranking, given as to ``of``: the share of the gain that it has found, 1 where there is none.

        >>> RRT.terminal_gain([0, 0], pool=[]), RBPT.terminal_gain([2, 0], pool=[2, 1, 1])
        (1.0, 0.5)
        """
        r = Rankings.single(grades, pool=pool, groups=groups, terminal=TERMINAL[self.ending])
        return float(self.gain(r).over(r)[0, -1])

    def _at(self) -> str:
        return self.measure._at()


@dataclass(frozen=True, kw_only=True, repr=False)
class TerminalGradedAP(Terminal):
    """Average precision of gains with a terminal document: AP' of Liu et al. (2016), equation (4).

    What is found is over the total gain, R in their paper, and the 1 that the terminal document may have. With two
    grades it is APT. ``ending`` and ``terminal_gain`` are those of the other measures with a terminal document.

    >>> import truerank as tr
    >>> round(tr.gAPT.of([0, 2], pool=[2, 1, 3]), 4)  # (2/3 x 2/3 / 2 + 1/3 x 1 / 3) / (2 + 1)
    0.1111
    """

    formula = (
        "gAP with a terminal document at the list's end, over total gain + 1, not R: its gain is gain found / total "
        "gain, 1 if there is none"
    )


RRT = Terminal(measure=RR())
RBPT = Terminal(measure=RBP())
NDCGT = Terminal(measure=NDCG())
APT = Terminal(measure=AP())
GAPT = TerminalGradedAP(measure=GradedAP())
ERRT = Terminal(measure=ERR())
