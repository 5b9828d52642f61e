"""Two runs side by side, laid out for people: topics, and documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from truerank.data.printing import counted
from truerank.questions.diff.documents import topic_rows
from truerank.questions.diff.question import Diff, DiffDocument, Difference
from truerank.questions.diff.words import TOPICS, first, grade, move, reason
from truerank.report.digits import ranks, rounded, signed
from truerank.report.table import DIGITS, Cell, Column, Rounded, Table, caption, hidden

if TYPE_CHECKING:
    from truerank.data.arrays import Rows

DOCUMENTED, DOCUMENTS = 3, 10
"""Topics whose documents a person reads, and documents of each."""
SHOWN = 3
"""Decimals of the score of a topic."""
LONGEST = 12
"""Signs of a name that stands above a column."""
_Layout: TypeAlias = "Callable[[Diff, Difference, Rows], Iterator[tuple[Cell, ...]]]"


def topics_table(answer: Diff) -> Table:
    """A row a topic, with the document that made most of the difference."""
    a, b = _heads(answer)
    columns = (
        *_measure(answer),
        Column("topic", whole=True),
        Column(a, number=True, whole=True),
        Column(b, number=True, whole=True),
        Column("difference", number=True, whole=True, head="diff"),
        Column("in", number=True, minor=2, key=f"in: documents that entered {_first(answer)}"),
        Column("out", number=True, minor=2, key="out: that left it"),
        Column("unjudged", number=True, minor=1, key="unjudged: that entered without a judgment"),
        Column("open", head="depends on"),
        Column("because"),
    )
    rows = tuple(_rows(answer, _topics, TOPICS))
    if not any(row[-2] for row in rows):
        columns, rows = (*columns[:-2], columns[-1]), tuple((*row[:-2], row[-1]) for row in rows)
    there = [len(each.shown) if answer.limited else len(each.topics) for each in answer.values()]
    return Table(
        columns,
        rows,
        hidden=hidden(len(rows), sum(there), "topics", max(there, default=0)),
    )


def documents_table(answer: Diff) -> Table:
    """A row a document, and what all others add."""
    a, b = _heads(answer)
    columns = (
        *_measure(answer),
        Column("topic", whole=True),
        Column("document", whole=True),
        Column("grade", number=True),
        Column(f"rank in {a}", number=True),
        Column(f"rank in {b}", number=True),
        Column("move", whole=True),
        Column(f"score in {a}", number=True, minor=1),
        Column(f"score in {b}", number=True, minor=1),
        Column("impact", number=True, whole=True),
        Column("if relevant", number=True),
    )
    rows = [*_rows(answer, _documents, DOCUMENTED)]
    meaning = (
        f"documents in {_first(answer)} of either run; impact is what a document adds to the score of {b} minus what "
        f"it adds to that of {a}; impacts add up to the difference"
    )
    if any(row[-1] for row in rows):
        meaning += "; if relevant is how the difference would change if an unjudged document had the best grade"
    else:
        # Where everything is judged there is nothing to say about what is not.
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    return Table(columns, tuple(rows), key=meaning)


def _measure(answer: Diff) -> tuple[Column, ...]:
    """The measure is told where there are several."""
    return (Column("measure", whole=True),) if len(answer) > 1 else ()


def _rows(answer: Diff, laid_out: _Layout, usual: int) -> Iterator[tuple[Cell, ...]]:
    """The rows of as many topics as were asked for, or of a few of those that differ."""
    for name, each in answer.items():
        places = each.shown if answer.limited else each.by_impact[: min(usual, each.wins + each.losses)]
        for cells in laid_out(answer, each, places):
            yield (name, *cells) if len(answer) > 1 else cells


def _topics(answer: Diff, each: Difference, places: Rows) -> Iterator[tuple[Cell, ...]]:
    documents = each.by_topic(places, unjudged=False)
    for row in topic_rows(each, places):
        yield (
            row.topic,
            _score(row.a),
            _score(row.b),
            rounded(float(each.differences[row.place]), SHOWN, sign=True),
            row.entered,
            row.left,
            row.unjudged_entered,
            _open(each, row.depends_on),
            reason(answer, each, row.place, documents[row.place]),
        )


def _open(each: Difference, reasons: Sequence[str]) -> str:
    """What could put the other run ahead; with a question mark where it may not."""
    doubt = each.by_unjudged is not None and not each.by_unjudged.exact
    return ", ".join(f"{reason}?" if doubt and reason == "unjudged" else reason for reason in reasons)


def _documents(answer: Diff, each: Difference, places: Rows) -> Iterator[tuple[Cell, ...]]:
    for place, documents in each.by_topic(places).items():
        for cells in _of_topic(each, place, documents):
            yield (each.topics[place], *cells)


def _of_topic(each: Difference, place: int, documents: Sequence[DiffDocument]) -> Iterator[tuple[Cell, ...]]:
    """The documents of a topic, and what all others add, so that impacts add up to the difference."""
    shown, others = documents[:DOCUMENTS], documents[DOCUMENTS:]
    for one in shown:
        yield (
            one.doc,
            grade(one),
            ranks(one.ranks_a),
            ranks(one.ranks_b),
            move(one),
            *("" if score is None else f"{score:.6g}" for score in (one.score_a, one.score_b)),
            signed(one.impact),
            "" if one.if_relevant is None else signed(one.if_relevant),
        )
    rest = float(each.differences[place]) - sum(one.impact for one in shown)
    deeper = rest - sum(one.impact for one in others)
    more = [f"{len(others)} more"] if others else []
    if abs(deeper) >= 0.5 * 10**-DIGITS:
        more.append("the rest")
    if more:
        yield (f"({' and '.join(more)})", "", "", "", "", "", "", signed(rest), "")


def caption_of(answer: Diff) -> str:
    """How many topics there are, the test, and which run is which where the table has letters for them."""
    named = []
    if _heads(answer) != (answer.a, answer.b):
        named = [*dict.fromkeys([f"A is {answer.a}", f"B is {answer.b}"]), "diff is B minus A"]
    test = ["paired t-test"] if any(each.verdict for each in answer.values()) else []
    topics = counted(len(answer.topics), "topic")
    return caption(topics, *test, *named, conventions=answer.conventions.unusual())


def _heads(answer: Diff) -> tuple[str, str]:
    """Names of the runs that fit above a column."""
    return ("A", "B") if max(len(answer.a), len(answer.b)) > LONGEST else (answer.a, answer.b)


def _score(value: float | None) -> Cell:
    return float("nan") if value is None else Rounded(value, SHOWN)


def _first(answer: Diff) -> str:
    return first(*(each.depth for each in answer.values()))
