"""The guide: what is asked, and where answers lead, after figure 4 of Amigó, Mizzaro & Spina (SIGIR 2022)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypedDict

from truerank.data.notes import Code, Note
from truerank.questions.choose import leaves
from truerank.questions.choose.leaves import Leaf
from truerank.report.answer import PLOT, Answer, Sheet
from truerank.report.rows import Row, column
from truerank.report.signature import Option, Parameter, Theme
from truerank.report.table import Table

if TYPE_CHECKING:
    from truerank.report.plots.chart import Plot

PAPER = "Amigó, Mizzaro & Spina (2022)"
ASKS = Code("TR550", "what a question of the guide asks, and what decides it", "{question}: {text} {help}")
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


@dataclass(frozen=True)
class Branch:
    """A question, and where its answers lead."""

    question: str
    yes: Branch | Leaf
    no: Branch | Leaf
    least: float | None = None
    """Of a number, the least that is taken for a yes."""
    usual: Reply | None = None
    """The answer where none is given and nobody can be asked; None where there has to be one."""

    def next(self, reply: Reply) -> Branch | Leaf:
        """Where an answer leads."""
        return self.yes if (reply if self.least is None else reply >= self.least) else self.no

    @property
    def answers(self) -> tuple[tuple[str, Branch | Leaf], ...]:
        """Its answers in words, no first, and where they lead."""
        if self.least is None:
            return ("no", self.no), ("yes", self.yes)
        return (f"below {self.least:g}", self.no), (f"{self.least:g} or more", self.yes)


GUIDE = Branch(
    "length",
    no=Branch(
        "top",
        no=Branch("graded", no=leaves.AUC, yes=leaves.PREF_LOSS),
        yes=Branch(
            "exactly",
            yes=Branch("recall", no=leaves.P, yes=leaves.R),
            no=Branch(
                "single",
                yes=leaves.RR,
                no=Branch(
                    "recall",
                    yes=Branch(
                        "redundancy",
                        no=Branch("graded", no=leaves.AP, yes=leaves.NDCG),
                        yes=leaves.NDCG_REL,
                        usual=False,
                    ),
                    no=Branch(
                        "redundancy",
                        yes=Branch("depth", no=leaves.ERR, yes=leaves.IRBU, least=leaves.DEEP),
                        no=leaves.RBP,
                    ),
                ),
            ),
        ),
    ),
    yes=Branch(
        "top",
        no=leaves.F,
        yes=Branch(
            "recall",
            no=Branch(
                "redundancy",
                no=leaves.RBPU,
                yes=Branch("depth", no=leaves.ERRU, yes=leaves.RBU, least=leaves.DEEP),
            ),
            yes=Branch("redundancy", no=leaves.NDCGT, yes=leaves.OIE),
        ),
    ),
)


class GuidePath(Row):
    """One path through the guide, and where it ends."""

    answers: str = column("questions by name, with their answers")
    measure: str = column("the measure, with letters for what numbers settle")
    figure: str = column("what stands there in the figure", head="in the figure")
    numbers: str = column("questions whose answers settle its parameters")

    leaf: Leaf


def paths(node: Branch | Leaf = GUIDE, before: tuple[str, ...] = ()) -> Iterator[GuidePath]:
    """Every path through the guide.

    >>> next(paths())
    GuidePath(answers='length no, top no, graded no', measure='AUC', figure='Spearman or Kendall', numbers='', leaf=...
    """
    if isinstance(node, Leaf):
        answers, numbers = ", ".join(before), ", ".join(node.numbers)
        yield GuidePath(answers=answers, measure=node.written, figure=node.figure, numbers=numbers, leaf=node)
        return
    for answer, below in node.answers:
        yield from paths(below, (*before, f"{node.question} {answer}"))


def tree(node: Branch | Leaf = GUIDE) -> list[str]:
    """The whole guide as a tree, line by line.

    >>> for line in tree():
    ...     print(line)
    length: Does the system decide how long each list is, and should that count?
    ├─ no: top: Is a document further down less likely to be seen?
    │  ├─ no: graded: Are there several grades of relevance?
    │  │  ├─ no: AUC (figure: Spearman or Kendall)
    ...
    """
    if isinstance(node, Leaf):
        return [f"{node.written} (figure: {node.figure})"]
    lines = [f"{node.question}: {QUESTIONS[node.question].text}"]
    for (answer, below), (first, rest) in zip(node.answers, (("├─ ", "│  "), ("└─ ", "   ")), strict=True):
        head, *more = tree(below)
        lines += [f"{first}{answer}: {head}", *(f"{rest}{line}" for line in more)]
    return lines


class Guide(Answer):
    """The whole guide: one row per path, and a tree for people."""

    question = "choose"
    sheets = {"guide": Sheet(GuidePath, "the whole guide", of="paths")}
    files = {"plot": PLOT}

    @property
    def paths(self) -> tuple[GuidePath, ...]:
        return tuple(paths())

    def plot(self, *, theme: Theme = "light") -> Plot:
        from truerank.questions.choose.figure import plot_guide

        return plot_guide(theme=theme)

    def layout(self, show: str, *, top: int | None = None) -> Table:
        table = super().layout(show)
        return Table(table.columns, table.rows, words=tuple(tree()))

    def caption(self, show: str) -> str:
        return f"after figure 4 of {PAPER}"

    def own_notes(self, show: str) -> Iterator[Note]:
        for each in QUESTIONS.values():
            yield ASKS(question=each.name, text=each.text, help=each.help)
