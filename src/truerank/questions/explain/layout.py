"""The worked table of scores as people see it: a row a document, stretches without gain in one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from truerank.data.printing import counted
from truerank.questions.explain.words import NOTHING, is_whole
from truerank.report.digits import ranks
from truerank.report.table import Cell, Column, Table

if TYPE_CHECKING:
    from truerank.questions.explain.question import ScoreExplanation, Step

SHORT = 20
"""Lists up to this length are shown whole."""
STRETCH = 4
"""Documents without gain in a row from which on they share a line."""
LONGEST = 10
"""Lines past which the rest of a list shares one, if no other number is asked for."""
FIRST = 10
"""Lines past which the rest shares one if it adds nothing that can be seen."""
_SPECIAL = {"terminal": "(the end of the list)", "missing": "(documents not in the list)"}
_COLUMNS = {
    "weight": ("gain", "weight"),
    "precision": ("gain", "seen", "precision"),
    "ratio": ("gain", "seen", "weight", "ratio"),
    "weight x reached": ("stops", "reached", "weight"),
    "share": ("gain", "share"),
    "others below": ("gain", "others below"),
    "lost": ("pairs", "lost"),
}
"""What a person sees of a step, by the name of its factor."""
_FIELDS = {
    "gain": "gain",
    "stops": "gain",
    "pairs": "gain",
    "weight": "weight",
    "seen": "seen",
    "reached": "reached",
    "cost": "cost",
}
"""Columns that have another field of a step than its factor."""
_COUNTED = ("gain", "pairs", "seen")
"""Columns in which whole numbers are counts."""
_MINOR = {"gain": 6, "reached": 5, "weight": 4, "stops": 3, "seen": 2, "grade": 0, "contribution": 0, "score": 0}
"""Columns that a narrow screen goes without, the largest first: what the grade tells, or the factor made of them."""
_MEANING = {
    "seen": "what has been found down to the document",
    "precision": "what has been found over the rank",
    "ratio": "seen x weight",
    "stops": "the chance that the reader stops there",
    "reached": "the chance that the reader comes this far",
    "share": "judged documents without relevance that are not above it",
    "others below": "share of the documents without relevance that stand below it",
    "pairs": "preferences for the document",
    "lost": "share of them that the list violates",
    "cost": "of reading the document",
}
"""What columns hold, where their names do not say."""


@dataclass(frozen=True)
class Fold:
    """Steps that share a line."""

    steps: Sequence[Step]
    words: str


def worked(explained: Sequence[ScoreExplanation], *, every: bool, top: int | None = None) -> Table:
    """A row per document of each measure, ``top`` of them; ``every`` shows all."""
    several, used = len(explained) > 1, _used(explained)
    columns = [
        Column("rank", number=True, whole=True),
        Column("document"),
        *(
            Column(name, number=True, whole=True, minor=_MINOR.get(name, 1), key=_key(name))
            for name in ("grade", *used, "contribution", "score")
        ),
    ]
    lines = [(one, line) for one in explained for line in _lines(one, every=every, top=top)]
    rows = [(one.measure, *_cells(one, line, used)) for one, line in lines]
    there = sum(step.first is None or step.first <= one.depth for one in explained for step in one.found)
    shown = sum(bool(line.relevant) for _, line in lines if not isinstance(line, Fold))
    few = f"{shown:,} of {counted(there, 'relevant document')} shown: --top {there:,}, or --all for every rank"
    hidden = few if shown < there else ""
    if several:
        return Table((Column("measure", whole=True), *columns), tuple(rows), hidden=hidden)
    return Table(tuple(columns), tuple(row[1:] for row in rows), hidden=hidden)


def _key(name: str) -> str:
    """What a column holds, where its name does not say."""
    return f"{name}: {_MEANING[name]}" if name in _MEANING else ""


def _used(explained: Sequence[ScoreExplanation]) -> list[str]:
    return list(dict.fromkeys(name for one in explained for name in _columns(one)))


def _columns(one: ScoreExplanation) -> list[str]:
    own = [*_COLUMNS.get(one.named, ("gain",))]
    return [*own, "cost"] if any(step.cost is not None and step.cost > 0 for step in one.steps) else own


def _lines(one: ScoreExplanation, *, every: bool, top: int | None) -> Iterator[Step | Fold]:
    """Steps and stretches of them; what stands in the table."""
    if every or (len(one.steps) <= SHORT and not top):
        yield from one.steps
        return
    documents = [step for step in one.steps if step.kind == "document"]
    last = _last(one, documents)
    while 0 < last < len(documents) and documents[last].first == documents[last - 1].first:
        last += 1  # A tie group is not torn apart.
    parts = [(gain, list(some)) for gain, some in groupby(documents[:last], key=lambda step: bool(step.gain))]
    lines = [line for gain, some in parts for line in (some if gain else _stretch(some))]
    lines = lines[: top or LONGEST]
    shown = sum(len(line.steps) if isinstance(line, Fold) else 1 for line in lines)
    yield from (step for step in one.steps if step.kind == "start")
    yield from lines
    yield from _rest(one, documents[shown:])
    yield from (step for step in one.steps if step.kind not in ("start", "document"))


def _last(one: ScoreExplanation, documents: list[Step]) -> int:
    """How many documents are worth a look: within the depth, and down to where the rest adds nothing to be seen."""
    within = sum(step.first is not None and step.first <= one.depth for step in documents)
    left = 0.0
    for count in range(within, FIRST, -1):
        left += abs(documents[count - 1].contribution)
        if left >= NOTHING:
            return count
    return within if not any(step.contribution for step in documents) else min(within, FIRST)


def _stretch(steps: list[Step]) -> Iterator[Step | Fold]:
    if len(steps) < STRETCH:
        yield from steps
        return
    unjudged, some = sum(not step.judged for step in steps), ""
    if unjudged:
        some = ", all unjudged" if unjudged == len(steps) else f", {unjudged} of them unjudged"
    yield Fold(steps, f"({len(steps)} documents without gain{some})")


def _rest(one: ScoreExplanation, steps: list[Step]) -> Iterator[Step | Fold]:
    """What is not shown: all of it without gain, or past the cutoff, or more of the same."""
    if not any(step.relevant for step in steps):
        yield from _stretch(steps)
        return
    relevant = sum(bool(step.relevant) for step in steps)
    beyond = steps[0].first is not None and steps[0].first > one.depth
    yield Fold(steps, f"({len(steps)} {'past the cutoff' if beyond else 'more'}, {relevant} of them relevant)")


def _cells(one: ScoreExplanation, line: Step | Fold, names: list[str]) -> Iterator[Cell]:
    if isinstance(line, Fold):
        first, last = line.steps[0], line.steps[-1]
        yield ranks((first.first or 0, last.last or 0))
        yield line.words
        yield from [None] * (len(names) + 1)
        yield _seen(sum(step.contribution for step in line.steps))
        yield last.score
        return
    yield "" if line.first is None or line.last is None else ranks((line.first, line.last))
    start = "(silence)" if one.how == "information" else "(nothing found)"
    yield line.doc if line.doc is not None else _SPECIAL.get(line.kind, start)
    yield _grade(line)
    for name in names:
        yield _cell(one, line, name)
    yield _seen(line.contribution)
    yield line.score


def _seen(value: float) -> float:
    """A contribution, without a sign where no digit of it is seen."""
    return value if abs(value) >= NOTHING else abs(value)


def _cell(one: ScoreExplanation, line: Step, name: str) -> Cell:
    if name not in _columns(one):
        return None
    value: float | None = getattr(line, _FIELDS.get(name, "factor"))
    return round(value) if value is not None and name in _COUNTED and is_whole(value) else value


def _grade(line: Step) -> Cell:
    if line.kind != "document":
        return None
    return "unjudged" if not line.judged else None if line.grade is None else f"{line.grade:g}"
