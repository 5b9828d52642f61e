"""What Amigó, Mizzaro & Spina (SIGIR 2022) claim in Table 1 and its text, and why some of it does not survive."""

from __future__ import annotations

from typing import NamedTuple

from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse
from truerank.questions.properties.axioms import SEVEN

_ALL = "where every relevant document is retrieved, one without relevance is below them, at the end of the list or not"
_CHANCE = (
    "a list that orders the collection worse than chance does has less to say as it grows, and a correlation below 0 "
    "comes nearer to 0"
)
_SILENT = (
    "without a hit the terminal document has no gain, unless there is nothing to find, so that a longer list costs "
    "nothing"
)
_TERMINAL_RECALL = "the terminal document has the share of relevant documents that were found, which falls as R grows"
_READS_R = (
    "it counts down to R: with R = n the n documents without relevance take up everything, with R = 2000 and fewer of "
    "them the relevant ones still count"
)
_PATIENCE = "the reader is not patient enough; "

WHY: dict[tuple[str, str], str] = {
    **{(row, "Confidence"): _CHANCE for row in ("Spearman", "Kendall")},
    ("AUC-ROC", "Confidence"): _ALL,
    ("AUC-ROC", "Recall"): "a relevant document that is not retrieved shares the last place, below all that are",
    ("R@N", "Recall"): "a relevant document past the cutoff is not counted, so that the score is 0 whatever R is",
    **{(row, "Deepness threshold"): _READS_R for row in ("R-p", "BPref")},
    **{(row, "Shallowness threshold"): _READS_R for row in ("R-p", "BPref")},
    ("R-p", "Recall"): "R is also how deep it reads: one relevant document more can bring a hit into view",
    ("F-measure", "Shallowness threshold"): (
        "order plays no part, but the number of hits does: m hits among 2m documents are better than one alone from "
        "m = 3 on"
    ),
    ("F-measure", "Confidence"): "without a hit it is 0, however long the list",
    ("F-measure", "Redundancy"): "with length and R given it is proportional to the hits: each adds the same",
    ("AP", "Top-weightedness"): (
        "moving the c-th hit up from rank i + 1 to i adds c / (i (i + 1)): far down, a later hit, with more hits above "
        "it, gains more than an earlier one"
    ),
    ("Q-measure", "Priority"): (
        "with grades, the document moved up counted together with a better one above it, and now counts alone; with "
        "two levels, Q(rel=1), it is strict"
    ),
    ("Q-measure", "Top-weightedness"): "as with AP, a later hit counts with more gain above it",
    ("iRBU", "Shallowness threshold"): _PATIENCE + "from p = 0.84 on, as with the paper's 0.98, m = 2 will do",
    ("RBU", "Shallowness threshold"): _PATIENCE + "with the paper's p = 0.98, m = 2 will do",
    **{(row, "Confidence"): _SILENT for row in ("NDCGT", "ERRT", "RBPT")},
    **{(row, "Recall"): _TERMINAL_RECALL for row in ("ERRT", "RBPT")},
    ("OIE", "Priority"): (
        "with grades, what counts is how many documents at least as good stand above: the one moved up passed a better "
        "one; with two levels, OIE(rel=1), it is strict"
    ),
    ("OIE", "Deepness threshold"): (
        "n has to be a good part of the collection, all of it relevant, and the list of a single document not padded"
    ),
    ("OIE", "Redundancy"): "the second hit adds beta ln 2 more than the first, whatever n and R are",
}
"""By the measure's name in the paper and the property's."""


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

# The paper has p of 0.8, 0.9 and 0.98, and recommends the last; its collections have 20,000 documents.
_CLAIMS = {
    "Spearman": (parse("Spearman"), "YO NF NT YO YO NO NO"),
    "Kendall": (parse("Kendall"), "YO NF NT YO YO NO NO"),
    "AUC-ROC": (parse("AUC"), "YO NF NT YO YO NO NO"),
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
    "RBP": (parse("RBP(p=0.98)"), "YO YO YT YT N NT N"),
    "iRBU": (parse("iRBU(p=0.98)"), "YT YT YT YT N NT Y?"),
    "NDCGT": (parse("nDCGT"), "YI YI NI YI YT YI N"),
    "ERRT": (parse("ERRT"), "YI YI YI NI YT NI YI"),
    "RBPT": (parse("RBPT(p=0.98)"), "YI YI YI YI YT NI N"),
    "Flat Utility": (parse("FlatU"), "N NT N Y?O YT N N"),
    "RBU": (parse("RBU(p=0.98)"), "YI YI YI YI YT N YI"),
    "DCGU": (parse("DCGU"), "YI YI NI YI YT NS N"),
    "ERRU": (parse("ERRU"), "YI YI YI NI YT N YI"),
    "RBPU": (parse("RBPU(p=0.98)"), "YI YI YI YI YT N N"),
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
        if self.has is None:
            return "?"
        said = "yes" if self.has else "no"
        return said if self.sure else f"{said}?"


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
