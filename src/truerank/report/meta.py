"""Measures compared, laid out: a summary with ranks, each criterion in full, and what it means in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from truerank.analysis.criteria.merits import CRITERIA
from truerank.analysis.criteria.published import COVERAGE
from truerank.analysis.criteria.results import Meta
from truerank.data.printing import counted
from truerank.report.captions import caption
from truerank.report.meta_words import said
from truerank.report.table import Cell, Column, Table
from truerank.statistics.kendall import kendall_b

_WORDS = ("measure", "other", "run")
_BRIEF = {
    "summary": ("measure", *CRITERIA, "tau", "mean_rank"),
    "swap": ("measure", "needed", "sensitivity", "tau_halves", "tau_full", "minority", "fuzzy_minority", "fuzzy_ties"),
}
"""What a person reads of it."""
_BEST = {**CRITERIA, "mean_rank": "low", "tau_full": "high"}
_MEANING = {
    "summary": "each criterion and the mean rank by all of them; tau is the mean of tau-a with the other measures",
    "tau": "Kendall's tau-a between the orders of runs by two measures; those that agree stand near each other",
    "discrimination": "share of pairs of runs that differ; the difference with which all would (needed), half would "
    "(typical), the smallest that does and the largest that does not (missed)",
    "asl": "p-values of pairs of runs, largest first, by the percentage of pairs before them",
    "swap": "the difference on half of the topics that at most one in twenty reverses on the other half (needed), the "
    "share of such (sensitivity), tau between halves and extrapolated to all topics; on topics drawn anew, the share "
    "of comparisons against the majority (minority), also with small differences as ties (fuzzy)",
    "bins": "differences on half of the topics, and how many are reversed on the other half",
    "coverage": "Spearman's rho of differences with unanimous improvements, over all pairs of topics and sampled",
    "uir": "Unanimous Improvement Ratio of one run over another",
}


def meta_table(found: Meta, show: str | None = None, *, whole: bool = False, published: bool = False) -> Table:
    """A row a measure, or what ``show`` says; ``whole`` has all there is, for programs.

    With ``published``, coverage stands beside that of Amigó, Mizzaro & Spina (2022).
    """
    show = show or ("coverage" if published else "summary")
    return replace(
        _matrix(found) if show == "tau" and not whole else _records(found, show, whole, published),
        caption=_caption(found, show),
        notes=(*said(found, show), *(_beside(found) if published else ()), *found.notices),
        document=lambda: document(found, published=published),
    )


def document(found: Meta, *, published: bool = False) -> dict[str, Any]:
    """Everything, in the terms of JSON."""
    return {**found.to_dict(), **({"published": {"coverage": COVERAGE}} if published else {})}


def _records(found: Meta, show: str, whole: bool, published: bool) -> Table:
    records = found.to_records(show)
    if show in _BRIEF and not whole:
        records = [{name: record[name] for name in _BRIEF[show]} for record in records]
    if show == "coverage" and published:
        records = [{**record, "paper": COVERAGE.get(record["measure"])} for record in records]
    if not whole:
        records = [{name: _cell(name, value) for name, value in record.items()} for record in records]
    return Table.of_records(records, _WORDS, best=_BEST)


def _cell(name: str, value: Cell) -> Cell:
    return f"{value:.1f}" if name == "mean_rank" and value == value else value


def _matrix(found: Meta) -> Table:
    """Half of a matrix; columns have the numbers of rows, for names would not fit."""
    order, names = found.correlations.order.tolist(), found.measures
    columns = (Column("measure", whole=True), *(Column(str(n), number=True, whole=True) for n in range(1, len(order))))
    rows = [
        (
            f"{n + 1} {names[place]}",
            *(_short(found.correlations.tau[place, other]) for other in order[:n]),
            *[None] * (len(order) - 1 - n),
        )
        for n, place in enumerate(order)
    ]
    return Table(columns, tuple(rows))


def _short(tau: float) -> str:
    """Two decimals without a zero before them: there are many."""
    return f"{tau:.2f}".replace("0.", ".", 1)


def _beside(found: Meta) -> list[str]:
    """How coverage compares with the paper's."""
    both = {name: COVERAGE[name] for name in found.measures if name in COVERAGE}
    if len(both) < 2:
        return [f"the paper has {', '.join(COVERAGE)}"]
    here = [found[name].coverage for name in both]
    if any(one != one for one in here):
        return []
    tau = kendall_b([round(one, 12) for one in here], [*both.values()])
    lower, upper = min(here), max(here)
    return [
        f"coverage of {len(both)} measures from {lower:.3f} to {upper:.3f} here, from {min(both.values()):.3f} to "
        f"{max(both.values()):.3f} in the paper, which has the mean over nine TREC collections; tau-b between both "
        f"orders of measures {tau:.2f}"
    ]


def _caption(found: Meta, show: str) -> str:
    settings = found.settings
    parts = [counted(len(found.systems), "run"), counted(len(found.topics), "topic")]
    if settings.depth:
        parts.append(f"lists cut at {settings.depth}")
    if show in ("summary", "coverage", "uir"):
        parts.append(f"reference {' '.join(map(str, found.reference))}")
    if show in ("summary", "swap", "bins"):
        parts.append(f"{settings.splits:,} splits, seed {settings.seed}")
    return caption(*parts, conventions=found.conventions.unusual(), meaning=_MEANING[show])
