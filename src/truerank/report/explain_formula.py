"""A measure's formula with its numbers put in."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from truerank.analysis.explaining.explained import Explained
from truerank.analysis.explaining.formula import has_depth
from truerank.analysis.explaining.steps import Step
from truerank.report.table import DIGITS

TERMS = 6
"""Terms of a sum that are written out."""
NOTHING = 0.5 * 10**-DIGITS
"""What no printed digit shows."""


def header(name: str, one: Explained) -> list[str]:
    """The formula, what its letters stand for, and the numbers put in."""
    lines = [f"{name} = {one.formula}", f"with {', '.join(_with(one))}"]
    if one.undefined:
        return lines
    if one.divisor is not None and one.divisor.ideal:
        places = [f"{place.gain:g} x {place.weight:.{DIGITS}f}" for place in one.divisor.ideal]
        lines.append(f"{one.divisor.name} = {_terms(places, ' + ')} = {one.divisor.value:.{DIGITS}f}")
    return [*lines, *_put_in(name, one)]


def _with(one: Explained) -> Iterator[str]:
    known = one.parameters
    yield from (f"{letter} = {_value(value)}" for letter, value in known.items() if value is not False)
    yield f"n = {_value(one.length)}"
    if "k" not in known and has_depth(one.formula):
        yield "k = n + 1" if one.one.r.terminal else "k = n"
    if one.relevant:
        yield f"R = {_value(one.relevant)}"


def _put_in(name: str, one: Explained) -> Iterator[str]:
    """The sum with its numbers, where it is one over documents with gain."""
    if one.terms:
        yield ", ".join(f"{term} = {value:.{DIGITS}f}" for term, _, value in one.terms)
        parts = [
            f"{'-' if times < 0 else '+'} {f'{abs(times):g} x ' * (abs(times) != 1)}{value:.{DIGITS}f}"
            for _, times, value in one.terms
        ]
        yield f"{name} = {' '.join(parts).removeprefix('+ ')} = {one.score:.{DIGITS}f}"
    worth = [step for step in one.steps if step.gain and step.factor and step.kind != "start"]
    if one.how != "sum" or not worth:
        return
    # Far down a list weights are too small to be seen, and so are products with them.
    seen = [step for step in worth if abs((step.gain or 0.0) * (step.factor or 0.0)) >= NOTHING]
    products = [*map(_product, seen), *(["..."] if len(seen) < len(worth) else [])]
    cost = sum(step.cost or 0.0 for step in one.steps)
    above = _terms(products, " + ") + (f" - {cost:.{DIGITS}f}" if cost > 0 else "")
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


def _terms(terms: Sequence[str], sign: str) -> str:
    shown = terms if len(terms) <= TERMS else [*terms[: TERMS - 1], "..."]
    return sign.join(shown)


def _value(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return f"{value:g}" if isinstance(value, float) else repr(value)
