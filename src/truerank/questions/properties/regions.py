"""For which values of a parameter a measure has each property: bounds that are proved, and others by bisection."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from typing import Any, NamedTuple

from truerank.data.errors import InputError
from truerank.measures.core.base import Measure
from truerank.questions.properties.property import Property
from truerank.questions.properties.question import Region, Verdict
from truerank.track.track import Progress

Ask = Callable[[Measure, tuple[Property, ...]], list[Verdict]]
"""The verdicts on a measure, in the order of the properties."""


class Span(NamedTuple):
    """The values of a parameter that are looked at."""

    points: tuple[float, ...]
    """Ascending; between neighbours that differ the bound is bisected."""
    within: float
    """How near a bound is come to."""
    whole: bool = False
    every: tuple[float, float] | None = None
    """The ends of all values that there are, which a proof reaches to."""


SPANS: dict[str, Span] = {
    "p": Span((0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98), 1e-4, every=(0.0, 1.0)),
    "e": Span((0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0), 1e-4),
    "beta": Span((0.0, 0.1, 0.5, 1.0, 1.02, 1.05, 1.1, 1.2, 1.5, 2.0, 5.0), 1e-4),
    "T": Span((0.5, 1.0, 2.0, 3.0, 5.0, 10.0), 1e-3),
    "cutoff": Span((1, 2, 3, 4, 5, 6, 8, 10, 20, 50, 100), 1, whole=True),
}
"""Parameters of measures, and where they are tried."""


class Bound(NamedTuple):
    """A bound that is proved: the measure has the property above it and nowhere else."""

    at: float
    why: str


_PLASTIC = 0.7548776662466927
"""The root of p^3 + p^2 = 1."""
_SATISFIED = 0.8392867552141612
"""The root of p^3 / 2 + p^2 = 1."""
PROVED: dict[tuple[str, str, str], Bound] = {
    ("RBP", "p", "Shallowness threshold"): Bound(
        _PLASTIC,
        "m hits after m others beat one at the top where p^m (1 - p^m) > 1 - p; m = 2 and m = 3 ask for p^3 + p^2 > 1, "
        "every other m for more",
    ),
    ("iRBU", "p", "Shallowness threshold"): Bound(
        _SATISFIED,
        "with Rel' = 1/2, m hits after m others beat one at the top where p^m (1 + p/2 + ... + (p/2)^(m-1)) > 1; m = 2 "
        "asks for p^2 + p^3/2 > 1, every other m for more",
    ),
}
"""By the measure's name with no parameter but that one, the parameter and the property."""
EVERYWHERE: dict[tuple[str, str, str], str] = {
    ("RBP", "p", "Priority"): "weights (1 - p) p^(i-1) fall strictly for every p between 0 and 1",
    ("RBP", "p", "Top-weightedness"): "w(i) - w(i+1) = (1 - p)^2 p^(i-1) falls strictly for every p between 0 and 1",
    ("RBP", "p", "Deepness threshold"): "n hits after n others are worth p^n (1 - p^n), less than 1 - p from some n on",
    ("RBP", "p", "Confidence"): "documents without relevance add nothing, whatever p is",
    ("RBP", "p", "Recall"): "it does not look at R, whatever p is",
    ("RBP", "p", "Redundancy"): "each hit adds the weight of its rank, whatever p is",
}
"""Verdicts that are proved to be the same for all values of a parameter."""


def regions(
    measures: Iterable[Measure], stated: tuple[Property, ...], ask: Ask, progress: Progress | None
) -> tuple[Region, ...]:
    """Where each measure has each property, parameter by parameter."""
    wanted = [(measure, name) for measure in measures for name in parameters_of(measure)]
    if not wanted:
        names = ", ".join(SPANS)
        raise InputError(f"no measure has a parameter to vary; regions are looked for over {names}: try RBP")
    found: list[Region] = []
    for done, (measure, name) in enumerate(wanted, 1):
        found += _along(measure, name, stated, ask)
        if progress is not None:
            progress(f"{measure}, {name}", done, len(wanted))
    return tuple(found)


def parameters_of(measure: Measure) -> tuple[str, ...]:
    """The parameters of a measure that regions are looked for over; a cutoff where it is given one.

    >>> from truerank.measures.grammar import parse
    >>> parameters_of(parse("RBPU")), parameters_of(parse("AP")), parameters_of(parse("P@10"))
    (('p', 'e'), (), ('cutoff',))
    """
    core = measure.core
    own = [name for name in SPANS if name != "cutoff" and any(each.name == name for each in fields(core))]
    cut = ["cutoff"] if core.cutoff is not None and core.takes_cutoff and type(core).cutoff is None else []
    return (*(name for name in own if _takes(core, name)), *cut)


