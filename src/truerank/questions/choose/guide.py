"""The guide: questions, where answers lead and where it ends, after figure 4 of Amigó, Mizzaro & Spina (SIGIR 2022)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypedDict

from truerank.report.signature import Option, Parameter

Reply = bool | float
"""Yes or no, or a number."""


@dataclass(frozen=True)
class GuideQuestion:
    """A question; its name is also the keyword and the option that answer it."""

    name: str
    text: str
    help: str
    """A sentence on what decides the answer."""
    yes: str = ""
    """What the answer says of readers and systems."""
    no: str = ""
    wants: dict[bool, dict[str, bool]] = field(default_factory=dict)
    """Properties that a measure is to have, or need not have, by answer."""
    type: type = bool
    """Of the answer: yes or no, or a number."""
    optional: bool = False
    """Whether there is a usual value without an answer."""

    @property
    def number(self) -> bool:
        """Whether the answer is a number."""
        return self.type is not bool

    @property
    def parameter(self) -> Parameter:
        """The keyword and option that answer it."""
        told = f"{self.text} Default: the usual value." if self.optional else self.text
        option = Option(told, metavar="N", least=1) if self.number else Option(told)
        return Parameter(self.name, self.type, None, option)

    def says(self, reply: Reply) -> str:
        """What an answer says, in words.

        >>> QUESTIONS["depth"].says(10.0), QUESTIONS["graded"].says(False)
        ('readers see 10 documents', 'documents are relevant or not')
        """
        if not self.number:
            return self.yes if reply else self.no
        count, noun = written(reply), "document" if reply == 1 else "documents"
        return self.yes.format(count, documents=f"{count} {noun}")


def written(reply: Reply) -> str:
    """An answer as people write it.

    >>> written(True), written(2.5), written(1_000_000)
    ('yes', '2.5', '1,000,000')
    """
    if isinstance(reply, bool):
        return "yes" if reply else "no"
    return f"{int(reply):,}" if float(reply).is_integer() else f"{reply:,g}"


def _asks(name: str) -> dict[bool, dict[str, bool]]:
    return {True: {name: True}, False: {name: False}}


_ALL = (
    GuideQuestion(
        "length",
        "Does the system decide how long each list is, and should that count?",
        "Yes, if a system may stop early or say nothing, and should gain by it; no, if all lists have one length.",
        "systems decide how long a list is, and that counts",
        "the length of a list does not count",
        _asks("Confidence"),
    ),
    GuideQuestion(
        "top",
        "Is a document further down less likely to be seen?",
        "Yes, if people read from the top and stop somewhere; no, if every document of a list is looked at.",
        "documents further down are less likely to be seen",
        "all documents are seen alike",
        _asks("Top-weightedness"),
    ),
    GuideQuestion(
        "exactly",
        "Do readers see exactly the first N documents, and nothing past them?",
        "Yes, for a page of N results, or a program that is handed the first N; no, if readers stop here and there.",
        "readers see just the first N, each of them alike",
        "there is no rank where all readers stop",
        {True: {"Top-weightedness": False}},
    ),
    GuideQuestion(
        "single",
        "Is one relevant document enough?",
        "Yes, if readers look for one page or one answer, and stop when they have it.",
        "readers stop at the first relevant document",
        "more than one relevant document is wanted",
        {True: {"Redundancy": True}},
    ),
    GuideQuestion(
        "recall",
        "Does it matter how many relevant documents there are?",
        "Yes, if 3 found of 3 are better than 3 of 300; no, if what was missed makes no difference.",
        "what was missed matters",
        "what was missed does not matter",
        _asks("Recall"),
    ),
    GuideQuestion(
        "redundancy",
        "Does a second relevant document add less than the first?",
        "Yes, if relevant documents repeat one another, or satisfy readers who then stop; no, if each is as welcome.",
        "relevant documents add less and less",
        "each relevant document adds as much as the one before",
        _asks("Redundancy"),
    ),
    GuideQuestion(
        "graded",
        "Are there several grades of relevance?",
        "Yes, if judgments tell how relevant a document is (0, 1, 2, ...); no, if they tell only whether it is.",
        "relevance has several grades",
        "documents are relevant or not",
    ),
    GuideQuestion(
        "depth",
        "How many documents do readers see?",
        "A number: just so many, if all stop there; otherwise the mean over readers who find nothing that stops them.",
        "readers see {documents}",
        type=float,
    ),
    GuideQuestion(
        "silence_at",
        "At which rank is a lone relevant document no better than an empty list?",
        "The rank says what a document costs that is not relevant; without one, the usual cost is kept.",
        "a lone relevant document at rank {} equals an empty list",
        type=int,
        optional=True,
    ),
    GuideQuestion(
        "pays_for",
        "For how many documents does a relevant one at rank 1 pay?",
        "Another way to say what a document costs: with so many in the list, it equals an empty one.",
        "a relevant document at rank 1 pays for {documents}",
        type=int,
        optional=True,
    ),
    GuideQuestion(
        "size",
        "How many documents does the collection have?",
        "OIE counts in the documents that were left out; without a number, there are a million.",
        "the collection has {documents}",
        type=int,
        optional=True,
    ),
)
QUESTIONS = {question.name: question for question in _ALL}
"""By name, in the order that they are listed in."""


class Replies(TypedDict, total=False):
    """Answers as keywords, by the names of questions; None is not answered."""

    length: bool | None
    top: bool | None
    exactly: bool | None
    single: bool | None
    recall: bool | None
    redundancy: bool | None
    graded: bool | None
    depth: float | None
    silence_at: int | None
    pays_for: int | None
    size: int | None


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
    numbers: tuple[str, ...] = ()
    """Questions that settle its parameters."""
    remark: str = ""
    """How it relates to what stands in the figure, and what it is good for."""
    alternatives: Mapping[str, str] = field(default_factory=dict)
    """Other measures, and what speaks for each."""
    published: Leaf | None = None
    """What stands in the figure, where another measure is taken."""

    @property
    def written(self) -> str:
        """The measure, with letters for what answers settle."""
        return self.measure.replace("{N}", "N").replace("p={p}", "p")


_ORDER = "Spearman or Kendall"
AUC = Leaf(
    _ORDER,
    "AUC",
    remark=(
        "of one list that holds all documents, Spearman's and Kendall's coefficients with two grades are increasing "
        "functions of AUC: 2 AUC - 1 is the share of pairs in the right order less that in the wrong one"
    ),
    alternatives={
        "PrefLoss": "unjudged documents are to be left out: it compares judged ones only",
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
        "AUC": "it matters only whether a document is relevant, and unjudged ones are not",
    },
)
_WINDOW = "P@N or R@N"
P = Leaf(
    _WINDOW,
    "P@{N}",
    ("depth",),
    alternatives={
        "Success@{N}": "one relevant document among the first {N} is enough",
        "nDCG@{N}": "the order of the first {N}, and grades, are to count too",
    },
)
R = Leaf(
    _WINDOW,
    "R@{N}",
    ("depth",),
    alternatives={
        "P(relative=True)@{N}": "topics have more relevant documents than {N}, so that R@{N} cannot be 1",
        "nDCG@{N}": "the order of the first {N}, and grades, are to count too",
    },
)
RR = Leaf(
    "RR",
    "RR",
    alternatives={
        "Success@10": "the rank does not matter as long as it is one of the first ten",
        "RRT": "some topics have no relevant document, and an empty list is the right answer there",
    },
)
_BY_GRADES = "AP or nDCG"
AP = Leaf(
    _BY_GRADES,
    "AP",
    alternatives={
        "nDCG": "a swap higher up should always count more, which AP breaks far down the list",
        "Bpref": "many of the documents retrieved are unjudged: it skips them",
    },
)
NDCG = Leaf(
    _BY_GRADES,
    "nDCG",
    alternatives={
        "nDCG(dcg='exp-log2')": "documents of the highest grades should outweigh many of lower ones",
        "nDCG@10": "judgments, or readers, go no further than ten documents",
        "AP(rel=1)": "results are to be held against published ones that ignore grades",
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
    ("depth",),
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
    ("depth",),
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
    ("depth", "silence_at"),
    alternatives={
        "RBPT(p={p})": "the end of a list is to be an answer of its own, and no cost is known",
        "RBP(p={p})": "systems do not choose the length after all",
    },
)
_STOP_LENGTH = "ERRU or RBU"
ERRU = Leaf(
    _STOP_LENGTH,
    "ERRU",
    ("silence_at",),
    remark=ERR.remark,
    alternatives={
        "RBU(p={p})": "the number of documents that readers see is to be a parameter",
        "ERRT": "the end of a list is to be an answer of its own, and no cost is known",
    },
)
RBU = Leaf(
    _STOP_LENGTH,
    "RBU(p={p})",
    ("depth", "silence_at"),
    remark=f"{IRBU.remark}, if documents do not cost too much",
    alternatives={
        "ERRU": "the depth of readers is not known",
    },
)
DCGU = Leaf(
    "DCGU",
    "DCGU",
    ("silence_at",),
    remark="the figure has it for lists where what was missed matters, but DCGU does not know what was missed",
    alternatives={
        "nDCGT": "what was missed matters: it has Recall",
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
    published=DCGU,
)
OIE = Leaf(
    "OIE",
    "OIE",
    ("size", "silence_at"),
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


@dataclass(frozen=True)
class Branch:
    """A question, and where its answers lead."""

    question: str
    yes: Branch | Leaf
    no: Branch | Leaf
    least: float | None = None
    """Of a number, the least that is taken for a yes."""

    def next(self, reply: Reply) -> Branch | Leaf:
        """Where an answer leads."""
        return self.yes if (reply if self.least is None else reply >= self.least) else self.no

    @property
    def ways(self) -> tuple[tuple[str, Branch | Leaf], ...]:
        """Its answers in words, no first, and where they lead."""
        if self.least is None:
            return ("no", self.no), ("yes", self.yes)
        return (f"below {self.least:g}", self.no), (f"{self.least:g} or more", self.yes)


GUIDE = Branch(
    "length",
    no=Branch(
        "top",
        no=Branch("graded", no=AUC, yes=PREF_LOSS),
        yes=Branch(
            "exactly",
            yes=Branch("recall", no=P, yes=R),
            no=Branch(
                "single",
                yes=RR,
                no=Branch(
                    "recall",
                    yes=Branch("graded", no=AP, yes=NDCG),
                    no=Branch(
                        "redundancy",
                        yes=Branch("depth", no=ERR, yes=IRBU, least=DEEP),
                        no=RBP,
                    ),
                ),
            ),
        ),
    ),
    yes=Branch(
        "top",
        no=F,
        yes=Branch(
            "recall",
            no=Branch(
                "redundancy",
                no=RBPU,
                yes=Branch("depth", no=ERRU, yes=RBU, least=DEEP),
            ),
            yes=Branch("redundancy", no=NDCGT, yes=OIE),
        ),
    ),
)
