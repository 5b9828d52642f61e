"""Where the guide ends: measures, what has to be known to write them down, and what else could be taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

DEEP = 7
"""Documents from which on readers go deep. From here on iRBU, with p = 1 - 1/7 and relevance of 1/2, lets some m
relevant documents after m others beat one at the top (Shallowness): p^2 + p^3 / 2 > 1. ERR never does."""


@dataclass(frozen=True)
class Leaf:
    """An end of the guide."""

    figure: str
    """The measures that stand there in the figure of Amigó, Mizzaro & Spina (2022)."""
    measure: str
    """With {N} for a cutoff and {p} for patience."""
    cut: str = ""
    """The measure where it is known how many documents readers see, if that may be left open."""
    numbers: tuple[str, ...] = ()
    """Questions that settle its parameters."""
    remark: str = ""
    """How it relates to what stands in the figure, and what it is good for."""
    alternatives: Mapping[str, str] = field(default_factory=dict)
    """Other measures, and what speaks for each."""

    @property
    def written(self) -> str:
        """The measure, with letters for what answers settle."""
        either = f"{self.measure} or {self.cut}" if self.cut else self.measure
        return either.replace("{N}", "N").replace("p={p}", "p")

    def leaves_open(self, name: str) -> bool:
        """Whether the measure can be written down without the answer to one of its numbers."""
        return name == "depth" and bool(self.cut)


_ORDER = "Spearman or Kendall"
AUC = Leaf(
    _ORDER,
    "AUC",
    remark=(
        "of one list that holds all documents, Spearman's and Kendall's coefficients with two grades are increasing "
        "functions of AUC: 2 AUC - 1 is the share of pairs in the right order minus that in the wrong one; it compares "
        "judged documents, and with size=, the number of documents in the collection, all of them"
    ),
    alternatives={
        "PrefLoss": "lower values are to be better: with two grades it is 1 - AUC",
    },
)
PREF_LOSS = Leaf(
    _ORDER,
    "PrefLoss",
    remark=(
        "1 - 2 PrefLoss is Kendall's coefficient over the pairs of documents whose grades differ; "
        "lower values of PrefLoss are better"
    ),
    alternatives={
        "AUC": "it matters only whether a document is relevant",
    },
)
_WINDOW = "P@N or R@N"
P = Leaf(
    _WINDOW,
    "P@{N}",
    numbers=("depth",),
    alternatives={
        "Success@{N}": "one relevant document among the first {N} is enough",
        "nDCG@{N}": "the order of the first {N}, and grades, are to count too",
    },
)
R = Leaf(
    _WINDOW,
    "R@{N}",
    numbers=("depth",),
    alternatives={
        "P(relative=True)@{N}": "topics have more relevant documents than {N}, so that R@{N} cannot be 1",
        "nDCG@{N}": "the order of the first {N}, and grades, are to count too",
    },
)
RR = Leaf(
    "RR",
    "RR",
    "RR@{N}",
    numbers=("depth",),
    alternatives={
        "Success@10": "the rank does not matter as long as it is one of the first ten",
        "RRT": "some topics have no relevant document, and an empty list is the right answer there",
    },
)
_BY_GRADES = "AP or nDCG"
AP = Leaf(
    _BY_GRADES,
    "AP",
    "AP@{N}",
    numbers=("depth",),
    alternatives={
        "nDCG": "a swap higher up should always count more, which AP breaks far down the list",
        "Bpref": "many of the documents retrieved are unjudged: it skips them",
    },
)
NDCG = Leaf(
    _BY_GRADES,
    "nDCG",
    "nDCG@{N}",
    numbers=("depth",),
    alternatives={
        "nDCG(dcg='exp-log2')": "documents of the highest grades should outweigh many of lower ones",
        "nDCG@10": "judgments, or readers, go no further than ten documents",
        "AP(rel=1)": "results are to be held against published ones that ignore grades",
    },
)
NDCG_REL = Leaf(
    _BY_GRADES,
    "nDCGRel",
    remark=(
        "the figure has AP or nDCG here, to which a second relevant document adds more than the first, or as much; "
        "nDCGRel, the mean of nDCG at the ranks of the relevant documents, is the one measure found that has Recall "
        "and Redundancy and takes no account of the length of a list, though it has Recall in nearly all cases only"
    ),
    alternatives={
        "nDCG@{N}": "readers see {N} documents, which is more important than that relevant ones add less and less",
        "iRBU(p={p})": "that relevant documents add less and less is more important than what was missed",
        "nDCG": "results are to be held against published ones: each relevant document then adds as much",
    },
)
_STOP = "ERR or iRBU"
ERR = Leaf(
    _STOP,
    "ERR",
    remark=(
        f"taken where readers see fewer than {DEEP} documents: with two grades, one relevant document at the top is "
        "worth more to it than any number further down"
    ),
    alternatives={
        "iRBU(p={p})": "the number of documents that readers see is to be a parameter",
    },
)
IRBU = Leaf(
    _STOP,
    "iRBU(p={p})",
    numbers=("depth",),
    remark=(
        f"taken where readers see {DEEP} documents or more: with two grades, some relevant documents further down can "
        "then outweigh one at the top"
    ),
    alternatives={
        "ERR": "results are to be held against published ones: it has no parameter",
    },
)
RBP = Leaf(
    "RBP",
    "RBP(p={p})",
    numbers=("depth",),
    alternatives={
        "INST": "readers look for a number of relevant documents, T, and go on less when they have them",
        "nDCG": "how much there is to find differs between topics, and is to be made up for",
    },
)
F = Leaf(
    "F-measure",
    "F",
    remark="without a cutoff it compares the whole list, as a set, with all relevant documents",
    alternatives={
        "FlatU": "a list without a relevant document should be the worse, the longer it is",
        "F(beta=2)": "a relevant document that was missed is worse than one without relevance",
    },
)
RBPU = Leaf(
    "RBPU",
    "RBPU(p={p})",
    numbers=("depth", "silence_at"),
    alternatives={
        "RBPT(p={p})": "the end of a list is to be an answer of its own, and no cost is known",
        "RBP(p={p})": "systems do not choose the length after all",
    },
)
_STOP_LENGTH = "ERRU or RBU"
ERRU = Leaf(
    _STOP_LENGTH,
    "ERRU",
    numbers=("silence_at",),
    remark=ERR.remark,
    alternatives={
        "RBU(p={p})": "the number of documents that readers see is to be a parameter",
        "ERRT": "the end of a list is to be an answer of its own, and no cost is known",
    },
)
RBU = Leaf(
    _STOP_LENGTH,
    "RBU(p={p})",
    numbers=("depth", "silence_at"),
    remark=f"{IRBU.remark}, if documents do not cost too much",
    alternatives={
        "ERRU": "the depth of readers is not known",
    },
)
NDCGT = Leaf(
    "DCGU",
    "nDCGT",
    remark=(
        "the figure has DCGU here, which does not know what was missed; nDCGT takes the end of a list for an answer, "
        "worth the share of gain that was found, and compares with the best list"
    ),
    alternatives={
        "DCGU": "it is to be the measure of the figure: documents have a cost, but what was missed has none",
        "OIE(rel=1)": "noise should cost also in lists that found nothing; a second hit then adds more",
    },
)
OIE = Leaf(
    "OIE",
    "OIE",
    numbers=("size", "silence_at"),
    remark=(
        "the figure has OIE for Recall with Redundancy, but to OIE a second relevant document adds more than the "
        "first; ERRT has both to the letter, yet what was missed moves it so little that it ranks the systems of "
        "TREC-8 as ERR does"
    ),
    alternatives={
        "ERRT": "that a second relevant document adds less is more important than what was missed",
        "nDCGT": "what was missed is more important; each relevant document then adds as much",
    },
)
