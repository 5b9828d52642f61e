"""What is said of best lengths, and of the order of systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan
from typing import TYPE_CHECKING

from truerank.data.notes import Code, Note
from truerank.questions.truncate.answer import median
from truerank.report.table import DIGITS

if TYPE_CHECKING:
    from truerank.questions.truncate.against import Against
    from truerank.questions.truncate.answer import Cuts

_LENGTHS = (
    "{measure}: the best length is 0 in {empty:%} of lists[ (an empty list scores {at_zero:g}, the most there is, by "
    "definition)][ (in all of them no length scores more than {most:g})] and the whole list in {uncut:%}; "
)
_EACH = _LENGTHS + "cutting each list at its best length would "
CUTTING = Code(
    "TR441",
    "how many lists are best left empty or whole, and what cutting each at its best would do",
    _EACH + "raise the mean[, over {runs:run},] from {whole:.4f} to {best:.4f}",
    lower=_EACH + "lower the mean[, over {runs:run},] from {whole:.4f} to {best:.4f}",
    unchanged=_EACH + "leave the mean[, over {runs:run},] at {whole:.4f}",
    undefined=_LENGTHS + "the mean is undefined",
)
NO_LENGTH = Code("TR442", "a measure without a value in any list", "{measure} has no value in any list")
NO_CORRELATION = Code(
    "TR443",
    "lengths, or numbers of relevant documents, that are all the same",
    "{names:names}: lengths, or relevant documents, are all the same, so that there is no correlation",
)
SLOW = Code(
    "TR444",
    "measures that score every length of a list on its own, which takes its time",
    "{measures:names} {count:is no sum|are no sums} over ranks: each of up to {lengths:,} lengths was scored on its "
    "own, which takes seconds a run",
)
LONE = Code(
    "TR447",
    "a collection with one run",
    "{name} has one run, and an order needs two; tau is undefined",
    unnamed="the collection has one run, and an order needs two; tau is undefined",
)
NO_MEAN = Code(
    "TR448",
    "a collection with undefined means",
    "{name} has runs without a mean, which are left out of tau",
    unnamed="the collection has runs without a mean, which are left out of tau",
)
UNDEFINED = Code(
    "TR449",
    "how many taus are undefined",
    "{undefined} of {taus} taus are undefined, and left out of means and shares",
)
LEVEL = Code(
    "TR450",
    "taus without a p-value",
    "{level} of {taus} taus have no tau-b and no p-value, because all systems have equal scores by a measure; "
    "they are left out of both",
)
SIGNIFICANT = Code("TR451", "how many taus are significant", "{share:%} of the taus are significant at {level:g}")
TAU_B = Code(
    "TR452",
    "how far tau-b is from tau-a",
    "tau-b, which corrects for ties, differs from tau-a by {gap:.2g} at most",
)
TOLERANCE = Code(
    "TR455",
    "lists whose best length the tolerance decides",
    "{measure}: in {lists} of {of:list} another length scores higher, by no more than the tolerance of {tolerance:g}; "
    "with --tolerance 0 the median best length is {exact:g}, not {median:g}",
)
LEVELS = (0.001, 0.01)
"""Levels of significance at which taus are counted."""


def cutting(cuts: Cuts) -> Iterator[Note]:
    """What there is to know of each measure."""
    for measure in cuts.measures:
        yield _cutting(cuts, measure)
    yield from tolerated(cuts)
    flat = [measure for measure in cuts.measures if isnan(cuts.correlation(measure))]
    if flat:
        yield NO_CORRELATION(names=flat)


def tolerated(cuts: Cuts) -> Iterator[Note]:
    """By which measures other lengths would be best without the tolerance."""
    for measure in cuts.measures:
        lengths, exact = cuts.lengths(measure), cuts.exact_lengths(measure)
        decided = int((lengths != exact).sum())
        if decided:
            yield TOLERANCE(
                measure=measure,
                lists=decided,
                of=len(lengths),
                tolerance=cuts.tolerance,
                median=median(lengths),
                exact=median(exact),
            )


def _cutting(cuts: Cuts, measure: str) -> Note:
    row = cuts.summary(measure)
    if not row.lists:
        return NO_LENGTH(measure=measure)
    if isnan(row.loss):
        form = "undefined"
    elif row.loss < 0.5 * 10**-DIGITS:
        form = "unchanged"
    else:
        form = "" if row.best > row.whole else "lower"
    at_zero = _best_by_definition(cuts, measure)
    return CUTTING(
        form,
        measure=measure,
        empty=row.empty,
        at_zero=at_zero,
        most=_nothing_better(cuts, measure) if at_zero is None else None,
        uncut=row.uncut,
        runs=len(cuts) if len(cuts) > 1 else None,
        whole=row.whole,
        best=row.best,
    )


def _best_by_definition(cuts: Cuts, measure: str) -> float | None:
    """The score of an empty list, if it is the best that there is and all lists are best left empty."""
    rows = [*cuts.cuts(measure).values()]
    by = rows[0].by
    if by.at_zero != by.range[1] or not by.higher_is_better:
        return None
    are_best = all((row.lengths == 0).all() and (row.emptied("best") == by.at_zero).all() for row in rows)
    return by.at_zero if are_best else None


def _nothing_better(cuts: Cuts, measure: str) -> float | None:
    """0 if lists that are best left empty score no more at any length; None if some do, or there are none."""
    rows = [*cuts.cuts(measure).values()]
    if not rows[0].by.higher_is_better or not any(len(row.emptied("best")) for row in rows):
        return None
    return None if any(row.emptied(name).any() for row in rows for name in ("best", "whole")) else 0.0


def slow(measures: Sequence[str], longest: int) -> Iterator[Note]:
    """What took its time."""
    if measures:
        yield SLOW(measures=[*measures], count=len(measures), lengths=longest)


def agreeing(answer: Against) -> Iterator[Note]:
    """What makes a tau undefined, and how many are significant."""
    yield from _undefined(answer)
    if all(isnan(one.p) for one in answer.taus):
        return
    for level in LEVELS:
        yield SIGNIFICANT(level=level, share=answer.significant(level))
    yield TAU_B(gap=max((abs(one.tau_a - one.tau_b) for one in answer.taus if not isnan(one.tau_b)), default=0.0))


def _undefined(answer: Against) -> Iterator[Note]:
    lone = [name for name, cuts in answer.collections.items() if len(cuts) < 2]
    runs = {name: len(cuts) for name, cuts in answer.collections.items() if len(cuts) > 1}
    lacking = dict.fromkeys(one.collection for one in answer.taus if one.runs < runs.get(one.collection, 0))
    yield from (LONE("" if name else "unnamed", name=name) for name in lone)
    yield from (NO_MEAN("" if name else "unnamed", name=name) for name in lacking)
    undefined = sum(isnan(one.tau_a) for one in answer.taus)
    level = sum(isnan(one.p) for one in answer.taus) - undefined
    if 0 < undefined < len(answer.taus):
        yield UNDEFINED(undefined=undefined, taus=len(answer.taus))
    if level:
        yield LEVEL(level=level, taus=len(answer.taus))
