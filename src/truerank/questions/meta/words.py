"""What a comparison of measures means, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from truerank.data.notes import Code, Note
from truerank.data.printing import counted, percent
from truerank.measures.core.base import Measure
from truerank.questions.meta.answer import CRITERIA, Merit, Meta
from truerank.questions.meta.scores import SystemScores
from truerank.questions.meta.unanimity import Unanimity

FIRST = Code("TR581", "which measure has the best mean rank, and which comes next")
ENDS = Code("TR582", "the best and the worst measure by a criterion")
ALIKE = Code("TR583", "which measures are most and least alike")
CAVEAT = Code(
    "TR584",
    "what no criterion asks",
    "all criteria but coverage ask how consistent a measure is, and none whether it is what users want; with other "
    "runs or topics the order of measures may be another",
)
LEFT_OUT = Code(
    "TR586",
    "topics that are left out of all comparisons",
    "{topics:topic} without a value for some run or measure {topics:is|are} left out of all comparisons",
)
TESTED = Code("TR587", "what there is to know about the tests of runs")
ONE_MEASURE = Code(
    "TR588",
    "a single measure, which agrees with no other",
    "there is one measure: how far it agrees with others is undefined",
)
ONE_TOPIC = Code(
    "TR589",
    "a single topic, which cannot be split",
    "there is one topic: it cannot be split, and what other topics would show is undefined",
)
NO_ORDER = Code(
    "TR590",
    "measures that order no runs",
    "{names} {measures:has|have} the same mean for all runs: there is no order, and coverage is undefined",
)
NONE_LARGE = Code(
    "TR591",
    "measures without a difference that is to be relied on",
    "{names}: no difference seen on half of the topics is large enough to be relied on",
)
NONE_UNANIMOUS = Code(
    "TR592",
    "runs of which none improves on another by all of the reference",
    "no run improves on another by all of {reference} more often than the other way: coverage is undefined",
)
BOTH_SIGNS = Code(
    "TR593",
    "measures with scores on both sides of 0",
    "{names}: scores lie on both sides of 0, where shares mean nothing; fuzzy ones are undefined",
)
_SHOWN = {
    "summary": tuple(CRITERIA),
    "discrimination": ("discrimination",),
    "swap": ("sensitivity", "tau_halves", "minority"),
    "coverage": ("coverage",),
}


def said(found: Meta, show: str) -> Iterator[Note]:
    """What there is to know."""
    if show == "summary":
        yield from _first(found)
    for name in _SHOWN.get(show, ()):
        if any(each.criteria()[name] == each.criteria()[name] for each in found.values()):
            yield _ends(found, name)
    if show == "tau":
        yield from _alike(found)
    if show == "summary" and len(found) > 1:
        yield CAVEAT()


def _first(found: Meta) -> Iterator[Note]:
    """Who comes first, by how much, and by what."""
    if len(found) < 2:
        return
    # Of measures for which nothing is known there is no first.
    by_rank = groupby(found.by_rank, key=lambda merit: round(merit.mean_rank, 9))
    places = [(rank, [merit.measure for merit in some]) for rank, some in by_rank]
    places = [(rank, some) for rank, some in places if rank == rank]
    if not places:
        return
    rank, best = places[0]
    text = f"{_listed(best)} {'has' if len(best) == 1 else 'have'} the best mean rank, {rank:.1f} of {len(found)}"
    if len(best) == 1:
        text += f", and is first by {_first_by(found[best[0]].ranks)}"
    for rank, after in places[1:2]:
        text += f"; {_listed(after)} {'comes' if len(after) == 1 else 'come'} next with {rank:.1f}"
    yield FIRST(text, measures=best, mean_rank=places[0][0])


def _first_by(ranks: Mapping[str, float]) -> str:
    known = [name for name in CRITERIA if ranks[name] == ranks[name]]
    first = [name for name in known if ranks[name] == 1]
    return {len(known): "every criterion", 0: "none of the criteria"}.get(len(first), _listed(first))


def _ends(found: Meta, name: str) -> Note:
    """The best measure by a criterion, and the worst."""
    rank = {merit.measure: merit.ranks[name] for merit in found.merits}
    best, worst = min(rank, key=lambda measure: rank[measure]), max(rank, key=lambda measure: rank[measure])
    text = f"{name}: {_sentence(found, name, best, _number(found[best], name))}"
    if rank[best] != rank[worst]:
        text += f"; {worst} {_number(found[worst], name)}"
    return ENDS(text, criterion=name, best=best, worst=worst)


def _sentence(found: Meta, name: str, measure: str, number: str) -> str:
    settings = found.settings
    pairs = found[measure].tests.pairs
    return {
        "discrimination": f"{measure} finds {number} of {counted(pairs, 'pair')} of runs to differ ({settings.test}, "
        f"p < {settings.alpha:g})",
        "sensitivity": f"by {measure}, {number} of the differences on half of the topics are so large that at most one "
        "in twenty is reversed on the other half",
        "tau_halves": f"by {measure}, halves of the topics agree on the order of runs by tau {number}",
        "minority": f"by {measure}, {number} of comparisons on topics drawn anew go the way rarer for their pair",
        "coverage": f"differences by {measure} go with improvements by all of {' '.join(map(str, found.reference))} by "
        f"rho {number}",
    }[name]


def _number(merit: Merit, name: str) -> str:
    value = merit.criteria()[name]
    if value != value:
        return "undefined"
    if name == "tau_halves":
        return f"{value:.2f}, extrapolated to all topics {merit.swaps.tau_full:.2f}"
    return f"{value:.3f}" if name == "coverage" else percent(value)


def _alike(found: Meta) -> Iterator[Note]:
    taus = {(pair.measure, pair.other): pair.tau for pair in found.alike}
    if not taus:
        return
    most, least = max(taus, key=lambda pair: taus[pair]), min(taus, key=lambda pair: taus[pair])
    yield ALIKE(f"most alike are {most[0]} and {most[1]}, tau {taus[most]:.2f}", measures=[*most], tau=taus[most])
    if len(taus) > 2:
        said = f"least alike are {least[0]} and {least[1]}, tau {taus[least]:.2f}"
        yield ALIKE(said, measures=[*least], tau=taus[least])


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def undefined(
    merits: Sequence[Merit], compared: Sequence[SystemScores], found: Unanimity, covered: Sequence[Measure]
) -> Iterator[Note]:
    """Why something is undefined."""
    noted = [(merit.measure, note) for merit in merits for note in merit.tests.notes]
    if noted:
        measure, note = noted[0]
        more = len({name for name, _ in noted}) - 1
        others = f"; similar for {counted(more, 'other measure')}" if more else ""
        yield TESTED(f"{measure}: {note}{others}", measure=measure, others=more)
    if len(merits) == 1:
        yield ONE_MEASURE()
    if compared[0].topics < 2:
        yield ONE_TOPIC()
    flat = [one.measure for one in compared if not one.spread]
    if flat:
        yield NO_ORDER(names=", ".join(flat), measures=len(flat))
    lost = [merit.measure for merit in merits if math.isnan(merit.swaps.needed) and not math.isnan(merit.swaps.tau)]
    if lost:
        yield NONE_LARGE(names=", ".join(lost), measures=len(lost))
    if not found.surplus.any():
        yield NONE_UNANIMOUS(reference=" ".join(map(str, covered)))
    below = [one.measure for one in compared if not one.one_sided]
    if below:
        yield BOTH_SIGNS(names=", ".join(below), measures=len(below))
