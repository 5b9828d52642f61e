"""Scores at every depth, laid out: the curves, how stable they are, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence

from truerank.analysis.depths.curves import Curves
from truerank.analysis.depths.stability import Stability
from truerank.data.printing import counted
from truerank.report.captions import caption
from truerank.report.percent import percent
from truerank.report.table import Cell, Column, Table

SHOWN = (10, 100)
"""Depths whose numbers are shown."""
BRIEF = ("tau", "discrimination", "overturned")
FULL = ("tau", "tau_b", "tau_ap", "tau_previous", "change", "discrimination", "overturned", "lost")
"""Numbers of a depth, for people and for programs."""


def curves_table(curves: Sequence[Curves], *, every: bool) -> Table:
    """One row a run, measure and depth; without ``every`` at a few depths only."""
    columns = (
        Column("run"),
        Column("measure"),
        Column("unjudged"),
        Column("depth", number=True),
        Column("value", number=True),
    )
    rows: list[tuple[Cell, ...]] = [
        (record["run"], record["measure"], one.conventions.unjudged, record["depth"], record["value"])
        for one in curves
        for record in one.to_records("all" if every else "checkpoints")
    ]
    return Table(
        columns,
        tuple(rows),
        caption=_caption(curves[0]),
        notes=curves[0].notices,
        document=lambda: {one.conventions.unjudged: one.to_dict() for one in curves},
    )


def stability_table(curves: Sequence[Curves], found: Sequence[Sequence[Stability]], *, full: bool) -> Table:
    """One row a measure, the most stable first, with what it means in words below; ``full`` has every number."""
    last = curves[0].max_depth
    names = FULL if full else BRIEF
    shown = [(name, depth) for depth in SHOWN if depth < last for name in names]
    columns = [
        Column("measure"),
        Column("unjudged"),
        Column("settled", number=True, whole=True),
        Column("mean tau", number=True),
        *(Column(f"{name}@{depth}", number=True) for name, depth in shown),
        Column(f"discrimination@{last}", number=True),
        Column("crossings", number=True, whole=True),
    ]
    rows: list[tuple[Cell, ...]] = [
        (
            each.measure,
            one.conventions.unjudged,
            each.settled,
            each.mean_tau,
            *(each.at(depth)[name] for name, depth in shown),
            float(each.discrimination[-1]),
            int(each.crossings.sum()),
        )
        for one, stabilities in zip(curves, found, strict=True)
        for each in stabilities
    ]
    said = [text for one, stabilities in zip(curves, found, strict=True) for text in advice(one, stabilities)]
    return Table(
        tuple(columns),
        tuple(rows),
        caption=_caption(curves[0]),
        notes=(*curves[0].notices, *said),
        document=lambda: _document(curves, found),
    )


def advice(curves: Curves, found: Sequence[Stability]) -> list[str]:
    """How deep to evaluate, by measure, in words."""
    return [_advice(curves, one) for one in found]


def _advice(curves: Curves, one: Stability) -> str:
    last, pool, enough = curves.max_depth, curves.pool_depth, one.enough
    condensed = " (condensed)" if curves.conventions.unjudged == "condensed" else ""
    text = f"{one.measure}{condensed}: from depth {one.settled} on the ordering agrees with that at {last} by tau "
    text += f"{1 - one.within:g} or more; "
    if enough < last:
        reversed_ = one.at(enough)["overturned"]
        text += f"evaluate to depth {enough}"
        text += f", where {percent(reversed_)} of significant findings are reversed at {last}" if reversed_ > 0 else ""
    else:
        text += "no shallower depth will do"
    if pool is not None and enough > pool:
        text += f" (past the pool depth {pool}, where much is unjudged)"
    return text


def _document(curves: Sequence[Curves], found: Sequence[Sequence[Stability]]) -> dict[str, object]:
    return {
        "curves": {one.conventions.unjudged: one.to_dict() for one in curves},
        "stability": {
            one.conventions.unjudged: {
                each.measure: {
                    "settled": each.settled,
                    "within": each.within,
                    "alpha": each.alpha,
                    "mean_tau": each.mean_tau,
                    "checkpoints": each.to_records(),
                    "tau": each.tau.tolist(),
                    "tau_previous": each.tau_previous.tolist(),
                    "crossings": each.crossings.tolist(),
                    "change": each.change.tolist(),
                }
                for each in stabilities
            }
            for one, stabilities in zip(curves, found, strict=True)
        },
        "notices": [*curves[0].notices, *advice(curves[0], found[0])] if found else list(curves[0].notices),
    }


def _caption(curves: Curves) -> str:
    pool = "no pool to be seen" if curves.pool_depth is None else f"pool depth {curves.pool_depth}"
    return caption(
        counted(len(curves), "run"),
        counted(len(curves.topics), "topic"),
        f"depths 1 to {curves.max_depth}",
        pool,
        conventions=curves.conventions.unusual("ties", apart=["unjudged"]),
    )
