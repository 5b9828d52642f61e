"""Lists side by side, as a part of a page: the first ranks of a baseline and of others, grades, and what moved."""

from __future__ import annotations

from collections.abc import Sequence

from truerank.questions.diff.question import Diff, DiffDocument
from truerank.questions.diff.words import grade, move
from truerank.questions.explain.question import Explanation, ScoreExplanation
from truerank.questions.explain.words import header
from truerank.report.digits import ranks
from truerank.report.pages.section import LEVELS, Listing, PageCell, Shade, level
from truerank.report.table import Column

DEPTH = 10
"""Ranks that are shown side by side."""


DARKEST = 4
"""The colour of the highest grade, on which text has that of the page."""


class SideBySide:
    """Lists of a baseline and of other runs on every topic, from how each of these differs from the baseline.

    Where there is one run, it is the difference from itself that its lists are taken from.
    """

    def __init__(self, found: Sequence[Diff], runs: Sequence[str], measure: str, every: int) -> None:
        self.runs = tuple(runs)
        self.measure = measure
        some = f"{len(self.runs)} of {every} lists, the baseline's and the best others'"
        self._of = some if every > len(self.runs) else "each list"
        self._found = [
            {
                each[measure].topics[place]: documents
                for place, documents in each[measure].by_topic(each[measure].by_impact, unjudged=False).items()
            }
            for each in found
        ]

    def listing(self, topic: str, name: str, top_grade: float) -> Listing | None:
        """The lists of a topic; nothing where a run has it left out."""
        if not all(topic in each for each in self._found):
            return None
        first = _listed(self._found[0][topic], "a")
        others = [_listed(each[topic], "b") for each in self._found[: len(self.runs) - 1]]
        rows: list[tuple[PageCell, ...]] = []
        for place in range(max(map(len, (first, *others)))):
            cells: list[PageCell] = [place + 1]
            for side, documents in (("a", first), *(("b", other) for other in others)):
                cells += _cells(documents[place], side, top_grade) if place < len(documents) else [None] * _WIDTH[side]
            rows.append(tuple(cells))
        columns = [Column("rank", number=True)]
        for run, side in zip(self.runs, ("a", *("b" for _ in others)), strict=True):
            columns += [Column(run), Column("grade"), Column("adds", number=True)]
            if side == "b":
                columns.append(Column("moved"))
        return Listing(
            name=name,
            caption=f"The first {DEPTH} documents of {self._of}, with grades and what each adds to {self.measure}"
            + (f"; moved is against {self.runs[0]}" if others else ""),
            columns=tuple(columns),
            rows=rows,
            sortable=False,
        )


_WIDTH = {"a": 3, "b": 4}


def _listed(documents: Sequence[DiffDocument], side: str) -> list[DiffDocument]:
    """The documents in the first ranks of a list, from the top down; tied ones by their ids."""
    inside = [one for one in documents if (_ranks(one, side) or (DEPTH + 1, 0))[0] <= DEPTH]
    return sorted(inside, key=lambda one: (_ranks(one, side), one.doc))


def _ranks(one: DiffDocument, side: str) -> tuple[int, int] | None:
    return one.ranks_a if side == "a" else one.ranks_b


def _cells(one: DiffDocument, side: str, top_grade: float) -> list[PageCell]:
    at = _ranks(one, side)
    tied = at is not None and at[0] != at[1]
    adds = one.adds_a if side == "a" else one.adds_b
    shade = None
    if one.judged and one.grade is not None:
        shade = (level(max(one.grade, 0.0), 0.0, top_grade or 1.0) or 0) * DARKEST // (LEVELS - 1)
    cells: list[PageCell] = [
        f"{one.doc} (tied, {ranks(at)})" if tied else one.doc,
        Shade(grade(one), shade),
        f"{adds:.3f}" if adds else "",
    ]
    if side == "b":
        cells.append(_moved(one))
    return cells


def _moved(one: DiffDocument) -> str:
    """Where it was in the other list."""
    if one.ranks_a is None:
        return "new"
    return f"from {ranks(one.ranks_a)}" if one.status == "entered" else move(one)


def formulas(found: Explanation) -> tuple[str, ...]:
    """For each measure, the formula with the numbers of a list put in."""
    return tuple(f"{found.run}: {_put_in(one)}" for one in found.explained)


def _put_in(one: ScoreExplanation) -> str:
    if one.undefined:
        return f"{one.measure} is undefined {one.undefined}"
    last = header(one)[-1]
    # Without a gain there is nothing to put in, and the line before says what the letters stand for.
    return (
        last if last.startswith(f"{one.measure} = ") and last != header(one)[0] else f"{one.measure} = {one.score:.4f}"
    )
