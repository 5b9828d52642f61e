"""A score in words: the formula with its numbers, how it came about, and what would change it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.report.digits import figures, ranks, rounded, signed
from truerank.report.table import DIGITS

if TYPE_CHECKING:
    from truerank.questions.explain.question import Exchange, ScoreExplanation, Step, TieGroup, UnjudgedDocument

_WHERE = (
    "found[ in the first {first:rank}], at {places:rank|ranks} {ranks}[; {deeper} more {deeper:stands|stand} deeper]"
)
FOUND = Code(
    "TR361",
    "how many relevant documents were found, and where",
    "{measure} is {score:.4f}: {inside} of {relevant:relevant document} {inside:was|were} " + _WHERE,
    none="{measure} is {score:.4f}: none of {relevant:relevant document} was found[ in the first {first:rank}]"
    "[; {deeper} more {deeper:stands|stand} deeper]",
    unknown="{measure} is {score:.4f}: no document is known to be relevant",
    preferences="{measure} is {score:.4f}: the list violates {violated:g} of {pairs:g} preferences",
    consequence=0.0,
)
UNDEFINED = Code(
    "TR362",
    "that a measure has no value for a list, and what it counts as",
    "{measure} is undefined {lack}[; it counts as {counts_as:g}][; {remedy}]",
    consequence=0.0,
)
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
COSTS = Code(
    "TR366",
    "what the order of the list, and what is missing, cost",
    "in the best order these documents would make it {reordered:.4f} ({by_order})"
    "[, and with {missing:the one that is|the {missing} that are} missing it would be {complete:.4f} ({by_missing})]",
    missing="with {missing:the one that is|the {missing} that are} missing it would be {complete:.4f} ({by_missing})",
    nothing="no other order of the list, and nothing that is missing, would change it",
    consequence=0.5,
)
_EXCHANGED = (
    "is {lower} (rank {lower_ranks}) with {upper} (rank {upper_ranks}), which would make it {score:.4f} ({difference})"
    "[; of neighbours, {near_lower} (rank {near_lower_ranks}) with {near_upper} (rank {near_upper_ranks}), which would "
    "make it {near_score:.4f} ({near_difference})]"
)
EXCHANGE = Code(
    "TR367",
    "the best exchange of two documents, and of two neighbours",
    "the best exchange of two documents " + _EXCHANGED,
    first="the best exchange of two documents, of those in the first ranks, " + _EXCHANGED,
)
ABSENT = Code(
    "TR368",
    "what a missing document would make of the score",
    "a missing document of grade {grade:g}, such as {doc}, would make it {at_first:.4f} at rank 1, and {appended:.4f} "
    "at the end of the list",
)
TIES = Code(
    "TR369",
    "how far the order of ties could move the score",
    "the order of ties could move it: {ties}[; and {more:more group}]",
    shared="tied documents share a rank; an order of them would move it: {ties}[; and {more:more group}]",
    each={
        "ties": "those at ranks {ranks} ({relevant} of {documents} relevant)[ to {only:.4f}, whichever it is]"
        "[ from {low} to {high}{exact:| or further}]"
    },
)
_UNJUDGED = (
    "{documents:document} that it looks at {documents:is|are} unjudged; if relevant, {doc} (rank {ranks}) would make "
    "it {score:.4f}[, or {top:.4f} with the highest grade]"
)
UNJUDGED = Code(
    "TR370",
    "what unjudged documents would make of the score, if they were relevant",
    _UNJUDGED,
    several=_UNJUDGED + "; {others}[; and {worst} (rank {worst_ranks}) {worst_score:.4f}, being one more to find]",
    each={"others": "{doc} (rank {ranks}) {score:.4f}[, or {top:.4f} with the highest grade]"},
)

NAMED = 3
"""Ties and unjudged documents that are spoken of one by one."""
PLACES = 8
"""Ranks that a sentence names."""
TERMS = 6
"""Terms of a sum that are written out."""
SHOWN = 3
"""Decimals of a score in a verdict."""
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


def verdict(one: ScoreExplanation) -> str:
    """The score, what was found of what there is, and what the best order of the list would score.

    "AP is 0.52: 45 of 93 relevant documents found, the first at rank 2. The best order of this list would score 0.84."
    """
    if one.undefined or one.named == "lost" or not one.relevant or one.how == "listless":
        first = next(score_notes(one))
        return f"{first}{', which does not look at the list' * (one.how == 'listless')}."
    inside = [step for step in one.found if step.first is not None and step.first <= one.depth]
    within = f" in the first {one.depth:,}" if one.depth < one.length else ""
    of = counted(one.relevant, "relevant document")
    score = f"{one.measure} is {rounded(one.score, SHOWN)}"
    if not inside:
        return f"{score}: none of {of} found{within}.{_best(one)}"
    first_rank = ranks((inside[0].first or 0, inside[0].last or 0))
    if one.complete is not None and abs(one.complete - one.score) < NOTHING:
        return f"{score}, the best possible: {len(inside):,} of {of} found{within}."
    return f"{score}: {len(inside):,} of {of} found{within}, the first at rank {first_rank}.{_best(one)}"


def _best(one: ScoreExplanation) -> str:
    """What the best order of the list would score, if that is another score."""
    if one.reordered is None:
        return ""
    if abs(one.reordered - one.score) < NOTHING:
        return " No other order of this list would score better."
    return f" The best order of this list would score {rounded(one.reordered, SHOWN)}."


def score_notes(one: ScoreExplanation) -> Iterator[Note]:
    """How a score came about, and what would change it; the first names the measure."""
    name = one.measure
    if one.undefined:
        undefined = math.isnan(one.score)
        yield UNDEFINED(
            measure=name,
            score=one.score,
            lack=one.undefined,
            counts_as=None if undefined else one.score,
            remedy=(one.by.remedy or None) if undefined else None,
        )
        return
    yield _found(one)
    if one.how == "listless":
        yield LISTLESS(measure=name)
        return
    if one.how == "revealed":
        yield REVEALED(measure=name)
    if one.std_error:
        yield SAMPLED(measure=name, std_error=one.std_error)
    yield from _costs(one)
    if one.swap is not None:
        near = None if one.neighbours == one.swap else one.neighbours
        facts = {**_exchange(one.swap), **_exchange(near, "near_")}
        yield EXCHANGE("" if one.swap.exact else "first", measure=name, **facts)
    for absent in one.missing[:1]:
        first, last = absent.at_first, absent.appended
        if max(abs(first - one.score), abs(last - one.score)) >= NOTHING:
            yield ABSENT(measure=name, grade=absent.grade, doc=absent.docs[0], at_first=first, appended=last)
    yield from _ties(one)
    yield from _unjudged(one)


def _found(one: ScoreExplanation) -> Note:
    facts: dict[str, Any] = {"measure": one.measure, "score": one.score}
    facts |= {"found": len(one.found), "relevant": one.relevant}
    if one.named == "lost" and one.divisor is not None:
        pairs = one.divisor.value
        return FOUND("preferences", **facts, violated=one.score * pairs, pairs=pairs)
    if not one.relevant:
        return FOUND("unknown", **facts)
    inside = [step for step in one.found if step.first is not None and step.first <= one.depth]
    facts["deeper"] = len(one.found) - len(inside) or None
    facts["first"] = one.depth if one.depth < one.length else None
    if not inside:
        return FOUND("none", **facts)
    at = list(dict.fromkeys(ranks((step.first or 0, step.last or 0)) for step in inside))
    places = 1 if len(at) == 1 and "-" not in at[0] else 2
    return FOUND(**facts, inside=len(inside), places=places, ranks=_listed(at))


def _listed(places: list[str]) -> str:
    """Ranks, the last one and some of many.

    >>> _listed(["1"]), _listed(["1", "3-5"]), _listed([*"123456789"])
    ('1', '1 and 3-5', '1, 2, 3, 4, 5, 6, 7, ..., 9')
    """
    if len(places) > PLACES:
        places = [", ".join([*places[: PLACES - 1], "..., " + places[-1]])]
    return " and ".join(filter(None, (", ".join(places[:-1]), places[-1])))


def _costs(one: ScoreExplanation) -> Iterator[Note]:
    if one.reordered is None or one.complete is None or not one.relevant:
        return
    order, absence = one.reordered - one.score, one.complete - one.reordered
    missing = sum(len(absent.docs) for absent in one.missing)
    by_missing = signed(absence) if missing and abs(absence) >= NOTHING else None
    facts = {"reordered": one.reordered, "complete": one.complete, "missing": missing, "by_missing": by_missing}
    by_order = signed(order) if abs(order) >= NOTHING else None
    form = "" if by_order else "missing" if by_missing else "nothing"
    note = COSTS(form, measure=one.measure, **facts, by_order=by_order)
    if form == "nothing":
        note = note.weighed(consequence=0.0)
    yield note.in_brief(_costs_in_brief(missing if by_missing else 0, abs(absence), abs(order)))


def _costs_in_brief(missing: int, absence: float, order: float) -> str:
    """What missing documents and the order of the list cost; "" for neither.

    >>> _costs_in_brief(225, 0.75, 0.2278)
    '225 relevant documents are missing and cost 0.750; the order of the list costs 0.228'
    """
    parts = []
    if missing:
        be, do = ("is", "costs") if missing == 1 else ("are", "cost")
        parts.append(f"{counted(missing, 'relevant document')} {be} missing and {do} {rounded(absence, SHOWN)}")
    if order >= NOTHING:
        parts.append(f"the order of the list costs {rounded(order, SHOWN)}")
    return "; ".join(parts)


def _exchange(swap: Exchange | None, prefix: str = "") -> dict[str, Any]:
    """The facts of an exchange; of none, without values."""
    facts = {
        "lower": swap and swap.lower,
        "lower_ranks": swap and ranks(swap.lower_ranks),
        "upper": swap and swap.upper,
        "upper_ranks": swap and ranks(swap.upper_ranks),
        "score": swap and swap.score,
        "difference": swap and signed(swap.difference),
    }
    return {f"{prefix}{name}": value for name, value in facts.items()}


def _ties(one: ScoreExplanation) -> Iterator[Note]:
    def moves(group: TieGroup) -> float:
        ends = (one.score, group.low, group.high)
        return max(ends) - min(ends)

    moving = [group for group in sorted(one.ties, key=lambda group: -moves(group)) if moves(group) >= NOTHING]
    if not moving:
        return
    # A measure with an answer of its own to ties may give with them what no order of theirs gives.
    form = "shared" if one.by.core.shares_last_rank else ""
    more = len(moving) - NAMED if len(moving) > NAMED else None
    ties = [_tie_facts(group) for group in moving[:NAMED]]
    yield TIES(form, measure=one.measure, groups=len(moving), ties=ties, more=more)


def _tie_facts(group: TieGroup) -> dict[str, Any]:
    alike = group.high - group.low < NOTHING
    low, high = (None, None) if alike else figures((group.low, group.high))
    return {
        "ranks": ranks((group.first, group.last)),
        "relevant": group.relevant,
        "documents": group.documents,
        "only": group.low if alike else None,
        "low": low,
        "high": high,
        "exact": group.exact,
    }


def _unjudged(one: ScoreExplanation) -> Iterator[Note]:
    sign = one.by.sign
    gains = [(sign * (each.top - one.score), each) for each in one.unjudged if each.top == each.top]
    gains = sorted((pair for pair in gains if abs(pair[0]) >= NOTHING), key=lambda pair: -pair[0])
    if not gains:
        return
    first, *others = [_if_judged(each) for _, each in gains[:NAMED]]
    worst, last = gains[-1]
    told = worst < 0 and len(gains) > NAMED
    facts = {"measure": one.measure, "documents": len(one.unjudged), **first}
    if not others:
        yield UNJUDGED(**facts)
        return
    yield UNJUDGED(
        "several",
        **facts,
        others=others,
        worst=last.doc if told else None,
        worst_ranks=ranks(last.ranks) if told else None,
        worst_score=last.top if told else None,
    )


def _if_judged(each: UnjudgedDocument) -> dict[str, Any]:
    top = each.top if abs(each.top - each.least) >= NOTHING else None
    return {"doc": each.doc, "ranks": ranks(each.ranks), "score": each.least, "top": top}
