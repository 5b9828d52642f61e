"""What preferences come to, in words."""

from __future__ import annotations

import math

from truerank.analysis.preferring.orderings import Ordering
from truerank.analysis.preferring.results import PreferenceSurvey
from truerank.data.printing import counted
from truerank.report.percent import percent

SHOWN = 10
"""Runs that are spoken of one by one."""


def said(found: PreferenceSurvey, show: str | None = None) -> list[str]:
    """What there is to know, in words; of what is shown, or of everything."""
    about_judgments = show in (None, "topics", "triples", "cycles", "runs")
    lines = [*_judgments(found), *_contradictions(found)] if about_judgments else []
    lines += _least(found) if about_judgments or show == "lists" else []
    lines += _runs(found) if show in (None, "runs", "lists") else []
    lines += _grades(found) if show in (None, "grades") else []
    lines += _agreement(found) if show in (None, "agreement", "topics", "runs") else []
    return lines + ([_ordering(one) for one in found.orderings] if show in (None, "orderings", "runs") else [])


def share(part: float, every: float) -> float:
    """A share; NaN of nothing."""
    return part / every if every else math.nan


def _part(part: float, every: float) -> str:
    return percent(share(part, every)) if part else "none"


def _judgments(found: PreferenceSurvey) -> list[str]:
    total = found.total
    ties = f" and {counted(total.ties, 'tie')}" if total.ties else ""
    compared = f"; {_part(total.pairs, total.possible)} of all pairs were compared" if total.possible else ""
    lines = [
        f"{counted(total.preferences, 'preference')}{ties} between {counted(total.documents, 'document')} of "
        f"{counted(len(found.topics), 'topic')}{compared}"
    ]
    if total.repeated:
        both = f"{total.contradictory:,} of them both ways" if total.contradictory else "none of them both ways"
        lines.append(f"{counted(total.repeated, 'pair')} judged more than once, {both}")
    return lines


def _contradictions(found: PreferenceSurvey) -> list[str]:
    total = found.total
    lines = []
    if not total.triples:
        lines.append("no three documents were all compared with one another, so that no triple can be intransitive")
    else:
        where = sum(topic.cyclic > 0 for topic in found.topics.values())
        whole = f"of {counted(total.triples, 'triple')} with all pairs compared"
        if total.cyclic:
            lines.append(
                f"{counted(total.cyclic, 'intransitive triple')} in {counted(where, 'topic')}, "
                f"{_part(total.cyclic, total.triples)} {whole}"
            )
        else:
            lines.append(f"no intransitive triple {whole}")
        if total.uneven:
            lines.append(
                f"{counted(total.uneven, 'other triple')} intransitive only through ties, "
                "or pairs judged both ways alike"
            )
    parts = found.judgments.components
    if parts:
        largest = max(parts, key=lambda part: len(part.documents))
        topics = len({part.topic for part in parts})
        lines.append(
            f"{counted(topics, 'topic')} with cycles, the largest of {counted(len(largest.documents), 'document')} "
            f"(topic {largest.topic}); their documents are graded by wins and losses"
        )
    return lines


def _least(found: PreferenceSurvey) -> list[str]:
    total = found.total
    if not total.preferences:
        return ["there are no preferences, so that no ranking violates any"]
    if not total.least:
        return ["rankings can satisfy all preferences"]
    text = f"no ranking can satisfy more than {_part(total.preferences - total.least, total.preferences)} of the "
    text += f"preferences: {counted(total.least, 'judgment')} must be violated"
    if total.exact:
        return [text]
    best = _part(total.preferences - total.least_found, total.preferences)
    return [f"{text}, or some more: the best ranking found violates {total.least_found:,} and satisfies {best}"]


def _runs(found: PreferenceSurvey) -> list[str]:
    lines: list[str] = []
    if not found.total.preferences:
        return lines
    for name in sorted(found, key=lambda name: (found[name].loss.mean, name))[:SHOWN]:
        total = found[name].counts.total()
        every = total["preferences"]
        text = f"{name} violates {_part(total['violated'], every)} of the preferences"
        undecided = [
            f"{what} {_part(total[key], every)}"
            for key, what in (("tied", "ties"), ("neither", "retrieves neither document of"))
            if total[key]
        ]
        lines.append(f"{text}{', ' if undecided else ''}{' and '.join(undecided)}; loss {found[name].loss.mean:.4f}")
    more = len(found) - len(lines)
    return [*lines, *([f"{counted(more, 'more run')} with higher loss"] if more else [])]


def _grades(found: PreferenceSurvey) -> list[str]:
    kinds = [*found.orders.values()]
    loose = kinds.count("levels without ties")
    topics = [one for one in found.topics.values() if one.preferences]
    if not topics:
        return ["there are no preferences that an order could satisfy"]
    kept, both = sum(not one.least_found for one in topics), sum(one.contradictory > 0 for one in topics)
    have = "has" if 1 in (kept, len(topics)) else "have"
    lines = [f"{kept} of {counted(len(topics), 'topic')} {have} an order that satisfies all preferences"]
    if both:
        lines.append(f"in {counted(both, 'topic')} pairs were judged both ways, which no order satisfies")
    if loose:
        lines.append(f"in {counted(loose, 'topic')} ties contradict preferences, and do not count for the levels")
    return lines


def _agreement(found: PreferenceSurvey) -> list[str]:
    if found.agreement is None:
        return []
    total = found.agreement.total
    every = total["agree"] + total["contradict"] + total["finer"]
    unjudged = f"{counted(total['unjudged'], 'preference')} with a document that has no grade"
    if not every:
        return [f"no preference is between two documents with grades; {unjudged}"]
    text = (
        f"grades agree with {_part(total['agree'], every)} of the preferences, contradict "
        f"{_part(total['contradict'], every)}, and tie {_part(total['finer'], every)}; tau {total['tau']:.3f}"
    )
    return [text + (f"; {unjudged}" if total["unjudged"] else "")]


def _ordering(one: Ordering) -> str:
    if one.runs < 2 or math.isnan(one.kendall_b):
        return f"{one.measure}: too few runs that differ to compare orderings"
    pairs = f"{one.swapped} of {counted(one.pairs, 'pair')} of runs in opposite orders"
    return f"{one.measure} and preference loss order runs with tau {one.kendall_b:.3f}: {pairs}"
