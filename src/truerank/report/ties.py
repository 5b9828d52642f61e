"""What ties do, laid out: runs, usual orders, pairs that can swap, and a summary in words."""

from __future__ import annotations

from typing import Any

from truerank.analysis.tied.results import Ties
from truerank.data.printing import counted
from truerank.report.captions import caption
from truerank.report.table import DIGITS, Cell, Table

SHOWN = 20
"""Pairs of a measure that a person reads."""
_WORDS = ("measure", "run", "better", "worse", "order", "reversed_by", "extremes")
_PAIR = ("measure", "better", "worse", "difference", "ahead", "reversed_by")
_NAMED = {"docid": "the order of trec_eval, docid,"}


def ties_table(ties: Ties, show: str | None = None, *, whole: bool = False) -> Table:
    """A row a run and measure, an order of ties or a pair that can swap; ``whole`` has all there is, for programs."""
    records = ties.to_records(show)
    by_run = show in (None, "runs")
    if show == "pairs" and not whole:
        records = [r for measure in ties.measures for r in [r for r in records if r["measure"] == measure][:SHOWN]]
    if by_run and not whole:
        records = [_brief(record) for record in records]
    best = ""
    if len(ties.wanted) == 1:
        best = "high" if ties.wanted[0].higher_is_better else "low"
    return Table.of_records(
        records,
        _WORDS,
        names=_PAIR,
        best={"expected": best},
        caption=_caption(ties, explained=by_run and not whole),
        notes=(*said(ties), *ties.notices),
        document=ties.to_dict,
    )


def said(ties: Ties) -> list[str]:
    """What there is to know, in words."""
    lists = sum(run.counts.topics for run in ties.values())
    tied = sum(run.counts.tied_topics for run in ties.values())
    some, most = len(ties.tied_runs), len(ties.mostly_tied)
    lines = [
        f"{some} of {counted(len(ties), 'run')} {'has' if some == 1 else 'have'} ties, {most} in more than half of the "
        f"documents; {tied} of {lists} lists have ties"
    ]
    for measure in ties.measures:
        lines += [*_swaps(ties, measure), *_strays(ties, measure)]
        if searched := sum(run[measure].sampled for run in ties.values()):
            lines.append(
                f"{measure}: worst and best are those of a sample of orders for {counted(searched, 'run')}, "
                "so that more pairs may swap than were found"
            )
    return lines


def _swaps(ties: Ties, measure: str) -> list[str]:
    pairs = ties.strict_pairs(measure)
    found = [swap for swap in ties.swaps if swap.measure == measure]
    if not pairs:
        return []
    if not found:
        return [f"{measure}: no order of ties makes runs swap places"]
    top = found[0]
    return [
        f"{measure}: {len(found)} of {pairs} pairs of runs can swap by the order of ties alone; farthest apart "
        f"{top.better} ({ties[top.better][measure].expected:.{DIGITS}f}) and "
        f"{top.worse} ({ties[top.worse][measure].expected:.{DIGITS}f}), which can be {top.ahead:.{DIGITS}f} ahead"
    ]


def _strays(ties: Ties, measure: str) -> list[str]:
    found = [stray for stray in ties.strays if stray.measure == measure and abs(stray.difference) >= 0.5 * 10**-DIGITS]
    moved = [
        f"{_NAMED.get(stray.order, stray.order)} moves {stray.run} by {stray.difference:+.{DIGITS}f}"
        + f" and turns {counted(stray.reversed, 'pair')} around" * bool(stray.reversed)
        for stray in found
    ]
    return [f"{measure}: {'; '.join(moved)}"] if moved else []


def _brief(record: dict[str, Any]) -> dict[str, Cell]:
    """The columns that a person looks at, with shares for counts."""
    shares = {
        name: record[f"tied_{whole}"] / max(record[whole], 1)
        for name, whole in (("tied", "documents"), ("topics", "topics"), ("judged", "judged"))
    }
    at = {f"at {name.partition('@')[2]}": record[name] for name in record if name.startswith("straddling@")}
    scores = {name: record[name] for name in ("expected", "worst", "best", "docid", "input")}
    return {"measure": record["measure"], "run": record["run"], **shares, **at, **scores}


def _caption(ties: Ties, *, explained: bool) -> str:
    meaning = "shares of documents that are tied, of topics with ties, of judged documents in ties, and topics where "
    meaning += "ties straddle a cutoff"
    return caption(
        counted(len(ties), "run"),
        counted(len(ties.topics), "topic"),
        conventions=ties.conventions.unusual(apart=["ties"]),
        meaning=meaning * explained,
    )
