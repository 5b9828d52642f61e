"""What unjudged documents leave open, laid out: runs, pairs, what to judge next, and a summary in words."""

from __future__ import annotations

from typing import Any

from truerank.analysis.judging.results import Unjudged
from truerank.data.printing import counted
from truerank.report.captions import caption
from truerank.report.table import DIGITS, Cell, Table

SHOWN = 20
"""Undecided pairs of a measure that a person reads."""
RANKS = 3
"""Runs whose ranks a person reads."""
_WORDS = ("measure", "run", "better", "worse", "decided", "topic", "doc", "ranks")
_COLUMNS = {
    "runs": (),
    "pairs": ("measure", "better", "worse", "difference", "ahead", "decided"),
    "next": ("topic", "doc", "gain", "if_nonrelevant", "if_relevant", "ranks"),
}


def unjudged_table(found: Unjudged, show: str | None = None, *, whole: bool = False) -> Table:
    """A row a run and measure, a pair of runs or a document to judge; ``whole`` has all there is, for programs."""
    records = found.to_records(show)
    if not whole and show == "pairs":
        open_ = [record for record in records if not record["decided"]]
        records = [r for measure in found.measures for r in [r for r in open_ if r["measure"] == measure][:SHOWN]]
    if not whole and show in (None, "runs"):
        records = [_brief(record) for record in records]
    if not whole and show == "next":
        records = [{**record, "ranks": _few(str(record["ranks"]).split())} for record in records]
    return Table.of_records(
        records,
        _WORDS,
        names=_COLUMNS[show or "runs"],
        broken=_WORDS[-1:],
        best=_best(found),
        caption=_caption(found, explained=show in (None, "runs") and not whole),
        notes=(*said(found), *found.notices),
        document=found.to_dict,
    )


def said(found: Unjudged) -> list[str]:
    """What there is to know, in words."""
    lines = []
    for measure in found.measures:
        pairs = [pair for pair in found.pairs if pair.measure == measure]
        if not pairs:
            continue
        open_ = [pair for pair in pairs if not pair.decided]
        lines.append(
            f"{measure}: {len(open_)} of {len(pairs)} pairs of runs are undecided, for their bounds overlap"
            if open_
            else f"{measure}: unjudged documents leave no pair of runs undecided"
        )
        if open_:
            far = max(open_, key=lambda pair: pair.difference)
            lines[-1] += f"; farthest apart {far.better} and {far.worse}, {far.difference:.{DIGITS}f}"
    if found.next:
        first = found.next[0]
        lines.append(
            f"judge next: {first.doc} of topic {first.topic}, which narrows {found.measures[0]} there by "
            f"{first.gain:.{DIGITS}f} over all runs"
        )
    return lines


def _best(found: Unjudged) -> dict[str, str]:
    if len(found.wanted) != 1:
        return {}
    return {"score": "high" if found.wanted[0].higher_is_better else "low"}


def _brief(record: dict[str, Any]) -> dict[str, Cell]:
    """The columns that a person looks at."""
    left_out = ("judged", "place", "highest", "lowest", "undecided")
    shown = {name.replace("@", " @"): value for name, value in record.items() if name not in left_out}
    return {**shown, "places": _places(record), "open": record["undecided"]}


def _places(record: dict[str, Any]) -> str | None:
    if record["place"] is None:
        return None
    highest, lowest = record["highest"], record["lowest"]
    return str(highest) if highest == lowest else f"{highest}-{lowest}"


def _few(ranks: list[str]) -> str:
    more = [f"and {len(ranks) - RANKS} more"] * (len(ranks) > RANKS)
    return " ".join([*ranks[:RANKS], *more])


def _caption(found: Unjudged, *, explained: bool) -> str:
    meaning = "places are those that bounds allow for, open is how many other runs may be above or below"
    return caption(
        counted(len(found), "run"),
        counted(len(found.topics), "topic"),
        conventions=found.conventions.unusual(apart=["unjudged"]),
        meaning=meaning * explained,
    )
