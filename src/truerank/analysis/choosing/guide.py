"""The guide: questions that lead to a measure, after figure 4 of Amigó, Mizzaro & Spina (SIGIR 2022)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from truerank.analysis.choosing import leaves
from truerank.analysis.choosing.leaves import Leaf
from truerank.analysis.choosing.questions import QUESTIONS, Answer, Question
from truerank.data.errors import InputError


@dataclass(frozen=True)
class Branch:
    """A question, and where its answers lead."""

    question: str
    yes: Branch | Leaf
    no: Branch | Leaf
    least: float | None = None
    """Of a number, the least that is taken for a yes."""

    def next(self, answer: Answer) -> Branch | Leaf:
        """Where an answer leads."""
        return self.yes if (answer if self.least is None else answer >= self.least) else self.no


class Step(NamedTuple):
    """A question and its answer."""

    question: Question
    answer: Answer

    @property
    def said(self) -> str:
        """The answer in words."""
        return self.question.said(self.answer)


class Unanswered(InputError):
    """A question that has to be answered before a measure can be named."""

    def __init__(self, question: Question) -> None:
        how = "a number" if question.number else "True or False"
        super().__init__(f"not answered yet: {question.text} Give {question.name}={how}. {question.help}")
        self.question = question
        """The question that comes next."""


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


def walk(answers: Mapping[str, Answer | None], *, published: bool = False) -> tuple[tuple[Step, ...], Leaf]:
    """The questions that were asked with their answers, and the leaf; refuses to go on where an answer is missing.

    >>> path, leaf = walk({"length": False, "top": True, "exactly": False, "single": True})
    >>> [step.question.name for step in path], leaf.measure
    (['length', 'top', 'exactly', 'single'], 'RR')
    >>> walk({"length": True})
    Traceback (most recent call last):
    ...
    truerank.analysis.choosing.guide.Unanswered: not answered yet: Is a document further down ...
    """
    path: list[Step] = []
    node: Branch | Leaf = GUIDE
    while isinstance(node, Branch):
        path.append(_step(node.question, answers))
        node = node.next(path[-1].answer)
    leaf = node.published if published and node.published is not None else node
    asked = {step.question.name for step in path}
    for name in leaf.numbers:
        instead = "pays_for" if name == "silence_at" and answers.get(name) is None else name
        if instead not in asked and not (QUESTIONS[name].optional and answers.get(instead) is None):
            path.append(_step(instead, answers))
    return tuple(path), leaf


def _step(name: str, answers: Mapping[str, Answer | None]) -> Step:
    answer = answers.get(name)
    if answer is None:
        raise Unanswered(QUESTIONS[name])
    return Step(QUESTIONS[name], answer)


class Way(NamedTuple):
    """How a leaf is reached."""

    answers: tuple[tuple[str, str], ...]
    """Names of questions, and "yes", "no" or a range of numbers."""
    leaf: Leaf


def ways(node: Branch | Leaf = GUIDE, before: tuple[tuple[str, str], ...] = ()) -> Iterator[Way]:
    """Every way through the guide.

    >>> next(ways())
    Way(answers=(('length', 'no'), ('top', 'no'), ('graded', 'no')), leaf=Leaf(box='Spearman or Kendall', ...
    """
    if isinstance(node, Leaf):
        yield Way(before, node)
        return
    yes, no = ("yes", "no") if node.least is None else (f"{node.least:g} or more", f"below {node.least:g}")
    yield from ways(node.no, (*before, (node.question, no)))
    yield from ways(node.yes, (*before, (node.question, yes)))
