"""A score in words: the formula with its numbers, how it came about, and what would change it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.report.digits import figures, ranks, signed
from truerank.report.table import DIGITS

if TYPE_CHECKING:
    from truerank.questions.explain.answer import Exchange, ScoreExplanation, Step, TieGroup

FOUND = Code("TR361", "how many relevant documents were found, and where")
UNDEFINED = Code("TR362", "that a measure has no value for a list, and what it counts as")
LISTLESS = Code("TR363", "a measure that does not look at the list", "it does not look at the list")
REVEALED = Code(
    "TR364",
    "what a contribution is, where a measure is no sum over documents",
    "it is no sum over documents: a contribution is what the score gains when the judgments of the list become known "
    "down to that document",
)
SAMPLED = Code(
    "TR365",
    "a score that is a mean over a sample of the orders of ties",
    "orders of ties were sampled, standard error {std_error:.2g}",
)
COSTS = Code("TR366", "what the order of the list, and what is missing, cost")
EXCHANGE = Code("TR367", "the best exchange of two documents, and of two neighbours")
ABSENT = Code("TR368", "what a missing document would make of the score")
TIES = Code("TR369", "how far the order of ties could move the score")
UNJUDGED = Code("TR370", "what unjudged documents would make of the score, if they were relevant")

NAMED = 3
"""Ties and unjudged documents that are spoken of one by one."""
PLACES = 8
"""Ranks that a sentence names."""
TERMS = 6
"""Terms of a sum that are written out."""
NOTHING = 0.5 * 10**-DIGITS
"""What no printed digit shows."""


def header(one: ScoreExplanation) -> list[str]:
    """The formula, what its letters stand for, and the numbers put in."""
    lines = [f"{one.measure} = {one.formula}", f"with {', '.join(_with(one))}"]
    if one.undefined:
        return lines
    if one.divisor is not None and one.divisor.ideal:
        places = [f"{place.gain:g} x {place.weight:.{DIGITS}f}" for place in one.divisor.ideal]
        lines.append(f"{one.divisor.name} = {_terms(places)} = {one.divisor.value:.{DIGITS}f}")
    return [*lines, *_entropies(one), *_put_in(one)]


def _with(one: ScoreExplanation) -> Iterator[str]:
    known = one.parameters
    yield from (f"{letter} = {_value(value)}" for letter, value in known.items() if value is not False)
    yield f"n = {_value(one.length)}"
    if "k" not in known and _has_depth(one.formula):
        yield "k = n + 1" if one.one.r.terminal else "k = n"
    if one.relevant:
        yield f"R = {_value(one.relevant)}"


def _has_depth(formula: str) -> bool:
    """Whether a formula has a k that stands for the depth; some go through all k themselves.

    >>> _has_depth("hits@k / R"), _has_depth("max P@k over depths k"), _has_depth("hits / R")
    (True, False, False)
    """
    return "depths k" not in formula and re.search(r"\bk\b", formula) is not None


def _entropies(one: ScoreExplanation) -> Iterator[str]:
    """What a formula adds up with its numbers, where that is no sum over documents on paper."""
    if not one.terms:
        return
    yield ", ".join(f"{term} = {value:.{DIGITS}f}" for term, _, value in one.terms)
    parts = []
    for _, times, value in one.terms:
        product = f"{value:.{DIGITS}f}" if abs(times) == 1 else f"{abs(times):g} x {value:.{DIGITS}f}"
        parts.append(f"{'-' if times < 0 else '+'} {product}")
    yield f"{one.measure} = {' '.join(parts).removeprefix('+ ')} = {one.score:.{DIGITS}f}"


def _put_in(one: ScoreExplanation) -> Iterator[str]:
    """The sum with its numbers, where it is one over documents with gain."""
    name = one.measure
    worth = [step for step in one.steps if step.gain and step.factor and step.kind != "start"]
    if one.how != "sum" or not worth:
        return
    # Far down a list weights are too small to be seen, and so are products with them.
    seen = [step for step in worth if abs((step.gain or 0.0) * (step.factor or 0.0)) >= NOTHING]
    products = [*map(_product, seen), *(["..."] if len(seen) < len(worth) else [])]
    elsewhere = sum(step.contribution for step in one.steps if step.kind == "missing")
    if elsewhere:
        products.append(_number(elsewhere * (1.0 if one.divisor is None else one.divisor.value)))
    cost = sum(step.cost or 0.0 for step in one.steps)
    above = _terms(products) + (f" - {cost:.{DIGITS}f}" if cost > 0 else "")
    score = f"{one.score:.{DIGITS}f}"
    if one.divisor is not None:
        below = _number(one.divisor.value)
        # Letters have their values in the lines above, and so has what is ideal.
        known = one.divisor.ideal or one.divisor.name in ("n", "k", "R")
        whole = f"({above})" if " + " in above or " - " in above else above
        yield f"{name} = {whole} / {below} = {score}" + ("" if known else f", where {one.divisor.name} = {below}")
    elif above == products[0] != "..." and " x " not in above:
        yield f"{name} = 1 x {above} = {score}"
    else:
        yield f"{name} = {above} = {score}"


def _product(step: Step) -> str:
    gain, factor = step.gain or 0.0, step.factor or 0.0
    return _number(factor) if gain == 1 else f"{_number(gain)} x {_number(factor)}"


def _number(value: float) -> str:
    return f"{round(value)}" if is_whole(value) else f"{value:.{DIGITS}f}"


def is_whole(value: float) -> bool:
    """Whether a number is a whole one, but for rounding.

    >>> is_whole(2.0000000000000004), is_whole(2.5)
    (True, False)
    """
    return math.isfinite(value) and abs(value - round(value)) < 1e-9


def _terms(terms: Sequence[str]) -> str:
    return " + ".join(terms if len(terms) <= TERMS else [*terms[: TERMS - 1], "..."])


def _value(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return f"{value:g}" if isinstance(value, float) else repr(value)


def said(one: ScoreExplanation) -> Iterator[Note]:
    """How a score came about, and what would change it; the first names the measure."""
    name = one.measure
    if one.undefined:
        then = one.by.remedy if math.isnan(one.score) else f"it counts as {one.score:g}"
        text = "; ".join(filter(None, (f"{name} is undefined {one.undefined}", then)))
        yield UNDEFINED(text, measure=name, score=one.score)
        return
    yield FOUND(_summary(one), measure=name, score=one.score, found=len(one.found), relevant=one.relevant)
    if one.how == "listless":
        yield LISTLESS(measure=name)
        return
    if one.how == "revealed":
        yield REVEALED(measure=name)
    if one.std_error:
        yield SAMPLED(measure=name, std_error=one.std_error)
    yield from _costs(one)
    if one.swap is not None:
        yield EXCHANGE(_exchange(one.swap, one.neighbours), measure=name, score=one.swap.score)
    for absent in one.missing[:1]:
        first, last = absent.at_first, absent.appended
        if max(abs(first - one.score), abs(last - one.score)) >= NOTHING:
            yield ABSENT(
                f"a missing document of grade {absent.grade:g}, such as {absent.docs[0]}, would make it "
                f"{first:.{DIGITS}f} at rank 1, and {last:.{DIGITS}f} at the end of the list",
                measure=name,
                at_first=first,
                appended=last,
            )
    yield from _ties(one)
    yield from _unjudged(one)


def _summary(one: ScoreExplanation) -> str:
    score = f"{one.measure} is {one.score:.{DIGITS}f}"
    if one.named == "lost" and one.divisor is not None:
        pairs = one.divisor.value
        return f"{score}: the list violates {one.score * pairs:g} of {pairs:g} preferences"
    if not one.relevant:
        return f"{score}: no document is known to be relevant"
    inside = [step for step in one.found if step.first is not None and step.first <= one.depth]
    deeper = len(one.found) - len(inside)
    within = f" in the first {counted(one.depth, 'rank')}" if one.depth < one.length else ""
    there = counted(one.relevant, "relevant document")
    if not inside:
        text = f"{score}: none of {there} was found{within}"
    else:
        places = list(dict.fromkeys(ranks((step.first or 0, step.last or 0)) for step in inside))
        verb = "was" if len(inside) == 1 else "were"
        text = f"{score}: {len(inside)} of {there} {verb} found{within}, {_at(places)}"
    return text + (f"; {deeper} more {'stands' if deeper == 1 else 'stand'} deeper" if deeper else "")


def _at(places: list[str]) -> str:
    if len(places) > PLACES:
        return f"at ranks {', '.join(places[: PLACES - 1])}, ..., {places[-1]}"
    if len(places) == 1:
        return f"at ranks {places[0]}" if "-" in places[0] else f"at rank {places[0]}"
    return f"at ranks {', '.join(places[:-1])} and {places[-1]}"


def _costs(one: ScoreExplanation) -> Iterator[Note]:
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
    text = ", ".join(parts) or "no other order of the list, and nothing that is missing, would change it"
    yield COSTS(text, measure=one.measure, reordered=one.reordered, complete=one.complete, missing=missing)


def _exchange(swap: Exchange, near: Exchange | None) -> str:
    where = "" if swap.exact else ", of those in the first ranks"
    text = f"the best exchange of two documents{where} is {_moved(swap)}"
    return text + (f"; of neighbours, {_moved(near)}" if near is not None and near != swap else "")


def _moved(swap: Exchange) -> str:
    return (
        f"{swap.lower} (rank {ranks(swap.lower_ranks)}) with {swap.upper} (rank {ranks(swap.upper_ranks)}), which "
        f"would make it {swap.score:.{DIGITS}f} ({signed(swap.difference)})"
    )


def _ties(one: ScoreExplanation) -> Iterator[Note]:
    def moves(group: TieGroup) -> float:
        ends = (one.score, group.low, group.high)
        return max(ends) - min(ends)

    moving = [group for group in sorted(one.ties, key=lambda group: -moves(group)) if moves(group) >= NOTHING]
    if not moving:
        return
    parts = [
        f"those at ranks {ranks((group.first, group.last))} ({group.relevant} of {group.documents} relevant) "
        f"{_reach(group)}"
        for group in moving[:NAMED]
    ]
    if len(moving) > len(parts):
        parts.append(f"and {counted(len(moving) - len(parts), 'more group')}")
    # A measure with an answer of its own to ties may give with them what no order of theirs gives.
    shared = one.by.core.shares_last_rank
    could = "tied documents share a rank; an order of them would" if shared else "the order of ties could"
    yield TIES(f"{could} move it: {'; '.join(parts)}", measure=one.measure, groups=len(moving))


def _reach(group: TieGroup) -> str:
    if group.high - group.low < NOTHING:
        return f"to {group.low:.{DIGITS}f}, whichever it is"
    return f"from {' to '.join(figures((group.low, group.high)))}{'' if group.exact else ' or further'}"


def _unjudged(one: ScoreExplanation) -> Iterator[Note]:
    sign = one.by.sign
    gains = [(sign * (each.top - one.score), each) for each in one.unjudged if each.top == each.top]
    gains = sorted((pair for pair in gains if abs(pair[0]) >= NOTHING), key=lambda pair: -pair[0])
    if not gains:
        return
    parts: list[str] = []
    for _, each in gains[:NAMED]:
        makes = "" if parts else "would make it "
        top = f", or {each.top:.{DIGITS}f} with the highest grade" if abs(each.top - each.least) >= NOTHING else ""
        parts.append(f"{each.doc} (rank {ranks(each.ranks)}) {makes}{each.least:.{DIGITS}f}{top}")
    worst, last = gains[-1]
    if worst < 0 and len(gains) > NAMED:
        parts.append(f"and {last.doc} (rank {ranks(last.ranks)}) {last.top:.{DIGITS}f}, being one more to find")
    count, verb = counted(len(one.unjudged), "document"), "is" if len(one.unjudged) == 1 else "are"
    text = f"{count} that it looks at {verb} unjudged; if relevant, {'; '.join(parts)}"
    yield UNJUDGED(text, measure=one.measure, documents=len(one.unjudged))
