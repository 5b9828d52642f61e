"""Silence laid out: the four cases, scores by both methodologies, lengths of lists, agreement, and what it means."""

from __future__ import annotations

from typing import Any

from truerank.analysis.silence.results import Silence
from truerank.analysis.silence.shifts import Orderings
from truerank.data.printing import counted
from truerank.report.captions import caption
from truerank.report.percent import percent
from truerank.report.table import DIGITS, Cell, Table
from truerank.statistics.pairs import EQUAL

SHOWN = 10
"""Silent runs that are spoken of one by one."""
PAIRS = 20
"""Inverted pairs of a measure that a person reads."""
_WORDS = ("measure", "run", "better", "worse", "length", "rank", "false_silence_topics")
_SHARES = ("precision", "recall", "f", "accuracy", "c@1")
_CASES = ("answered", "false_answers", "false_silences", "right_silences", *_SHARES)
_COLUMNS = {"pairs": ("measure", "better", "worse", "original", "modified")}
"""Names of columns where there may be no rows."""
_MEANING = {
    "cases": "topics answered, answered without there being an answer, left unanswered wrongly and rightly; precision, "
    "recall and F of silence, accuracy of the decision to answer",
    "scores": "original: NIL as a document; modified: lists ended at NIL, with a terminal document; ended: share "
    "of lists that the system ended",
    "lengths": "lists by length as handed in, and ended at their NIL",
    "agreement": "orderings of runs by the original and the modified methodology; inverted: pairs in opposite orders",
    "pairs": "pairs of runs in opposite orders; original: by how much the better one is ahead, modified: the other",
}


def nil_table(found: Silence, show: str | None = None, *, whole: bool = False) -> Table:
    """A row a run, a run and measure, a length, a measure or a pair; ``whole`` has all there is, for programs."""
    show = show or "cases"
    records = found.to_records(show)
    if not whole:
        records = [_brief(found, show, record) for record in records]
        if show == "pairs":
            records = [r for m in found.measures for r in [r for r in records if r["measure"] == m][:PAIRS]]
    return Table.of_records(
        records,
        _WORDS,
        names=_COLUMNS.get(show, ()),
        broken=_WORDS[-1:],
        best=_best(found),
        caption=_caption(found, show, explained=not whole),
        notes=(*said(found, show), *found.notices),
        document=lambda: {**found.to_dict(), "notices": [*said(found), *found.notices]},
    )


def said(found: Silence, show: str | None = None) -> list[str]:
    """What there is to know, in words; of what is shown, or of everything."""
    lines = [*_topics(found), *_runs(found)] if show in (None, "cases") else []
    lines += _longer(found)
    lines += _lists(found) if show != "cases" else []
    return lines + ([_order(found, one) for one in found.measures] if show not in ("cases", "lengths") else [])


def _topics(found: Silence) -> list[str]:
    none, every = len(found.nil_topics), len(found.topics)
    if not none:
        return ["every topic has an answer, so that silence is never right"]
    return [f"{none} of {counted(every, 'topic')} {'has' if none == 1 else 'have'} no answer: there silence is right"]


def _lists(found: Silence) -> list[str]:
    lists = sum(len(run.lists.before) for run in found.values())
    marked = sum(int(run.lists.nil.sum()) for run in found.values())
    by = sum(bool(run.lists.nil.any()) for run in found.values())
    lines = [f"{counted(by, 'run')} {'lists' if by == 1 else 'list'} NIL, in {marked} of {lists} lists"]
    if not marked:
        lines = ["no run lists a NIL, so that lists end where they do"]
    limit = found.modified.limit
    if limit is None:
        return [
            *lines,
            f"without a limit every list counts as ended by its system; the longest has {found.longest:,}: "
            "if no list could have more, give that as the limit",
        ]
    ended = sum(int(run.lists.ended.sum()) for run in found.values())
    if limit > found.longest:
        lines.append(f"no list reaches the limit of {limit:,}; the longest has {found.longest:,}")
    if not ended:
        return [*lines, f"no list is shorter than {limit:,}, so that none has a terminal document"]
    why = "by a NIL, or " * bool(marked) + f"before {counted(limit, 'document')}"
    return [*lines, f"{ended} of {lists} lists ({percent(ended / lists)}) were ended by their systems, {why}"]


