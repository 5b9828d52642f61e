"""What Amigó, Mizzaro & Spina (SIGIR 2022) print of nine TREC collections and of their measures.

Names without a p are those with p = 0.8.
"""

from __future__ import annotations

from typing import NamedTuple

OIE, F = "OIE(size=20000)", "F"
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
CUT = (*EFFORT, *TERMINAL, OIE, F, *ONCE)
"""The measures that lists are cut by (section 4.2), with the paper's parameters, under both readings."""
FULL = (
    *("AP", "nDCG", "DCG", "ERR", "RBP", "RBP(p=0.9)", "RBP(p=0.98)"),
    *("iRBU", "iRBU(p=0.9)", "iRBU(p=0.98)", OIE),
)
"""The measures of whole lists: the rows of table 2."""
SAME = dict(zip(ONCE, TERMINAL, strict=True))
"""What a measure under the other reading is called in the paper."""

_COLUMNS = (*TERMINAL, "RBU", "RBU(p=0.9)", "RBU(p=0.98)", "DCGU", "ERRU", *EFFORT[-3:], OIE)
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
FIGURE_3 = (
    (OIE, OIE),
    ("RBP(p=0.98)", OIE),
    ("RBPU(p=0.98)", OIE),
    ("AP", OIE),
)
"""What its scatterplots set against each other: by whole lists, but for RBPU, and by lists cut."""
COVERAGE = {
    OIE: 0.921,
    "nDCG": 0.918,
    "DCG": 0.911,
    "RBP(p=0.98)": 0.911,
    "AP": 0.901,
    "F": 0.896,
    "R@100": 0.891,
    "FlatU": 0.891,
    "RBP(p=0.9)": 0.890,
    "P@10": 0.867,
    "RBP": 0.846,
    "iRBU(p=0.98)": 0.832,
    "iRBU(p=0.9)": 0.810,
    "iRBU": 0.782,
    "ERR": 0.761,
    "RR": 0.249,
}
"""Quality aspect coverage of Amigó, Mizzaro & Spina (2022), table 3, the mean over nine TREC collections; names without
a p are those with p = 0.8."""
FIXED, REFERENCE = 100, ("P@10", "R@100", "RR")
"""Where table 3 cuts all lists, and the measures whose unanimous improvements it asks for."""
SEVEN = (
    *("Priority", "Top-weightedness", "Deepness threshold", "Shallowness threshold"),
    *("Confidence", "Recall", "Redundancy"),
)
"""The properties of table 1."""

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
    "Spearman": ("Spearman", "YO NF NT YO YO NO NO"),
    "Kendall": ("Kendall", "YO NF NT YO YO NO NO"),
    "AUC-ROC": ("AUC", "YO NF NT YO YO NO NO"),
    "P@N": ("P@10", "NT NO YT YT N N N"),
    "R@N": ("R@10", "NT NO YT YT N YR N"),
    "R-p": ("Rprec", "NT N NT NT N YO N"),
    "RR": ("RR", "NT N ? N? N N YT"),
    "F-measure": ("F", "NT NT NT NT YT YT YT"),
    "AP": ("AP", "YT Y3 NT YO N YO NO"),
    "NDCG": ("nDCG", "YO YO NT YO N YO N"),
    "Q-measure": ("Q", "YO YO NT YO N YO N"),
    "BPref": ("Bpref", "? ? NT ? N ? N"),
    "ERR": ("ERR", "YO YO YT NT N NT YT"),
    "RBP": ("RBP(p=0.98)", "YO YO YT YT N NT N"),
    "iRBU": ("iRBU(p=0.98)", "YT YT YT YT N NT Y?"),
    "NDCGT": ("nDCGT", "YI YI NI YI YT YI N"),
    "ERRT": ("ERRT", "YI YI YI NI YT NI YI"),
    "RBPT": ("RBPT(p=0.98)", "YI YI YI YI YT NI N"),
    "Flat Utility": ("FlatU", "N NT N Y?O YT N N"),
    "RBU": ("RBU(p=0.98)", "YI YI YI YI YT N YI"),
    "DCGU": ("DCGU", "YI YI NI YI YT NS N"),
    "ERRU": ("ERRU", "YI YI YI NI YT N YI"),
    "RBPU": ("RBPU(p=0.98)", "YI YI YI YI YT N N"),
    "OIE": (OIE, "YB YB YB YB YB YB YB"),
}
ROWS = {row: measure for row, (measure, _) in _CLAIMS.items()}
"""The measures of table 1, by their names there."""


class Claim(NamedTuple):
    """What the paper says of a measure and a property, in table 1 and its text."""

    row: str
    """The measure's name in the paper."""
    about: str
    """The property."""
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

    def agrees(self, holds: bool | None) -> bool | None:
        """Whether it is what was found; None where either is open."""
        return None if self.has is None or holds is None else self.has == holds


def _claim(row: str, name: str, said: str) -> Claim:
    has = {"Y": True, "N": False}.get(said[0])
    return Claim(row, name, has, "?" not in said, SOURCES[said[1:].strip("?")], WHY.get((row, name), ""))


CLAIMS = tuple(
    _claim(row, name, said)
    for row, (_, claims) in _CLAIMS.items()
    for name, said in zip(SEVEN, claims.split(), strict=True)
)
"""Table 1, row by row."""