def _takes(core: Measure, name: str) -> bool:
    """Whether a measure has a use for a parameter with the others that it has."""
    try:
        _set(core, name, SPANS[name].points[1])
    except InputError:
        return False
    return True


def _set(measure: Measure, name: str, value: float) -> Measure:
    given: dict[str, Any] = {name: int(value) if SPANS[name].whole else value}
    return measure.with_core(lambda core: replace(core, **given))


def _along(measure: Measure, name: str, stated: tuple[Property, ...], ask: Ask) -> list[Region]:
    span = SPANS[name]
    at: dict[float, dict[str, Verdict]] = {
        point: dict(zip((each.name for each in stated), ask(_set(measure, name, point), stated), strict=True))
        for point in span.points
    }
    found: list[Region] = []
    for each in stated:
        known = {point: verdicts[each.name] for point, verdicts in at.items()}
        for low, high in zip(span.points, span.points[1:], strict=False):
            known |= _bisected(measure, name, each, (low, known[low]), (high, known[high]), ask)
        found += _pieces(measure, name, each, known)
    return found


def _bisected(
    measure: Measure, name: str, stated: Property, low: tuple[float, Verdict], high: tuple[float, Verdict], ask: Ask
) -> dict[float, Verdict]:
    """The two sides of the bound between values whose verdicts differ, as near to each other as is asked for."""
    span = SPANS[name]
    sides: dict[float, Verdict] = {}
    while low[1].outcome != high[1].outcome and high[0] - low[0] > span.within:
        middle = (low[0] + high[0]) / 2
        middle = math.floor(middle) if span.whole else middle
        [verdict] = ask(_set(measure, name, middle), (stated,))
        if verdict.outcome == low[1].outcome:
            low = (middle, verdict)
        else:
            # A third outcome in between is a piece of its own, if it is met; what lies below it is looked at.
            high = (middle, verdict)
        sides = {low[0]: low[1], high[0]: high[1], **sides}
    return sides


def _pieces(measure: Measure, name: str, stated: Property, known: dict[float, Verdict]) -> list[Region]:
    """Stretches of values with one outcome."""
    points = sorted(known)
    cuts = [i for i in range(1, len(points)) if known[points[i]].outcome != known[points[i - 1]].outcome]
    stretches = list(zip([0, *cuts], [*cuts, len(points)], strict=True))
    # A value whose neighbours on either side differ from it, as near as they are, has the outcome alone.
    whole = SPANS[name].whole
    alone = {points[first] for first, last in stretches if last - first == 1 and cuts}
    pieces: list[Region] = []
    for first, last in stretches:
        own = points[first:last]
        low, high = own[0], own[-1]
        if not whole and low not in alone:
            low = low if first == 0 else _between(points[first - 1], low, alone)
            high = high if last == len(points) else _between(high, points[last], alone)
        shown = known[own[-1] if first == 0 and last < len(points) else own[0]]
        how, why = _proof(measure, name, stated, len(cuts))
        pieces.append(
            Region(
                measure=str(measure),
                property=stated.name,
                parameter=name,
                low=float(low),
                high=float(high),
                verdict=shown.outcome,
                holds=shown.holds,
                how=how,
                why=why,
                witness=f"{name} = {own[-1] if first == 0 and last < len(points) else own[0]:.6g}: {shown.witness}",
            )
        )
    return _exactly(pieces, measure, name, stated)


def _between(below: float, above: float, alone: set[float]) -> float:
    """A bound between two values, which is one of them where that has its outcome alone."""
    for one in (below, above):
        if one in alone:
            return one
    return (below + above) / 2


def _proof(measure: Measure, name: str, stated: Property, cuts: int) -> tuple[str, str]:
    key = (measure.name, name, stated.name)
    if set(measure.parameters()) - {name} or measure.cutoff is not None:
        return "searched", ""
    if key in PROVED and cuts == 1:
        return "proved", PROVED[key].why
    if key in EVERYWHERE and not cuts:
        return "proved", EVERYWHERE[key]
    return "searched", ""


def _exactly(pieces: list[Region], measure: Measure, name: str, stated: Property) -> list[Region]:
    """Pieces with the bound that is proved in place of the one that was found near it."""
    if pieces[0].how != "proved":
        return pieces
    low, high = SPANS[name].every or (pieces[0].low, pieces[-1].high)
    pieces = [replace(pieces[0], low=low), *pieces[1:]]
    pieces = [*pieces[:-1], replace(pieces[-1], high=high)]
    bound = PROVED.get((measure.name, name, stated.name))
    if bound is None:
        return pieces
    below, above = pieces
    if abs(below.high - bound.at) > SPANS[name].within:
        found = f"{below.high:.6g} was found, and {bound.at:.6g} is proved"
        raise AssertionError(f"{measure}, {stated.name}: {found}")
    return [replace(below, high=bound.at), replace(above, low=bound.at)]
