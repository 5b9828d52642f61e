"""A score in words: the formula with its numbers, how it came about, and what would change it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from truerank.analysis.explaining.exchange import Swap
from truerank.analysis.explaining.explained import Explained
from truerank.analysis.explaining.results import Explanation
from truerank.data.printing import counted
from truerank.report.digits import ranks, signed
from truerank.report.explain_formula import NOTHING
from truerank.report.table import DIGITS

NAMED = 3
"""Ties and unjudged documents that are spoken of one by one."""
FOUND = 8
"""Ranks that a sentence names."""
MEANING = {
    "seen": "what has been found down to the document",
    "precision": "seen over the rank",
    "ratio": "seen x weight",
    "stops": "the chance that the reader stops there",
    "reached": "the chance that the reader comes this far",
    "share": "judged documents without relevance that are not above it",
    "others below": "share of the documents without relevance that stand below it",
    "pairs": "preferences for the document",
    "lost": "share of them that the list violates",
    "cost": "of reading the document",
}
"""What columns hold, where their names do not say."""


def said(found: Explanation) -> list[str]:
    """How each score came about, and what would change it."""
    several = len(found) > 1
    return [
        f"{name}: {line}" if several and place else line
        for name, one in found.items()
        for place, line in enumerate(_said(name, one))
    ]


def _said(name: str, one: Explained) -> Iterator[str]:
    if one.undefined:
        counted = "" if math.isnan(one.score) else f"; it counts as {one.score:g}"
        yield f"{name} is undefined {one.undefined}{counted}"
        return
    yield _summary(name, one)
    if one.how == "listless":
        yield "it does not look at the list"
        return
    if one.how == "revealed":
        yield (
            "it is no sum over documents: a contribution is what the score gains when the judgments of the list become "
            "known down to that document"
        )
    if one.std_error:
        yield f"orders of ties were sampled, standard error {one.std_error:.2g}"
    yield from _costs(one)
    if one.swap is not None:
        yield _exchange(one.swap, one.neighbours)
    for absent in one.missing[:1]:
        first, last = absent.at_first, absent.appended
        if max(abs(first - one.score), abs(last - one.score)) >= NOTHING:
            yield (
                f"a missing document of grade {absent.grade:g}, such as {absent.docs[0]}, would make it "
                f"{first:.{DIGITS}f} at rank 1, and {last:.{DIGITS}f} at the end of the list"
            )
    yield from _ties(one)
    yield from _unjudged(one)


def _summary(name: str, one: Explained) -> str:
    score = f"{name} is {one.score:.{DIGITS}f}"
    if one.named == "lost" and one.divisor is not None:
        pairs = one.divisor.value
        return f"{score}: the list violates {one.score * pairs:g} of {pairs:g} preferences"
    if not one.relevant:
        return f"{score}: no document is known to be relevant"
    inside = [step for step in one.found if step.first is not None and step.first <= one.depth]
    deeper = len(one.found) - len(inside)
    within = f" in the first {counted(one.depth, 'rank')}" if one.depth < one.length else ""
    if not inside:
        text = f"{score}: none of {counted(one.relevant, 'relevant document')} was found{within}"
    else:
        at = [ranks((step.first or 0, step.last or 0)) for step in inside]
        places = list(dict.fromkeys(at))
        verb = "was" if len(inside) == 1 else "were"
        there = counted(one.relevant, "relevant document")
        text = f"{score}: {len(inside)} of {there} {verb} found{within}, {_at(places)}"
    return text + (f"; {deeper} more {'stands' if deeper == 1 else 'stand'} deeper" if deeper else "")


def _at(places: list[str]) -> str:
    if len(places) > FOUND:
        return f"at ranks {', '.join(places[: FOUND - 1])}, ..., {places[-1]}"
    if len(places) == 1:
        return f"at rank{'s' * ('-' in places[0])} {places[0]}"
    return f"at ranks {', '.join(places[:-1])} and {places[-1]}"


def _costs(one: Explained) -> Iterator[str]:
    if one.reordered is None or one.complete is None or not one.relevant:
        return
    order, absence = one.reordered - one.score, one.complete - one.reordered
    missing = sum(len(absent.docs) for absent in one.missing)
    parts = []
    if abs(order) >= NOTHING:
        parts.append(f"in the best order these documents would make it {one.reordered:.{DIGITS}f} ({signed(order)})")
    if missing and abs(absence) >= NOTHING:
        whom = "the one that is missing" if missing == 1 else f"the {missing} that are missing"
        also = "and with" if parts else "with"
        parts.append(f"{also} {whom} it would be {one.complete:.{DIGITS}f} ({signed(absence)})")
    yield ", ".join(parts) if parts else "no other order of the list, and nothing that is missing, would change it"


def _exchange(swap: Swap, near: Swap | None) -> str:
    where = "" if swap.exact else ", of those in the first ranks"
    text = f"the best exchange of two documents{where} is {_moved(swap)}"
    return text + (f"; of neighbours, {_moved(near)}" if near is not None and near != swap else "")


def _moved(swap: Swap) -> str:
    return (
        f"{swap.lower} (rank {ranks(swap.lower_ranks)}) with {swap.upper} (rank {ranks(swap.upper_ranks)}), which "
        f"would make it {swap.score:.{DIGITS}f} ({signed(swap.difference)})"
    )


def _ties(one: Explained) -> Iterator[str]:
    groups = sorted(one.ties, key=lambda group: group.low - group.high)
    moving = [group for group in groups if group.high - group.low >= NOTHING]
    if not moving:
        return
    said = [
        f"those at ranks {ranks((group.first, group.last))} ({group.relevant} of {group.documents} relevant) from "
        f"{group.low:.{DIGITS}f} to {group.high:.{DIGITS}f}{'' if group.exact else ' or further'}"
        for group in moving[:NAMED]
    ]
    more = len(moving) - len(said)
    yield f"the order of ties could move it: {'; '.join(said)}" + f"; and {counted(more, 'more group')}" * bool(more)


def _unjudged(one: Explained) -> Iterator[str]:
    sign = one.measure.sign
    gains = [(sign * (each.top - one.score), each) for each in one.unjudged if each.top == each.top]
    gains = sorted((pair for pair in gains if abs(pair[0]) >= NOTHING), key=lambda pair: -pair[0])
    if not gains:
        return
    said = [
        f"{each.doc} (rank {ranks(each.ranks)}) {'would make it ' * (not place)}{each.least:.{DIGITS}f}"
        + f", or {each.top:.{DIGITS}f} with the highest grade" * (abs(each.top - each.least) >= NOTHING)
        for place, (_, each) in enumerate(gains[:NAMED])
    ]
    worst, last = gains[-1]
    if worst < 0 and len(gains) > NAMED:
        said.append(f"and {last.doc} (rank {ranks(last.ranks)}) {last.top:.{DIGITS}f}, being one more to find")
    count, verb = counted(len(one.unjudged), "document"), "is" if len(one.unjudged) == 1 else "are"
    yield f"{count} that it looks at {verb} unjudged; if relevant, {'; '.join(said)}"
