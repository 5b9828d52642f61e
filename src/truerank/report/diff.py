"""Two runs side by side, laid out: topics, documents, and a summary in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from truerank.analysis.differences.difference import Difference
from truerank.analysis.differences.moved import Moved
from truerank.analysis.differences.results import Diff
from truerank.data.printing import counted
from truerank.report.captions import caption
from truerank.report.diff_words import first, grade, move, ranks, reason, said, signed
from truerank.report.table import DIGITS, Cell, Column, Table

if TYPE_CHECKING:
    from truerank.data.arrays import Rows

TOPICS, DOCUMENTED, DOCUMENTS = 10, 3, 10
"""Topics that a person reads, topics whose documents a person reads, and documents of each."""
LONGEST = 12
"""Signs of a name that stands above a column."""
_WORDS = ("measure", "topic", "better", "depends_on", "doc", "status")
_TOPIC = ("measure", "topic", "better", "depends_on", "a", "b", "difference")
_DOCUMENT = ("measure", "topic", "doc", "grade", "status", "impact")


def diff_table(found: Diff, show: str | None = None, *, top: int | None = None, whole: bool = False) -> Table:
    """A row a topic or a document, of ``top`` topics a measure; ``whole`` has all there is, for programs."""
    meaning = ""
    if whole:
        usual = _DOCUMENT if show == "documents" else _TOPIC
        table = Table.of_records(found.to_records(show, top), _WORDS, names=usual)
    elif show == "documents":
        table = _documents(found, top)
        meaning = _impacts(found, open_=table.columns[-1].name == "if relevant")
    else:
        table, meaning = _topics(found, top), _columns(found)
    return replace(
        table,
        caption=_caption(found, meaning),
        notes=(*said(found), *found.notices),
        document=lambda: found.to_dict(top),
    )


def _shown(each: Difference, top: int | None, usual: int) -> Rows:
    """Places of the topics to list: as many as were asked for, or a few of those that differ."""
    return each.by_impact[:top] if top else each.by_impact[: min(usual, each.wins + each.losses)]


def _topics(found: Diff, top: int | None) -> Table:
    several = len(found.scores) > 1
    a, b = _heads(found)
    columns = (
        *([Column("measure", whole=True)] * several),
        Column("topic", whole=True),
        Column(a, number=True, whole=True),
        Column(b, number=True, whole=True),
        Column("difference", number=True, whole=True),
        Column("in", number=True),
        Column("out", number=True),
        Column("unjudged", number=True),
        Column("open"),
        Column("because"),
    )
    rows = [(*([name] * several), *cells) for name, each in found.items() for cells in _topic_rows(found, each, top)]
    return Table(columns, tuple(rows))


def _topic_rows(found: Diff, each: Difference, top: int | None) -> Iterator[tuple[Cell, ...]]:
    places = _shown(each, top, TOPICS)
    records = each.records(places)
    for record, (place, documents) in zip(records, each.by_topic(places, unjudged=False), strict=True):
        yield (
            record["topic"],
            _score(record["a"]),
            _score(record["b"]),
            signed(float(each.differences[place])),
            record["entered"],
            record["left"],
            record["unjudged_entered"],
            _open(each, record["depends_on"].split()),
            reason(found, each, place, documents, most=1),
        )


def _open(each: Difference, reasons: list[str]) -> str:
    """What could put the other run ahead; with a question mark where it may not."""
    doubt = each.by_unjudged is not None and not each.by_unjudged.exact
    return ", ".join(reason + "?" * (doubt and reason == "unjudged") for reason in reasons)


def _documents(found: Diff, top: int | None) -> Table:
    several = len(found.scores) > 1
    a, b = _heads(found)
    columns = (
        *([Column("measure", whole=True)] * several),
        Column("topic", whole=True),
        Column("document", whole=True),
        Column("grade", number=True),
        Column(f"rank in {a}", number=True),
        Column(f"rank in {b}", number=True),
        Column("move", whole=True),
        Column(f"score in {a}", number=True),
        Column(f"score in {b}", number=True),
        Column("impact", number=True, whole=True),
        Column("if relevant", number=True),
    )
    rows = [
        (*([name] * several), each.topics[place], *cells)
        for name, each in found.items()
        for place, documents in each.by_topic(_shown(each, top, DOCUMENTED))
        for cells in _document_rows(each, place, documents)
    ]
    # Where everything is judged there is nothing to say about what is not.
    width = len(columns) - (not any(row[-1] for row in rows))
    return Table(columns[:width], tuple(row[:width] for row in rows))


def _document_rows(each: Difference, place: int, documents: list[Moved]) -> Iterator[tuple[Cell, ...]]:
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
    more = [f"{len(others)} more"] * bool(others) + ["the rest"] * (abs(deeper) >= 0.5 * 10**-DIGITS)
    if more:
        yield (f"({' and '.join(more)})", "", "", "", "", "", "", signed(rest), "")


def _heads(found: Diff) -> tuple[str, str]:
    """Names of the runs that fit above a column."""
    return ("A", "B") if max(len(found.a), len(found.b)) > LONGEST else (found.a, found.b)


def _score(value: float | None) -> Cell:
    return float("nan") if value is None else value


def _caption(found: Diff, meaning: str) -> str:
    heads = dict.fromkeys([f"A is {found.a}", f"B is {found.b}"]) if _heads(found) != (found.a, found.b) else ()
    less = "differences are {1} less {0}".format(*_heads(found))
    topics = counted(len(found.topics), "topic")
    return caption(topics, *heads, less, conventions=found.conventions.unusual(), meaning=meaning)


def _columns(found: Diff) -> str:
    return (
        f"largest first; in and out are documents that entered and left {_first(found)}, unjudged those that entered "
        "without a judgment, open is what could put the other run ahead"
    )


def _impacts(found: Diff, *, open_: bool) -> str:
    a, b = _heads(found)
    return (
        f"documents in {_first(found)} of either run; impact is what a document adds to the score of {b} less what it "
        f"adds to that of {a}, and adds up to the difference"
        + "; if relevant is how the difference would change if an unjudged document had the best grade"
        * open_
    )


def _first(found: Diff) -> str:
    return first(*(each.depth for each in found.values()))
