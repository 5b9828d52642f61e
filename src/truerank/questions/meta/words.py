"""What a comparison of measures means, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from truerank.data.notes import Code, Note
from truerank.questions.meta.answer import CRITERIA, MeasureCriteria, Meta

if TYPE_CHECKING:
    from truerank.measures.core.base import Measure
    from truerank.questions.meta.scores import SystemScores
    from truerank.questions.meta.unanimity import Unanimity

_HAS_BEST = "{measures:names} has the best mean rank, {mean_rank:.1f} of {compared}, and is first by "
_NEXT = "[; {next:names} {next_measures:comes|come} next with {next_rank:.1f}]"
FIRST = Code(
    "TR581",
    "which measure has the best mean rank, and which comes next",
    _HAS_BEST + "{first_by:names}" + _NEXT,
    every=_HAS_BEST + "every criterion" + _NEXT,
    nothing=_HAS_BEST + "none of the criteria" + _NEXT,
    several="{measures:names} have the best mean rank, {mean_rank:.1f} of {compared}" + _NEXT,
)
_WORST = "[; {worst} {worst_value:%}]"
ENDS = Code(
    "TR582",
    "the best and the worst measure by a criterion",
    discrimination="discrimination: {best} finds {value:%} of {pairs:pair} of runs to differ ({test}, p < {alpha:g})"
    + _WORST,
    sensitivity="sensitivity: by {best}, {value:%} of the differences on half of the topics are so large that at most "
    "one in twenty is reversed on the other half" + _WORST,
    tau_halves="tau_halves: by {best}, halves of the topics agree on the order of runs by tau {value:.2f}, "
    "extrapolated to all topics {full:.2f}[; {worst} {worst_value:.2f}, extrapolated to all topics {worst_full:.2f}]"
    "[; {without} undefined]",
    minority="minority: by {best}, {value:%} of comparisons on topics drawn anew go the way rarer for their pair"
    + _WORST,
    coverage="coverage: differences by {best} go with improvements by all of {reference} by rho {value:.3f}"
    "[; {worst} {worst_value:.3f}][; {without} undefined]",
)
ALIKE = Code(
    "TR583",
    "which measures agree most and least on the order of runs",
    "most alike are {measure} and {other}, tau {tau_a:.2f}",
    least="least alike are {measure} and {other}, tau {tau_a:.2f}",
)
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
TESTED = Code(
    "TR587",
    "what there is to know about the tests of runs",
    "{measure}: {tested}[; similar for {others:other measure}]",
)
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
    "{names:names} {measures:has|have} the same mean for all runs: there is no order, and coverage is undefined",
)
NONE_LARGE = Code(
    "TR591",
    "measures without a difference that is to be relied on",
    "{names:names}: no difference seen on half of the topics is large enough to be relied on",
)
NONE_UNANIMOUS = Code(
    "TR592",
    "runs of which none improves on another by all of the reference",
    "no run improves on another by all of {reference} more often than the other way: coverage is undefined",
)
BOTH_SIGNS = Code(
    "TR593",
    "measures with scores on both sides of 0",
    "{names:names}: scores lie on both sides of 0, where shares mean nothing; fuzzy ones are undefined",
)
_SHOWN = {
    "summary": tuple(CRITERIA),
    "discrimination": ("discrimination",),
    "swap": ("sensitivity", "tau_halves", "minority"),
    "coverage": ("coverage",),
}
"""Criteria that a sheet has the best and the worst measure of."""


def notes_of(answer: Meta, show: str) -> Iterator[Note]:
    """What there is to know of what is shown."""
    if show == "summary":
        yield from _first(answer)
    for name in _SHOWN.get(show, ()):
        if not all(math.isnan(each.criteria()[name]) for each in answer.values()):
            yield _ends(answer, name)
    if show == "tau":
        yield from _alike(answer)
    if show == "summary" and len(answer) > 1:
        yield CAVEAT()


def _first(answer: Meta) -> Iterator[Note]:
    """The measures with the best mean rank, the criteria that they are first by, and the measures that come next."""
    if len(answer) < 2:
        return
    by_rank = groupby(answer.by_rank, key=lambda one: round(one.mean_rank, 9))
    # Of measures for which nothing is known there is no first.
    ranked = [(rank, [one.measure for one in some]) for rank, some in by_rank if not math.isnan(rank)]
    if not ranked:
        return
    rank, best = ranked[0]
    ranks = answer[best[0]].ranks
    known = [name for name in CRITERIA if not math.isnan(ranks[name])]
    first_by = [name for name in known if ranks[name] == 1]
    form = "several" if len(best) > 1 else {0: "nothing", len(known): "every"}.get(len(first_by), "")
    next_rank, following = ranked[1] if len(ranked) > 1 else (None, None)
    yield FIRST(
        form,
        measures=best,
        mean_rank=rank,
        compared=len(answer),
        first_by=None if len(best) > 1 else first_by,
        next=following,
        next_measures=following and len(following),
        next_rank=next_rank,
    )


def _ends(answer: Meta, name: str) -> Note:
    rank = {one.measure: one.ranks[name] for one in answer.compared}
    best, worst = (answer[end(rank, key=lambda measure: rank[measure])] for end in (min, max))
    value, worst_value = (one.criteria()[name] for one in (best, worst))
    differ = rank[best.measure] != rank[worst.measure]
    facts: dict[str, Any] = {}
    if name == "discrimination":
        facts = {"pairs": best.tests.pairs, "test": answer.settings.test, "alpha": answer.settings.alpha}
    elif name == "tau_halves":
        facts = {"full": best.swaps.tau_full, "worst_full": worst.swaps.tau_full}
    elif name == "coverage":
        facts = {"reference": " ".join(map(str, answer.reference))}
    without = worst.measure if differ and math.isnan(worst_value) else None
    return ENDS(
        name,
        criterion=name,
        best=best.measure,
        value=value,
        worst=worst.measure,
        worst_value=worst_value if differ and (not without or name not in ("tau_halves", "coverage")) else None,
        without=without,
        **facts,
    )


def _alike(answer: Meta) -> Iterator[Note]:
    ends = {"": max, "least": min} if len(answer.orders) > 1 else {"": max}
    for form, end in ends.items():
        pair = end(answer.orders, key=lambda row: row.tau_a, default=None)
        if pair is not None:
            yield ALIKE(form, measure=pair.measure, other=pair.other, tau_a=pair.tau_a)


def undefined(
    measures: Sequence[MeasureCriteria], scores: Sequence[SystemScores], ratios: Unanimity, covered: Sequence[Measure]
) -> Iterator[Note]:
    """Why something is undefined."""
    noted = [(one.measure, note) for one in measures for note in one.tests.notes]
    if noted:
        measure, note = noted[0]
        yield TESTED(measure=measure, tested=note, others=len({name for name, _ in noted}) - 1 or None)
    if len(measures) == 1:
        yield ONE_MEASURE()
    if scores[0].topics < 2:
        yield ONE_TOPIC()
    flat = [one.measure for one in scores if not one.spread]
    if flat:
        yield NO_ORDER(names=flat, measures=len(flat))
    lost = [one.measure for one in measures if math.isnan(one.swaps.needed) and not math.isnan(one.swaps.tau_halves)]
    if lost:
        yield NONE_LARGE(names=lost, measures=len(lost))
    if not ratios.surplus.any():
        yield NONE_UNANIMOUS(reference=" ".join(map(str, covered)))
    below = [one.measure for one in scores if not one.one_sided]
    if below:
        yield BOTH_SIGNS(names=below, measures=len(below))
