"""Curves laid out: precision at recall levels, hits at shares of false alarms."""

from __future__ import annotations

from typing import Any

from truerank.analysis.tradeoffs.results import PrecisionRecall, Roc
from truerank.data.printing import counted
from truerank.report.captions import caption
from truerank.report.percent import percent
from truerank.report.table import DIGITS, Cell, Column, Table

ALARMS = (0.01, 0.05, 0.1, 0.2, 0.5)
"""Shares of false alarms at which hits are shown."""
NAMED = 3
"""Runs that are spoken of one by one."""
FEW = 4
"""Runs that have columns of their own."""
LEVELS = 5
"""Steps between the recall levels that are shown of more."""
_Parts = tuple[tuple[Column, ...], tuple[tuple[Cell, ...], ...]]


def recall_table(found: PrecisionRecall, show: str | None = None, *, whole: bool = False) -> Table:
    """A row a run, or a row a recall level or depth of one topic; ``whole`` has all there is, for programs."""
    if whole or show in ("every", "depths"):
        columns, rows = _records(found.to_records(show), ("run", "recall", "precision"))
    else:
        columns, rows = _few(found) if len(found) <= FEW else _many(found)
    meaning = "interpolated precision at recall levels; break-even: where precision and recall are equal"
    if show == "depths":
        meaning = "precision and recall of the list cut at every depth"
    return Table(
        columns,
        rows,
        caption=_caption(found, meaning),
        notes=(*_said_of_recall(found), *found.notices),
        document=found.to_dict,
    )


def roc_table(found: Roc, *, whole: bool = False) -> Table:
    """A row a run; ``whole`` has every point, for programs."""
    if whole:
        columns, rows = _records(found.to_records(), ("run", "fpr", "tpr"))
    else:
        names = ("AUC", *(f"at {share:g}" for share in ALARMS))
        columns = (
            Column("run", whole=True),
            *(Column(name, number=True, best="high") for name in names),
            Column("relevant", number=True),
            Column("others", number=True),
        )
        rows = tuple(
            (name, one.auc, *(one.at(share) for share in ALARMS), _count(one.relevant), _count(one.others))
            for name, one in _by_area(found, "auc")
        )
    meaning = (
        "share of relevant documents read when so many of the others have been; others: documents of the list without "
        "relevance, judged or not"
    )
    return Table(
        columns,
        rows,
        caption=_caption(found, meaning),
        notes=(*_said_of_roc(found), *found.notices),
        document=found.to_dict,
    )


def _records(records: list[dict[str, Any]], usual: tuple[str, ...]) -> _Parts:
    names = tuple(records[0]) if records else usual
    columns = tuple(Column(name, number=name != "run", whole=name == "run") for name in names)
    return columns, tuple(tuple(record.values()) for record in records)


def _few(found: PrecisionRecall) -> _Parts:
    """A row a recall level, a column a run."""
    columns = (Column("recall", whole=True), *(Column(name, number=True) for name in found))
    levels = [f"{level:.2f}" for level in next(iter(found.values())).recall.tolist()]
    rows: list[tuple[Cell, ...]] = []
    for place, level in enumerate(levels):
        rows.append((level, *(float(one.precision[place]) for one in found.values())))
    rows.append(("break-even", *(one.break_even for one in found.values())))
    rows.append(("AP", *(one.average for one in found.values())))
    return columns, tuple(rows)


def _many(found: PrecisionRecall) -> _Parts:
    """A row a run, a column a recall level, of which there are as many as fit."""
    levels = next(iter(found.values())).recall.tolist()
    shown = range(0, len(levels), max((len(levels) - 1) // LEVELS, 1))
    columns = (
        Column("run", whole=True),
        *(Column(f"at {levels[place]:.2g}", number=True, best="high") for place in shown),
        Column("break-even", number=True, best="high"),
        Column("AP", number=True, best="high"),
    )
    rows = [
        (name, *(float(one.precision[place]) for place in shown), one.break_even, one.average)
        for name, one in _by_area(found, "average")
    ]
    return columns, tuple(rows)


def _by_area(found: Any, area: str) -> list[tuple[str, Any]]:
    """Runs with their curves, the largest area first; undefined ones last."""
    value = {name: getattr(one, area) for name, one in found.items()}
    return sorted(found.items(), key=lambda item: (value[item[0]] != value[item[0]], -value[item[0]]))


def _said_of_recall(found: PrecisionRecall) -> list[str]:
    lines = []
    for name, one in _by_area(found, "average")[:NAMED]:
        text = (
            f"{name}: precision and recall are both {one.break_even:.{DIGITS}f} after as many documents as there are "
            f"relevant ones; interpolated, they meet at {one.crossing:.{DIGITS}f}"
        )
        if one.best is not None and one.best.f1 > 0:
            best = one.best
            text += (
                f"; F1 is highest, {best.f1:.{DIGITS}f}, after {counted(best.depth, 'document')} "
                f"(precision {best.precision:.{DIGITS}f}, recall {best.recall:.{DIGITS}f})"
            )
        lines.append(text)
    sampled = sum(one.sampled > 0 for one in found.values())
    if sampled:
        lines.append(f"orders of ties were sampled for interpolated precision in {sampled} of {len(found)} runs")
    return lines


def _said_of_roc(found: Roc) -> list[str]:
    lines = []
    for name, one in _by_area(found, "auc")[:NAMED]:
        if one.auc != one.auc or not len(one.tpr):
            continue
        share = _at_end(one)
        text = f"{name}: a relevant document stands above one that is not with a chance of {one.auc:.{DIGITS}f}"
        lines.append(text + f"; {percent(1 - share)} of the relevant documents are not in the list" * (share < 1))
    return lines


def _at_end(one: Any) -> float:
    """Share of relevant documents that the list has: the curve before its last rise."""
    before = [tpr for fpr, tpr in zip(one.fpr.tolist(), one.tpr.tolist(), strict=True) if fpr == 1.0]
    return float(before[0])


def _count(value: float) -> Cell:
    return int(value) if value == int(value) else value


def _caption(found: PrecisionRecall | Roc, meaning: str) -> str:
    topics = (
        f"topic {found.topics[0]}" if len(found.topics) == 1 else f"mean over {counted(len(found.topics), 'topic')}"
    )
    grade = [f"relevant from grade {found.rel:g} on"] * (found.rel != 1)
    return caption(topics, *grade, conventions=found.conventions.unusual(), meaning=meaning)
