"""The worked table of a score, laid out: formula above, a row a document, what would change it below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from truerank.analysis.explaining.explained import Explained
from truerank.analysis.explaining.results import Explanation
from truerank.analysis.explaining.steps import Step
from truerank.report.captions import caption
from truerank.report.digits import ranks
from truerank.report.explain_formula import NOTHING, header, is_whole
from truerank.report.explain_words import MEANING, said
from truerank.report.table import Cell, Column, Table

SHORT = 20
"""Lists up to this length are shown whole."""
STRETCH = 4
"""Documents without gain in a row from which on they share a line."""
LONGEST = 40
"""Lines past which the rest of a list shares one."""
FIRST = 10
"""Lines past which the rest shares one if it adds nothing that can be seen."""
_WORDS = ("measure", "kind", "doc", "change", "other")
_RECORDS = {
    "steps": ("measure", *Step.__dataclass_fields__),
    "changes": ("measure", "change", "doc", "other", "first", "last", "low", "high"),
}
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
_FIELDS = {"gain": "gain", "stops": "gain", "pairs": "gain", "weight": "weight", "seen": "seen", "reached": "reached"}

_COUNTED = ("gain", "pairs", "seen")
"""Columns in which whole numbers are counts."""


@dataclass(frozen=True)
class _Fold:
    """Steps that share a line."""

    steps: Sequence[Step]
    words: str


def explanation_table(
    found: Explanation, show: str | None = None, *, whole: bool = False, every: bool = False
) -> Table:
    """A row a document, or a change; ``every`` shows all rows, ``whole`` has all there is, for programs."""
    records = show == "changes" or whole
    columns, rows = _records(found, show or "steps") if records else _worked(found, every=every)
    return Table(
        columns,
        rows,
        caption=_caption(found, show),
        notes=(*said(found), *found.notices),
        document=found.to_dict,
        lead=tuple(line for name, one in found.items() for line in header(name, one)),
    )


_Parts = tuple[tuple[Column, ...], tuple[tuple[Cell, ...], ...]]


def _records(found: Explanation, show: str) -> _Parts:
    names = _RECORDS[show]
    columns = tuple(Column(name, number=name not in _WORDS, whole=name in _WORDS) for name in names)
    return columns, tuple(tuple(record[name] for name in names) for record in found.to_records(show))


def _worked(found: Explanation, *, every: bool) -> _Parts:
    several = len(found) > 1
    used = dict.fromkeys(name for one in found.values() for name in _columns(one))
    columns = (
        *([Column("measure", whole=True)] * several),
        Column("rank", number=True, whole=True),
        Column("document"),
        *(Column(name, number=True, whole=True) for name in ("grade", *used, "contribution", "score")),
    )
    rows = [
        (*([name] * several), *_cells(one, line, [*used]))
        for name, one in found.items()
        for line in _lines(one, every=every)
    ]
    return columns, tuple(rows)


def _columns(one: Explained) -> list[str]:
    cost = any(step.cost is not None and step.cost > 0 for step in one.steps)
    return [*_COLUMNS.get(one.named, ("gain",)), *(["cost"] * cost)]


def _lines(one: Explained, *, every: bool) -> Iterator[Step | _Fold]:
    """Steps and stretches of them; what stands in the table."""
    if every or len(one.steps) <= SHORT:
        yield from one.steps
        return
    documents = [step for step in one.steps if step.kind == "document"]
    last = _last(one, documents)
    while 0 < last < len(documents) and documents[last].first == documents[last - 1].first:
        last += 1  # A tie group is not torn apart.
    parts = [(gain, list(some)) for gain, some in groupby(documents[:last], key=_gains)]
    lines = [line for gain, some in parts for line in (some if gain else _stretch(some))][:LONGEST]
    shown = sum(len(line.steps) if isinstance(line, _Fold) else 1 for line in lines)
    yield from (step for step in one.steps if step.kind == "start")
    yield from lines
    yield from _rest(one, documents[shown:])
    yield from (step for step in one.steps if step.kind not in ("start", "document"))


def _gains(step: Step) -> bool:
    return bool(step.gain)


def _last(one: Explained, documents: list[Step]) -> int:
    """How many documents are worth a look: within the depth, and down to where the rest adds nothing to be seen."""
    within = sum(step.first is not None and step.first <= one.depth for step in documents)
    left = 0.0
    for count in range(within, FIRST, -1):
        left += abs(documents[count - 1].contribution)
        if left >= NOTHING:
            return count
    return within if not any(step.contribution for step in documents) else min(within, FIRST)


def _stretch(steps: list[Step]) -> Iterator[Step | _Fold]:
    if len(steps) < STRETCH:
        yield from steps
        return
    unjudged = sum(not step.judged for step in steps)
    some = f", {unjudged} of them unjudged" if unjudged < len(steps) else ", all unjudged"
    yield _Fold(steps, f"({len(steps)} documents without gain{some * bool(unjudged)})")


def _rest(one: Explained, steps: list[Step]) -> Iterator[Step | _Fold]:
    """What is not shown: all of it without gain, or past the cutoff, or more of the same."""
    if not any(step.relevant for step in steps):
        yield from _stretch(steps)
        return
    relevant = sum(bool(step.relevant) for step in steps)
    beyond = steps[0].first is not None and steps[0].first > one.depth
    yield _Fold(steps, f"({len(steps)} {'past the cutoff' if beyond else 'more'}, {relevant} of them relevant)")


def _cells(one: Explained, line: Step | _Fold, names: list[str]) -> Iterator[Cell]:
    if isinstance(line, _Fold):
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


def _cell(one: Explained, line: Step, name: str) -> Cell:
    if name not in _columns(one):
        return None
    value: float | None = getattr(line, _FIELDS.get(name, "cost" if name == "cost" else "factor"))
    return round(value) if value is not None and name in _COUNTED and is_whole(value) else value


def _grade(line: Step) -> Cell:
    if line.kind != "document":
        return None
    return "unjudged" if not line.judged else None if line.grade is None else f"{line.grade:g}"


def _caption(found: Explanation, show: str | None) -> str:
    meaning = "where the score could be, from low to high"
    if show != "changes":
        used = dict.fromkeys(name for one in found.values() for name in _columns(one))
        meaning = "; ".join(f"{name}: {MEANING[name]}" for name in used if name in MEANING)
    counts = (f"run {found.run}", f"topic {found.topic}")
    return caption(*counts, conventions=found.conventions.unusual(), meaning=meaning)
