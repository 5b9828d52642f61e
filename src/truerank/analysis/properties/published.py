"""What Amigó, Mizzaro & Spina (SIGIR 2022) claim in Table 1 and its text, as facts to compare with."""

from __future__ import annotations

from typing import NamedTuple

from truerank.analysis.properties.correlations import Kendall, Spearman, WholeAUC
from truerank.analysis.properties.explained import WHY
from truerank.analysis.properties.table import SEVEN
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse

SOURCES = {
    "T": "text",
    "B": "text and table",
    "O": "table",
    "I": "inherited from the base measure, by the text",
    "F": "footnote 3 and section 5, against the text",
    "S": "text; section 5 says otherwise",
    "3": "footnote 3",
    "R": "section 4.4 and table",
    "": "a blank cell of the table",
}
"""Where a claim stands. The table's cells merge and lose ticks in the text at hand, so that the text goes first."""

_CLAIMS = {
    "Spearman": (Spearman(), "YO NF NT YO YO NO NO"),
    "Kendall": (Kendall(), "YO NF NT YO YO NO NO"),
    "AUC-ROC": (WholeAUC(), "YO NF NT YO YO NO NO"),
    "P@N": (parse("P@10"), "NT NO YT YT N N N"),
    "R@N": (parse("R@10"), "NT NO YT YT N YR N"),
    "R-p": (parse("Rprec"), "NT N NT NT N YO N"),
    "RR": (parse("RR"), "NT N ? N? N N YT"),
    "F-measure": (parse("F"), "NT NT NT NT YT YT YT"),
    "AP": (parse("AP"), "YT Y3 NT YO N YO NO"),
    "NDCG": (parse("nDCG"), "YO YO NT YO N YO N"),
    "Q-measure": (parse("Q"), "YO YO NT YO N YO N"),
    "BPref": (parse("Bpref"), "? ? NT ? N ? N"),
    "ERR": (parse("ERR"), "YO YO YT NT N NT YT"),
    "RBP": (parse("RBP"), "YO YO YT YT N NT N"),
    "iRBU": (parse("iRBU"), "YT YT YT YT N NT Y?"),
    "NDCGT": (parse("nDCGT"), "YI YI NI YI YT YI N"),
    "ERRT": (parse("ERRT"), "YI YI YI NI YT NI YI"),
    "RBPT": (parse("RBPT"), "YI YI YI YI YT NI N"),
    "Flat Utility": (parse("FlatU"), "N NT N Y?O YT N N"),
    "RBU": (parse("RBU"), "YI YI YI YI YT N YI"),
    "DCGU": (parse("DCGU"), "YI YI NI YI YT NS N"),
    "ERRU": (parse("ERRU"), "YI YI YI NI YT N YI"),
    "RBPU": (parse("RBPU"), "YI YI YI YI YT N N"),
    "OIE": (parse("OIE(size=20000)"), "YB YB YB YB YB YB YB"),
}


class Claim(NamedTuple):
    """What the paper says of a measure and a property."""

    row: str
    """The measure's name in the paper."""
    has: bool | None
    """None where it cannot be recovered."""
    sure: bool
    source: str
    why: str
    """Why the claim does not survive, where it does not."""

    @property
    def text(self) -> str:
        """The claim in a word."""
        return "?" if self.has is None else ("yes" if self.has else "no") + "?" * (not self.sure)


ROWS: dict[str, Measure] = {row: measure for row, (measure, _) in _CLAIMS.items()}
"""The measures of the table, by their names there."""


def claim(measure: Measure, name: str) -> Claim | None:
    """What the paper claims of a measure, whatever its parameters; None where it is not in the table.

    >>> claim(parse("RBP(p=0.95)"), "Shallowness threshold").text, claim(parse("Success"), "Recall")
    ('yes', None)
    """
    places = {each.name: place for place, each in enumerate(SEVEN)}
    if name not in places:
        return None
    for row, (known, claims) in _CLAIMS.items():
        alike = type(known) is type(measure) and known.name == measure.name
        if alike and (known.cutoff is None) == (measure.cutoff is None):
            said = claims.split()[places[name]]
            has = {"Y": True, "N": False}.get(said[0])
            source = SOURCES[said[1:].strip("?")]
            return Claim(row, has, "?" not in said, source, WHY.get((row, name), ""))
    return None