def _longer(found: Silence) -> list[str]:
    """Lists with more documents than a list could have."""
    limit = found.modified.limit
    if limit is None:
        return []
    longer = sum(int((run.lists.before - run.lists.nil > limit).sum()) for run in found.values())
    lists = f"{counted(longer, 'list')} {'has' if longer == 1 else 'have'} more documents than the limit of {limit:,}"
    return [f"{lists}, which cuts no list; if lists could be longer, give a higher limit"] * bool(longer)


def _runs(found: Silence) -> list[str]:
    silent = {name: run.cases for name, run in found.items() if run.cases.silent}
    if not silent:
        return ["no run is silent on any topic"]
    most = sorted(silent, key=lambda name: -silent[name].silent)
    lines = []
    for name in most[:SHOWN]:
        right, every = len(silent[name].right_silences), silent[name].silent
        how = f"{right} of them rightly" if every > 1 else "rightly" if right else "wrongly"
        if every > 1 and right in (0, every):
            how = "all of them rightly" if right else "none of them rightly"
        lines.append(f"{name} is silent on {counted(every, 'topic')}, {how}")
    more, never = len(silent) - len(lines), len(found) - len(silent)
    lines += [f"{counted(more, 'other run')} {'is' if more == 1 else 'are'} silent on some topics"] * bool(more)
    return [*lines, *([f"{counted(never, 'run')} {'is' if never == 1 else 'are'} never silent"] * bool(never))]


def _order(found: Silence, measure: str) -> str:
    shifts = {name: run[measure] for name, run in found.items()}
    known = [name for name, shift in shifts.items() if shift.difference == shift.difference]
    if not known:
        return f"{measure} has no value for any run"
    most = max(known, key=lambda name: abs(shifts[name].difference))
    if abs(shifts[most].difference) < 0.5 * 10**-DIGITS:
        return f"{measure}: taking truncation into account changes no score{_tied(found.orderings[measure])}"
    moved = f"moves {most} from {shifts[most].original:.{DIGITS}f} to {shifts[most].modified:.{DIGITS}f}"
    if len(known) == 1:
        return f"{measure}: taking truncation into account {moved}"
    order = found.orderings[measure]
    text = f"{measure}: taking truncation into account {moved}, the most of any run; "
    if not order.inversions:
        return text + f"tau {order.kendall_a:.3f}, no pair of runs is inverted{_tied(order)}"
    top, several = order.inversions[0], len(order.inversions) > 1
    return text + (
        f"tau {order.kendall_a:.3f}, {len(order.inversions)} of {order.pairs} pairs of runs "
        f"{'are inverted, most of all' if several else 'is inverted:'} {top.better} "
        f"(ahead by {top.original:.{DIGITS}f}) and {top.worse} (then ahead by {top.modified:.{DIGITS}f})"
    )


def _tied(order: Orderings) -> str:
    """Why correlations are below 1 although nothing is inverted."""
    if order.inversions or not min(order.kendall_a, order.tau_ap) < 1 - EQUAL:
        return ""
    corrected = f" (tau-b is {order.kendall_b:.3f})" if order.kendall_b == order.kendall_b else ""
    return f"; tau-a and tau-AP are below 1 because runs are tied{corrected}"


def _brief(found: Silence, show: str, record: dict[str, Any]) -> dict[str, Cell]:
    """The columns that a person looks at."""
    if show == "cases":
        return {"run": record["run"], **{name.replace("_", " "): record[name] for name in _CASES}}
    if show == "lengths":
        length = str(next(one.bin for one in found.lengths if one.bin.low == record["low"]))
        return {"length": length, "before": record["before"], "after": record["after"]}
    if show == "scores":
        was, now = record["original_rank"], record["modified_rank"]
        rank = None if was is None or now is None else str(now) if was == now else f"{was} to {now}"
        shown = {name: record[name] for name in ("measure", "run", "original", "modified", "difference")}
        return {**shown, "rank": rank, "ended": record["ended"]}
    return record


def _best(found: Silence) -> dict[str, str]:
    shares = dict.fromkeys(_SHARES, "high")
    if len(found.wanted) != 1:
        return shares
    return {**shares, **dict.fromkeys(("original", "modified"), "high" if found.wanted[0].higher_is_better else "low")}


def _caption(found: Silence, show: str, *, explained: bool) -> str:
    return caption(
        counted(len(found), "run"),
        counted(len(found.topics), "topic"),
        conventions=found.modified.unusual(),
        meaning=_MEANING[show] * explained,
    )
