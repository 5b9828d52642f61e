"""What Amigó, Mizzaro & Spina (2022) report of nine TREC collections, to stand beside one's own numbers.

Names without a p are those with p = 0.8.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from truerank.report.rows import Row, column

if TYPE_CHECKING:
    from truerank.measures.core.base import Measure

EFFORT = ("FlatU", "RBU", "RBU(p=0.9)", "RBU(p=0.98)", "DCGU", "ERRU", "RBPU", "RBPU(p=0.9)", "RBPU(p=0.98)")
TERMINAL = ("nDCGT", "ERRT", "RBPT", "RBPT(p=0.9)", "RBPT(p=0.98)")
ONCE = (
    "nDCGT(ending='terminal-once')",
    "ERRT(ending='terminal-once')",
    "RBPT(ending='terminal-once')",
    "RBPT(p=0.9,ending='terminal-once')",
    "RBPT(p=0.98,ending='terminal-once')",
)
"""The other reading of the terminal document, which the paper's numbers fit."""
CUT = (*EFFORT, *TERMINAL, "OIE(size=20000)", "F")
"""The measures that lists are cut by (section 4.2), with the paper's parameters."""
FULL = (
    *("AP", "nDCG", "DCG", "ERR", "RBP", "RBP(p=0.9)", "RBP(p=0.98)"),
    *("iRBU", "iRBU(p=0.9)", "iRBU(p=0.98)", "OIE(size=20000)"),
)
"""The measures of whole lists: the rows of table 2."""


def whole_measures(given: Any) -> tuple[Measure, ...]:
    """Measures of whole lists as they are given; 'published' are those of the paper.

    >>> len(whole_measures("published")), whole_measures(["AP", "nDCG@10"]), whole_measures(())
    (11, (AP, nDCG@10), ())
    """
    from truerank.measures.grammar import parse_all

    several = given if isinstance(given, (list, tuple)) else [given]
    named = [each for one in several for each in (FULL if one == "published" else (one,))]
    return parse_all(named) if named else ()


SAME = dict(zip(ONCE, TERMINAL, strict=True))
"""What a measure under the other reading is called in the paper."""

_COLUMNS = (*TERMINAL, "RBU", "RBU(p=0.9)", "RBU(p=0.98)", "DCGU", "ERRU", *EFFORT[-3:], "OIE(size=20000)")
_ROWS = (
    (89, 46, 61, 69, 85, 46, 47, 47, 80, 44, 61, 68, 79, 87),
    (100, 49, 62, 68, 83, 48, 48, 49, 79, 46, 61, 66, 76, 83),
    (92, 48, 62, 69, 84, 48, 48, 49, 83, 46, 61, 67, 77, 80),
    (48, 100, 78, 70, 53, 92, 90, 85, 58, 92, 77, 69, 56, 52),
    (62, 78, 100, 89, 69, 80, 80, 79, 73, 76, 96, 89, 73, 67),
    (68, 69, 89, 100, 78, 71, 72, 72, 80, 66, 87, 95, 83, 77),
    (83, 53, 69, 78, 100, 52, 53, 55, 84, 50, 68, 76, 91, 91),
    (50, 91, 82, 74, 55, 91, 94, 92, 59, 84, 80, 73, 58, 54),
    (51, 84, 79, 74, 57, 83, 87, 89, 59, 76, 76, 72, 59, 56),
    (57, 69, 66, 69, 63, 67, 71, 74, 60, 62, 63, 65, 61, 61),
    (58, 36, 48, 54, 65, 36, 36, 37, 54, 34, 47, 52, 60, 67),
)
TAU = {
    (whole, cut): hundredths / 100
    for whole, row in zip(FULL, _ROWS, strict=True)
    for cut, hundredths in zip(_COLUMNS, row, strict=True)
}
"""Table 2: mean of Kendall's tau between systems by whole lists and by lists at their best length (cut)."""


class PublishedTau(Row):
    """Agreement of two orderings of systems that the paper reports."""

    whole: str = column("the measure of whole lists")
    cut: str = column("the measure that lists are cut by, and scored by")
    tau: float = column("mean of Kendall's tau over nine collections")


def published_taus() -> tuple[PublishedTau, ...]:
    """The paper's table."""
    return tuple(PublishedTau(whole=whole, cut=cut, tau=tau) for (whole, cut), tau in TAU.items())


def published_tau(whole: str, cut: str) -> float | None:
    """The paper's tau of two measures; None where it has none.

    >>> published_tau("AP", "OIE(size=20000)"), published_tau("nDCG", ONCE[0]), published_tau("AP", "F")
    (0.87, 1.0, None)
    """
    return TAU.get((whole, SAME.get(cut, cut)))


@dataclass(frozen=True)
class Statement:
    """A share of lists that the paper gives (section 4.2): those whose best length is from one length to another."""

    of: str
    """What the measures have in common."""
    measures: tuple[str, ...]
    low: int
    high: int
    paper: str
    """The share, in the paper's terms."""

    @property
    def what(self) -> str:
        """The measures and lengths, in words."""
        lengths = f"best length {self.low} to {self.high}" if self.low else f"best length below {self.high + 1}"
        return f"{self.of}, {lengths if self.high else 'silence is best'}"


_OIE = ("OIE(size=20000)",)
STATEMENTS = (
    Statement("effort", EFFORT, 0, 0, "20 to 30%"),
    Statement("OIE", _OIE, 0, 0, "about 10%"),
    Statement("F", ("F",), 0, 0, "never"),
    Statement("terminal document", TERMINAL, 0, 0, "almost never"),
    Statement("terminal document once", ONCE, 0, 0, "almost never"),
    Statement("terminal document", TERMINAL, 0, 9, "very few"),
    Statement("terminal document once", ONCE, 0, 9, "very few"),
    Statement("ERRU and RBU", ("ERRU", "RBU", "RBU(p=0.9)", "RBU(p=0.98)"), 1, 4, "30%"),
    Statement("all without a terminal document", (*EFFORT, *_OIE, "F"), 0, 99, "about 50%, well before 100"),
    Statement("OIE", _OIE, 33, 128, "most"),
    Statement("F", ("F",), 33, 256, "most"),
)
"""In print the last bound is 264, which is the end of no bin."""
FIGURE_3 = (
    ("OIE(size=20000)", "OIE(size=20000)"),
    ("RBP(p=0.98)", "OIE(size=20000)"),
    ("RBPU(p=0.98)", "OIE(size=20000)"),
    ("AP", "OIE(size=20000)"),
)
"""What its scatterplots set against each other: by whole lists, but for RBPU, and by lists cut."""
