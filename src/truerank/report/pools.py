"""Pools, and what systems lose by being left out of them, laid out."""

from __future__ import annotations

from truerank.analysis.pooling.losses import LeaveOut, Loss
from truerank.analysis.pooling.pools import Contribution, Pools
from truerank.data.printing import counted
from truerank.report.captions import caption
from truerank.report.table import Cell, Column, Table, plain

MANY = 10
"""Losses by one measure that people are shown before the others are only counted."""


def pools_table(found: Pools, *, whole: bool = False) -> Table:
    """A row a run: those that contributed first, and of these the one with most relevant documents of its own.

    For people it is in a few columns, and for programs ``whole``, with the names of the fields.
    """
    pool = (
        "no pool" if found.depth is None else f"pool of {counted(len(found.contributors), 'run')}, {found.depth} deep"
    )
    runs = sorted(found.values(), key=_part)
    cells = [_fields(run) if whole else _brief(run, found.depth) for run in runs]
    return Table(
        columns=tuple(_column(name, value) for name, value in cells[0].items()) if cells else (),
        rows=tuple(tuple(row.values()) for row in cells),
        caption=f"{counted(found.topics, 'topic')}, {counted(found.judgments, 'judgment')}, ties {found.ties}, {pool}: "
        f"{found.certainty}",
        notes=(*found.sentences, *found.notes),
        document=found.to_dict,
    )


def losses_table(found: LeaveOut, *, whole: bool = False) -> Table:
    """A row a system and measure, the largest loss first; for people the largest losses only, in fewer columns."""
    chosen = [found.of(one.measure, one.unjudged) for one in found.summaries]
    losses = [loss for some in chosen for loss in (some if whole else some[:MANY])]
    cut = sum(map(len, chosen)) - len(losses)
    smaller = f"{counted(cut, 'smaller loss', 'smaller losses')} {'is' if cut == 1 else 'are'} not shown"
    more = (f"{smaller}; --format tsv lists them",) * bool(cut)
    cells = [_moved(loss, whole=whole) for loss in losses]
    if found.by == "run":
        cells = [{name: cell for name, cell in row.items() if name != "group"} for row in cells]
    return Table(
        columns=tuple(_column(name, value) for name, value in cells[0].items()) if cells else (),
        rows=tuple(tuple(row.values()) for row in cells),
        caption=caption(
            f"{counted(len(found.groups), found.by)} left out in turn",
            f"pool {found.depth} deep",
            conventions=found.conventions.unusual("ties", apart=["unjudged"]),
        ),
        notes=(*found.sentences, *more, *found.notices),
        document=found.to_dict,
    )


def _fields(run: Contribution) -> dict[str, Cell]:
    names = ("run", "contributes", "judged_to", "to_end", "judged_pool", "judged_10", "judged_100")
    return {name: plain(getattr(run, name)) for name in (*names, "unique", "unique_relevant")}


def _brief(run: Contribution, depth: int | None) -> dict[str, Cell]:
    shares = {10: run.judged_10, 100: run.judged_100} | ({} if depth is None else {depth: run.judged_pool})
    return {
        "run": run.run,
        "contributes": plain(run.contributes),
        "judged to": f"{run.judged_to} (end)" if run.to_end else run.judged_to,
        **{f"Judged@{at}": shares[at] for at in sorted(shares)},
        "unique": run.unique,
        "relevant": run.unique_relevant,
    }


def _moved(loss: Loss, *, whole: bool) -> dict[str, Cell]:
    if whole:
        names = ("measure", "unjudged", "run", "group", "score", "without", "loss", "relative")
        return {name: getattr(loss, name) for name in (*names, "rank", "rank_without", "removed", "removed_relevant")}
    return {
        "measure": loss.measure if loss.unjudged == "nonrelevant" else f"{loss.measure} {loss.unjudged}",
        **{name: getattr(loss, name) for name in ("run", "group", "score", "without", "loss")},
        "share": loss.relative,
        "rank": f"{loss.rank} to {loss.rank_without}" if loss.drop else loss.rank,
        "removed": loss.removed,
        "relevant": loss.removed_relevant,
    }


def _column(name: str, cell: Cell) -> Column:
    return Column(
        name, number=not isinstance(cell, str) or name in ("judged to", "rank"), whole=name in ("run", "measure")
    )


def _part(run: Contribution) -> tuple[bool, int, int, int]:
    return not run.contributes, -run.unique_relevant, -run.unique, -run.judged_to
