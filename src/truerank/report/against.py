"""Systems by lists cut against systems by whole lists, laid out; beside what the paper reports, if asked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from truerank.analysis.cuts.against import Against
from truerank.analysis.cuts.published import published_tau
from truerank.data.printing import counted
from truerank.report.percent import percent
from truerank.report.table import Cell, Column, Table

LEVELS = (0.001, 0.01)
"""Levels of significance that the paper counts at."""
_PAPER = {0.001: "87%", 0.01: "90%"}
_WORDS = ("collection", "whole", "cut", "run", "lists", "measure")


def against_table(found: Against, show: str | None = None, *, whole: bool = False, published: bool = False) -> Table:
    """A row a measure that lists are cut by, a column a measure of whole lists, tau in the cells.

    ``published`` puts the paper's averages below. For programs (``whole``) it is a row a pair of measures.
    """
    if whole or show in ("collections", "systems"):
        records = found.to_records(show or ("collections" if len(found.collections) > 1 else None))
        if published and show != "systems":
            records = [{**record, "paper": published_tau(record["whole"], record["cut"])} for record in records]
        table = Table.of_records(records, _WORDS)
    else:
        columns = (
            Column("cut by", whole=True),
            *([Column("tau")] if published else []),
            *(Column(full, number=True) for full in found.whole),
        )
        table = Table(columns, tuple(row for cut in found.cut for row in _rows(found, cut, published=published)))
    return replace(table, caption=_caption(found), notes=tuple(_notes(found, published)), document=found.to_dict)


def differences(found: Against, cut: str) -> list[float]:
    """By how much each tau is above the paper's, where it has one."""
    pairs = [(found.tau(full, cut), published_tau(full, cut)) for full in found.whole]
    return [here - there for here, there in pairs if there is not None and here == here]


def _rows(found: Against, cut: str, *, published: bool) -> list[tuple[Cell, ...]]:
    here = [_cell(found.tau(full, cut)) for full in found.whole]
    if not published:
        return [(cut, *here)]
    there = [published_tau(full, cut) for full in found.whole]
    paper: list[tuple[Cell, ...]] = [("", "paper", *map(_cell, there))] if any(one is not None for one in there) else []
    return [(cut, "here", *here), *paper]


def _cell(tau: float | None) -> Cell:
    if tau is None:
        return None
    return f"{tau:.2f}" if tau == tau else "undefined"


def _caption(found: Against) -> str:
    several = len(found.collections) > 1
    of = [f"{f'{name}: ' * several}{counted(len(cuts), 'system')}" for name, cuts in found.collections.items()]
    mean = f"mean over {len(found.collections)} collections of " * several
    said = "Kendall's tau-a between systems by whole lists (columns) and by lists at their best length (rows)"
    return f"{', '.join(of)}; {mean}{said}"


def _notes(found: Against, published: bool) -> list[str]:
    said = [*found.notices]
    if all(one.p != one.p for one in found.taus):
        return said
    for level in LEVELS:
        paper = f" (in the paper {_PAPER[level]})" * published
        said.append(f"{percent(found.significant(level))} of the taus are significant at {level:g}{paper}")
    gap = max((abs(one.tau - one.tau_b) for one in found.taus if one.tau_b == one.tau_b), default=0.0)
    said.append(f"tau-b, which corrects for ties, differs from tau-a by {gap:.2g} at most")
    if published:
        said += [_apart(found, cut) for cut in found.cut if differences(found, cut)]
        if other := ", ".join(cut for cut in found.cut if not differences(found, cut)):
            said.append(f"the paper has no tau of {other} with these measures of whole lists")
    return said


def _apart(found: Against, cut: str) -> str:
    apart: list[Any] = differences(found, cut)
    mean = sum(map(abs, apart)) / len(apart)
    return f"{cut}: {mean:.2f} from the paper's taus on average, {min(apart):+.2f} to {max(apart):+.2f}"
