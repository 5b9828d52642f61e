"""The guide: questions that lead to a measure, after figure 4 of Amigó, Mizzaro & Spina (SIGIR 2022)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from truerank.data.notes import Code, Note
from truerank.questions.choose import leaves
from truerank.questions.choose.answer import GuideStep
from truerank.questions.choose.leaves import Leaf
from truerank.questions.choose.questions import QUESTIONS, GuideQuestion, Reply
from truerank.questions.properties.answer import PAPER
from truerank.questions.signature import Unanswered
from truerank.report.answer import Answer, Sheet
from truerank.report.rows import Row, column
from truerank.report.table import Table

ASKS = Code("TR550", "what a question of the guide asks, and what decides it", "{question}: {text} {help}")


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
        no=Branch("graded", no=leaves.AUC, yes=leaves.PREF_LOSS),
        yes=Branch(
            "exactly",
            yes=Branch("recall", no=leaves.P, yes=leaves.R),
            no=Branch(
                "single",
                yes=leaves.RR,
                no=Branch(
                    "recall",
                    yes=Branch("graded", no=leaves.AP, yes=leaves.NDCG),
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


class OpenQuestion(Unanswered):
    """A question that has to be answered before a measure can be named."""

    def __init__(self, question: GuideQuestion) -> None:
        super().__init__(question.parameter, question.text, help=question.help, optional=question.optional)
        self.question = question
        """The question that comes next."""


def walk(replies: Mapping[str, Reply | None], *, published: bool = False) -> tuple[tuple[GuideStep, ...], Leaf]:
    """The questions that were asked with their answers, and the leaf; refuses to go on where an answer is missing.

    >>> path, leaf = walk({"length": False, "top": True, "exactly": False, "single": True})
    >>> [step.question for step in path], leaf.measure
    (['length', 'top', 'exactly', 'single'], 'RR')
    >>> walk({"length": True})
    Traceback (most recent call last):
    ...
    truerank.questions.choose.guide.OpenQuestion: not answered yet: Is a document further down ...
    """
    path: list[GuideStep] = []
    node: Branch | Leaf = GUIDE
    while isinstance(node, Branch):
        path.append(_step(node.question, replies))
        node = node.next(path[-1].reply)
    leaf = node.published if published and node.published is not None else node
    asked = {step.question for step in path}
    for name in leaf.numbers:
        instead = "pays_for" if name == "silence_at" and replies.get(name) is None else name
        if instead not in asked and not (QUESTIONS[name].optional and replies.get(instead) is None):
            path.append(_step(instead, replies))
    return tuple(path), leaf


def _step(name: str, replies: Mapping[str, Reply | None]) -> GuideStep:
    reply = replies.get(name)
    if reply is None:
        raise OpenQuestion(QUESTIONS[name])
    return GuideStep(question=name, text=QUESTIONS[name].text, reply=reply)


class Way(Row):
    """A way through the guide, and where it ends."""

    answers: str = column("questions by name, with their answers")
    measure: str = column("the measure, with letters for what numbers settle")
    figure: str = column("what stands there in the figure", head="in the figure")
    numbers: str = column("questions whose answers settle its parameters")

    leaf: Leaf


def ways(node: Branch | Leaf = GUIDE, before: tuple[str, ...] = ()) -> Iterator[Way]:
    """Every way through the guide.

    >>> next(ways())
    Way(answers='length no, top no, graded no', measure='AUC', figure='Spearman or Kendall', numbers='', leaf=...
    """
    if isinstance(node, Leaf):
        answers, numbers = ", ".join(before), ", ".join(node.numbers)
        yield Way(answers=answers, measure=node.written, figure=node.figure, numbers=numbers, leaf=node)
        return
    for answer, below in node.ways:
        yield from ways(below, (*before, f"{node.question} {answer}"))


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
    for (answer, below), (first, rest) in zip(node.ways, (("├─ ", "│  "), ("└─ ", "   ")), strict=True):
        head, *more = tree(below)
        lines += [f"{first}{answer}: {head}", *(f"{rest}{line}" for line in more)]
    return lines


class Guide(Answer):
    """The whole guide: a row a way through it, and a tree for people."""

    question = "choose"
    sheets = {"guide": Sheet(Way, "the whole guide", of="ways")}

    @property
    def ways(self) -> tuple[Way, ...]:
        """Every way through the guide."""
        return tuple(ways())

    def layout(self, show: str, *, top: int | None = None) -> Table:
        """Plain text has a tree."""
        table = super().layout(show)
        return Table(table.columns, table.rows, words=tuple(tree()))

    def caption(self, show: str) -> str:
        """Where it comes from."""
        return f"after figure 4 of {PAPER}"

    def says(self, show: str) -> Iterator[Note]:
        """What each question asks."""
        for each in QUESTIONS.values():
            yield ASKS(question=each.name, text=each.text, help=each.help)
