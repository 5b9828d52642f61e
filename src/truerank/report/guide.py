"""The guide to choosing a measure, laid out: as a table of its ends, and as a tree of questions."""

from __future__ import annotations

from collections.abc import Iterator

from truerank.analysis.choosing.guide import GUIDE, Branch, ways
from truerank.analysis.choosing.leaves import Leaf
from truerank.analysis.choosing.questions import QUESTIONS
from truerank.questions.properties.answer import PAPER
from truerank.report.table import Column, Table


def guide_table() -> Table:
    """A row a way through the guide."""
    rows = [
        (
            ", ".join(f"{name} {answer}" for name, answer in way.answers),
            written(way.leaf),
            way.leaf.box,
            ", ".join(way.leaf.numbers),
        )
        for way in ways()
    ]
    names = ("answers", "measure", "in the figure", "numbers")
    notes = tuple(f"{question.name}: {question.text} {question.help}" for question in QUESTIONS.values())
    return Table(tuple(map(Column, names)), tuple(rows), f"after figure 4 of {PAPER}", notes)


def tree() -> str:
    """The whole guide as a tree.

    >>> print(tree())
    length: Does the system decide how long each list is, and should that count?
    ├─ no: top: Is a document further down less likely to be seen?
    │  ├─ no: graded: Are there several grades of relevance?
    │  │  ├─ no: AUC (figure: Spearman or Kendall)
    ...
    """
    return "\n".join(_lines(GUIDE))


def written(leaf: Leaf) -> str:
    """The measure of a leaf, with letters for what answers settle."""
    return leaf.measure.replace("{N}", "N").replace("p={p}", "p")


def _lines(node: Branch | Leaf) -> Iterator[str]:
    if isinstance(node, Leaf):
        yield f"{written(node)} (figure: {node.box})"
        return
    yield f"{node.question}: {QUESTIONS[node.question].text}"
    yes, no = ("yes", "no") if node.least is None else (f"{node.least:g} or more", f"below {node.least:g}")
    for answer, below, first, rest in ((no, node.no, "├─ ", "│  "), (yes, node.yes, "└─ ", "   ")):
        head, *more = _lines(below)
        yield f"{first}{answer}: {head}"
        yield from (f"{rest}{line}" for line in more)
