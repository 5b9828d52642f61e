"""Where lists are best cut, laid out: measures, runs, lists, bins of lengths, and what it means in words."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np

from truerank.analysis.cuts.against import Against
from truerank.analysis.cuts.published import CUT, ONCE, STATEMENTS, TAU, Statement
from truerank.analysis.cuts.results import Cuts
from truerank.data.printing import counted
from truerank.report.captions import caption
from truerank.report.percent import percent
from truerank.report.table import DIGITS, Cell, Table

RELEVANT = "relevant documents"
"""What stands in the place of a measure where relevant documents of topics are counted."""
_PUBLISHED = [{"whole": full, "cut": cut, "tau": tau} for (full, cut), tau in TAU.items()]
_WORDS = ("collection", "measure", "run", "topic", "bin")
_LENGTHS = ("mean_length", "median_length")
_MEANS = ("measure", "run", "lists", "whole", "best", "mean_length", "median_length", "silent", "uncut", "correlation")
"""What a person reads of a measure, or of a run."""


def cuts_table(
    collections: Mapping[str, Cuts], show: str | None = None, *, whole: bool = False, published: bool = False
) -> Table:
    """A row a measure, a run, a list or a distribution over bins; ``whole`` has all there is, for programs.

    With ``published``, notes say what the paper reports.
    """
    records = [
        {**({"collection": name} if len(collections) > 1 else {}), **record}
        for name, cuts in collections.items()
        for record in (_binned(cuts) if show == "bins" and not whole else _records(cuts, show, whole=whole))
    ]
    if show == "bins" and not whole and len(collections) > 1:
        records = _same_bins(records)
    return Table.of_records(
        records,
        _WORDS,
        caption=_caption(collections, show, whole=whole),
        notes=tuple(_notes(collections, show, published=published)),
        document=lambda: document(collections, published=published),
    )


def document(
    collections: Mapping[str, Cuts], held: Against | None = None, *, published: bool = False
) -> dict[str, Any]:
    """Everything, in the terms of JSON; with ``held``, systems by cut lists against those by whole ones."""
    found = {name: cuts.to_dict() for name, cuts in collections.items()}
    return {
        **({"collections": found} if len(found) > 1 else next(iter(found.values()))),
        **({"against": held.to_dict()} if held is not None else {}),
        **({"published": {"lengths": statements(collections), "tau": _PUBLISHED}} if published else {}),
    }


def said(cuts: Cuts, measure: str) -> str:
    """What there is to know of a measure, in words."""
    found = cuts.summary(measure)
    if not found["lists"]:
        return f"{measure} has no value in any list"
    runs = f", over {len(cuts)} runs," if len(cuts) > 1 else ""
    change = "raise" if found["best"] > found["whole"] else "lower"
    text = f"{measure}: the best length is 0 in {percent(found['silent'])} of lists{_silence(cuts, measure)} "
    text += f"and the whole list in {percent(found['uncut'])}; "
    if found["loss"] < 0.5 * 10**-DIGITS:
        return text + f"cutting each list at its best length would leave the mean{runs} at {found['whole']:.{DIGITS}f}"
    return text + (
        f"cutting each list at its best length would {change} the mean{runs} from {found['whole']:.{DIGITS}f} "
        f"to {found['best']:.{DIGITS}f}"
    )


def _silence(cuts: Cuts, measure: str) -> str:
    """Why silence is best, where it is for want of anything better or because nothing can be."""
    found = [*cuts.cuts(measure).values()]
    best, whole = (np.concatenate([getattr(cut, name)[cut.length == 0] for cut in found]) for name in ("best", "whole"))
    by = found[0].measure
    if not len(best) or not by.higher_is_better:
        return ""
    if len(best) == len(cuts.lengths(measure)) and (best == by.at_zero).all() and by.at_zero == by.range[1]:
        return f" (an empty list scores {by.at_zero:g}, the most there is, by definition)"
    if not best.any() and not whole.any():
        return " (in all of them no length scores more than 0)"
    return ""


def statements(collections: Mapping[str, Cuts]) -> list[dict[str, Any]]:
    """What the paper says of best lengths, and what they are here: means over the collections, by measure."""
    known = next(iter(collections.values())).measures
    return [
        {
            "statement": one.what,
            "paper": one.paper,
            "here": {
                measure: float(np.mean([_share(cuts, measure, one) for cuts in collections.values()]))
                for measure in one.measures
                if measure in known
            },
        }
        for one in STATEMENTS
        if any(measure in known for measure in one.measures)
    ]


def _records(cuts: Cuts, show: str | None, *, whole: bool) -> list[dict[str, Any]]:
    records = cuts.to_records(show)
    if whole or show == "topics":
        return records
    return [
        {name: _cell(record[name]) if name in _LENGTHS else record[name] for name in _MEANS if name in record}
        for record in records
    ]


def _binned(cuts: Cuts) -> list[dict[str, Cell]]:
    """A row a measure, a column a bin, in per cent; the last row has the relevant documents of topics."""
    rows = [(measure, cuts.shares(measure)) for measure in cuts.measures]
    return [
        {"measure": name, **{str(one): _cell(100 * share) for one, share in zip(cuts.bins, spread, strict=True)}}
        for name, spread in (*rows, (RELEVANT, cuts.relevant_shares))
    ]


def _same_bins(records: Iterable[dict[str, Cell]]) -> list[dict[str, Cell]]:
    """Rows with the columns of all, since lists of one collection may be longer than those of another."""
    rows = [*records]
    names = max((list(row) for row in rows), key=len)
    return [{name: row.get(name, _cell(0.0)) for name in names} for row in rows]


def _notes(collections: Mapping[str, Cuts], show: str | None, *, published: bool) -> Iterable[str]:
    for name, cuts in collections.items():
        of = f"{name}: " if len(collections) > 1 else ""
        if show in (None, "summary"):
            yield from (f"{of}{said(cuts, measure)}" for measure in cuts.measures)
            if flat := ", ".join(measure for measure in cuts.measures if math.isnan(cuts.correlation(measure))):
                yield f"{of}{flat}: lengths, or relevant documents, are all the same, so that there is no correlation"
        yield from (f"{of}{notice}" for notice in cuts.notices)
    if published:
        first = next(iter(collections.values()))
        for one in statements(collections):
            here = one["here"]
            each = ", ".join(f"{measure} {percent(share)}" for measure, share in here.items())
            text = f"{one['statement']}: in the paper {one['paper']}; here {_span(here.values())}"
            yield f"{text} ({each})" if len(here) > 1 else text
        if other := ", ".join(measure for measure in first.measures if measure not in (*CUT, *ONCE)):
            yield f"the paper reports nothing on {other}"


def _share(cuts: Cuts, measure: str, one: Statement) -> float:
    lengths = cuts.lengths(measure)
    return float(np.mean((lengths >= one.low) & (lengths <= one.high))) if len(lengths) else float("nan")


def _span(shares: Collection[float]) -> str:
    low, high = min(shares), max(shares)
    return percent(low) if percent(low) == percent(high) else f"{percent(low).removesuffix('%')} to {percent(high)}"


def _cell(value: float) -> str:
    """A length, or a share in per cent: one decimal is enough."""
    return f"{value:.1f}" if value == value else "undefined"


def _caption(collections: Mapping[str, Cuts], show: str | None, *, whole: bool) -> str:
    first = next(iter(collections.values()))
    counts = [
        f"{f'{name}: ' * (len(collections) > 1)}{counted(len(cuts), 'run')}, {counted(len(cuts.topics), 'topic')}"
        for name, cuts in collections.items()
    ]
    meaning = {
        "topics": "each list: its length, its best length, and the score as it is (whole) and there (best)",
        "bins": "lists by their best length, in per cent" + "; topics by their relevant documents" * (not whole),
    }.get(
        show or "",
        "mean score of lists as they are (whole) and at their best lengths (best), shares of lists best left empty "
        "(silent) and as they are (uncut)" + "; rho of length with relevant documents" * (show in (None, "summary")),
    )
    return caption(*counts, conventions=first.conventions.unusual(), meaning=meaning)
